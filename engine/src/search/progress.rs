//! Progress: what is counted in a run.

use serde::{Deserialize, Serialize};

use crate::budget::{Statistics, Usage};
use crate::individual::action::Action;
use crate::problem::evaluator::{Evaluation, EvaluationError};
use crate::search::suspicion::Watch;

/// Counters of a run; part of its state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) statistics: Statistics,
    /// What was used when a target was last covered or come nearer to.
    #[serde(default)]
    pub(super) last: Usage,
    pub(super) streak: Streak,
    pub(super) watch: Watch,
}

impl Progress {
    /// Counts an evaluation.
    pub(super) fn count<A: Action>(&mut self, result: &Result<Evaluation<A>, EvaluationError>) {
        let calls = result.as_ref().map_or(0, |evaluation| evaluation.calls);
        self.statistics.evaluations += 1;
        self.statistics.calls = self.statistics.calls.saturating_add(calls);
        self.statistics.failures += u64::from(result.is_err());
        let after = |count: u32, goes_on: bool| if goes_on { count.saturating_add(1) } else { 0 };
        self.streak.failures = after(self.streak.failures, result.is_err());
        self.streak.without_calls = after(self.streak.without_calls, calls == 0);
    }
}

/// Evaluations in a row that came to nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Streak {
    /// That failed.
    pub(super) failures: u32,
    /// That made no call.
    pub(super) without_calls: u32,
}
