//! Why a service could not be started under its driver.

use std::path::PathBuf;
use std::process::ExitStatus;

/// Why a service could not be started under its driver.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The package of the driver is nowhere.
    #[error(
        "the driver is not installed {place}: {install}, or name its folder by --driver-package"
    )]
    NoDriver {
        /// Where it was looked for.
        place: String,
        /// The command that installs it.
        install: String,
    },
    /// What runs the service is not there, or too old.
    #[error("{0}")]
    NoLanguage(String),
    /// The launcher cannot be started.
    #[error("{} cannot be started ({reason}): see whether it is installed", program.display())]
    CannotStart {
        /// What was to be started.
        program: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// It ended by itself.
    #[error("{command} has ended ({status}): see what it printed{tail}")]
    Ended {
        /// The command of the service.
        command: String,
        /// How.
        status: ExitStatus,
        /// Its last lines, where they were not shown.
        tail: String,
    },
    /// Ctrl-C, before there was anything to write.
    #[error("interrupted before the service was there; nothing is written")]
    Interrupted,
    /// The file for what the service prints.
    #[error("{} cannot be written ({reason}): name another place by --service-log", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
}
