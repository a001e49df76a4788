//! Solutions: what a search leaves behind.

use std::sync::Arc;

use crate::action::Action;
use crate::budget::StopReason;
use crate::evaluated::Evaluated;
use crate::event::Statistics;
use crate::target::{Score, TargetName};

/// One test of a solution.
#[derive(Debug, Clone)]
pub struct SolutionTest<A: Action> {
    /// The test, with what running it gave.
    pub evaluated: Arc<Evaluated<A>>,
    /// Targets that the solution needs this test for, by name.
    pub covers: Vec<TargetName>,
}

/// A target and how near the search came to it.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetResult {
    /// The target.
    pub name: TargetName,
    /// The best score.
    pub score: Score,
}

/// The result of a search: the smallest set of tests found that covers what was covered.
#[derive(Debug, Clone)]
pub struct Solution<A: Action> {
    /// The tests, in the order in which they were chosen: those that cover most first.
    pub tests: Vec<SolutionTest<A>>,
    /// Every target that was reached, by name.
    pub targets: Vec<TargetResult>,
    /// Counters of the search.
    pub statistics: Statistics,
    /// Calls that minimising took, on top of the search.
    pub minimising_calls: u64,
    /// Why the search ended.
    pub reason: StopReason,
}

impl<A: Action> Solution<A> {
    /// Number of covered targets.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.targets.iter().filter(|target| target.score.is_covered()).count()
    }
}
