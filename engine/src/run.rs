//! Running a search to its end, on one worker or several.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;
use crate::problem::evaluator::{Evaluation, EvaluationError, Evaluator, Wanted};
use crate::search::Search;
use crate::search::budget::StopReason;
use crate::search::event::SearchEvent;
use crate::search::lineage::Proposal;
use crate::solution::Solution;
use crate::worker::{Pool, Workers};

/// Failed evaluations in a row after which the system under test counts as gone.
const MOST_FAILURES: u32 = 20;

/// Evaluations in a row without a call after which a budget of calls counts as never ending.
const MOST_WITHOUT_CALLS: u32 = 1_000;

pub(crate) type Outcome<A> = Result<Evaluation<A>, EvaluationError>;

/// Runs code of the user; the message of its panic when it does.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "no message".to_owned())
    })
}

/// Evaluates, turning a panic of the evaluator into a failed evaluation; and whether it panicked.
pub(crate) fn evaluate<A: Action>(
    evaluator: &mut dyn Evaluator<A>,
    individual: &Individual<A>,
    wanted: &Wanted,
) -> (Outcome<A>, bool) {
    match caught(|| evaluator.evaluate(individual, wanted)) {
        Ok(result) => (result, false),
        Err(panic) => {
            (Err(EvaluationError::Failed(format!("the evaluator panicked: {panic}"))), true)
        }
    }
}

/// Where tests are evaluated: on this thread or on others.
pub(crate) enum Bench<'e, A: Action> {
    Alone { evaluator: &'e mut dyn Evaluator<A>, queue: VecDeque<(Individual<A>, Wanted)> },
    Shared(Pool<'e, A>),
}

impl<'e, A: Action> Bench<'e, A> {
    fn alone(evaluator: &'e mut dyn Evaluator<A>) -> Self {
        Self::Alone { evaluator, queue: VecDeque::new() }
    }

    /// Hands a test out. Tickets ascend, and results are taken in their order.
    pub(crate) fn submit(&mut self, ticket: u64, individual: &Individual<A>, wanted: Wanted) {
        match self {
            Self::Alone { queue, .. } => queue.push_back((individual.clone(), wanted)),
            Self::Shared(pool) => pool.submit(ticket, individual.clone(), wanted),
        }
    }

    /// The result of the oldest test that was handed out and not taken in.
    pub(crate) fn take(&mut self, ticket: u64) -> Outcome<A> {
        match self {
            Self::Alone { evaluator, queue } => {
                let Some((individual, wanted)) = queue.pop_front() else {
                    return Err(EvaluationError::Failed("nothing was handed out".to_owned()));
                };
                evaluate(&mut **evaluator, &individual, &wanted).0
            }
            Self::Shared(pool) => pool.take(ticket),
        }
    }

    /// Forgets what was handed out.
    pub(crate) fn forget(&mut self, next_ticket: u64) {
        match self {
            Self::Alone { queue, .. } => queue.clear(),
            Self::Shared(pool) => pool.forget(next_ticket),
        }
    }
}

impl<P: Problem> Search<'_, P> {
    /// Runs until the budget ends, then minimises what was found.
    ///
    /// Everything happens on this thread, so an evaluator that does not come back holds the search
    /// up; [`Search::run_parallel`] can bound that, with one worker too. A panic of the evaluator
    /// fails that test; any other panic of the user's code ends the search as
    /// [`StopReason::Broken`], and what was found until then is the result.
    pub fn run(self, evaluator: &mut dyn Evaluator<P::Action>) -> Solution<P::Action> {
        self.run_on(Bench::alone(evaluator))
    }

    /// The same with several workers.
    ///
    /// Their number changes the speed and nothing else. At most as many are busy at a time as there
    /// are lineages. What became of failing, panicking and hanging evaluators is told by
    /// [`Workers`].
    pub fn run_parallel(self, workers: &mut Workers<P::Action>) -> Solution<P::Action> {
        self.run_on(Bench::Shared(Pool::new(workers)))
    }

    fn run_on(mut self, mut bench: Bench<'_, P::Action>) -> Solution<P::Action> {
        let reason = caught(|| {
            let reason = self.drive(&mut bench);
            let statistics = self.statistics;
            self.notify(|_| SearchEvent::Ended { reason: &reason, statistics });
            reason
        });
        bench.forget(self.proposed);
        self.into_solution(reason.unwrap_or_else(StopReason::Broken), &mut bench)
    }

    fn drive(&mut self, bench: &mut Bench<'_, P::Action>) -> StopReason {
        let mut open: VecDeque<Proposal<P::Action>> = VecDeque::new();
        loop {
            if let Some(reason) = self.end() {
                return reason;
            }
            while let Some(proposal) = self.propose() {
                bench.submit(proposal.number, &proposal.individual, proposal.wanted.clone());
                open.push_back(proposal);
            }
            let Some(proposal) = open.pop_front() else {
                let reason = "the search was driven by others before, and a test is open";
                return StopReason::Broken(reason.to_owned());
            };
            let result = bench.take(proposal.number);
            if let Some(reason) = self.settle(proposal, result) {
                return reason;
            }
        }
    }

    /// Commits a result; the reason to end, when the system under test is gone.
    fn settle(
        &mut self,
        proposal: Proposal<P::Action>,
        result: Outcome<P::Action>,
    ) -> Option<StopReason> {
        let error = result.as_ref().err().cloned();
        if let Err(error) = self.commit(proposal, result) {
            return Some(StopReason::Broken(error.to_string()));
        }
        let is_endless = self.budget.evaluations.is_none() && self.budget.time.is_none();
        if is_endless && self.streak.without_calls >= MOST_WITHOUT_CALLS {
            let reason = format!("{MOST_WITHOUT_CALLS} tests in a row made no call");
            return Some(StopReason::Unreachable(reason));
        }
        match error? {
            EvaluationError::Unreachable(reason) => Some(StopReason::Unreachable(reason)),
            error if self.streak.failures >= MOST_FAILURES => {
                let reason = format!("{MOST_FAILURES} tests in a row failed; the last: {error}");
                Some(StopReason::Unreachable(reason))
            }
            EvaluationError::Failed(_) => None,
        }
    }
}
