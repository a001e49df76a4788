//! Why a run failed.

use std::process::ExitStatus;
use std::time::Duration;

use crate::checkpoint::CheckpointError;
use crate::corpus::CorpusError;
use wallace_problems::graphql::SchemaError;
use wallace_problems::rest::{DescriptionError, NothingCallable};
use wallace_suite::OutputError;
use wallace_sut_driver::{DriverError, http::HttpError};

/// Why a run gave no result. Each message says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A setting is wrong.
    #[error("{0}")]
    Settings(String),
    /// A file is wrong at some place.
    #[error("{}:{line}:{column}: {reason}", .path.display())]
    InFile {
        /// The file.
        path: std::path::PathBuf,
        /// Line, from 1.
        line: u32,
        /// Character in the line, from 1.
        column: u32,
        /// What is wrong there.
        reason: String,
    },
    /// The driver cannot be used.
    #[error(transparent)]
    Driver(DriverError),
    /// The service cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The service cannot be reached.
    #[error("the service cannot be reached: {0}")]
    Unreachable(#[from] HttpError),
    /// What a run needs to know of the service did not come.
    #[error("no answer from {0}: see whether the service runs there")]
    NoAnswer(String),
    /// There is no description where one was said to be.
    #[error("no description at {place} ({reason}){}", match .elsewhere {
        Some(url) => format!(", but one at {url}: --openapi {url}"),
        None => ", nor at the places where frameworks put it: name its address, or a file".to_owned(),
    })]
    NoDescription {
        /// Where it was said to be.
        place: String,
        /// What is there instead.
        reason: String,
        /// Where the same service has one.
        elsewhere: Option<String>,
    },
    /// The schema cannot be used.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The description of a REST service cannot be used.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// No operation of a REST service can be called.
    #[error(transparent)]
    NothingCallable(#[from] NothingCallable),
    /// The results cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The run cannot go on from its checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The corpus cannot be used.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The operating system refused something that every run needs.
    #[error("{0}")]
    Internal(String),
}

impl From<DriverError> for RunError {
    fn from(error: DriverError) -> Self {
        match error {
            // What is no address never was one of a driver.
            DriverError::Address(_) => Self::Settings(error.to_string()),
            error => Self::Driver(error),
        }
    }
}

/// Why a service could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Another program listens there.
    #[error(
        "something answers at {0} already, before the service is started: end it, or leave \
         --start-command out"
    )]
    InTheWay(String),
    /// The service has outlived its command.
    #[error(
        "the service still answers at {0} after all that the start command had started was ended: it \
         must stay in the foreground (no `setsid`, no `--daemon`), so that it can be ended"
    )]
    StillThere(String),
    /// The command cannot be run.
    #[error("the start command cannot be run ({0}): it is given to `sh`")]
    CannotStart(std::io::Error),
    /// It ended before the service answered.
    #[error("the start command has ended ({status}) before {address} answered: {tail}")]
    Ended {
        /// How.
        status: ExitStatus,
        /// Where the service should be.
        address: String,
        /// The last that it printed.
        tail: String,
    },
    /// It takes too long.
    #[error(
        "nothing answers at {address} {} s after the service was started: see the address, or wait \
         longer by --start-timeout; {tail}",
        waited.as_secs()
    )]
    NoAnswer {
        /// Where the service should be.
        address: String,
        /// How long that was waited for.
        waited: Duration,
        /// The last that it printed.
        tail: String,
    },
    /// Ctrl-C.
    #[error("interrupted before the service was there; nothing is written")]
    Interrupted,
}
