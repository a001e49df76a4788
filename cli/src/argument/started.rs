//! Options of the commands that start a service under its driver: `wallace node`, `wallace python`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::Fuzz;

/// Heading of what is said of a service that the command starts.
const STARTED: &str = "Started service";

/// Options of `wallace fuzz` that have no meaning where the command starts the driver itself.
const ELSEWHERE: [&str; 7] =
    ["driver", "url", "openapi", "start_command", "start_timeout", "proxy", "workers"];

/// Options of `wallace fuzz` whose name is taken: by the same word, drivers know own modules and
/// the description of the service.
const RENAMED: [(&str, &str); 2] = [("include", "operations"), ("schema", "schema-file")];

/// A Node service that the command starts.
#[derive(Debug, Args)]
pub(crate) struct Node {
    /// Bring the state back by a new process for each test: always right, and slow
    #[arg(long, conflicts_with = "reset", help_heading = STARTED)]
    pub(crate) fresh: bool,
    /// Folder of the package wallace-driver [default: the one among the service's node_modules, or
    /// the one that is installed globally]
    #[arg(long, value_name = "DIR", env = "WALLACE_NODE_DRIVER", help_heading = STARTED)]
    pub(crate) driver_package: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) started: Started,
}

/// A Python service that the command starts.
#[derive(Debug, Args)]
pub(crate) struct Python {
    /// Folder that holds the package wallace_driver [default: the Python of the command has it]
    #[arg(long, value_name = "DIR", env = "WALLACE_PYTHON_DRIVER", help_heading = STARTED)]
    pub(crate) driver_package: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) started: Started,
}

/// A service that the command starts, in whatever language it is.
#[derive(Debug, Args)]
pub(crate) struct Started {
    /// Where the service answers [default: found by watching where it listens]
    #[arg(long, value_name = "URL", help_heading = STARTED)]
    pub(crate) service: Option<String>,
    /// Path of the OpenAPI description or of the GraphQL endpoint [default: asked for in the usual
    /// places]
    #[arg(id = "description", long = "schema", value_name = "PATH", help_heading = STARTED)]
    pub(crate) description: Option<String>,
    /// What brings the state of the service back before each test
    ///
    /// Node: a FILE whose default export is a function. Python: MODULE:FUNCTION, or `fork` for a
    /// fresh process for each test.
    #[arg(long, value_name = "WHAT", help_heading = STARTED)]
    pub(crate) reset: Option<String>,
    /// Modules that belong to the service besides those that are found; `*` is any text [repeatable]
    ///
    /// Node: packages in node_modules. Python: modules, with all below them.
    #[arg(id = "modules", long = "include", value_name = "GLOB", help_heading = STARTED)]
    pub(crate) modules: Vec<String>,
    /// Port of the driver [default: any free one; 40100 with --serve]
    #[arg(long, value_name = "N", help_heading = STARTED)]
    pub(crate) driver_port: Option<u16>,
    /// File for all that the service prints
    #[arg(long, value_name = "FILE", help_heading = STARTED)]
    pub(crate) service_log: Option<PathBuf>,
    /// Only serve the driver, until Ctrl-C: for campaigns and other engines
    #[arg(long, help_heading = STARTED)]
    pub(crate) serve: bool,
    #[command(flatten)]
    pub(crate) search: DrivenFuzz,
    /// What starts the service
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// The options of `wallace fuzz`, without those that say where the driver is.
#[derive(Debug)]
pub(crate) struct DrivenFuzz(pub(crate) Fuzz);

impl FromArgMatches for DrivenFuzz {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Fuzz::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl Args for DrivenFuzz {
    fn augment_args(command: Command) -> Command {
        let command = Fuzz::augment_args(command);
        let command = ELSEWHERE.into_iter().fold(command, |command, name| {
            command.mut_arg(name, |arg| {
                arg.hide(true).env(Resettable::Reset).conflicts_with("command")
            })
        });
        RENAMED
            .into_iter()
            .fold(command, |command, (name, long)| command.mut_arg(name, |arg| arg.long(long)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
