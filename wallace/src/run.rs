//! One run, from settings to files.

use std::path::PathBuf;
use std::time::Duration;

use wallace_engine::{Problem, Solution, StopReason, StopSignal};
use wallace_suite::OutputFolder;
use wallace_suite::report::{Baseline, counted};

use crate::alone::{Proof, leave_out_repeats, replace_leaning, tell_apart};
use crate::checkpoint::{self, CheckpointError, checkpoint_beside};
use crate::comparison;
use crate::corpus::Corpus;
use crate::deadline::Deadline;
use crate::error::{RunError, StartError};
use crate::fault::leave_out_unproven;
use crate::fresh::{Stands, affordable, run_fresh, told};
use crate::insight;
use crate::ledger::Ledger;
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::runtime::blocking;
use crate::search::{Found, Kept, search};
use crate::service_family::ServiceFamily;
use crate::settings::Settings;
use crate::sharpen;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::target_system::{self, Given, Opened, TargetSystem};
use crate::write::write;

/// Calls that are kept for finding out whether a service that is started is there.
const STARTING: u64 = 8;
/// Most calls that are kept for other names of tests.
const NAMING: u64 = 20;

/// Starts the service, evolves tests for it, and writes the suite and the report: what
/// [`Fuzz::run`](crate::Fuzz::run) does, by settings alone.
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
    run_given(settings, Given::default(), stop, observe)
}

/// As [`run`], with what else the user gives.
pub(crate) fn run_given(
    settings: &Settings,
    given: Given,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    blocking(|| run_blocking(settings, given, stop, observe))
}

fn run_blocking(
    settings: &Settings,
    given: Given,
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
    let deadline = Deadline::new(stop);
    let ends = (deadline, stop);
    match target_system::open(settings, given, &ends.0.stop)? {
        Opened::Graphql(system) => run_on(system, settings, prepared, ends, observe),
        Opened::Rest(system) => run_on(system, settings, prepared, ends, observe),
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
fn run_on<P: ServiceFamily>(
    mut system: TargetSystem<P>,
    settings: &Settings,
    prepared: Prepared,
    (deadline, user_stop): (Deadline, &StopSignal),
    observe: &mut dyn FnMut(&Progress),
) -> Result<Summary, RunError> {
    let Prepared { earlier, baseline, output } = prepared;
    system.secrets().iter().for_each(|secrets| secrets.spare(system.problem.names()));
    let earlier = earlier.as_ref();
    let mut corpus = settings.corpus.as_deref().map(Corpus::open).transpose()?;
    let before = earlier.map_or(Duration::ZERO, |(header, _)| header.elapsed);
    let time = settings.time.map(|time| time.saturating_sub(before));
    deadline.begin(time);
    let stop = &deadline.stop;
    let mut found = search(settings, stop, &mut system, earlier, corpus.as_mut(), observe)?;
    if found.solution.reason == StopReason::Interrupted && !user_stop.is_set() {
        found.solution.reason = StopReason::BudgetUsed;
    }
    if let Some(corpus) = &mut corpus {
        if let Err(error) = corpus.store(&*system.problem, &found.solution) {
            // The results matter more.
            found.notes.push(error.to_string());
        }
        found.notes.append(&mut corpus.warnings);
    }
    sharpen(settings, stop, &mut system, &mut found.solution, &mut found.tally.ledger);
    stand_alone(settings, stop, &mut system, &mut found);
    let stands = fresh(settings, stop, &mut system, &mut found);
    let ledger = &mut found.tally.ledger;
    let left = left(settings, &system, &found.solution);
    let insight = insight::look(&mut system, &found.solution, left, stop, ledger);
    let differences = system
        .other
        .as_mut()
        .map(|other| comparison::compare(&*system.problem, &found.solution, other, ledger));
    ledger.settle(system.count.get());
    let recoveries = system.evaluator.driver().map(|driver| driver.recoveries());
    if recoveries.is_some_and(|recoveries| recoveries.asks_by_number) {
        found.notes.push(
            "the driver is one of an older release, which tells only what is new unless it is asked \
             for each target by its number: that is done, and costs an exchange more for each test"
                .to_owned(),
        );
    }
    for (is_off, what) in [
        (recoveries.is_some_and(|it| it.takes_no_documents), "documents"),
        (recoveries.is_some_and(|it| it.takes_no_keys), "keys"),
    ] {
        if is_off {
            found.notes.push(format!(
                "the driver tells of {what} that were not found, and takes none: tests did not \
                 begin with any; see that it is connected to where they are, and of a release that \
                 can insert them"
            ));
        }
    }
    // Units that were loaded during the search count in the denominators, also where the driver is lost.
    if let Some(driver) = system.evaluator.driver() {
        match (driver.info(), &mut system.info) {
            (Ok(info), before) => *before = Some(info),
            (Err(_), Some(before)) => before.units = driver.units(),
            (Err(_), None) => {}
        }
    }
    if let Some(info) = &mut system.info {
        system.instances.grow(&mut info.units);
    }
    let unproven = leave_out_unproven(&mut found.solution);
    if unproven > 0 {
        found.notes.push(format!(
            "left out, for not coming again when the test was repeated: {}, found by comparing \
             readings, or while the service was busy or away",
            counted(unproven, "fault")
        ));
    }
    if user_stop.is_set() && found.solution.reason.is_end() {
        found.solution.reason = StopReason::Interrupted;
        found.notes.push(
            "interrupted after the search: tests were not all made smaller and run again, nor \
             everything looked at that comes after it"
                .to_owned(),
        );
    }
    let operations = found.tally.operations(system.problem.operations());
    let Found { solution, elapsed, tally, history, faults, notes, .. } = found;
    let has_ended = solution.reason.is_end();
    let Tally { ledger, schema, made, habits, .. } = tally;
    let outcome = Outcome {
        solution,
        elapsed,
        operations,
        ledger,
        schema,
        made,
        habits,
        history,
        faults,
        notes,
        insight,
        stands,
        baseline,
    };
    let mut summary = write(settings, &output, &system, &outcome)?;
    summary.differences = differences.unwrap_or_default().into_iter().collect();
    if has_ended && settings.checkpoint.is_none() {
        // There is nothing to go on with. Where there is no such file, nothing is to be done.
        let _ = std::fs::remove_file(settings.checkpoint_path());
    }
    Ok(summary)
}

/// Lets the tests notice more, within its share of the budget.
fn sharpen<P: ServiceFamily>(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem<P>,
    solution: &mut Solution<<P as Problem>::Action>,
    ledger: &mut Ledger,
) {
    let share = settings.result.sharpen_share;
    let calls = (solution.statistics.calls as f64 * share) as u64;
    let left = left(settings, system, solution);
    let limits = sharpen::Limits { calls, left, repeats: settings.search.repeats, stop };
    sharpen::sharpen(system, solution, &limits, ledger);
}

/// Replaces tests that need what others left, where nothing resets the service.
fn stand_alone<P: ServiceFamily>(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem<P>,
    found: &mut Found<P>,
) {
    if system.info.is_some() {
        return;
    }
    let mut proof = Proof { left: 0, repeats: system.search.repeats, stop };
    // Names are told apart with the rest: a call for each operation that takes one once.
    let left_over = left(settings, system, &found.solution);
    proof.left = left_over - (left_over / 8).min(NAMING);
    let Found { solution, alone, tally, .. } = found;
    leave_out_repeats(&*system.problem, &mut tally.made, solution);
    replace_leaning(system, solution, alone, tally, &proof);
    proof.left = left(settings, system, solution);
    tell_apart(system, solution, tally, &proof);
}

/// Runs the tests again on fresh starts of the service, where the run starts it.
fn fresh<P: ServiceFamily>(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut TargetSystem<P>,
    found: &mut Found<P>,
) -> Stands {
    let Some(process) = system.process.clone() else { return Stands::new() };
    let left = left(settings, system, &found.solution);
    let draw = (settings.search.seed, stop);
    let order = affordable(&found.solution.tests, &|target| found.faults.cause(target), left);
    let (solution, tally) = (&mut found.solution, &mut found.tally);
    let mut stands = Stands::new();
    let chosen = (order, left);
    if let Err(error) = run_fresh(system, &process, solution, tally, chosen, draw, &mut stands) {
        // The results matter more.
        let reason = match error {
            RunError::Start(StartError::Interrupted) => "the run had to end".to_owned(),
            error => error.to_string(),
        };
        found.notes.push(format!("the tests were not run on every fresh start: {reason}"));
    }
    found.notes.extend(told(&stands));
    stands
}

/// Calls that are left of the budget, logins and whatever else was sent counted; of a run that goes on,
/// those of before too.
fn left<P: ServiceFamily>(
    settings: &Settings,
    system: &TargetSystem<P>,
    solution: &Solution<<P as Problem>::Action>,
) -> u64 {
    let beside = system.process.as_ref().map_or(0, |_| STARTING);
    let used = system.count.get().max(system.calls_before + solution.calls()) + beside;
    settings.calls.map_or(u64::MAX, |calls| calls.saturating_sub(used))
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

impl Settings {
    /// Where the state of the run is kept: at `checkpoint`, or beside the results.
    #[must_use]
    pub fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| checkpoint_beside(&self.out))
    }
}
