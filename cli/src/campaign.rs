//! `wallace campaign`: many runs, and what follows from them.

pub(crate) mod argument;
mod progress;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use wallace_campaign::{
    CampaignError, Definition, PRESETS, Plan, Progress, RunDescription,
    cluster::{element, kubernetes_job, run_on_slurm},
    confine, diagnose, guard, preset, report, run_local, verify, work,
};

use crate::console::{complain, say};
use crate::interrupt;
use argument::{CampaignCommand, Place};
use progress::Display;

/// Exit code when some run failed.
const RUNS_FAILED: u8 = 1;

/// Exit code when the file, the plan or the arguments are wrong.
const USAGE: u8 = 2;

/// Exit code of an interrupted campaign, whose results are kept.
const INTERRUPTED: u8 = 130;

pub(crate) fn run(command: &CampaignCommand) -> ExitCode {
    let outcome = match command {
        CampaignCommand::Plan { file, out } => plan(file, out),
        CampaignCommand::Run { plan, on, parallel, quiet } => execute(plan, *on, *parallel, *quiet),
        CampaignCommand::Status { plan, runs } => status(plan, *runs),
        CampaignCommand::Report { plan, out } => write_report(plan, out.as_deref()),
        CampaignCommand::Verify { plan, sample } => verify_some(plan, *sample),
        CampaignCommand::Doctor { file } => examine(file),
        CampaignCommand::Kubernetes { plan, image, claim } => {
            Plan::open(plan).and_then(|plan| kubernetes_job(&plan, image, claim)).map(|manifest| {
                say(&manifest);
                ExitCode::SUCCESS
            })
        }
        CampaignCommand::Element { plan, list } => work_element(plan, list),
        CampaignCommand::Work { plan, id, cores } => work_one(plan, id, cores),
        CampaignCommand::Guard { command } => Ok(become_command(command)),
        CampaignCommand::Preset { name } => show_preset(name.as_deref()),
    };
    outcome.unwrap_or_else(|error| {
        complain(&error.to_string());
        ExitCode::from(USAGE)
    })
}

/// A campaign file, or a built-in campaign where there is no such file.
fn definition(file: &Path) -> Result<Definition, CampaignError> {
    let name = file.to_string_lossy();
    match preset(&name) {
        Some(text) if !file.exists() => Definition::parse(text, &name),
        _ => Definition::read(file),
    }
}

fn plan(file: &Path, out: &Path) -> Result<ExitCode, CampaignError> {
    let (plan, planned) = Plan::make(definition(file)?, out)?;
    let open = plan.open_runs()?.len();
    say(&format!("{} runs planned, {} of them new, {open} to execute", planned.runs, planned.new));
    let resources = &plan.definition().resources;
    let most = open as u64 * resources.seconds / resources.parallel.max(1) as u64;
    let (kind, time) = match plan.progress()?.left {
        Some(left) => ("about", left.as_secs()),
        None => ("at most", most),
    };
    let time = humantime::format_duration(Duration::from_secs(time));
    say(&format!("  {} at a time, {kind} {time} in all", resources.parallel));
    say(&format!("  execute them with: wallace campaign run {}", out.display()));
    Ok(ExitCode::SUCCESS)
}

fn execute(
    folder: &Path,
    place: Place,
    parallel: Option<usize>,
    is_quiet: bool,
) -> Result<ExitCode, CampaignError> {
    let mut plan = Plan::open(folder)?;
    if let Some(parallel) = parallel {
        plan.set_parallel(parallel.max(1));
    }
    let stop = interrupt::signal();
    let progress = match place {
        Place::Local => {
            let mut display = Display::new(is_quiet, plan.open_runs()?.len());
            let is_stopped = || stop.is_set();
            let progress =
                run_local(&plan, &this_command(), &is_stopped, &mut |event| display.show(event))?;
            display.finish();
            progress
        }
        Place::Slurm => {
            let display = Display::new(is_quiet, plan.runs().len());
            let is_stopped = || stop.is_set();
            let progress = run_on_slurm(&plan, &this_command(), &is_stopped, &mut |progress| {
                display.set(progress.done);
            })?;
            display.finish();
            progress
        }
    };
    tell(&progress);
    Ok(match (stop.is_set(), progress.failures.is_empty()) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(RUNS_FAILED),
    })
}

fn status(folder: &Path, with_runs: bool) -> Result<ExitCode, CampaignError> {
    let plan = Plan::open(folder)?;
    let progress = plan.progress()?;
    if with_runs {
        let open: BTreeSet<_> = plan.open_runs()?.into_iter().map(|run| &run.id).collect();
        for run in plan.runs() {
            let state = if open.contains(&run.id) { "open" } else { "done" };
            let (system, configuration) = (&run.system.name, &run.configuration.name);
            say(&format!("{} {state} {system} {configuration} seed {}", run.id, run.seed));
        }
    }
    tell(&progress);
    Ok(ExitCode::SUCCESS)
}

fn write_report(folder: &Path, out: Option<&Path>) -> Result<ExitCode, CampaignError> {
    let plan = Plan::open(folder)?;
    let out = out.map_or_else(|| folder.join("report"), Path::to_owned);
    let files = report(&plan, &out)?;
    tell(&plan.progress()?);
    say(&format!("{} files in {}; begin with report.html", files.len(), out.display()));
    Ok(ExitCode::SUCCESS)
}

fn tell(progress: &Progress) {
    let left = progress.left.filter(|_| progress.done < progress.runs);
    let left = left.map(|left| Duration::from_secs(left.as_secs_f64().ceil() as u64));
    let left = left.map(|left| format!(", about {} left", humantime::format_duration(left)));
    say(&format!("{} of {} runs done{}", progress.done, progress.runs, left.unwrap_or_default()));
    for failure in &progress.failures {
        let (system, configuration) = (&failure.system, &failure.configuration);
        say(&format!(
            "  failed: {system}, {configuration}, seed {}: {}",
            failure.seed, failure.reason
        ));
    }
}

fn work_one(folder: &Path, id: &str, cores: &[usize]) -> Result<ExitCode, CampaignError> {
    if let Err(error) = confine(cores) {
        tracing::warn!("the run is not confined: {error}");
    }
    let plan = Plan::open(folder)?;
    work_on(&plan, plan.run(id)?)
}

fn work_element(folder: &Path, list: &Path) -> Result<ExitCode, CampaignError> {
    if let Err(error) = confine(&[]) {
        tracing::warn!("the run is not confined: {error}");
    }
    let plan = Plan::open(folder)?;
    work_on(&plan, &element(&plan, list)?)
}

fn work_on(plan: &Plan, run: &RunDescription) -> Result<ExitCode, CampaignError> {
    Ok(match work(plan, run, &this_command())? {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            complain(&reason);
            ExitCode::from(RUNS_FAILED)
        }
    })
}

fn verify_some(folder: &Path, sample: usize) -> Result<ExitCode, CampaignError> {
    let plan = Plan::open(folder)?;
    let verified = verify(&plan, &this_command(), sample, &mut |verified| {
        let run = &verified.run;
        let verdict = verified.difference.as_deref().unwrap_or("equal");
        let (system, configuration) = (&run.system.name, &run.configuration.name);
        say(&format!("{system}, {configuration}, seed {}: {verdict}", run.seed));
    })?;
    let is_equal = verified.iter().all(|verified| verified.difference.is_none());
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::from(RUNS_FAILED) })
}

/// Names of the services that come with this command.
fn fixtures() -> Vec<&'static str> {
    #[cfg(feature = "fixtures")]
    return emb_fixtures::Fixture::all().iter().map(emb_fixtures::Fixture::name).collect();
    #[cfg(not(feature = "fixtures"))]
    Vec::new()
}

fn examine(file: &Path) -> Result<ExitCode, CampaignError> {
    let diagnoses = diagnose(&definition(file)?, &fixtures());
    let mut can_run = true;
    for diagnosis in &diagnoses {
        let verdict = if diagnosis.missing.is_empty() { "ready" } else { "not ready" };
        say(&format!("{}: {verdict}", diagnosis.name));
        diagnosis.missing.iter().for_each(|line| say(&format!("  {line}")));
        can_run &= diagnosis.missing.is_empty();
    }
    Ok(if can_run { ExitCode::SUCCESS } else { ExitCode::from(RUNS_FAILED) })
}

fn become_command(command: &[std::ffi::OsString]) -> ExitCode {
    let command: Vec<String> =
        command.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    complain(&format!("{}: {}", command.join(" "), guard(&command)));
    ExitCode::from(127)
}

fn show_preset(name: Option<&str>) -> Result<ExitCode, CampaignError> {
    match name {
        Some(name) => match preset(name) {
            Some(text) => say(text.trim_end()),
            None => {
                complain(&format!(
                    "no built-in campaign '{name}': `wallace campaign preset` lists all"
                ));
                return Ok(ExitCode::from(USAGE));
            }
        },
        None => PRESETS.iter().for_each(|(name, _)| say(name)),
    }
    Ok(ExitCode::SUCCESS)
}

/// This very executable, which serves fixtures and guards processes.
fn this_command() -> std::path::PathBuf {
    std::env::current_exe().unwrap_or_else(|_| "wallace".into())
}
