//! Running a search to its end, on one worker or several.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

use crate::action::Action;
use crate::budget::StopReason;
use crate::evaluator::{Evaluation, EvaluationError, Evaluator, Wanted};
use crate::event::SearchEvent;
use crate::individual::Individual;
use crate::lineage::Proposal;
use crate::problem::Problem;
use crate::search::Search;
use crate::solution::Solution;

/// Failed evaluations in a row after which the system under test counts as gone.
const MOST_FAILURES: u32 = 20;

type Outcome<A> = Result<Evaluation<A>, EvaluationError>;
type Answered<A> = (Proposal<A>, Outcome<A>);

/// Evaluates, turning a panic of the evaluator into a failed evaluation.
pub(crate) fn evaluate<A: Action>(
    evaluator: &mut dyn Evaluator<A>,
    individual: &Individual<A>,
    wanted: &Wanted,
) -> Result<Evaluation<A>, EvaluationError> {
    let run = AssertUnwindSafe(|| evaluator.evaluate(individual, wanted));
    catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".to_owned());
        Err(EvaluationError::Failed(format!("the evaluator panicked: {text}")))
    })
}

impl<P: Problem> Search<'_, P> {
    /// Runs until the budget ends, then minimises what was found.
    pub fn run(mut self, evaluator: &mut dyn Evaluator<P::Action>) -> Solution<P::Action> {
        let reason = self.run_alone(evaluator);
        self.end_with(reason, evaluator)
    }

    /// The same with several workers, one for each evaluator.
    ///
    /// Their number changes the speed and nothing else. At most as many are busy at a time as there
    /// are lineages.
    ///
    /// # Panics
    /// When there is no evaluator.
    pub fn run_parallel(
        mut self,
        evaluators: &mut [Box<dyn Evaluator<P::Action>>],
    ) -> Solution<P::Action> {
        assert!(!evaluators.is_empty(), "a search needs an evaluator");
        let reason = self.run_shared(evaluators);
        self.end_with(reason, &mut *evaluators[0])
    }

    fn end_with(
        mut self,
        reason: StopReason,
        evaluator: &mut dyn Evaluator<P::Action>,
    ) -> Solution<P::Action> {
        let statistics = self.statistics;
        self.notify(|_| SearchEvent::Ended { reason: &reason, statistics });
        self.into_solution(reason, evaluator)
    }

    fn run_alone(&mut self, evaluator: &mut dyn Evaluator<P::Action>) -> StopReason {
        let mut open: VecDeque<Proposal<P::Action>> = VecDeque::new();
        let mut failures = 0;
        loop {
            if let Some(reason) = self.end() {
                return reason;
            }
            while self.may_propose() {
                open.push_back(self.propose());
            }
            let proposal = open.pop_front().expect("there is at least one lineage");
            let result = evaluate(evaluator, &proposal.individual, &Wanted::Everything);
            if let Some(reason) = self.take_in(proposal, result, &mut failures) {
                return reason;
            }
        }
    }

    fn run_shared(&mut self, evaluators: &mut [Box<dyn Evaluator<P::Action>>]) -> StopReason {
        std::thread::scope(|scope| {
            let (result_sender, results) = mpsc::channel();
            let (work_sender, work) = mpsc::channel::<Proposal<P::Action>>();
            let work = std::sync::Arc::new(std::sync::Mutex::new(work));
            for evaluator in evaluators {
                let (work, result_sender) = (std::sync::Arc::clone(&work), result_sender.clone());
                scope.spawn(move || {
                    loop {
                        // The lock is held while waiting: whoever waits next takes the next test.
                        let Ok(proposal) = work.lock().map(|work| work.recv()) else { return };
                        let Ok(proposal) = proposal else { return };
                        let wanted = Wanted::Everything;
                        let result = evaluate(&mut **evaluator, &proposal.individual, &wanted);
                        if result_sender.send((proposal, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(result_sender);
            self.commit_in_order(&work_sender, &results)
        })
    }

    fn commit_in_order(
        &mut self,
        work: &mpsc::Sender<Proposal<P::Action>>,
        results: &mpsc::Receiver<Answered<P::Action>>,
    ) -> StopReason {
        let mut early = std::collections::BTreeMap::new();
        let mut failures = 0;
        loop {
            if let Some(reason) = self.end() {
                return reason;
            }
            while self.may_propose() {
                if work.send(self.propose()).is_err() {
                    return StopReason::Unreachable("all workers ended".to_owned());
                }
            }
            let next = self.statistics.evaluations;
            while !early.contains_key(&next) {
                let Ok((proposal, result)) = results.recv() else {
                    return StopReason::Unreachable("all workers ended".to_owned());
                };
                early.insert(proposal.number, (proposal, result));
            }
            let (proposal, result) = early.remove(&next).expect("it was just looked for");
            if let Some(reason) = self.take_in(proposal, result, &mut failures) {
                return reason;
            }
        }
    }

    /// Commits a result; the reason to end, when the system under test is gone.
    fn take_in(
        &mut self,
        proposal: Proposal<P::Action>,
        result: Outcome<P::Action>,
        failures: &mut u32,
    ) -> Option<StopReason> {
        *failures = if result.is_err() { *failures + 1 } else { 0 };
        let gone = match &result {
            Err(EvaluationError::Unreachable(reason)) => Some(reason.clone()),
            Err(error) if *failures >= MOST_FAILURES => {
                Some(format!("{MOST_FAILURES} tests in a row failed; the last: {error}"))
            }
            _ => None,
        };
        self.commit(proposal, result);
        gone.map(StopReason::Unreachable)
    }
}
