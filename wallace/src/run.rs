//! One run, from settings to files.

use std::sync::Arc;
use std::time::Duration;

use wallace_engine::{Budget, Clock, Evaluator, Search, SearchEvent, Solution, StopSignal};
use wallace_problems::graphql::GraphqlAction;
use wallace_suite::OutputFolder;

use crate::clock::SystemClock;
use crate::error::RunError;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::target_system::TargetSystem;
use crate::write::{Outcome, write};

/// Starts the service, evolves tests for it, and writes the suite and the report.
///
/// `stop` ends the search early; what was found is still written. `observe` is told of every test.
///
/// # Errors
/// When the folder cannot be written, the driver or the service cannot be reached, or the schema
/// cannot be used. Once the search has begun, its results are written however it ends.
pub fn run(
    settings: &Settings,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    // Before anything is started: a run whose results have no place is in vain.
    let output = OutputFolder::prepare(&settings.out, settings.force)?;
    let mut system = TargetSystem::prepare(settings)?;
    let clock = Arc::new(SystemClock::start());
    let mut tally = Tally::new(&system.problem);
    let (solution, elapsed) = search(settings, stop, &mut system, &clock, &mut tally, observe);
    // Units that were loaded during the search count in the denominators.
    if let Some(info) = system.evaluator.driver().and_then(|driver| driver.info().ok()) {
        system.info = info;
    }
    let outcome = Outcome { solution, elapsed, operations: tally.into_facts() };
    write(settings, &output, &system, &outcome)
}

fn search(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem,
    clock: &Arc<SystemClock>,
    tally: &mut Tally,
    observe: &mut dyn FnMut(&Progress),
) -> (Solution<GraphqlAction>, Duration) {
    let budget = Budget {
        calls: settings.calls,
        evaluations: None,
        time: settings.time.map(|time| (time, Arc::clone(clock) as Arc<dyn Clock>)),
        stop: stop.clone(),
    };
    let mut faults = 0;
    let mut ended = Duration::ZERO;
    let mut observer = |event: &SearchEvent<'_, GraphqlAction>| match event {
        SearchEvent::Evaluated { test, added, archive, statistics, used } => {
            tally.count(test);
            let is_fault = |target: &&wallace_engine::TargetId| {
                archive.name(**target).as_str().starts_with("fault:")
            };
            faults += added.covered.iter().filter(is_fault).count();
            let elapsed = clock.elapsed();
            observe(&Progress {
                used: *used,
                calls: statistics.calls,
                calls_per_second: statistics.calls as f64 / elapsed.as_secs_f64().max(1e-9),
                covered: archive.covered(),
                reached: archive.reached(),
                faults,
                elapsed,
            });
        }
        SearchEvent::Failed { evaluation, reason } => {
            tracing::warn!("test {evaluation} could not be run: {reason}");
        }
        SearchEvent::Ended { .. } => ended = clock.elapsed(),
        _ => {}
    };
    let problem = Arc::clone(&system.problem);
    let mut search = Search::new(&*problem, settings.search.clone(), budget);
    search.observe(&mut observer);
    let evaluator: &mut dyn Evaluator<GraphqlAction> = &mut system.evaluator;
    let solution = search.run(evaluator);
    (solution, ended)
}
