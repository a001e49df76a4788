//! What a run gave.

use std::path::PathBuf;
use std::time::Duration;

use wallace_engine::{StopReason, TargetKind, solution::TargetResult};
use wallace_suite::{record::LedgerRow, report::Severity};

use crate::comparison::Difference;
use crate::coverage::Coverage;

/// The result of a run, as it is told at its end.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Name of the service, as its driver tells it.
    pub service: String,
    /// Whether the service was observed through a driver; without one no code coverage is known.
    pub is_white_box: bool,
    /// Why the search ended.
    pub reason: StopReason,
    /// Seed of the search.
    pub seed: u64,
    /// Calls of the search.
    pub calls: u64,
    /// Calls after it: making its tests smaller, letting them notice more, and running them again.
    pub calls_after: u64,
    /// What every call that went out was made for, those before the search and logins included.
    pub ledger: Vec<LedgerRow>,
    /// Time of the search, without its preparation and without writing.
    pub elapsed: Duration,
    /// Calls per second of the search.
    pub calls_per_second: f64,
    /// Line coverage of the service.
    pub lines: Coverage,
    /// Branch coverage of the service.
    pub branches: Coverage,
    /// Targets covered.
    pub covered: usize,
    /// Targets reached, covered ones included.
    pub reached: usize,
    /// Every target that was reached, and how near the search came to it.
    pub targets: Vec<TargetResult>,
    /// Operations of the service that can be called.
    pub operations: usize,
    /// Operations that answered at least once without errors.
    pub answered: usize,
    /// Distinct faults.
    pub faults: usize,
    /// Distinct faults that no baseline knows, and how bad the worst of them is.
    pub new_faults: usize,
    /// See [`new_faults`](Self::new_faults); none where there is none.
    pub worst: Option<Severity>,
    /// Where little was found, why that may be and what to try.
    pub advice: Vec<String>,
    /// Tests written.
    pub tests: usize,
    /// What another version of the service answered differently, where one was to compare with.
    pub differences: Vec<Difference>,
    /// What limited the run.
    pub warnings: Vec<String>,
    /// Folder of the suite.
    pub suite: PathBuf,
    /// The report.
    pub report: PathBuf,
}

impl Summary {
    /// Targets of the user's own that were reached, and how near the search came to each.
    pub fn own_targets(&self) -> impl Iterator<Item = &TargetResult> {
        self.targets.iter().filter(|target| target.name.kind() == TargetKind::Own)
    }

    /// How many of them are covered, of those that were reached; nothing where there are none.
    #[must_use]
    pub fn own_coverage(&self) -> Option<Coverage> {
        let covered = self.own_targets().filter(|target| target.score.is_covered()).count();
        let total = self.own_targets().count();
        (total > 0).then_some(Coverage { covered, total, at_start: 0 })
    }
}
