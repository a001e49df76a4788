//! The tests of a result are run again on a service that was started anew.
//!
//! Without a driver nothing takes back what tests leave behind: what passes during a run may pass only
//! then. What a fresh start answers otherwise is not expected, and a test that does not come to the
//! same statuses there is not written. The order is another one at each start, since a test may lean
//! on another one that is written; at the first, those that change nothing come before all others.

use std::time::Instant;

use wallace_engine::{
    Action, Evaluator, Individual, Problem, Solution, SolutionTest, StopSignal, TargetKind,
    TargetName, TargetScore, Wanted,
};
use wallace_genes::Rng;
use wallace_problems::{HttpOutcome, HttpProblem};

use crate::error::RunError;
use crate::face::Face;
use crate::ledger::{Ledger, Purpose};
use crate::target_system::{ServiceProcess, TargetSystem};

/// How often the service is started anew.
const STARTS: u64 = 3;

/// Which tests were answered with the same statuses on every fresh start, by their position; `None`
/// where there was no time or no budget to find out.
pub(crate) type Stands = Vec<Option<bool>>;

/// Runs the tests of a solution again on fresh starts, with at most `left` calls.
pub(crate) fn run_fresh<P: Face>(
    system: &mut TargetSystem<P>,
    service: &ServiceProcess,
    solution: &mut Solution<<P as Problem>::Action>,
    ledger: &mut Ledger,
    left: u64,
    (seed, stop): (u64, &StopSignal),
) -> Result<Stands, RunError> {
    let mut stands = vec![None; solution.tests.len()];
    let most = solution.repeat_calls + left;
    for start in 0..STARTS {
        if stop.is_set() || solution.repeat_calls >= most {
            break;
        }
        service.start_anew()?;
        let begun = system.evaluator.begin_anew();
        begun.map_err(|_| RunError::NoAnswer(system.base_url.clone()))?;
        let order =
            order(&*system.problem, &solution.tests, start == 0, &mut Rng::new(seed, start));
        for place in order {
            let test = &mut solution.tests[place];
            let individual = test.evaluated.individual.clone();
            if stop.is_set() || solution.repeat_calls + size(&individual) > most {
                return Ok(stands);
            }
            let begin = Instant::now();
            let evaluation = system.evaluator.evaluate(&individual, &Wanted::Everything);
            solution.repeat_calls +=
                evaluation.as_ref().map_or(size(&individual), |evaluation| evaluation.calls);
            let mut is_shown = false;
            let outcomes = match evaluation {
                Ok(evaluation) => {
                    is_shown = shows_faults(test, &evaluation.scores);
                    evaluation.outcomes
                }
                Err(error) => {
                    tracing::debug!("a test could not be run on a fresh start: {error}");
                    Vec::new()
                }
            };
            ledger.book::<P>(Purpose::FreshStart, &individual, &outcomes, begin.elapsed());
            let result = |outcome| (HttpOutcome::status(outcome), P::result(outcome));
            let is_same =
                test.evaluated.outcomes.iter().map(result).eq(outcomes.iter().map(result));
            stands[place] = Some(is_same && is_shown && stands[place].unwrap_or(true));
            test.runs += 1;
            test.repeats.push(outcomes);
        }
    }
    Ok(stands)
}

fn size<A: Action>(individual: &Individual<A>) -> u64 {
    individual.actions().len() as u64
}

/// Whether a run showed all faults that the test is kept for.
fn shows_faults<A: Action>(test: &SolutionTest<A>, scores: &[TargetScore]) -> bool {
    let faults = test.covers.iter().filter(|name| name.kind() == TargetKind::Fault);
    let is_shown =
        |fault: &TargetName| scores.iter().any(|it| it.name == *fault && it.score.is_covered());
    faults.into_iter().all(is_shown)
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
