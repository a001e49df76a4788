//! Options of `wallace harvest`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use wallace::Format;

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct HarvestArguments {
    /// Logs, archives, maps of persisted queries, or folders of documents
    #[arg(value_name = "SOURCE", required_unless_present = "listen")]
    pub(crate) sources: Vec<PathBuf>,
    /// Schema as SDL or introspection answer
    #[arg(long, value_name = "FILE", required_unless_present = "listen")]
    pub(crate) schema: Option<PathBuf>,
    /// Folder for tests and coverage
    #[arg(long, value_name = "DIR", default_value = "wallace-out/harvest")]
    pub(crate) out: PathBuf,
    /// Replace what an earlier run wrote to the folder
    #[arg(long)]
    pub(crate) force: bool,
    /// Where the tests look for the service
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080")]
    pub(crate) base_url: String,
    /// Path of the endpoint
    #[arg(long, value_name = "PATH", default_value = "/graphql")]
    pub(crate) path: String,
    /// One test for each operation, those included that differ in values only
    #[arg(long)]
    pub(crate) keep_similar: bool,
    /// Languages of the tests, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "rust")]
    pub(crate) format: Vec<Format>,
    /// Expect recorded answers, where there are some
    #[arg(long)]
    pub(crate) compare_answers: bool,
    /// A new version of the schema: tell what it breaks, and for whom
    #[arg(long, value_name = "FILE")]
    pub(crate) drift: Option<PathBuf>,
    /// Leave e-mail addresses as they are
    #[arg(long)]
    pub(crate) keep_emails: bool,
    /// Replace no secrets at all
    #[arg(long)]
    pub(crate) no_masking: bool,
    /// Names, as a regular expression, whose values are secret besides the usual ones
    #[arg(long, value_name = "REGEX")]
    pub(crate) secret_names: Option<String>,
    /// Run the tests against the service of this driver, which brings its state back before each
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    pub(crate) driver: Option<String>,
    /// Run the tests against a service that runs already
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Run tests that may change something although the service is on another machine
    #[arg(long)]
    pub(crate) allow_mutations: bool,
    /// Record what goes through this address to the service
    #[arg(long, value_name = "HOST:PORT", requires = "upstream")]
    pub(crate) listen: Option<SocketAddr>,
    /// The service, HOST:PORT
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) upstream: Option<String>,
    /// The file that is recorded to
    #[arg(long, value_name = "FILE", default_value = "harvest.ndjson")]
    pub(crate) record: PathBuf,
    /// Largest size of the recorded file, in MiB
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) limit: u64,
}
