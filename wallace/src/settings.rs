//! Settings of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use wallace_genes::settings;
use wallace_suite::Format;

pub use crate::parameters::Parameters;
pub use wallace_engine::budget::Idle;
pub use wallace_engine::{Attribution, SearchSettings};
pub use wallace_genes::{GeneSettings, Setting, SettingError};
pub use wallace_problems::graphql::{CheckSettings, SubscriptionLimits};
pub use wallace_problems::rest::TestSettings;
pub use wallace_sut_driver::http::TlsSettings;

settings! {
    /// What is done with the tests that a search leaves.
    pub struct ResultSettings {
        /// Share of the calls of the search that making the tests of the result notice more may take
        /// after it, within the budget, where a driver resets the service: wider selections, reads after
        /// writes, values at limits. 0 leaves the smallest tests that cover the same.
        sharpen_share: f64 = 0.25, from 0.0 to 10.0;
        /// Share of the calls that is kept for what comes after the search: making its tests smaller,
        /// running them again; with a driver two fifths of `sharpen_share` besides, to make them notice
        /// more. Without it a third to two thirds of 1,000 calls came on top of them.
        after_share: f64 = 0.2, from 0.0 to 0.9;
    }
}

/// Where the service under test is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// White-box: the address of the driver that starts and observes it, as a port, `host:port` or
    /// a URL.
    Driver(String),
    /// Black-box: the URL of the endpoint of a GraphQL service that runs already.
    Graphql(String),
    /// Black-box: the description of a REST service that runs already, a file or a URL.
    OpenApi(String),
    /// White-box: the service in this process that [`Fuzz::in_process`](crate::Fuzz::in_process) takes.
    InProcess,
}

impl Target {
    /// Whether the service is observed while it answers, and reset between tests.
    pub(crate) fn is_white_box(&self) -> bool {
        matches!(self, Self::Driver(_) | Self::InProcess)
    }
}

/// What to test, for how long, and where the results go.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The service.
    pub target: Target,
    /// Where further instances of the service are, so that tests run on all of them at the same time: their
    /// drivers, or of a black-box service their URLs, in the form of `target`; of a REST service the form of
    /// [`RestSettings::base_url`]. Each of them, and the first too, may be `@FILE`, with one in each line, or
    /// `dns:NAME:PORT`, for every address that the name has. With the same seed and the same
    /// [`SearchSettings::lineages`] the results are the same, whatever their number and speed; where
    /// those are not set, there are twice as many as instances. None by default.
    pub instances: Vec<String>,
    /// Command of the shell that starts a black-box service; it is started before the run and ended after
    /// it. The tests of the result are run again on fresh starts. None by default: it runs already.
    pub start_command: Option<String>,
    /// Longest wait until a service that was started answers. Default 2 min.
    pub start_timeout: Duration,
    /// Authentication file of the Web Fuzzing Commons with the users of the service.
    pub auth: Option<PathBuf>,
    /// Whether operations that may change something are called although a black-box service is not
    /// on this machine. Services on a loopback address, and those with a driver, are always called
    /// with all operations.
    pub allow_mutations: bool,
    /// Patterns of operations to call; all where empty. See
    /// [`OperationPattern`](wallace_problems::graphql::OperationPattern) for GraphQL, and
    /// [`OperationFilter`](wallace_problems::rest::OperationFilter) for REST.
    pub include: Vec<String>,
    /// Patterns of operations never to call.
    pub exclude: Vec<String>,
    /// Names and values of headers that every request to the service has. Those that say who calls
    /// (`Authorization`, cookies, tokens, keys) are those of a user, and only where no authentication file
    /// tells of others. None by default.
    pub headers: Vec<(String, String)>,
    /// Whose certificates a service with TLS may have, and how we show who we are.
    pub tls: TlsSettings,
    /// URL of the proxy through which a service without a driver is reached, and its description
    /// read; it begins with `http://` and may hold a name and a password. None by default.
    pub proxy: Option<String>,
    /// Whether calls are sent that try to break in. Default false.
    pub security: bool,
    /// Codes of faults that are not reported.
    pub oracles_off: BTreeSet<u16>,
    /// Most calls per second, over 0.
    pub rate: Option<f64>,
    /// Calls that are under way at a time on a black-box service, from 1. With more than one, tests
    /// can get in each other's way on services that keep state. Default 1.
    pub workers: usize,
    /// What is particular to GraphQL services.
    pub graphql: GraphqlSettings,
    /// What is particular to REST services.
    pub rest: RestSettings,
    /// Most calls to the service.
    pub calls: Option<u64>,
    /// Most time of the search and of what comes after it, which has its share (`after_share`). Only a
    /// budget in calls makes a run repeatable.
    pub time: Option<Duration>,
    /// Ends the search early when it found nothing new for so long. None by default.
    pub stop_after_idle: Option<Idle>,
    /// Folder for the suite and the report.
    pub out: PathBuf,
    /// Formats in which the suite is written, each in a folder of its own below `out`. The report
    /// points to the tests of the first. Default: Rust.
    pub formats: Vec<Format>,
    /// Whether to replace what an earlier run wrote to the folder.
    pub force: bool,
    /// Longest wait for a response of the service. Default 30 s.
    pub call_timeout: Duration,
    /// File for the state of the run. Default: beside `out`, with `.checkpoint` after its name; that
    /// one is removed when the run comes to its end.
    pub checkpoint: Option<PathBuf>,
    /// Time between two writings of the state, the most that is lost when the run is killed.
    /// Default 30 s (docs/reference/search.md#state).
    pub checkpoint_interval: Duration,
    /// Whether to go on with the run whose state was kept: with the same budget of calls, the
    /// results equal those of a run that never stopped.
    pub resume: bool,
    /// Folder of tests that go from one run to the next: its tests are evaluated first, those of
    /// the result are added to it. None by default.
    pub corpus: Option<PathBuf>,
    /// File for a copy of `report/statistics.csv`: one place for the figures of many runs. None by
    /// default.
    pub statistics: Option<PathBuf>,
    /// Production operations of a GraphQL service, in any form that
    /// [`wallace_harvest::read`] knows: they are evaluated before all others, and their texts
    /// are tried in other calls.
    pub seeds: Vec<PathBuf>,
    /// Whether tests may begin with rows, documents and keys, and how near conditions of queries come
    /// to those guides the search, where a driver gives access to a database. Default true.
    pub sql: bool,
    /// Faults that are known: they are told as such, and do not count as new.
    pub baseline: Option<PathBuf>,
    /// Targets that nothing can cover, by name, and why: reports tell them apart from others.
    pub infeasible: BTreeMap<String, String>,
    /// Parameters of the search.
    pub search: SearchSettings,
    /// What is done with the tests that it leaves.
    pub result: ResultSettings,
}

/// What is particular to runs on GraphQL services.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphqlSettings {
    /// File with the schema, as schema definition language or as the answer to an introspection
    /// query; the service is asked where there is none.
    pub schema: Option<PathBuf>,
    /// Whether to go on without the definitions of that file that cannot be read; each is told of.
    pub allow_broken_schema: bool,
    /// Tests that are made to compare answers; black-box only.
    pub checks: CheckSettings,
    /// How much is read of each subscription; black-box only. With no events, none is called.
    pub subscriptions: SubscriptionLimits,
    /// Values that a custom scalar takes, by its name.
    pub scalars: BTreeMap<String, Vec<String>>,
}

/// What is particular to runs on REST services.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RestSettings {
    /// Where the service is, instead of where its description says; its path is put before all
    /// paths of the description.
    pub base_url: Option<String>,
    /// The description of a service behind a driver, a file or a URL, in place of the one that the
    /// driver tells.
    pub description: Option<String>,
    /// Where another version of the service is: what it answers differently is told. The path of
    /// the URL is not used; both versions have the same.
    pub compare_with: Option<String>,
    /// Whether the description may refer to other documents of its folder.
    pub external_references: bool,
    /// How tests are made.
    pub tests: TestSettings,
}

impl Settings {
    /// 10,000 calls against the service behind the driver at `driver`, results in `out`.
    pub fn new(driver: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        Self::of(Target::Driver(driver.into()), out)
    }

    /// 10,000 calls against the running GraphQL service with its endpoint at `url`.
    pub fn black_box(url: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        let mut settings = Self::of(Target::Graphql(url.into()), out);
        settings.search = by_answers(settings.search);
        settings
    }

    /// 10,000 calls against the running REST service with its description at `place`, a file or a
    /// URL.
    pub fn rest(place: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        let mut settings = Self::of(Target::OpenApi(place.into()), out);
        // Checks that were asked for early must not crowd out later ones.
        settings.search = SearchSettings { follow_up: 0.5, ..by_answers(settings.search) };
        settings
    }

    /// 10,000 calls against a service, results in `out`.
    pub fn of(target: Target, out: impl Into<PathBuf>) -> Self {
        let tests = match target.is_white_box() {
            true => TestSettings::white_box(),
            false => TestSettings::default(),
        };
        Self {
            target,
            instances: Vec::new(),
            start_command: None,
            start_timeout: Duration::from_secs(120),
            auth: None,
            allow_mutations: false,
            include: Vec::new(),
            exclude: Vec::new(),
            tls: TlsSettings::default(),
            proxy: None,
            headers: Vec::new(),
            security: false,
            oracles_off: BTreeSet::new(),
            rate: None,
            workers: 1,
            graphql: GraphqlSettings::default(),
            rest: RestSettings { tests, ..RestSettings::default() },
            calls: Some(10_000),
            time: None,
            stop_after_idle: None,
            out: out.into(),
            formats: vec![Format::Rust],
            force: false,
            call_timeout: Duration::from_secs(30),
            checkpoint: None,
            checkpoint_interval: Duration::from_secs(30),
            resume: false,
            corpus: None,
            statistics: None,
            seeds: Vec::new(),
            sql: true,
            infeasible: BTreeMap::new(),
            baseline: None,
            search: SearchSettings::default(),
            result: ResultSettings::default(),
        }
    }
}

/// A search that knows nothing of a service but its answers.
fn by_answers(search: SearchSettings) -> SearchSettings {
    SearchSettings {
        // Nobody tells how texts are used.
        is_tainting: false,
        // Answers are coarse: most of what is new comes from other calls, not from nearer ones.
        sampling_start: 0.8,
        sampling_end: 0.6,
        // What a target of an answer is worth says little of what else a call would find.
        by_yield: false,
        prepared: 0.0,
        ..search
    }
}
