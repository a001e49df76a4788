//! Arguments of the command: what can be asked for, and of whom.

mod common;
mod harvest;
mod option;
mod started;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use self::common::{Common, FailOn, Switch, When};
pub(crate) use self::harvest::HarvestArguments;
pub(crate) use self::option::{Calls, Graphql, Rest, SECTIONS, Service, Start, THIS_RUN, code_in};
pub(crate) use self::started::{Node, Python, Started};
use crate::campaign::argument::Campaign;
use crate::instrument::Instrument;
use crate::properties::Properties;

/// Finds faults in web APIs by evolving tests, and leaves the tests behind.
///
/// Point it at the driver of an instrumented service, and it evolves requests that cover more and
/// more of the service's code. What it found is written as a test suite that runs without Wallace.
#[derive(Debug, Parser)]
#[command(name = "wallace", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Wallace {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the whole path on a service that comes with Wallace
    ///
    /// Starts an instrumented GraphQL service on free ports of this machine, evolves tests for it,
    /// and writes a test suite and a report.
    #[cfg(feature = "fixtures")]
    #[command(after_help = "Example:\n  wallace demo --sut graphql-ncs --calls 5000")]
    Demo(Demo),
    /// Evolve tests for a running service
    ///
    /// White-box, the service is started and observed through its driver: the in-process driver of
    /// a Rust service, or a driver of the EvoMaster family for services on the JVM. Black-box, it
    /// runs already and is seen by its answers only.
    #[command(
        after_help = "Examples:\n  wallace fuzz --driver localhost:40100 --calls 10000 --out tests/generated\n  \
                      wallace fuzz --url http://localhost:8080/graphql --exclude 'Mutation.delete.*'\n  \
                      wallace fuzz --openapi http://localhost:8080/openapi.json --auth auth.yaml\n\n\
                      Exit codes:\n  0 no fault found   1 faults found   2 wrong usage, settings or schema\n  \
                      3 service or driver not reachable   4 internal error   130 interrupted, results written"
    )]
    Fuzz(Box<Fuzz>),
    /// Start a Node service under its driver, evolve tests for it, and end it
    ///
    /// The service needs no change: its modules are instrumented while Node loads them. Where it
    /// listens and what it offers is found. The package wallace-driver of npm does all of that.
    #[command(after_help = "Examples:\n  wallace node -- npm start\n  \
                            wallace node --reset reset.js --calls 10000 -- node server.js\n  \
                            wallace node --serve --driver-port 40100 -- npm start")]
    Node(Box<Node>),
    /// Start a Python service under its driver, evolve tests for it, and end it
    ///
    /// The service needs no change: its modules are instrumented while Python imports them. Where it
    /// listens and what it offers is found. The package wallace-driver of PyPI does all of that.
    #[command(after_help = "Examples:\n  wallace python -- uvicorn shop.web:app\n  \
                            wallace python --reset shop.testing:clear -- flask --app shop run\n  \
                            wallace python --reset fork -- ./manage.py runserver 8000")]
    Python(Box<Python>),
    /// Send random queries made from the schema, and check properties of the answers
    #[command(
        after_help = "Example:\n  wallace properties --url http://localhost:8080/graphql --queries 1000 --id 7"
    )]
    Properties(Properties),
    /// Turn production operations into tests, and tell what of the schema they use
    #[command(
        after_help = "Examples:\n  wallace harvest requests.ndjson --schema schema.graphql\n  \
                      wallace harvest requests.ndjson --schema schema.graphql --drift next.graphql\n  \
                      wallace harvest --listen 127.0.0.1:9000 --upstream 127.0.0.1:8080"
    )]
    Harvest(HarvestArguments),
    /// Build a Rust program with all of its own code white-box, its sources untouched
    #[command(after_help = "Example:\n  wallace instrument -- cargo run --release")]
    Instrument(Instrument),
    /// Plan, run and compare many runs
    Campaign(Campaign),
    /// Tell why a target is or is not covered: the test, the values that decided, what to try
    #[command(after_help = "Examples:\n  wallace explain graphql_scs.rs:42\n  \
                            wallace explain trueBranch --out wallace-out/suite")]
    Explain(Explain),
    /// Make the reports of a run again from its record
    Report(ReportArguments),
    /// Run the tests of a run again, or those that show one fault
    #[command(after_help = "Examples:\n  wallace replay --url http://localhost:8080\n  \
                            wallace replay wallace-out/suite --fault F100-1a2b3c4d --driver 40100\n\n\
                            A test that shows a fault is FAILED while the fault is there, and FIXED once \
                            the answer differs. Exit codes: 0 all as it should be, 1 not all.")]
    Replay(Replay),
    /// Accept the faults of a run: a file for --baseline, after which only new faults count
    Baseline(BaselineArguments),
    /// Write a commented wallace.toml for the service in the folder
    Init(Init),
    /// See whether a run would work: folder, driver, schema, users, calls, reset, clock
    Doctor(Box<Fuzz>),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a folder
    Man {
        /// The folder
        #[arg(value_name = "DIR", default_value = "man")]
        folder: PathBuf,
    },
    /// Serve a built-in service with its driver until the process is ended
    #[cfg(feature = "fixtures")]
    #[command(after_help = crate::demo::fixtures())]
    Fixture {
        /// Name of the service
        name: String,
        #[command(flatten)]
        arguments: emb_fixtures::FixtureArguments,
    },
}

#[cfg(feature = "fixtures")]
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Service to start
    #[arg(long, value_name = "NAME", default_value = "graphql-scs")]
    pub(crate) sut: String,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    #[command(flatten)]
    pub(crate) service: Service,
    #[command(flatten)]
    pub(crate) start: Start,
    #[command(flatten)]
    pub(crate) calls: Calls,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) graphql: Graphql,
    #[command(flatten)]
    pub(crate) rest: Rest,
    /// File with settings [default: wallace.toml, where there is one]
    ///
    /// Options come first, then environment variables, then the file.
    #[arg(long, value_name = "FILE", env = "WALLACE_CONFIG", help_heading = THIS_RUN)]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting with its value and where that comes from, and do nothing else
    #[arg(long, help_heading = THIS_RUN)]
    pub(crate) show_config: bool,
    /// Print which operations would be called and how, and call none
    #[arg(long, help_heading = THIS_RUN)]
    pub(crate) dry_run: bool,
}

/// A target to explain.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Name of the target, a part of it, or FILE:LINE; `open` for all that are not covered; the code
    /// of faults, such as F101
    pub(crate) target: String,
    /// Folder of the results [default: the latest below wallace-out]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Which reports to make again.
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Folder of the results [default: the latest below wallace-out]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// Which tests to run again, and where.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Folder of the results [default: the latest below wallace-out]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Only tests that show the fault of this id, or of this code: F100-1a2b3c4d, F100
    #[arg(long, value_name = "ID", conflicts_with = "test")]
    pub(crate) fault: Option<String>,
    /// Only tests whose names hold this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) test: Option<String>,
    /// The driver of the service, which brings its state back before each test
    #[arg(long, value_name = "URL", env = "WALLACE_DRIVER", conflicts_with = "url")]
    pub(crate) driver: Option<String>,
    /// Base URL of the service, which runs already
    #[arg(long, value_name = "URL", env = "WALLACE_BASE_URL")]
    pub(crate) url: Option<String>,
    /// Run tests that may change something although the service is on another machine
    #[arg(long)]
    pub(crate) allow_mutations: bool,
}

/// Which faults to accept.
#[derive(Debug, Args)]
pub(crate) struct BaselineArguments {
    /// Folder of the results [default: the latest below wallace-out]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// The file; what it says of faults that came again is kept
    #[arg(long, value_name = "FILE", default_value = "wallace-baseline.json")]
    pub(crate) file: PathBuf,
    /// Why the faults are accepted
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// What the configuration is to say.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The file
    #[arg(long, value_name = "FILE", default_value = "wallace.toml")]
    pub(crate) file: PathBuf,
    /// Replace the file
    #[arg(long)]
    pub(crate) force: bool,
    /// Take what is detected, and ask nothing
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Print the JSON schema of the file instead
    #[arg(long)]
    pub(crate) json_schema: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use wallace::Format;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Wallace::command().debug_assert();
    }

    #[test]
    fn formats_are_named_one_or_more_or_all() {
        let formats = |text: &str| {
            let arguments = ["wallace", "fuzz", "--format", text];
            let parsed = Wallace::try_parse_from(arguments).ok()?;
            let Command::Fuzz(fuzz) = parsed.command else { return None };
            Some(fuzz.common.formats())
        };
        assert_eq!(formats("pytest,java,pytest"), Some(vec![Format::Pytest, Format::Java]));
        assert_eq!(formats("all"), Some(Format::ALL.to_vec()));
        assert_eq!(formats("cobol"), None);
    }
}
