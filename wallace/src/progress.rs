//! Progress of a run.

use std::time::Duration;

use crate::fault::FoundFault;

/// Where a run is; told after every test.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Used share of the budget, in `[0, 1]`.
    pub used: f64,
    /// Calls made.
    pub calls: u64,
    /// Calls per second since the search began.
    pub calls_per_second: f64,
    /// Targets covered.
    pub covered: usize,
    /// Targets reached, covered ones included.
    pub reached: usize,
    /// Distinct faults found.
    pub faults: usize,
    /// Those whose cause is new with this test.
    pub found: Vec<FoundFault>,
    /// Operations that can be called.
    pub operations: usize,
    /// Operations that gave at least once what was asked for.
    pub answered: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}
