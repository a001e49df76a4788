//! Arguments of the command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use wallace::Format;

use crate::campaign::argument::Campaign;
use crate::harvest::HarvestArguments;
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
    #[command(disable_help_flag = true)]
    Fixture {
        /// Name of the service
        name: String,
        /// Its arguments; `--help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

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
    pub(crate) calls: Calls,
    #[command(flatten)]
    pub(crate) graphql: Graphql,
    #[command(flatten)]
    pub(crate) rest: Rest,
    #[command(flatten)]
    pub(crate) common: Common,
    /// File with settings [default: wallace.toml, where there is one]
    ///
    /// Options come first, then environment variables, then the file.
    #[arg(long, value_name = "FILE", env = "WALLACE_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting with its value and where that comes from, and do nothing else
    #[arg(long)]
    pub(crate) show_config: bool,
    /// Print which operations would be called and how, and call none
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A target to explain.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Name of the target, a part of it, or FILE:LINE; `open` for all that are not covered
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

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Switch {
    /// Do it
    #[default]
    On,
    /// Do not
    Off,
}

/// Of which tests it is told which call reached what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum When {
    /// Of every test
    #[default]
    Always,
    /// Of tests that are better for something than any before
    OnDemand,
}

/// When a run counts as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// A fault that no baseline knows
    #[default]
    Fault,
    /// Such a fault of severity medium or high
    Medium,
    /// Such a fault of severity high
    High,
    /// Never for its faults
    Never,
}

/// Where the service is: one of these, on the command line or in the configuration.
#[derive(Debug, Args)]
#[group(required = false, multiple = false)]
pub(crate) struct Service {
    /// White-box: address of the driver, as a port, HOST:PORT or a URL
    #[arg(long, value_name = "URL", env = "WALLACE_DRIVER")]
    pub(crate) driver: Option<String>,
    /// Black-box: endpoint of a running GraphQL service, such as http://localhost:8080/graphql
    #[arg(long, value_name = "URL", visible_alias = "graphql", env = "WALLACE_URL")]
    pub(crate) url: Option<String>,
    /// Black-box: description of a running REST service, a file or URL, Swagger 2.0 to OpenAPI 3.2
    #[arg(long, value_name = "FILE|URL", env = "WALLACE_OPENAPI")]
    pub(crate) openapi: Option<String>,
}

/// Which calls are made, and as whom.
#[derive(Debug, Clone, Args)]
pub(crate) struct Calls {
    /// Users and how they log in: an authentication file of the Web Fuzzing Commons
    #[arg(long, value_name = "FILE", env = "WALLACE_AUTH")]
    pub(crate) auth: Option<PathBuf>,
    /// Call operations that may change something although the service is on another machine
    #[arg(long)]
    pub(crate) allow_mutations: bool,
    /// Call only operations that match [repeatable]
    ///
    /// GraphQL: a coordinate such as Query.user, a regular expression, or @directive. REST: a path
    /// with *, tag:NAME, method:VERB, id:OPERATION, or deprecated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Never call operations that match [repeatable]
    #[arg(long, value_name = "PATTERN", visible_alias = "deny")]
    pub(crate) exclude: Vec<String>,
    /// Also trust the certificates of this PEM file, besides those of the system
    #[arg(long, value_name = "FILE", env = "WALLACE_CA_CERTIFICATE")]
    pub(crate) ca_certificate: Option<PathBuf>,
    /// Certificate and private key by which the service knows who calls, in one PEM file
    #[arg(long, value_name = "FILE", env = "WALLACE_CLIENT_CERTIFICATE")]
    pub(crate) client_certificate: Option<PathBuf>,
    /// Accept any certificate of the service
    #[arg(long, conflicts_with = "ca_certificate")]
    pub(crate) insecure: bool,
    /// Call the service through this proxy, such as http://name:password@localhost:3128
    #[arg(long, value_name = "URL", env = "WALLACE_PROXY", conflicts_with = "driver")]
    pub(crate) proxy: Option<String>,
    /// Most calls per second
    #[arg(long, value_name = "N", env = "WALLACE_RATE")]
    pub(crate) rate: Option<f64>,
    /// Black-box: calls that are under way at a time
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "driver")]
    pub(crate) workers: usize,
}

/// Options of runs on GraphQL services.
#[derive(Debug, Args)]
#[command(next_help_heading = "GraphQL services")]
pub(crate) struct Graphql {
    /// Schema of the service: SDL, or a saved answer to an introspection query
    #[arg(long, value_name = "FILE", conflicts_with = "openapi")]
    pub(crate) schema: Option<PathBuf>,
    /// Go on without the definitions of the schema file that cannot be read
    #[arg(long, requires = "schema")]
    pub(crate) allow_broken_schema: bool,
    /// Black-box: also send documents that a service should refuse for their size
    #[arg(long)]
    pub(crate) overload: bool,
    /// Black-box: judge each call for itself, without tests made to compare answers
    #[arg(long, conflicts_with = "overload")]
    pub(crate) no_checks: bool,
    /// Production operations to begin with: a log, an archive or a folder, as `harvest` reads them
    /// [repeatable]
    #[arg(long, value_name = "FILE", conflicts_with = "openapi")]
    pub(crate) seeds: Vec<PathBuf>,
    /// Black-box: events that are read of each subscription; with 0 none is called
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "openapi")]
    pub(crate) events: usize,
    /// A value of a custom scalar, such as Date=2024-05-17 [repeatable]
    #[arg(long, value_name = "NAME=VALUE", value_parser = scalar, conflicts_with = "openapi")]
    pub(crate) scalar: Vec<(String, String)>,
}

/// Options of runs on REST services.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "REST services")]
pub(crate) struct Rest {
    /// Where the service is, instead of where its description says
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    pub(crate) base_url: Option<String>,
    /// Also send calls that try to break in; only for services that are yours
    #[arg(long, conflicts_with = "url")]
    pub(crate) security: bool,
    /// Do not report faults of this code [repeatable]
    #[arg(long, value_name = "CODE", conflicts_with = "url")]
    pub(crate) oracle_off: Vec<u16>,
    /// Run the tests against another version too, and tell what it answers differently
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    pub(crate) compare_with: Option<String>,
    /// Let the description refer to other documents of its folder
    #[arg(long, conflicts_with = "url")]
    pub(crate) external_references: bool,
}

/// Options of every command that searches.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search and results")]
pub(crate) struct Common {
    /// Most calls to the service; only a budget in calls makes a run repeatable [default: 10000]
    #[arg(
        long,
        value_name = "N",
        env = "WALLACE_CALLS",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) calls: Option<u64>,
    /// Most time, such as 90s, 5m or 1h
    #[arg(long, value_name = "D", env = "WALLACE_TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Seed of the search: same seed and calls, same tests [default: 42]
    #[arg(long, value_name = "N", env = "WALLACE_SEED")]
    pub(crate) seed: Option<u64>,
    /// Folder for the test suite and the report [default: wallace-out/NAME]
    #[arg(long, value_name = "DIR", env = "WALLACE_OUT")]
    pub(crate) out: Option<PathBuf>,
    /// Formats of the test suite, each in a folder of its own; `all` for all of them
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "rust", value_parser = format_names())]
    pub(crate) format: Vec<String>,
    /// Replace what an earlier run wrote to the folder
    #[arg(long)]
    pub(crate) force: bool,
    /// File for the figures of the run, as CSV, besides the one among the results
    #[arg(long, value_name = "FILE")]
    pub(crate) statistics: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) state: State,
    /// Let tests begin with rows, and conditions of SQL guide the search, where a driver gives access
    /// to a database
    #[arg(long, value_name = "WHETHER", value_enum, default_value = "on")]
    pub(crate) sql: Switch,
    /// Of which tests the driver is told where each call begins: with a driver that takes longer for
    /// that than the call itself, `on-demand` runs only the best ones in full, a second time
    #[arg(long, value_name = "WHEN", value_enum, default_value = "always")]
    pub(crate) attribution: When,
    /// Faults that are known, as `wallace baseline` writes them: only others count
    #[arg(long, value_name = "FILE", env = "WALLACE_BASELINE")]
    pub(crate) baseline: Option<PathBuf>,
    /// What makes the command exit with 1
    #[arg(long, value_name = "WHAT", value_enum, default_value = "fault", env = "WALLACE_FAIL_ON")]
    pub(crate) fail_on: FailOn,
    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print progress and summary as JSON, one object on each line, for other programs
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) json_lines: bool,
}

/// Options about what outlives a run.
#[derive(Debug, Args)]
pub(crate) struct State {
    /// Go on with the interrupted run whose results were to go to this folder
    ///
    /// Seed and limits are those of that run unless others are given.
    #[arg(long, value_name = "DIR", conflicts_with = "force")]
    pub(crate) resume: Option<PathBuf>,
    /// File for the state of the run [default: beside the results, until the run ends]
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two writings of the state: the most that a crash loses
    #[arg(long, value_name = "D", value_parser = duration, default_value = "30s")]
    pub(crate) checkpoint_interval: Duration,
    /// Folder of tests that go from one run to the next
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
}

impl Common {
    /// The folder for the results.
    pub(crate) fn out(&self, name: &str) -> PathBuf {
        let given = self.out.as_ref().or(self.state.resume.as_ref());
        given.cloned().unwrap_or_else(|| PathBuf::from("wallace-out").join(name))
    }

    /// The formats of the test suite.
    pub(crate) fn formats(&self) -> Vec<Format> {
        let named = |name: &String| match name.parse() {
            Ok(format) => vec![format],
            // The parser lets nothing else through than `all`.
            Err(_) => Format::ALL.to_vec(),
        };
        let mut formats: Vec<Format> = Vec::new();
        for format in self.format.iter().flat_map(named) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        formats
    }

    /// The limits of the run: the default number of calls unless another limit is given.
    pub(crate) fn calls(&self) -> Option<u64> {
        self.calls.or_else(|| self.time.is_none().then_some(10_000))
    }
}

fn format_names() -> clap::builder::PossibleValuesParser {
    Format::ALL.map(Format::name).into_iter().chain(["all"]).collect::<Vec<_>>().into()
}

fn scalar(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "write NAME=VALUE, such as Date=2024-05-17".to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}

fn duration(text: &str) -> Result<Duration, String> {
    let parsed = humantime::parse_duration(text)
        .map_err(|error| format!("{error}; write a number and a unit, such as 90s, 5m or 1h"))?;
    if parsed.is_zero() {
        return Err("the time must be longer than zero".to_owned());
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Wallace::command().debug_assert();
    }

    #[test]
    fn formats_are_named_one_or_more_or_all() {
        let formats = |text: &str| {
            let arguments = ["wallace", "demo", "--format", text];
            let parsed = Wallace::try_parse_from(arguments).ok()?;
            let Command::Demo(demo) = parsed.command else { return None };
            Some(demo.common.formats())
        };
        assert_eq!(formats("pytest,java,pytest"), Some(vec![Format::Pytest, Format::Java]));
        assert_eq!(formats("all"), Some(Format::ALL.to_vec()));
        assert_eq!(formats("cobol"), None);
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 5m"), Ok(Duration::from_secs(3900)));
        for wrong in ["", "5", "0s", "-1s", "soon"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
