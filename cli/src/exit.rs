//! Exit codes.

use std::process::ExitCode;

use wallace::{RunError, StopReason, Summary};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The command was used wrongly.
    #[error("{0}")]
    Usage(String),
}

/// The exit code of a command, after what went wrong was told.
pub(crate) fn code(outcome: &Result<Summary, CommandError>) -> ExitCode {
    ExitCode::from(match outcome {
        Ok(summary) => code_of(summary),
        Err(error) => {
            tell(error);
            match error {
                CommandError::Run(error) => code_of_error(error),
                CommandError::Usage(_) => 2,
            }
        }
    })
}

/// One line that says what is wrong and what to do.
#[expect(clippy::print_stderr, reason = "this is where errors are told")]
fn tell(error: &CommandError) {
    eprintln!("wallace: {error}");
}

fn code_of(summary: &Summary) -> u8 {
    match summary.reason {
        StopReason::Interrupted => 130,
        StopReason::Unreachable(_) => 3,
        StopReason::Broken(_) => 4,
        _ if summary.faults > 0 => 1,
        _ => 0,
    }
}

fn code_of_error(error: &RunError) -> u8 {
    match error {
        RunError::Output(_)
        | RunError::Schema(_)
        | RunError::Description(_)
        | RunError::NothingCallable(_)
        | RunError::Settings(_)
        | RunError::Checkpoint(_)
        | RunError::Corpus(_) => 2,
        RunError::Driver(_) | RunError::Unreachable(_) | RunError::NoAnswer(_) => 3,
        RunError::Internal(_) => 4,
    }
}
