//! Options that several commands share: where the service is, how it is called, and what a search
//! may use and leaves behind.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use wallace::Format;

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
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 5m"), Ok(Duration::from_secs(3900)));
        for wrong in ["", "5", "0s", "-1s", "soon"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
