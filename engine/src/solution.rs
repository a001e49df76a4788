//! Solutions: what a search leaves behind.

pub(crate) mod cover;
pub(crate) mod shrink;

use std::sync::Arc;

use crate::budget::{Statistics, StopReason};
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluated::Evaluated;
use crate::target::{Score, TargetKind, TargetName};

/// One test of a solution.
#[derive(Debug, Clone)]
pub struct SolutionTest<A: Action> {
    /// The test, with what running it gave.
    pub evaluated: Arc<Evaluated<A>>,
    /// Targets that the solution needs this test for, by name, flaky ones included.
    pub covers: Vec<TargetName>,
    /// Those of them that did not come in every run.
    pub flaky: Vec<FlakyTarget>,
    /// Times the test was run: once, and once more for each repeat. 1 where the run was cut short,
    /// and then nothing is known of flakiness.
    pub runs: u32,
    /// Outcomes of each further run, one for each action that ran; none for a run that failed. What
    /// differs from the outcomes of `evaluated` should not be asserted.
    pub repeats: Vec<Vec<A::Outcome>>,
}

impl<A: Action> SolutionTest<A> {
    /// A test that is kept for what was observed when it ran: it covers nothing that no other test
    /// of the solution covers. `repeats` are the outcomes of further runs.
    #[must_use]
    pub fn observed(
        individual: Individual<A>,
        outcomes: Vec<A::Outcome>,
        calls: u64,
        repeats: Vec<Vec<A::Outcome>>,
    ) -> Self {
        Self {
            evaluated: Arc::new(Evaluated::new(individual, Vec::new(), outcomes, 0, calls, true)),
            covers: Vec::new(),
            flaky: Vec::new(),
            runs: 1 + repeats.len() as u32,
            repeats,
        }
    }

    /// Counts one more run, in which the targets were covered that `is_shown` says.
    pub fn count_run(&mut self, is_shown: impl Fn(&TargetName) -> bool) {
        for name in &self.covers {
            let flaky = self.flaky.iter_mut().find(|flaky| flaky.name == *name);
            match (flaky, is_shown(name)) {
                (Some(flaky), true) => flaky.seen += 1,
                (None, false) => {
                    self.flaky.push(FlakyTarget { name: name.clone(), seen: self.runs });
                }
                (Some(_), false) | (None, true) => {}
            }
        }
        self.runs += 1;
    }
}

/// A target that a test does not cover every time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlakyTarget {
    /// The target.
    pub name: TargetName,
    /// Runs in which it was covered, of all [`runs`](SolutionTest::runs) of the test.
    pub seen: u32,
}

/// A target and how near the search came to it.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetResult {
    /// The target.
    pub name: TargetName,
    /// The best score.
    pub score: Score,
}

/// The test that came nearest to a target that is not covered.
#[derive(Debug, Clone)]
pub struct NearestTest<A: Action> {
    /// The target.
    pub name: TargetName,
    /// The test.
    pub evaluated: Arc<Evaluated<A>>,
    /// Evaluations spent on the target since a test last came nearer.
    pub tried: u32,
    /// Whether a test ever came nearer than the first that reached it.
    pub has_improved: bool,
}

/// The result of a search: the smallest set of tests found that covers what was covered.
#[derive(Debug, Clone)]
pub struct Solution<A: Action> {
    /// The tests, in the order in which they were chosen: those that cover most first.
    pub tests: Vec<SolutionTest<A>>,
    /// Every target that was reached, by name.
    pub targets: Vec<TargetResult>,
    /// The nearest test of every target that was reached and not covered, by name.
    pub nearest: Vec<NearestTest<A>>,
    /// Counters of the search.
    pub statistics: Statistics,
    /// Calls that minimising took, on top of the search.
    pub minimising_calls: u64,
    /// Calls that running the tests again took, on top of both.
    pub repeat_calls: u64,
    /// Why the search ended, or why minimising broke off.
    pub reason: StopReason,
}

impl<A: Action> Solution<A> {
    /// Number of covered targets.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.targets.iter().filter(|target| target.score.is_covered()).count()
    }

    /// Calls of the search and of what came after it.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.statistics.calls + self.minimising_calls + self.repeat_calls
    }

    /// Names of the covered targets of a kind.
    pub fn covered_of(&self, kind: TargetKind) -> impl Iterator<Item = &TargetName> {
        let covered = self.targets.iter().filter(|target| target.score.is_covered());
        covered.map(|target| &target.name).filter(move |name| name.kind() == kind)
    }
}
