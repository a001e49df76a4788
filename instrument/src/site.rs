//! Places in instrumented code, as the attribute registers them.
//!
//! The attribute puts one constant table per function into the program. The linker gathers the
//! tables (crate `inventory`), so that every target is known before any of the code has run:
//! that is what makes an honest denominator.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::memo::Memo;

/// Marks a function whose targets have no numbers yet.
const UNNUMBERED: u32 = u32::MAX;

/// The table of one instrumented function.
#[derive(Debug)]
pub struct Function {
    pub(crate) unit: &'static str,
    pub(crate) name: &'static str,
    /// Source file, as the compiler was given it; empty where nobody said.
    pub(crate) file: &'static str,
    pub(crate) sites: &'static [Site],
    /// In the order of the sites.
    targets: &'static [Target],
    /// Number of the first target of this function, set by the registry.
    first: AtomicU32,
}

impl Function {
    /// A table for function `name` in the module `unit`, with its targets.
    #[must_use]
    pub const fn new(
        unit: &'static str,
        name: &'static str,
        sites: &'static [Site],
        targets: &'static [Target],
    ) -> Self {
        Self { targets, unit, name, file: "", sites, first: AtomicU32::new(UNNUMBERED) }
    }

    /// The same function, in a source file.
    #[must_use]
    pub const fn in_file(mut self, file: &'static str) -> Self {
        self.file = file;
        self
    }

    /// Number of the first target, once the registry has numbered them.
    #[inline]
    pub(crate) fn first(&self) -> Option<u32> {
        let first = self.first.load(Ordering::Relaxed);
        (first != UNNUMBERED).then_some(first)
    }

    /// What target `offset` remembers.
    #[inline]
    pub(crate) fn memo(&self, offset: u32) -> Option<&'static Memo> {
        self.target(offset).map(|target| &target.memo)
    }

    /// Target `offset`.
    #[inline]
    pub(crate) fn target(&self, offset: u32) -> Option<&'static Target> {
        self.targets.get(offset as usize)
    }

    pub(crate) fn number_from(&self, first: u32) {
        self.first.store(first, Ordering::Relaxed);
    }

    /// Line of the first site: what functions of a module are ordered by.
    pub(crate) fn line(&self) -> u32 {
        self.sites.first().map_or(0, |site| site.line)
    }
}

/// One target of a function, and what is remembered of it: all that lines and conditions hand over.
pub struct Target {
    pub(crate) function: &'static Function,
    /// Number within the function.
    pub(crate) offset: u32,
    pub(crate) memo: Memo,
}

impl Target {
    /// Target `offset` of `function`.
    #[must_use]
    pub const fn new(function: &'static Function, offset: u32) -> Self {
        Self { function, offset, memo: Memo::new() }
    }
}

impl fmt::Debug for Target {
    /// Without its function, which holds its targets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = formatter.debug_struct("Target");
        text.field("offset", &self.offset).field("memo", &self.memo).finish_non_exhaustive()
    }
}

/// A table that the linker gathers.
#[derive(Debug)]
pub struct Registered(pub &'static Function);

inventory::collect!(Registered);

/// One place with its targets, which are numbered in the order of the table.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    pub(crate) line: u32,
    position: u32,
    pub(crate) kind: SiteKind,
}

/// How many targets a site has and what they are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteKind {
    /// One target: the line is executed.
    Line,
    /// Two targets: a condition is true, a condition is false.
    Branch,
    /// One target per arm of a `match`.
    Arms(u32),
    /// Two targets: a call gives what was asked for, or does not.
    Call,
}

impl Site {
    /// A line that holds the start of a statement.
    #[must_use]
    pub const fn line(line: u32) -> Self {
        Self { line, position: 0, kind: SiteKind::Line }
    }

    /// An atomic condition; `position` counts the branches of a line from 0.
    #[must_use]
    pub const fn branch(line: u32, position: u32) -> Self {
        Self { line, position, kind: SiteKind::Branch }
    }

    /// A call that gives an `Option` or a `Result`, or a `?`; `position` counts those of a line.
    #[must_use]
    pub const fn call(line: u32, position: u32) -> Self {
        Self { line, position, kind: SiteKind::Call }
    }

    /// A `match` with `count` arms.
    #[must_use]
    pub const fn arms(line: u32, position: u32, count: u32) -> Self {
        Self { line, position, kind: SiteKind::Arms(count) }
    }

    /// Names of the targets; `place` is the module, qualified where that alone is ambiguous.
    pub(crate) fn target_names(&self, place: &str) -> Vec<String> {
        let line = self.line;
        if self.kind == SiteKind::Line {
            return vec![format!("Line_at_{place}_{line:05}")];
        }
        if self.kind == SiteKind::Call {
            // The name that the family gives to calls that can fail.
            let stem = format!("MethodReplacement_at_{place}_{line:05}_{}", self.position);
            return ["true", "false"].map(|side| format!("{stem}_EXCEPTION_{side}")).to_vec();
        }
        let stem = format!("Branch_at_{place}_at_line_{line:05}_position_{}", self.position);
        match self.kind {
            SiteKind::Arms(count) => (0..count).map(|arm| format!("{stem}_arm_{arm}")).collect(),
            SiteKind::Line | SiteKind::Branch | SiteKind::Call => {
                ["trueBranch", "falseBranch"].map(|side| format!("{stem}_{side}")).to_vec()
            }
        }
    }
}
