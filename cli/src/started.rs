//! `wallace node` and `wallace python`: a service is started under its driver, searched by the
//! ordinary white-box run, and ended.

pub(crate) mod error;
pub(crate) mod launcher;
mod output;
mod process;

use std::ffi::OsStr;

use wallace::{RunError, StopSignal, Summary};

use self::error::StartError;
use self::launcher::Launcher;
use self::process::ServiceProcess;
use crate::argument::{Node, Python, Started};
use crate::console::complain;
use crate::exit::{self, CommandError};
use crate::fuzz;
use crate::interrupt;

/// `wallace node`.
pub(crate) fn node(node: Node) -> std::process::ExitCode {
    let launcher = launcher::node::launcher(&node);
    run(node.started, launcher)
}

/// `wallace python`.
pub(crate) fn python(python: Python) -> std::process::ExitCode {
    let launcher = launcher::python::launcher(&python);
    run(python.started, launcher)
}

fn run(started: Started, launcher: Result<Launcher, StartError>) -> std::process::ExitCode {
    let fail_on = started.search.0.common.output.fail_on;
    let launcher = match launcher {
        Ok(launcher) => launcher,
        Err(error) => return exit::code_or_error(Err(error.into())),
    };
    if started.serve {
        return exit::code_or_error(serve(&launcher));
    }
    match search(started, &launcher) {
        Err(error) => exit::code_or_error(Err(error)),
        Ok(Some(summary)) => exit::code(Ok(summary), fail_on),
        Ok(None) => exit::code_or_error(Ok(0)),
    }
}

/// Serves the driver until Ctrl-C, or until the launcher ends.
fn serve(launcher: &Launcher) -> Result<u8, CommandError> {
    let signal = interrupt::signal_for("ending the service");
    let mut process = ServiceProcess::start_attached(launcher)?;
    process.wait(&signal)?;
    Ok(0)
}

/// Searches the service; nothing where only the plan was wanted.
fn search(started: Started, launcher: &Launcher) -> Result<Option<Summary>, CommandError> {
    let signal = interrupt::signal();
    let mut fuzz = started.search.0;
    let is_quiet = fuzz.common.run.quiet || fuzz.common.run.json_lines;
    if !is_quiet {
        complain(&format!("starting `{}` under {}", launcher.command, launcher.driver));
    }
    let mut process = ServiceProcess::start(launcher, is_quiet, started.service_log.as_deref())?;
    fuzz.service.driver = vec![process.wait_for_driver(&signal)?];
    let output = process.output();
    let outcome = if fuzz.dry_run {
        fuzz::dry_run(&fuzz).map(|_| None)
    } else {
        fuzz::run_observed(&fuzz, &mut || output.quieten()).map(Some)
    };
    explained(outcome, &mut process, &signal)
}

/// A run that failed since the service ended says so, with the last lines of the service; one that
/// lost its driver shows them in any case.
fn explained<T>(
    outcome: Result<T, CommandError>,
    process: &mut ServiceProcess,
    signal: &StopSignal,
) -> Result<T, CommandError> {
    let Err(error) = outcome else { return outcome };
    let has_lost_driver = matches!(error, CommandError::Run(RunError::Driver(_)));
    let ended = if has_lost_driver { process.end_soon() } else { process.end_by_itself() };
    match ended {
        Some(_) if signal.is_set() => Err(StartError::Interrupted.into()),
        Some(ended) => {
            // Where the driver is lost, that is all that the error says.
            if !has_lost_driver {
                complain(&error.to_string());
            }
            Err(ended.into())
        }
        None => {
            let tail = process.output().tail();
            if has_lost_driver && !tail.is_empty() {
                complain(&format!("{} printed last:{tail}", process.command()));
            }
            Err(error)
        }
    }
}

/// A command as it was typed.
pub(crate) fn shown<S: AsRef<OsStr>>(words: &[S]) -> String {
    let words: Vec<_> = words.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    words.join(" ")
}

impl From<StartError> for CommandError {
    fn from(error: StartError) -> Self {
        Self::Start(Box::new(error))
    }
}
