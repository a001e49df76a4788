//! Executing one run: start the system, let the tool test it, take the measure, stop everything.

mod in_process;
mod limit;
mod machine;
mod measure;
mod pool;
mod process;
mod search;
mod system;
mod template;
mod tool;

use std::path::Path;

use wallace::StopSignal;
use wallace_sut_driver::{CountingProxy, Tally};

use crate::error::CampaignError;
use crate::plan::{Plan, RunDescription, RunResult};
pub use in_process::{Opened, run_in_process};
pub use pool::{Event, run_local};
pub use process::{confine, guard};
pub(crate) use search::configure;
use system::RunningSystem;
use template::Values;

/// Executes one run of the plan in this process, and keeps its result. `wallace` is the command
/// itself, which serves fixtures and guards processes.
///
/// # Errors
/// When the result cannot be kept. A run that fails is noted in the plan; its reason is returned
/// inside.
pub fn work(
    plan: &Plan,
    run: &RunDescription,
    wallace: &Path,
) -> Result<Result<(), String>, CampaignError> {
    let start = std::time::Instant::now();
    match execute(plan, run, wallace) {
        Ok(result) => {
            plan.note_duration(&run.id, start.elapsed())?;
            plan.keep(&result).map(Ok)
        }
        Err(reason) => {
            plan.note_failure(run, &reason)?;
            Ok(Err(reason))
        }
    }
}

/// Executes one run and gives its result.
pub(crate) fn execute(
    plan: &Plan,
    run: &RunDescription,
    wallace: &Path,
) -> Result<RunResult, String> {
    let out = tempfile::tempdir().map_err(|error| format!("no folder for the run: {error}"))?;
    let logs = plan.log_folder(&run.id);
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let ports = system::Ports::take(plan.definition().resources.ports)?;
    let mut values = Values::of(run, wallace, out.path(), &ports);
    let _system = RunningSystem::start(&run.system, &values, &logs)?;
    let (report, tally) = measured(run, &mut values, &logs, &mut |_| {})?;
    measure::result(run, report, tally)
}

/// Lets the tool test a system that answers, behind a stand-in for its driver that counts. `watch` is
/// given the signal that stops a search, again and again while it goes on.
fn measured(
    run: &RunDescription,
    values: &mut Values,
    logs: &Path,
    watch: &mut dyn FnMut(&StopSignal),
) -> Result<(ToolReport, Option<Tally>), String> {
    let proxy = counting_proxy(run, values)?;
    if let Some(proxy) = &proxy {
        values.set_driver(&proxy.url(), proxy.port());
    }
    let report = if run.configuration.command.is_some() {
        tool::run(run, values, logs)?
    } else {
        search::run(run, values, watch)?
    };
    Ok((report, proxy.as_ref().map(CountingProxy::tally)))
}

/// The stand-in for the driver, where there is one.
fn counting_proxy(run: &RunDescription, values: &Values) -> Result<Option<CountingProxy>, String> {
    if !run.system.is_white_box() {
        return Ok(None);
    }
    let address = values.fill(run.system.driver_address());
    let driver = address.parse().map_err(|error| format!("the driver's address: {error}"))?;
    let proxy = CountingProxy::start(driver, 0)
        .map_err(|error| format!("the counting proxy cannot start: {error}"))?;
    Ok(Some(proxy))
}

/// What a tool tells of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToolReport {
    /// Name and version.
    pub(crate) tool: String,
    /// Numbers by name.
    pub(crate) measures: std::collections::BTreeMap<String, f64>,
}
