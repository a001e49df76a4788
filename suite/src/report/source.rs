//! Coverage by source file: lines, and the sides of branches at each.

use std::collections::BTreeMap;

use wallace_engine::TargetKind;

use crate::record::{RunRecord, TargetRecord};

/// The known lines of one file.
#[derive(Debug, Default)]
pub(super) struct SourceFile<'a> {
    pub(super) path: &'a str,
    /// By number, from 1.
    pub(super) lines: BTreeMap<u32, SourceLine<'a>>,
}

/// What is known of a line.
#[derive(Debug, Default)]
pub(super) struct SourceLine<'a> {
    /// Whether it was executed; none where no line target stands there, but branches do.
    pub(super) is_executed: Option<bool>,
    /// Sides of its branches in order.
    pub(super) sides: Vec<&'a TargetRecord>,
}

impl SourceLine<'_> {
    /// Whether the line was executed, as far as that can be told.
    pub(super) fn is_covered(&self) -> bool {
        self.is_executed.unwrap_or_else(|| self.covered_sides() > 0)
    }

    /// Sides of branches that were taken.
    pub(super) fn covered_sides(&self) -> usize {
        self.sides.iter().filter(|side| side.is_covered()).count()
    }
}

impl SourceFile<'_> {
    /// Executed lines and all lines.
    pub(super) fn line_counts(&self) -> (usize, usize) {
        (self.lines.values().filter(|line| line.is_covered()).count(), self.lines.len())
    }

    /// Taken sides and all sides.
    pub(super) fn side_counts(&self) -> (usize, usize) {
        let lines = self.lines.values();
        lines.fold((0, 0), |(taken, all), line| {
            (taken + line.covered_sides(), all + line.sides.len())
        })
    }
}

/// Every file of which a line is known, ordered by path.
pub(super) fn files(record: &RunRecord) -> Vec<SourceFile<'_>> {
    let mut files: BTreeMap<&str, SourceFile<'_>> = BTreeMap::new();
    for target in &record.targets {
        let Some(place) = &target.place else { continue };
        if !matches!(target.kind, TargetKind::Line | TargetKind::Branch) {
            continue;
        }
        let file = files.entry(&place.file).or_default();
        file.path = &place.file;
        let line = file.lines.entry(place.line).or_default();
        if target.kind == TargetKind::Line {
            *line.is_executed.get_or_insert(false) |= target.is_covered();
        } else {
            line.sides.push(target);
        }
    }
    files.into_values().collect()
}

/// Branches of a line: sides whose names differ only in the side, in order.
pub(super) fn branches<'a>(sides: &[&'a TargetRecord]) -> Vec<Vec<&'a TargetRecord>> {
    let mut groups: BTreeMap<&str, Vec<&TargetRecord>> = BTreeMap::new();
    for side in sides {
        let decision = side.name.strip_suffix(&side.side).unwrap_or(&side.name);
        groups.entry(decision).or_default().push(side);
    }
    groups.into_values().collect()
}
