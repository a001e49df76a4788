//! When what was covered.

use serde::{Deserialize, Serialize};
use wallace_engine::{
    Action, TargetKind, TargetName,
    archive::{Added, Archive},
};
use wallace_suite::record::{Moment, TimePoint};

/// Most points of the curve, spread over the budget.
const POINTS: f64 = 400.0;

/// How coverage grew, and when each target was covered first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct History {
    pub(crate) points: Vec<TimePoint>,
    pub(crate) first: Vec<(TargetName, Moment)>,
    lines: usize,
    branches: usize,
}

impl History {
    /// Notes what a test changed.
    pub(crate) fn note<A: Action>(
        &mut self,
        moment: Moment,
        used: f64,
        added: &Added,
        archive: &Archive<A>,
        faults: usize,
    ) {
        for name in added.covered.iter().filter_map(|target| archive.name(*target)) {
            self.lines += usize::from(name.kind() == TargetKind::Line);
            self.branches += usize::from(name.kind() == TargetKind::Branch);
            self.first.push((name.clone(), moment));
        }
        let Moment { calls, seconds } = moment;
        let (lines, branches) = (self.lines, self.branches);
        let covered = archive.covered();
        let point = TimePoint { calls, seconds, used, covered, lines, branches, faults };
        // One point for each part of the budget: the last one in it.
        let part = |used: f64| (used * POINTS) as u32;
        match self.points.last_mut() {
            Some(last) if part(last.used) == part(used) => *last = point,
            _ => self.points.push(point),
        }
    }
}
