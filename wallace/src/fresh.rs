//! The tests of a result are run again on a service that was started anew.
//!
//! Without a driver nothing takes back what tests leave behind: what passes during a run may pass only
//! then. What a fresh start answers otherwise is not expected, and a test that does not come to the
//! same statuses there is not written. The order is another one at each start, since a test may lean
//! on another one that is written; at the first, those that change nothing come before all others.

use std::sync::Arc;
use std::time::Instant;

use wallace_engine::{
    Action, Evaluator, Individual, Problem, Solution, StopSignal, TargetKind, TargetName,
    TargetScore, Wanted, solution::SolutionTest,
};
use wallace_genes::Rng;
use wallace_problems::{HttpOutcome, HttpProblem};

use crate::error::RunError;
use crate::face::Face;
use crate::ledger::{Ledger, Purpose};
use crate::target_system::{ServiceProcess, TargetSystem};

/// How often the service is started anew.
const STARTS: u64 = 3;

/// How a test did on fresh starts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stand {
    /// Starts on which it was run.
    starts: u64,
    /// Those on which it was answered with other statuses, or showed a fault no more.
    failed: u64,
}

impl Stand {
    /// Whether it was answered with the same statuses on every fresh start; `None` where there was no
    /// time or no budget to find out.
    pub(crate) fn holds(self) -> Option<bool> {
        (self.starts > 0).then_some(self.failed == 0)
    }
}

/// How the tests of a solution did, by their position.
pub(crate) type Stands = Vec<Stand>;

/// What was checked on fresh starts, and what was not.
pub(crate) fn told(stands: &Stands) -> Option<String> {
    let count = |is_it: &dyn Fn(&Stand) -> bool| stands.iter().filter(|it| is_it(it)).count();
    let (all, whole) = (stands.len(), count(&|it| it.starts == STARTS));
    let (none, failed) = (count(&|it| it.starts == 0), count(&|it| it.failed > 0));
    let some = all - whole - none;
    if all == 0 {
        return None;
    }
    let otherwise = format!("{failed} were answered otherwise there and are not written");
    Some(if whole == all {
        format!("all {all} tests were run again on {STARTS} fresh starts: {otherwise}")
    } else {
        format!(
            "{whole} of {all} tests were run again on {STARTS} fresh starts, {some} on fewer and {none} on \
             none for want of calls, so that these may fail there (--calls): {otherwise}"
        )
    })
}

/// Runs the tests of a solution again on fresh starts, with at most `left` calls. Where a start fails,
/// `stands` tells of those before it.
pub(crate) fn run_fresh<P: Face>(
    system: &mut TargetSystem<P>,
    service: &ServiceProcess,
    solution: &mut Solution<<P as Problem>::Action>,
    ledger: &mut Ledger,
    left: u64,
    (seed, stop): (u64, &StopSignal),
    stands: &mut Stands,
) -> Result<(), RunError> {
    stands.resize(solution.tests.len(), Stand::default());
    let most = system.count.get().saturating_add(left);
    for start in 0..STARTS {
        if stop.is_set() || system.count.get() >= most {
            break;
        }
        service.start_anew()?;
        let begun = system.evaluator.begin_anew();
        begun.map_err(|_| RunError::NoAnswer(system.base_url.clone()))?;
        let order =
            order(&*system.problem, &solution.tests, start == 0, &mut Rng::new(seed, start));
        for place in order {
            let test = &mut solution.tests[place];
            if stop.is_set() || system.count.get() + size(&test.evaluated.individual) > most {
                return Ok(());
            }
            let (calls, outcomes, scores) = run_once(system, test, ledger);
            solution.repeat_calls += calls;
            let result = |outcome| (HttpOutcome::status(outcome), P::result(outcome));
            // One that ends the service leaves nothing for those after it.
            let is_same = !service.has_ended()
                && shows_faults(test, &scores)
                && test.evaluated.outcomes.iter().map(result).eq(outcomes.iter().map(result));
            stands[place].starts += 1;
            stands[place].failed += u64::from(!is_same);
            test.count_run(|name| is_covered(name, &scores));
            if start == 0 && is_same {
                take(test, outcomes);
            } else {
                test.repeats.push(outcomes);
            }
        }
    }
    Ok(())
}

/// Runs a test once more: calls, outcomes, and what it covered.
fn run_once<P: Face>(
    system: &mut TargetSystem<P>,
    test: &SolutionTest<<P as Problem>::Action>,
    ledger: &mut Ledger,
) -> (u64, Vec<HttpOutcome>, Vec<TargetScore>) {
    let individual = &test.evaluated.individual;
    let begin = Instant::now();
    let (calls, outcomes, scores) = match system.evaluator.evaluate(individual, &Wanted::Everything)
    {
        Ok(evaluation) => (evaluation.calls, evaluation.outcomes, evaluation.scores),
        Err(error) => {
            tracing::debug!("a test could not be run on a fresh start: {error}");
            (size(individual), Vec::new(), Vec::new())
        }
    };
    ledger.book::<P>(Purpose::FreshStart, individual, &outcomes, begin.elapsed());
    (calls, outcomes, scores)
}

/// Lets a test be what it was on the first fresh start: what it takes from a list then is there also when
/// others have added to it. What it was before still says what differs.
fn take<A: Action>(test: &mut SolutionTest<A>, outcomes: Vec<A::Outcome>) {
    let before = std::mem::replace(&mut Arc::make_mut(&mut test.evaluated).outcomes, outcomes);
    test.repeats.push(before);
}

fn size<A: Action>(individual: &Individual<A>) -> u64 {
    individual.actions().len() as u64
}

/// Whether a run showed all faults that the test is kept for.
fn shows_faults<A: Action>(test: &SolutionTest<A>, scores: &[TargetScore]) -> bool {
    let mut faults = test.covers.iter().filter(|name| name.kind() == TargetKind::Fault);
    faults.all(|fault| is_covered(fault, scores))
}

fn is_covered(name: &TargetName, scores: &[TargetScore]) -> bool {
    scores.iter().any(|it| it.name == *name && it.score.is_covered())
}

/// The places of the tests in any order; where that is wanted, those first that change nothing.
fn order<P: Face>(
    problem: &P,
    tests: &[SolutionTest<<P as Problem>::Action>],
    has_readers_first: bool,
    rng: &mut Rng,
) -> Vec<usize> {
    let changes = |test: &SolutionTest<<P as Problem>::Action>| {
        let actions = test.evaluated.individual.actions().iter();
        let mut calls = actions.zip(&test.evaluated.outcomes);
        calls.any(|((_, action), outcome)| {
            !HttpProblem::is_read(problem, &**action) && problem.went_well(outcome)
        })
    };
    let keys = tests.iter().map(|test| (has_readers_first && changes(test), rng.bits()));
    let mut places: Vec<_> = keys.zip(0..).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}
