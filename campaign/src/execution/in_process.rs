//! The runs of a plan, executed by threads of this process.

use std::any::Any;
use std::time::{Duration, Instant};

use wallace::StopSignal;

use super::pool::{Event, work_off};
use super::system::Ports;
use super::template::Values;
use super::{measure, measured};
use crate::definition::System;
use crate::error::CampaignError;
use crate::plan::{Plan, Progress, RunDescription};

/// A system that was opened for one run.
#[derive(Debug)]
pub struct Opened {
    /// The system as it answers now: with a `driver` or a `url`, and without `fixture` and `start`.
    pub system: System,
    /// What keeps it alive; dropped when the run has ended.
    pub service: Box<dyn Any>,
}

impl Opened {
    /// A system that answers behind this driver.
    #[must_use]
    pub fn driver(system: &System, url: impl Into<String>, service: impl Any) -> Self {
        let running = System { fixture: None, start: None, url: None, ..system.clone() };
        let system = System { driver: Some(url.into()), ..running };
        Self { system, service: Box::new(service) }
    }

    /// A system that answers without a driver.
    #[must_use]
    pub fn url(system: &System, url: impl Into<String>, service: impl Any) -> Self {
        let running = System { fixture: None, start: None, driver: None, ..system.clone() };
        let system = System { url: Some(url.into()), ..running };
        Self { system, service: Box::new(service) }
    }
}

/// Executes all runs without a result in this process, as many at a time as the plan says, and without
/// the `wallace` command. Results are those of [`run_local`](crate::run_local). `open` starts the system
/// of a run, or says where it answers; each run has one of its own.
///
/// A run of a search that takes longer than `resources.seconds` is stopped and fails. A process cannot
/// bound the memory of its threads, nor give them cores, so the limits `memory` and `cores` do not hold
/// here, and a crash of a system in this process ends the campaign: open it again, and go on.
///
/// # Errors
/// When the folder of the plan cannot be used.
pub fn run_in_process(
    plan: &Plan,
    open: &(dyn Fn(&System) -> Result<Opened, String> + Sync),
    is_stopped: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Progress, CampaignError> {
    let once = |_, run: &RunDescription| {
        let start = Instant::now();
        let kept = match execute(plan, run, open, is_stopped) {
            Ok(result) => {
                plan.keep(&result).and_then(|()| plan.note_duration(&run.id, start.elapsed()))
            }
            Err(_) if is_stopped() => return Err("it was stopped".to_owned()),
            Err(reason) => {
                plan.note_failure(run, &reason).map_err(|error| error.to_string())?;
                return Err(reason);
            }
        };
        kept.map_err(|error| error.to_string())
    };
    work_off(plan, &once, is_stopped, observe)
}

fn execute(
    plan: &Plan,
    run: &RunDescription,
    open: &dyn Fn(&System) -> Result<Opened, String>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<crate::plan::RunResult, String> {
    let seconds = plan.definition().resources.seconds;
    let start = Instant::now();
    let is_late = || start.elapsed() > Duration::from_secs(seconds);
    let out = tempfile::tempdir().map_err(|error| format!("no folder for the run: {error}"))?;
    let logs = plan.log_folder(&run.id);
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let opened = open(&run.system)?;
    let here = RunDescription { system: opened.system.into(), ..run.clone() };
    let ports = Ports::take(None)?;
    let mut values = Values::of(&here, std::path::Path::new("wallace"), out.path(), &ports);
    let mut watch = |stop: &StopSignal| {
        if is_stopped() || is_late() {
            stop.stop();
        }
    };
    let (report, tally) = measured(&here, &mut values, &logs, &mut watch)?;
    if is_stopped() {
        return Err("it was stopped".to_owned());
    }
    if is_late() {
        return Err(format!("it took longer than {seconds} s (resources.seconds)"));
    }
    measure::result(run, report, tally)
}
