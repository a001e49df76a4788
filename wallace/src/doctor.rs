//! Whether a run would work, found out before it: what `wallace doctor` tells.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wallace_engine::{
    Action, Budget, Evaluation, EvaluationError, Evaluator, Individual, Problem, Search,
    SearchSettings, StopSignal, Wanted,
};
use wallace_problems::HttpEvaluator;
use wallace_suite::OutputFolder;
use wallace_suite::report::counted;

use crate::error::RunError;
use crate::service_family::ServiceFamily;
use crate::settings::Settings;
use crate::setup::{advice, some, went_wrong};
use crate::target_system::{self, Given, Opened, TargetSystem};
use crate::vain::Vain;

/// Most calls that are made to see how the service answers.
const CALLS: u64 = 60;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckState {
    /// As it should.
    Good,
    /// It will limit the run.
    Limiting,
    /// The run would fail.
    Failing,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it went.
    pub state: CheckState,
    /// What was seen, and what to do where it is not good.
    pub detail: String,
}

impl Check {
    fn new(name: &'static str, state: CheckState, detail: impl Into<String>) -> Self {
        Self { name, state, detail: detail.into() }
    }
}

/// Looks at everything that a run needs, as far as it comes: the folder, the driver, the service and
/// its description, each user, some calls, the reset, and how long the budget will take.
///
/// Some calls are made, such as a run would make; where no driver takes changes back, only those that read.
#[must_use]
pub fn doctor(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![match OutputFolder::prepare(&settings.out, settings.force) {
        Ok(folder) => Check::new(
            "folder",
            CheckState::Good,
            format!("{} can be written", folder.path().display()),
        ),
        Err(error) => Check::new("folder", CheckState::Failing, error.to_string()),
    }];
    let begun = Instant::now();
    match target_system::open(settings, Given::default(), &StopSignal::default()) {
        Ok(Opened::Graphql(system)) => look(&mut checks, system, settings, begun.elapsed()),
        Ok(Opened::Rest(system)) => look(&mut checks, system, settings, begun.elapsed()),
        Err(error) => checks.push(failed(&error)),
    }
    checks
}

/// The check that an error at the start belongs to.
fn failed(error: &RunError) -> Check {
    let name = match error {
        RunError::Driver(_) => "driver",
        RunError::Unreachable(_) | RunError::NoAnswer(_) => "service",
        RunError::Schema(_)
        | RunError::Description(_)
        | RunError::NoDescription { .. }
        | RunError::NothingCallable(_) => "schema",
        _ => "settings",
    };
    Check::new(name, CheckState::Failing, error.to_string())
}

fn look<P: ServiceFamily>(
    checks: &mut Vec<Check>,
    mut system: TargetSystem<P>,
    settings: &Settings,
    start: Duration,
) {
    let service = system.service.clone();
    let milliseconds = start.as_millis();
    checks.push(match &system.info {
        Some(info) => Check::new(
            "driver",
            CheckState::Good,
            format!(
                "{service} is up in {milliseconds} ms; {} lines and {} branch sides are observed",
                info.units.lines, info.units.branches
            ),
        ),
        None => Check::new(
            "service",
            CheckState::Good,
            format!("{service} answers in {milliseconds} ms"),
        ),
    });
    if system.info.as_ref().is_some_and(|info| info.units.lines == 0) {
        let detail = "the driver observes no code: see whether the instrumentation is on";
        checks.push(Check::new("driver", CheckState::Limiting, detail));
    }
    schema(checks, &system);
    users(checks, &mut system);
    let seen = probe(&mut system);
    match seen.vain.cause(&mut system, &settings.target) {
        Some(cause) if seen.vain.is_of_set_up() => {
            checks.push(Check::new("calls", CheckState::Failing, cause));
        }
        // Few calls were made: what is refused by its values may be taken later.
        _ => calls(checks, &seen, system.users.len()),
    }
    clock(checks, &seen, settings);
    reset(checks, &mut system);
}

fn schema<P: ServiceFamily>(checks: &mut Vec<Check>, system: &TargetSystem<P>) {
    let (all, callable) = (system.problem.operations().len(), system.problem.callable());
    let state = if callable == 0 { CheckState::Failing } else { CheckState::Good };
    checks.push(Check::new(
        "schema",
        state,
        format!("{callable} of {all} operations can be called"),
    ));
    let limits = system.notes.iter().cloned().chain(system.problem.left_out());
    checks.extend(limits.map(|note| Check::new("schema", CheckState::Limiting, note)));
}

/// Logs every user in.
fn users<P: ServiceFamily>(checks: &mut Vec<Check>, system: &mut TargetSystem<P>) {
    if system.users.is_empty() {
        let detail = "no users: calls are made without credentials (--auth FILE gives some)";
        checks.push(Check::new("users", CheckState::Good, detail));
        return;
    }
    let names: Vec<&str> = system.users.iter().map(|user| user.name.as_str()).collect();
    let errors = system.evaluator.check_users();
    let state = match errors.len() {
        0 => CheckState::Good,
        all if all == names.len() => CheckState::Failing,
        _ => CheckState::Limiting,
    };
    let count = names.len() - errors.len();
    // Each of the others has a line of its own.
    let who = if errors.is_empty() { format!(": {}", names.join(", ")) } else { String::new() };
    let detail = format!("{count} of {} users can log in{who}", names.len());
    checks.push(Check::new("users", state, detail));
    checks.extend(errors.into_iter().map(|error| Check::new("users", CheckState::Limiting, error)));
}

/// What came of some calls.
#[derive(Default)]
struct Seen {
    /// How many calls of an operation ended how; an empty text stands for well.
    ends: BTreeMap<String, BTreeMap<String, u32>>,
    durations: Vec<Duration>,
    vain: Vain,
    /// Tests that were not run, since they would have changed something for good.
    spared: u32,
}

/// Makes the first calls of a run.
fn probe<P: ServiceFamily>(system: &mut TargetSystem<P>) -> Seen {
    let problem = Arc::clone(&system.problem);
    let mut probe = Probe {
        problem: &*problem,
        only_reads: system.info.is_none(),
        evaluator: &mut system.evaluator,
        seen: Seen::default(),
    };
    let search = SearchSettings { minimise_share: 0.0, repeats: 0, ..system.search.clone() };
    Search::new(&*problem, search, Budget::calls(CALLS)).run(&mut probe);
    probe.seen
}

fn calls(checks: &mut Vec<Check>, seen: &Seen, users: usize) {
    let mut alike: BTreeMap<&str, (u32, Vec<&String>)> = BTreeMap::new();
    for (operation, ends) in &seen.ends {
        if let (1, Some((how, total))) = (ends.len(), ends.first_key_value())
            && !how.is_empty()
        {
            let (calls, operations) = alike.entry(how).or_default();
            *calls += total;
            operations.push(operation);
        }
    }
    for (how, (total, operations)) in &alike {
        let names = some(operations.iter().copied());
        // One user after the other calls: few operations were tried by all.
        let other = matches!(*how, "status 401" | "status 403") && users > 1;
        let other = if other { "; a run tries each as every user" } else { "" };
        let detail = format!("{} of {names} ended with {how}: {}{other}", all(*total), advice(how));
        checks.push(Check::new("calls", CheckState::Limiting, detail));
    }
    let count = seen.durations.len();
    if alike.is_empty() && count > 0 {
        let operations = counted(seen.ends.len(), "operation");
        let detail = format!("{operations} answered in {}", counted(count, "test"));
        checks.push(Check::new("calls", CheckState::Good, detail));
    }
    if seen.spared > 0 {
        let detail =
            "calls that change something are not tried here, since nothing takes them back";
        checks.push(Check::new("calls", CheckState::Good, detail));
    } else if count == 0 {
        let detail = "no test could be run: see the lines above";
        checks.push(Check::new("calls", CheckState::Failing, detail));
    }
}

/// How long the budget will take.
fn clock(checks: &mut Vec<Check>, seen: &Seen, settings: &Settings) {
    let tests = seen.durations.len() as u32;
    if tests == 0 {
        return;
    }
    let made: u32 = seen.ends.values().flat_map(BTreeMap::values).sum();
    let all: Duration = seen.durations.iter().sum();
    let each = all.as_secs_f64() / f64::from(made.max(1));
    let detail = match (settings.calls, settings.time) {
        (Some(calls), None) => {
            format!(
                "{calls} calls at {:.1} ms each take about {:.0} s",
                each * 1e3,
                each * calls as f64
            )
        }
        (_, Some(time)) => {
            let calls = time.as_secs_f64() / each.max(1e-9);
            format!("{:.0} s are enough for about {calls:.0} calls", time.as_secs_f64())
        }
        (None, None) => "the run has no limit: give --calls or --time".to_owned(),
    };
    let is_short = settings.time.is_some_and(|time| time.as_secs_f64() < 100.0 * each);
    let state = if is_short { CheckState::Limiting } else { CheckState::Good };
    checks.push(Check::new("clock", state, detail));
}

/// Whether the driver brings the state of the service back, and how fast.
fn reset<P: ServiceFamily>(checks: &mut Vec<Check>, system: &mut TargetSystem<P>) {
    let Some(driver) = system.evaluator.driver() else {
        let detail = match system.process {
            Some(_) => {
                "the service keeps its state between tests, and tests run again on fresh starts"
            }
            None => {
                "the service keeps its state between tests: a driver resets it, and --start-command \
                 gives the tests of the result fresh starts"
            }
        };
        checks.push(Check::new("reset", CheckState::Limiting, detail));
        return;
    };
    let begun = Instant::now();
    let (state, detail) = match driver.reset() {
        Ok(()) => {
            (CheckState::Good, format!("takes {:.1} ms", begun.elapsed().as_secs_f64() * 1e3))
        }
        Err(error) => (CheckState::Failing, error.to_string()),
    };
    checks.push(Check::new("reset", state, detail));
}

/// Runs tests and notes how their calls ended.
struct Probe<'a, P: ServiceFamily> {
    problem: &'a P,
    /// Whether calls that change something are left to the run.
    only_reads: bool,
    evaluator: &'a mut HttpEvaluator<P>,
    seen: Seen,
}

impl<P: ServiceFamily> Evaluator<<P as Problem>::Action> for Probe<'_, P> {
    fn evaluate(
        &mut self,
        individual: &Individual<<P as Problem>::Action>,
        wanted: &Wanted,
    ) -> Result<Evaluation<<P as Problem>::Action>, EvaluationError> {
        let reads = |(_, action): &(_, Arc<_>)| self.problem.is_read(action);
        if self.only_reads && !individual.actions().iter().all(reads) {
            self.seen.spared += 1;
            // Of the budget it is one, or a service without reads would be asked for ever.
            return Ok(Evaluation { calls: 1, ..Evaluation::new(Vec::new(), Vec::new()) });
        }
        let begun = Instant::now();
        let evaluation = self.evaluator.evaluate(individual, wanted)?;
        self.seen.durations.push(begun.elapsed());
        for ((_, action), outcome) in individual.actions().iter().zip(&evaluation.outcomes) {
            self.seen.vain.count::<P>(outcome);
            let operation = self.problem.template_name(action.template());
            let how = went_wrong(outcome).unwrap_or_default();
            *self.seen.ends.entry(operation).or_default().entry(how).or_default() += 1;
        }
        Ok(evaluation)
    }
}
/// So many calls, where they are all that were made.
fn all(calls: u32) -> String {
    if calls == 1 { "the one call".to_owned() } else { format!("all {calls} calls") }
}
