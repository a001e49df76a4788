//! The tests as they will be written, run on fresh starts as whoever gets them will run them.
//!
//! A test of the search is judged by its statuses; a written one also expects values, takes parts of
//! answers, and stands among others in any order. What does not hold there is not written.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use wallace_engine::{Problem, Solution, StopSignal};
use wallace_genes::Rng;
use wallace_suite::record::Surroundings;
use wallace_suite::{TestCase, Verdict, credential_variables, lower};

use super::{Read, Stands, start_anew};
use crate::error::RunError;
use crate::service_family::ServiceFamily;
use crate::tally::Tally;
use crate::target_system::{ServiceProcess, TargetSystem};

/// How often the suite is run; the second time in the order of the first turned round.
pub(super) const STARTS: u64 = 2;
/// How often at most, while some test fails each time.
const MOST_STARTS: u64 = 6;

/// Runs the suite on fresh starts, and notes in `stands` which of its tests fail there.
pub(super) fn run_written<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    (service, reads): (&ServiceProcess, &mut Vec<Read>),
    solution: &mut Solution<<P as Problem>::Action>,
    tally: &mut Tally,
    most: u64,
    (seed, stop): (u64, &StopSignal),
    stands: &mut Stands,
) -> Result<(), RunError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let habits = Some(&tally.habits);
    let surroundings = Surroundings { recorded_at: Some(now), habits, is_shared: &[] };
    let cases = lower(&*system.problem, &system.users, solution, surroundings);
    let stood = |place: usize| stands.get(place).and_then(|stand| stand.holds()) == Some(true);
    let tests = cases.iter().enumerate().filter(|(place, _)| stood(*place));
    let mut order: Vec<(usize, &TestCase)> =
        tests.filter_map(|(place, case)| Some((place, case.as_ref()?))).collect();
    for start in 0..MOST_STARTS {
        if order.is_empty() || stop.is_set() || system.count.get() >= most {
            break;
        }
        match start % 2 {
            1 => order.reverse(),
            _ => {
                let mut rng = Rng::new(seed ^ SHUFFLE, start);
                order.sort_by_cached_key(|_| rng.bits());
            }
        }
        // What another start would answer otherwise is told of all tests or of none.
        let round: u64 = order.iter().map(|(_, case)| case.steps.len() as u64).sum();
        if start > 0 && system.count.get() + round > most {
            break;
        }
        start_anew(system, service, reads, stop)?;
        let credentials = credentials(system);
        let before = order.len();
        for (place, case) in &order {
            let calls = case.steps.len() as u64;
            if stop.is_set() || system.count.get() + calls > most {
                return Ok(());
            }
            let environment = |name: &str| credentials.get(name).cloned();
            let verdict = case.run(system.evaluator.transport(), &environment);
            solution.repeat_calls += calls;
            tally.ledger.book_fresh(calls);
            if verdict != Verdict::Passed {
                tracing::debug!("{} fails on a fresh start: {verdict:?}", case.name);
                stands[*place].failed += 1;
            }
            if service.has_ended() {
                start_anew(system, service, reads, stop)?;
            }
        }
        order.retain(|(place, _)| stands[*place].failed == 0);
        if start + 1 >= STARTS && order.len() == before {
            break;
        }
    }
    Ok(())
}

/// Parts the draws here from those of the starts before.
const SHUFFLE: u64 = 0x5717;

/// What the environment of the tests would hold: who each user is now.
fn credentials<P: ServiceFamily>(system: &mut TargetSystem<P>) -> HashMap<String, String> {
    let mut known = HashMap::new();
    for (place, user) in system.users.iter().enumerate() {
        // One who cannot log in now cannot either when the tests are run.
        let headers = system.evaluator.headers_of(place).unwrap_or_default();
        for (name, variable) in credential_variables(user) {
            let value = headers.get(&name).and_then(|value| value.to_str().ok());
            known.extend(value.map(|value| (variable, value.to_owned())));
        }
    }
    known
}
