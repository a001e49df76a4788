//! Running a search to its end, on one worker or several.

use std::collections::VecDeque;

use crate::budget::StopReason;
use crate::problem::Problem;
use crate::problem::evaluator::{EvaluationError, Evaluator};
use crate::search::Search;
use crate::search::event::SearchEvent;
use crate::search::lineage::Proposal;
use crate::solution::Solution;
use crate::worker::Workers;
use crate::worker::bench::Bench;
use crate::worker::outcome::{Outcome, caught};
use crate::worker::pool::Pool;

/// Failed evaluations in a row after which the system under test counts as gone.
const MOST_FAILURES: u32 = 20;

/// Evaluations in a row without a call after which a budget of calls counts as never ending.
const MOST_WITHOUT_CALLS: u32 = 1_000;

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
            let statistics = self.progress.statistics;
            self.notify(|_| SearchEvent::Ended { reason: &reason, statistics });
            reason
        });
        bench.forget(self.agenda.proposed);
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
            if self.budget.stop.is_set() {
                // What the stop cut short would be learnt from: the test stays open, and goes out again
                // where the search is gone on with.
                self.keep();
                return StopReason::Interrupted;
            }
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
        if is_endless && self.progress.streak.without_calls >= MOST_WITHOUT_CALLS {
            let reason = format!("{MOST_WITHOUT_CALLS} tests in a row made no call");
            return Some(StopReason::Unreachable(reason));
        }
        match error? {
            EvaluationError::Unreachable(reason) => Some(StopReason::Unreachable(reason)),
            error if self.progress.streak.failures >= MOST_FAILURES => {
                let reason = format!("{MOST_FAILURES} tests in a row failed; the last: {error}");
                Some(StopReason::Unreachable(reason))
            }
            EvaluationError::Failed(_) => None,
        }
    }
}
