//! One run, from settings to files.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wallace_engine::{
    Budget, Clock, Evaluation, EvaluationError, Evaluator, Individual, Problem, Search,
    SearchEvent, SearchSettings, Snapshot, Solution, StopReason, StopSignal, TargetKind, Wanted,
    Workers,
};
use wallace_problems::{HttpEvaluator, HttpProblem, Oracle};
use wallace_suite::{Baseline, Moment, OutputFolder};

use crate::checkpoint::{self, CheckpointError, CheckpointHeader};
use crate::clock::SystemClock;
use crate::comparison;
use crate::corpus::Corpus;
use crate::error::RunError;
use crate::face::Face;
use crate::history::History;
use crate::insight;
use crate::keeper::Keeper;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::setup::Setup;
use crate::sharpen;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::target_system::{self, Opened, TargetSystem};
use crate::write::{Outcome, write};

/// What a checkpoint holds: the state of the search, and what the run counted besides.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct State<P: Problem> {
    snapshot: Snapshot<P::Action, P::Memory>,
    tally: Tally,
    faults: usize,
    #[serde(default)]
    history: History,
}

/// Starts the service, evolves tests for it, and writes the suite and the report.
///
/// `stop` ends the search early; what was found is still written. `observe` is told of every test.
///
/// # Errors
/// When the folder cannot be written, the driver or the service cannot be reached, the schema
/// cannot be used, or the checkpoint to go on from is not of this run. Once the search has begun,
/// its results are written however it ends.
pub fn run(
    settings: &Settings,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    run_with_oracles(settings, Vec::new(), stop, observe)
}

/// As [`run`], judging every call and test by oracles of your own too.
///
/// ```no_run
/// use wallace::{Call, Fault, Oracle, Settings, StopSignal, run_with_oracles};
///
/// /// No answer is longer than 100 kB.
/// struct Short;
///
/// impl Oracle for Short {
///     fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
///         let response = call.outcome.response.as_ref();
///         let is_long = response.is_ok_and(|response| response.body.len() > 100_000);
///         let context = "a long answer".to_owned();
///         if is_long { vec![Fault { code: 990, context }] } else { Vec::new() }
///     }
/// }
///
/// let settings = Settings::black_box("http://localhost:8080/graphql", "generated");
/// run_with_oracles(&settings, vec![Box::new(Short)], &StopSignal::default(), &mut |_| {})?;
/// # Ok::<(), wallace::RunError>(())
/// ```
///
/// # Errors
/// As [`run`].
pub fn run_with_oracles(
    settings: &Settings,
    oracles: Vec<Box<dyn Oracle>>,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    settings.parameters().check().map_err(|error| RunError::Settings(error.to_string()))?;
    // Before anything is started: a run whose results have no place is in vain.
    let prepared = Prepared {
        earlier: earlier(settings)?,
        baseline: baseline(settings)?,
        output: OutputFolder::prepare(&settings.out, settings.force || settings.resume)?,
    };
    match target_system::open(settings, oracles)? {
        Opened::Graphql(system) => run_on(system, settings, prepared, stop, observe),
        Opened::Rest(system) => run_on(system, settings, prepared, stop, observe),
    }
}

/// What is there before the service is.
struct Prepared {
    /// The checkpoint to go on from.
    earlier: Option<Kept>,
    /// The known faults.
    baseline: Option<Baseline>,
    output: OutputFolder,
}

/// The run on a service that is ready.
fn run_on<P: Face>(
    mut system: TargetSystem<P>,
    settings: &Settings,
    prepared: Prepared,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    let Prepared { earlier, baseline, output } = prepared;
    let earlier = earlier.as_ref();
    let mut corpus = settings.corpus.as_deref().map(Corpus::open).transpose()?;
    let mut found = search(settings, stop, &mut system, earlier, corpus.as_mut(), observe)?;
    if let Some(corpus) = &mut corpus {
        if let Err(error) = corpus.store(&*system.problem, &found.solution) {
            // The results matter more.
            found.notes.push(error.to_string());
        }
        found.notes.append(&mut corpus.warnings);
    }
    sharpen(settings, stop, &mut system, &mut found.solution);
    let insight = insight::look(&mut system, &found.solution, stop);
    let differences = system
        .other
        .as_mut()
        .map(|other| comparison::compare(&*system.problem, &found.solution, other));
    // Units that were loaded during the search count in the denominators.
    if let Some(info) = system.evaluator.driver().and_then(|driver| driver.info().ok()) {
        system.info = Some(info);
    }
    let Found { solution, elapsed, tally, history, notes } = found;
    let has_ended = matches!(solution.reason, StopReason::BudgetUsed | StopReason::AllCovered);
    let (operations, schema) = tally.into_parts();
    let outcome =
        Outcome { solution, elapsed, operations, schema, history, notes, insight, baseline };
    let mut summary = write(settings, &output, &system, &outcome)?;
    summary.differences = differences.unwrap_or_default().into_iter().collect();
    if has_ended && settings.checkpoint.is_none() {
        // There is nothing to go on with. Where there is no such file, nothing is to be done.
        let _ = std::fs::remove_file(settings.checkpoint_path());
    }
    Ok(summary)
}

/// Lets the tests notice more, within its share of the budget.
fn sharpen<P: Face>(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem<P>,
    solution: &mut Solution<<P as Problem>::Action>,
) {
    let share = settings.result.sharpen_share;
    let calls = (solution.statistics.calls as f64 * share) as u64;
    let limits = sharpen::Limits { calls, repeats: settings.search.repeats, stop };
    sharpen::sharpen(system, solution, &limits);
}

/// The known faults of the settings.
fn baseline(settings: &Settings) -> Result<Option<Baseline>, RunError> {
    let Some(path) = &settings.baseline else { return Ok(None) };
    let wrong = |reason: &dyn std::fmt::Display| {
        let path = path.display();
        let next = "make one with: wallace baseline DIR --file FILE";
        RunError::Settings(format!("the baseline {path} cannot be read ({reason}); {next}"))
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    Baseline::parse(&text).map(Some).map_err(|error| wrong(&error))
}

/// A checkpoint, its state as bytes until the family of the service is known.
type Kept = (CheckpointHeader, Vec<u8>);

/// The checkpoint to go on from, when that was asked for.
fn earlier(settings: &Settings) -> Result<Option<Kept>, CheckpointError> {
    let path = settings.checkpoint_path();
    if !settings.resume {
        return match path.exists() && !settings.force {
            true => Err(CheckpointError::InTheWay { path }),
            false => Ok(None),
        };
    }
    let (header, state) = checkpoint::read(&path)?;
    header.check(&settings.parameters(), &path)?;
    Ok(Some((header, state)))
}

/// What a search gave.
struct Found<P: Problem> {
    solution: Solution<P::Action>,
    elapsed: Duration,
    tally: Tally,
    history: History,
    notes: Vec<String>,
}

fn search<P: Face>(
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
    let (snapshot, tally, faults, history) = match state {
        Some(state) => (Some(state.snapshot), state.tally, state.faults, state.history),
        None => (None, Tally::new(&*system.problem), 0, History::default()),
    };
    let (tally, faults) = (RefCell::new(tally), Cell::new(faults));
    let history = RefCell::new(history);
    let mut setup = Setup::default();
    let mut ended = Duration::ZERO;
    let problem = Arc::clone(&system.problem);
    let is_white_box = system.evaluator.driver().is_some();
    let callable = problem.callable();
    let mut observer = |event: &SearchEvent<'_, <P as Problem>::Action>| match event {
        SearchEvent::Evaluated { test, added, archive, statistics, used } => {
            tally.borrow_mut().count(&*problem, test);
            let is_fault = |target: &&wallace_engine::TargetId| {
                archive.name(**target).is_some_and(|name| name.kind() == TargetKind::Fault)
            };
            faults.set(faults.get() + added.covered.iter().filter(is_fault).count());
            let name = |operation: usize| {
                problem.template_name(wallace_genes::TemplateId(operation as u32))
            };
            for warning in setup.look(test, archive, name, is_white_box) {
                tracing::warn!("{warning}");
            }
            let elapsed = clock.elapsed();
            let moment = Moment { calls: statistics.calls, seconds: elapsed.as_secs_f64() };
            history.borrow_mut().note(moment, *used, added, archive, faults.get());
            observe(&Progress {
                used: *used,
                calls: statistics.calls,
                calls_per_second: statistics.calls as f64 / elapsed.as_secs_f64().max(1e-9),
                covered: archive.covered(),
                reached: archive.reached(),
                faults: faults.get(),
                operations: callable,
                answered: tally.borrow().answered(),
                elapsed,
            });
        }
        SearchEvent::Failed { evaluation, reason } => {
            tracing::warn!("test {evaluation} could not be run: {reason}");
        }
        SearchEvent::Suspicious { suspicion } => tracing::warn!("{suspicion}"),
        SearchEvent::Ended { .. } => ended = clock.elapsed(),
        _ => {}
    };
    let mut keeper = Keeper::new(path, settings.checkpoint_interval, before);
    let mut parameters = system.search.clone();
    if !system.workers.is_empty() {
        // Only so many tests are open at a time as there are lineages.
        let enough = u32::try_from(2 * system.workers.len()).unwrap_or(u32::MAX);
        parameters.lineages = parameters.lineages.max(enough.min(SearchSettings::MOST_LINEAGES));
    }
    let mut search =
        begin(settings, parameters, &*problem, budget(settings, stop, &clock), snapshot)?;
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
            let (tally, history) = (tally.borrow().clone(), history.borrow().clone());
            let state = State::<P> { snapshot, tally, faults: faults.get(), history };
            keeper.keep(header(search, settings, elapsed), state, covered, is_last);
        }
    });
    let solution = if system.workers.is_empty() {
        system.evaluator.reset_ahead(true);
        search.run(&mut system.evaluator)
    } else {
        search.run_parallel(&mut Workers::new(lent(&system.workers)))
    };
    drop(keeper);
    system.evaluator.reset_ahead(false);
    let notes = setup.into_warnings().chain(system.guard.notes()).collect();
    let (tally, history) = (tally.into_inner(), history.into_inner());
    Ok(Found { solution, elapsed: ended, tally, history, notes })
}

/// An evaluator that is also looked at when the search is over.
struct Lent<P>(Arc<Mutex<HttpEvaluator<P>>>);

impl<P: HttpProblem> Evaluator<P::Action> for Lent<P> {
    fn evaluate(
        &mut self,
        individual: &Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Evaluation<P::Action>, EvaluationError> {
        // A panic fails its test; the evaluator opens what it needs anew.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).evaluate(individual, wanted)
    }
}

fn lent<P: HttpProblem + 'static>(
    workers: &[Arc<Mutex<HttpEvaluator<P>>>],
) -> Vec<Box<dyn Evaluator<P::Action>>> {
    let lent = workers.iter().map(|worker| Box::new(Lent(Arc::clone(worker))) as Box<_>);
    lent.collect()
}

fn budget(settings: &Settings, stop: &StopSignal, clock: &Arc<SystemClock>) -> Budget {
    Budget {
        calls: settings.calls,
        evaluations: None,
        time: settings.time.map(|time| (time, Arc::clone(clock) as Arc<dyn Clock>)),
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

impl Settings {
    /// Where the state of the run is kept: at `checkpoint`, or beside the results.
    #[must_use]
    pub fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| checkpoint_beside(&self.out))
    }
}

/// Where the state of a run is kept whose results go to `out`: beside the folder, since the folder
/// itself is filled at once when the run ends.
#[must_use]
pub fn checkpoint_beside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_else(|| "wallace".as_ref()).to_owned();
    name.push(".checkpoint");
    out.with_file_name(name)
}
