//! Why a campaign cannot go on.

use std::io;
use std::path::{Path, PathBuf};

/// What stops a campaign, or one of its commands. Each message is one line and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CampaignError {
    /// The campaign file is wrong.
    #[error("{file}: {reason}")]
    Definition {
        /// The file, or the name of the preset.
        file: String,
        /// What is wrong, and how it should be.
        reason: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}; see whether it is there, and who may read and write it")]
    File {
        /// Which.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The folder holds no plan.
    #[error("{0} holds no plan: make one with `wallace campaign plan FILE --out {0}`")]
    NoPlan(PathBuf),
    /// A file of the plan is not what was written.
    #[error("{path}: {reason}; restore it, or make the plan anew in another folder")]
    Damaged {
        /// Which.
        path: PathBuf,
        /// How it shows.
        reason: String,
    },
    /// There is no such run.
    #[error("the plan has no run {0}: `wallace campaign status` lists them")]
    UnknownRun(String),
    /// Nothing to report on.
    #[error("no run has a result yet: execute the plan with `wallace campaign run {0}`")]
    NoResults(PathBuf),
    /// A program of the cluster cannot be used.
    #[error("{program}: {reason}")]
    Cluster {
        /// Which program.
        program: String,
        /// What it says.
        reason: String,
    },
    /// A figure cannot be drawn.
    #[error("the figure {path} cannot be drawn: {reason}")]
    Figure {
        /// The file.
        path: PathBuf,
        /// What the backend says.
        reason: String,
    },
}

impl CampaignError {
    /// For `map_err` on file operations.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
