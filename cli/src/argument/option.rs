//! Options about the service: where it is, and how it is called.
//!
//! With `common`, this is the one place of a setting: its name, environment variable, default,
//! conversion and sentence. The first word of its heading is its section in `wallace.toml`, and its option is its
//! key there; what stands under [`THIS_RUN`] is no setting. `config` reads the file by this, and
//! makes its schema, its first text and the page of settings of it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use wallace::report::fault_code;

/// Heading of what is asked of one run only.
pub(crate) const THIS_RUN: &str = "This run";

/// Sections of the file, and what they hold.
pub(crate) const SECTIONS: [(&str, &str); 7] = [
    ("target", "Where the service is: one of the three, or a driver and a description"),
    ("calls", "Which calls are made, and as whom"),
    ("budget", "When the run ends; only a budget in calls makes a run repeatable"),
    ("search", "How the search goes"),
    ("graphql", "GraphQL services only"),
    ("rest", "REST services only"),
    ("output", "Where the results go, and when the command fails"),
];

/// Where the service is: one of these, on the command line or in the configuration; a driver may be
/// given the description beside it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Target")]
pub(crate) struct Service {
    /// White-box: address of the driver, as a port, HOST:PORT or a URL [repeatable]
    ///
    /// Several drivers of the same service share the tests. @FILE stands for the addresses in its lines,
    /// dns:NAME:PORT for every address of the name.
    #[arg(long, value_name = "URL", value_delimiter = ' ', env = "WALLACE_DRIVER")]
    pub(crate) driver: Vec<String>,
    /// Black-box: endpoint of a running GraphQL service, such as http://localhost:8080/graphql
    /// [repeatable]
    #[arg(
        long,
        value_name = "URL",
        value_delimiter = ' ',
        visible_alias = "graphql",
        env = "WALLACE_URL",
        conflicts_with_all = ["driver", "openapi"]
    )]
    pub(crate) url: Vec<String>,
    /// Black-box: description of a running REST service, a file or URL, Swagger 2.0 to OpenAPI 3.2;
    /// with --driver, the one to use in place of the driver's
    #[arg(long, value_name = "FILE|URL", env = "WALLACE_OPENAPI")]
    pub(crate) openapi: Option<String>,
}

impl Service {
    /// Whether no service is named.
    pub(crate) fn is_unknown(&self) -> bool {
        self.driver.is_empty() && self.url.is_empty() && self.openapi.is_none()
    }
}

/// How a service without a driver is started.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Target")]
pub(crate) struct Start {
    /// Black-box: start the service by this command of the shell, and end it after the run; the tests of
    /// the result are run again on fresh starts, and what only passes after others is not written
    #[arg(long, value_name = "COMMAND", env = "WALLACE_START_COMMAND", conflicts_with = "driver")]
    pub(crate) start_command: Option<String>,
    /// Longest wait until a service that was started answers
    #[arg(long, value_name = "D", value_parser = super::common::duration, default_value = "2m")]
    pub(crate) start_timeout: Duration,
}

/// Which calls are made, and as whom.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Calls")]
pub(crate) struct Calls {
    /// Users and how they log in: an authentication file of the Web Fuzzing Commons
    #[arg(long, value_name = "FILE", env = "WALLACE_AUTH")]
    pub(crate) auth: Option<PathBuf>,
    /// Send this header with every request, such as 'X-Tenant: acme' [repeatable]
    ///
    /// One that says who calls (Authorization, a cookie, a token, a key) is that of a user, and is not
    /// written into suites; several users have an authentication file.
    #[arg(short = 'H', long, value_name = "NAME: VALUE", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// Call operations that may change something although the service is on another machine
    #[arg(long)]
    pub(crate) allow_mutations: bool,
    /// Call only operations that match [repeatable]
    ///
    /// GraphQL: a coordinate such as Query.user, a regular expression, or @directive. REST: a path
    /// with *, VERB:/path, tag:NAME, method:VERB, id:OPERATION, or deprecated.
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
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        conflicts_with = "driver",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub(crate) workers: u16,
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
    #[arg(long, value_name = "FILE", conflicts_with = "openapi", help_heading = "Search")]
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
    /// Where the service is, instead of where its description says [repeatable]
    #[arg(long, value_name = "URL", value_delimiter = ' ', conflicts_with = "url")]
    pub(crate) base_url: Vec<String>,
    /// Also send calls that try to break in, to GraphQL services too; only for services that are yours
    #[arg(long)]
    pub(crate) security: bool,
    /// Do not report faults of this code, also of GraphQL services [repeatable]
    #[arg(long, value_name = "CODE", value_parser = code)]
    pub(crate) oracle_off: Vec<u16>,
    /// Run the tests against another version too, and tell what it answers differently
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    pub(crate) compare_with: Option<String>,
    /// Let the description refer to other documents of its folder
    #[arg(long, conflicts_with = "url")]
    pub(crate) external_references: bool,
}

fn header(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
    let (name, value) = pair
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| "write NAME: VALUE, such as 'X-Tenant: acme'".to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}

fn code(text: &str) -> Result<u16, String> {
    let code = code_in(text).filter(|code| fault_code(*code).is_some());
    code.ok_or_else(|| {
        "no fault has this code: write one of docs/faults.md, such as 101".to_owned()
    })
}

/// The code of faults that a text is: `101`, or `F101` as reports write it.
pub(crate) fn code_in(text: &str) -> Option<u16> {
    text.strip_prefix(['F', 'f']).unwrap_or(text).parse().ok()
}

fn scalar(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "write NAME=VALUE, such as Date=2024-05-17".to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}
