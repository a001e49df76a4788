//! Exit codes.

use std::process::ExitCode;

use wallace::{RunError, StopReason, Summary, report::Severity};

use crate::argument::FailOn;
use crate::console::complain;
use crate::diagnostic::Located;
use crate::interrupt;
use crate::started::error::StartError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The command was used wrongly.
    #[error("{0}")]
    Usage(String),
    /// A service could not be started under its driver.
    #[error(transparent)]
    Start(Box<StartError>),
    /// A file of the user's is wrong at some place.
    #[error("{0}")]
    Located(Box<Located>),
}

/// The exit code of a run, after what went wrong was told.
pub(crate) fn code(outcome: Result<Summary, CommandError>, fail_on: FailOn) -> ExitCode {
    code_or_error(outcome.map(|summary| code_of(&summary, fail_on)))
}

/// The exit code of any command, after what went wrong was told.
pub(crate) fn code_or_error(outcome: Result<u8, CommandError>) -> ExitCode {
    ExitCode::from(outcome.unwrap_or_else(|error| match error {
        // Whatever it was waiting for, and what that says of its end.
        _ if interrupt::came_early() => {
            complain(interrupt::EARLY);
            interrupt::INTERRUPTED
        }
        CommandError::Located(located) => {
            located.tell();
            2
        }
        error => {
            complain(&error.to_string());
            match error {
                CommandError::Run(error) => code_of_error(&error),
                CommandError::Start(error) => code_of_start(&error),
                CommandError::Usage(_) | CommandError::Located(_) => 2,
            }
        }
    }))
}

fn code_of(summary: &Summary, fail_on: FailOn) -> u8 {
    let least = match fail_on {
        FailOn::Fault => Some(Severity::Low),
        FailOn::Medium => Some(Severity::Medium),
        FailOn::High => Some(Severity::High),
        FailOn::Never => None,
    };
    let is_failed = least.is_some_and(|least| summary.worst.is_some_and(|worst| worst >= least));
    match summary.reason {
        StopReason::Interrupted => interrupt::INTERRUPTED,
        StopReason::Unreachable(_) => 3,
        StopReason::Broken(_) => 4,
        _ if is_failed || !summary.differences.is_empty() => 1,
        _ => 0,
    }
}

fn code_of_error(error: &RunError) -> u8 {
    match error {
        RunError::Output(_)
        | RunError::Schema(_)
        | RunError::Description(_)
        | RunError::NothingCallable(_)
        | RunError::NoDescription { .. }
        | RunError::Settings(_)
        | RunError::InFile { .. }
        | RunError::Checkpoint(_)
        | RunError::Corpus(_) => 2,
        RunError::Start(_)
        | RunError::Driver(_)
        | RunError::Unreachable(_)
        | RunError::NoAnswer(_) => 3,
        RunError::Internal(_) => 4,
        // What later versions of the library tell besides.
        _ => 4,
    }
}

fn code_of_start(error: &StartError) -> u8 {
    match error {
        StartError::Interrupted => interrupt::INTERRUPTED,
        StartError::Log { .. } => 2,
        StartError::NoDriver { .. }
        | StartError::NoLanguage(_)
        | StartError::CannotStart { .. }
        | StartError::Ended { .. } => 3,
    }
}
