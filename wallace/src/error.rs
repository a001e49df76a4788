//! Why a run failed.

use crate::checkpoint::CheckpointError;
use crate::corpus::CorpusError;
use wallace_problems::graphql::SchemaError;
use wallace_problems::rest::{DescriptionError, NothingCallable};
use wallace_suite::OutputError;
use wallace_sut_driver::{DriverError, http::HttpError};

use crate::target_system::StartError;

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
