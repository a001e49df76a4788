//! Workers: threads that evaluate tests, one evaluator each.
//!
//! The search hands tests out and takes results in; which worker ran what is not visible to it. A
//! thread cannot be stopped from outside, so an evaluation that does not come back is given up: its
//! worker counts as lost until it answers after all, and what it answers then is thrown away. A worker
//! whose system is gone is away: its test goes to another, and it works again when
//! [`Evaluator::revive`] succeeds.

pub(crate) mod bench;
pub(crate) mod outcome;
pub(crate) mod pool;
mod thread;

use std::time::Duration;

use crate::budget::StopSignal;
use crate::individual::action::Action;
use crate::problem::evaluator::{EvaluationError, Evaluator};

/// Makes an evaluator in place of one that panicked or does not come back.
type Make<A> = Box<dyn FnMut() -> Result<Box<dyn Evaluator<A>>, EvaluationError> + Send>;

/// The evaluators of a search with several workers.
///
/// Without a limit, an evaluation may take for ever. With one, see [`Workers::with_limit`].
pub struct Workers<A: Action> {
    evaluators: Vec<Box<dyn Evaluator<A>>>,
    make: Option<Make<A>>,
    limit: Option<Duration>,
    patience: Option<(Duration, StopSignal)>,
}

impl<A: Action> std::fmt::Debug for Workers<A> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Workers")
            .field("evaluators", &self.evaluators.len())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<A: Action> Workers<A> {
    /// Lost workers at a time, for each worker there should be, above which the search ends: every
    /// one of them holds a thread and whatever its evaluator holds.
    pub const MOST_LOST: usize = 4;

    /// Workers that one test may take with it: it has failed then, so that it cannot end them all.
    pub const MOST_TAKEN: u32 = 2;

    /// Time between two tries to reach again what is gone.
    pub const PAUSE: Duration = Duration::from_secs(1);

    /// One worker for each evaluator. A search without any ends at once as
    /// [`StopReason::Unreachable`](crate::StopReason::Unreachable).
    #[must_use]
    pub fn new(evaluators: Vec<Box<dyn Evaluator<A>>>) -> Self {
        Self { evaluators, make: None, limit: None, patience: None }
    }

    /// Says how evaluators are made anew: one that panicked is replaced, and so is one that is
    /// lost. Without this, an evaluator is used again after a panic, and a lost worker is missing
    /// until it answers.
    #[must_use]
    pub fn with_replacement(
        mut self,
        make: impl FnMut() -> Result<Box<dyn Evaluator<A>>, EvaluationError> + Send + 'static,
    ) -> Self {
        self.make = Some(Box::new(make));
        self
    }

    /// Bounds the time of an evaluation: when no worker has answered for so long, every evaluation
    /// under way has failed and its worker is lost.
    ///
    /// An evaluation is given up no earlier than after `limit`, and no later than `limit` after
    /// the last answer of the others, which are at most as many as there are lineages. What is
    /// given up depends on time, so a run is repeatable only as long as nothing comes near the
    /// limit; it should be far above what the slowest test takes.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Waits so long for one to come back when all workers are away, or until the run is to stop.
    /// Without this, the search ends then at once.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration, stop: &StopSignal) -> Self {
        self.patience = Some((patience, stop.clone()));
        self
    }

    /// The evaluators that are there: all of them before a run, those that were neither lost nor away after
    /// it.
    pub fn evaluators(&mut self) -> &mut [Box<dyn Evaluator<A>>] {
        &mut self.evaluators
    }
}
