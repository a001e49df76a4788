//! What starts a service under its driver: the command of the driver's package, found beside the
//! service.

pub(crate) mod node;
pub(crate) mod python;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::shown;
use crate::argument::Started;

/// Port of a driver that is only served, which is the protocol's usual one.
const SERVED: u16 = 40_100;

/// A command that starts a service and serves its driver.
#[derive(Debug)]
pub(crate) struct Launcher {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(String, OsString)>,
    /// The command of the service, for people.
    pub(super) command: String,
    /// The driver, for people.
    pub(crate) driver: String,
}

impl Launcher {
    /// A launcher that takes the options that all drivers have.
    fn new(program: impl Into<OsString>, driver: String, started: &Started) -> Self {
        let mut launcher = Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            command: shown(&started.command),
            driver,
        };
        let any = if started.serve { SERVED } else { 0 };
        launcher.option("--port", started.driver_port.unwrap_or(any).to_string());
        let Started { service, description, reset, modules, .. } = started;
        for (name, value) in [("--service", service), ("--schema", description), ("--reset", reset)]
        {
            if let Some(value) = value {
                launcher.option(name, value);
            }
        }
        for module in modules {
            launcher.option("--include", module);
        }
        launcher
    }

    /// Adds an option with a value.
    fn option(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.arguments.extend([name.into(), value.as_ref().to_owned()]);
    }

    /// The launcher of this command; `first` stands before its own options.
    fn of(mut self, first: &[OsString], command: &[OsString]) -> Self {
        self.arguments.splice(0..0, first.iter().cloned());
        self.arguments.push("--".into());
        self.arguments.extend(command.iter().cloned());
        self
    }
}

/// The file that a word of a command stands for: the path itself, or a program among those that can
/// be called by name.
pub(crate) fn program(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    if path.components().count() > 1 {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(word)).find(|file| file.is_file())
}
