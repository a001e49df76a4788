//! The search of a run: begun or gone on with, watched, and kept from time to time.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wallace_engine::{
    Budget, Problem, Search, SearchEvent, SearchSettings, Solution, StopReason, StopSignal,
    TargetKind, Workers, budget::Clock, search::Snapshot,
};
use wallace_problems::auth::Secrets;
use wallace_suite::record::Moment;

use crate::alone::AloneTests;
use crate::checkpoint::{self, CheckpointError, CheckpointHeader};
use crate::clock::SystemClock;
use crate::corpus::Corpus;
use crate::error::RunError;
use crate::fault::{FoundFault, FoundFaults};
use crate::history::History;
use crate::keeper::Keeper;
use crate::progress::Progress;
use crate::reserve::{kept, kept_share};
use crate::service_family::ServiceFamily;
use crate::settings::Settings;
use crate::setup::Setup;
use crate::tally::Tally;
use crate::target_system::TargetSystem;
use crate::unrun::Unrun;
use crate::vain::Vain;

/// What a checkpoint holds: the state of the search, and what the run counted besides.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct State<P: Problem> {
    snapshot: Snapshot<P::Action, P::Memory>,
    tally: Tally,
    faults: FoundFaults,
    #[serde(default)]
    history: History,
    #[serde(default)]
    alone: AloneTests<P::Action>,
}

/// A checkpoint, its state as bytes until the family of the service is known.
pub(crate) type Kept = (CheckpointHeader, Vec<u8>);

/// What a search gave.
pub(crate) struct Found<P: Problem> {
    pub(crate) solution: Solution<P::Action>,
    pub(crate) elapsed: Duration,
    pub(crate) tally: Tally,
    /// Tests that need nothing which others left, where no driver resets the service.
    pub(crate) alone: AloneTests<P::Action>,
    pub(crate) history: History,
    pub(crate) faults: FoundFaults,
    pub(crate) notes: Vec<String>,
}

/// How long instances that are gone are waited for when no other is there. A service that is started
/// again takes about as long as one that is started.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn search<P: ServiceFamily>(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem<P>,
    earlier: Option<&Kept>,
    corpus: Option<&mut Corpus>,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Found<P>, RunError> {
    let before = earlier.map_or(Duration::ZERO, |(header, _)| header.elapsed);
    let path = settings.checkpoint_path();
    let state =
        earlier.map(|(_, state)| checkpoint::decode::<State<P>>(&path, state)).transpose()?;
    let clock = Arc::new(SystemClock::start_after(before));
    let (snapshot, tally, faults, history, alone) = match state {
        Some(state) => {
            (Some(state.snapshot), state.tally, state.faults, state.history, state.alone)
        }
        None => {
            let tally = Tally::new(&*system.problem);
            (None, tally, FoundFaults::default(), History::default(), AloneTests::default())
        }
    };
    let (tally, faults) = (RefCell::new(tally), RefCell::new(faults));
    let unrun = RefCell::new(Unrun::default());
    tally.borrow_mut().ledger.begin(system.calls_before);
    let (sent, mut last) = (system.count.clone(), clock.elapsed());
    let mut lap = || {
        let now = clock.elapsed();
        now.saturating_sub(std::mem::replace(&mut last, now))
    };
    let (history, alone) = (RefCell::new(history), RefCell::new(alone));
    let mut setup = Setup::default();
    let (mut vain, user_stop) = (Vain::new(tally.borrow().answered() > 0), stop);
    let stop = &user_stop.below();
    let mut ended = Duration::ZERO;
    let problem = Arc::clone(&system.problem);
    let is_white_box = system.evaluator.driver().is_some();
    let callable = problem.callable();
    let (base_url, secrets) = (system.base_url.clone(), system.secrets());
    let users = system.users.clone();
    let mut observer = |event: &SearchEvent<'_, <P as Problem>::Action>| match event {
        SearchEvent::Ran { test, cause } => {
            tally.borrow_mut().count(&*problem, test, *cause, lap(), is_white_box);
        }
        SearchEvent::Evaluated { test, cause, added, archive, statistics, used } => {
            tally.borrow_mut().count(&*problem, test, *cause, lap(), is_white_box);
            tally.borrow_mut().ledger.credit(*cause, test, added);
            if !is_white_box {
                alone.borrow_mut().note(&*problem, &tally.borrow().made, test, archive);
            }
            let is_fault = |target: &&wallace_engine::target::TargetId| {
                archive.name(**target).is_some_and(|name| name.kind() == TargetKind::Fault)
            };
            let shown = added.covered.iter().filter(is_fault).filter_map(|id| {
                let call = test.reach(*id).and_then(|reach| reach.action);
                Some((archive.name(*id)?, call))
            });
            let service = (&*base_url, &*users);
            let found: Vec<FoundFault> = shown
                .filter_map(|(name, call)| {
                    faults.borrow_mut().note(&*problem, service, name, (test, call))
                })
                .map(|found| found.redacted(&secrets))
                .collect();
            let count = faults.borrow().count();
            let name = |operation: usize| {
                problem.template_name(wallace_genes::TemplateId(operation as u32))
            };
            for warning in setup.look(test, archive, name, is_white_box) {
                tracing::warn!("{}", redacted(&secrets, warning));
            }
            vain.look::<P>(test);
            if !is_white_box && vain.is_enough() {
                stop.stop();
            }
            let elapsed = clock.elapsed();
            let moment = Moment { calls: statistics.calls, seconds: elapsed.as_secs_f64() };
            history.borrow_mut().note(moment, *used, added, archive, count);
            observe(&Progress {
                used: *used,
                calls: statistics.calls,
                calls_per_second: statistics.calls as f64 / elapsed.as_secs_f64().max(1e-9),
                covered: archive.covered(),
                reached: archive.reached(),
                faults: count,
                found,
                operations: callable,
                answered: tally.borrow().answered(),
                elapsed,
            });
        }
        SearchEvent::Failed { evaluation, reason } => {
            tracing::warn!("test {evaluation} could not be run: {reason}");
            unrun.borrow_mut().note(reason);
        }
        SearchEvent::Suspicious { suspicion } => tracing::warn!("{suspicion}"),
        SearchEvent::Ended { .. } => ended = clock.elapsed(),
        _ => {}
    };
    let mut keeper = Keeper::new(path, settings.checkpoint_interval, before);
    let mut parameters = system.search.clone();
    if !system.instances.is_empty() && parameters.lineages <= 1 {
        // Only so many tests are open at a time as there are lineages; when one takes long, there is
        // another for each instance.
        let enough = u32::try_from(2 * system.instances.len()).unwrap_or(u32::MAX);
        parameters.lineages = enough.min(SearchSettings::MOST_LINEAGES);
    }
    let mut search =
        begin(settings, parameters, &*problem, budget(settings, system, stop, &clock), snapshot)?;
    if search.statistics().evaluations == 0
        && let Some(corpus) = corpus
    {
        corpus.seed(&*problem, &mut search)?;
    }
    if search.statistics().evaluations == 0 {
        for seed in std::mem::take(&mut system.seeds) {
            search.learn_texts(&seed);
            search.seed(seed);
        }
    }
    search.observe(&mut observer);
    search.keep_with(|search| {
        let (elapsed, covered) = (clock.elapsed(), search.archive().covered());
        let is_last = is_last(search, settings);
        if is_last || keeper.is_due(elapsed, covered) {
            let snapshot = search.snapshot();
            tally.borrow_mut().ledger.settle(sent.get());
            let (tally, history) = (tally.borrow().clone(), history.borrow().clone());
            let (faults, alone) = (faults.borrow().clone(), alone.borrow().clone());
            let state = State::<P> { snapshot, tally, faults, history, alone };
            keeper.keep(header(search, settings, elapsed), state, covered, is_last);
        }
    });
    let mut solution = if system.instances.is_empty() {
        system.evaluator.reset_ahead(true);
        search.run(&mut system.evaluator)
    } else {
        let workers = Workers::new(system.instances.lend());
        let solution = search.run_parallel(&mut workers.with_patience(PATIENCE, stop));
        system.instances.hand_over(&mut system.evaluator);
        solution
    };
    drop(keeper);
    system.evaluator.reset_ahead(false);
    if !is_white_box
        && !user_stop.is_set()
        && (vain.is_of_set_up() || faults.borrow().count() == 0)
        && let Some(cause) = vain.cause(system, &settings.target)
    {
        solution.reason = StopReason::Unreachable(cause);
    }
    // What was waited for when the user ended it did not come for that.
    if user_stop.is_set() && matches!(solution.reason, StopReason::Unreachable(_)) {
        solution.reason = StopReason::Interrupted;
    }
    let secrets = system.secrets();
    let told = system.guard.notes().into_iter().chain(unrun.borrow().told(is_white_box));
    let told = setup.into_warnings().chain(told).map(|note| redacted(&secrets, note));
    let notes = told.chain(system.instances.notes()).collect();
    let (tally, history, alone) = (tally.into_inner(), history.into_inner(), alone.into_inner());
    let faults = faults.into_inner();
    Ok(Found { solution, elapsed: ended, tally, alone, history, faults, notes })
}

/// What a service said may hold what only its users should know.
fn redacted(secrets: &[Secrets], note: String) -> String {
    secrets.iter().fold(note, |note, secrets| secrets.redact(&note))
}

fn budget<P: ServiceFamily>(
    settings: &Settings,
    system: &TargetSystem<P>,
    stop: &StopSignal,
    clock: &Arc<SystemClock>,
) -> Budget {
    // Logins are counted by nobody else.
    let beside = |calls: u64| system.calls_before + 2 * system.users.len() as u64 + calls / 100;
    let total = settings.calls.map(|calls| calls.saturating_sub(beside(calls)).max(1));
    Budget {
        calls: total.map(|calls| calls - kept(settings, calls)),
        total,
        beside: Some(system.count.again()),
        evaluations: None,
        time: settings.time.map(|time| time.mul_f64(1.0 - kept_share(settings))),
        idle: settings.stop_after_idle,
        clock: Some(Arc::clone(clock) as Arc<dyn Clock>),
        stop: stop.clone(),
    }
}

/// A new search, or the one of the checkpoint.
fn begin<'a, P: Problem>(
    settings: &Settings,
    search: SearchSettings,
    problem: &'a P,
    budget: Budget,
    snapshot: Option<Snapshot<P::Action, P::Memory>>,
) -> Result<Search<'a, P>, CheckpointError> {
    let Some(snapshot) = snapshot else { return Ok(Search::new(problem, search, budget)) };
    Search::restore(problem, search, budget, snapshot)
        .map_err(|source| CheckpointError::Refused { path: settings.checkpoint_path(), source })
}

/// Whether the state is to be kept since no later one comes: of a run that was interrupted, and of
/// any where the user named the place.
fn is_last<P: Problem>(search: &Search<'_, P>, settings: &Settings) -> bool {
    match search.end() {
        None => false,
        Some(StopReason::Interrupted) => true,
        Some(_) => settings.checkpoint.is_some(),
    }
}

fn header<P: Problem>(
    search: &Search<'_, P>,
    settings: &Settings,
    elapsed: Duration,
) -> CheckpointHeader {
    let statistics = search.statistics();
    CheckpointHeader {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        parameters: settings.parameters(),
        calls: settings.calls,
        time: settings.time,
        evaluations: statistics.evaluations,
        calls_made: statistics.calls,
        elapsed,
    }
}
