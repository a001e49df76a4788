//! Settings of a run.

use std::path::PathBuf;
use std::time::Duration;

use wallace_engine::SearchSettings;

/// What to test, for how long, and where the results go.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Address of the driver: a port, `host:port` or a URL.
    pub driver: String,
    /// Most calls to the service.
    pub calls: Option<u64>,
    /// Most time. Only a budget in calls makes a run repeatable.
    pub time: Option<Duration>,
    /// Folder for the suite and the report.
    pub out: PathBuf,
    /// Whether to replace what an earlier run wrote to the folder.
    pub force: bool,
    /// Longest wait for a response of the service. Default 30 s.
    pub call_timeout: Duration,
    /// File for the state of the run. Default: beside `out`, with `.checkpoint` after its name; that
    /// one is removed when the run comes to its end.
    pub checkpoint: Option<PathBuf>,
    /// Time between two writings of the state, the most that is lost when the run is killed.
    /// Default 30 s (search-mio.md 14.6).
    pub checkpoint_interval: Duration,
    /// Whether to go on with the run whose state was kept: with the same budget of calls, the
    /// results equal those of a run that never stopped.
    pub resume: bool,
    /// Folder of tests that go from one run to the next: its tests are evaluated first, those of
    /// the result are added to it. None by default.
    pub corpus: Option<PathBuf>,
    /// What is particular to REST services.
    pub rest: RestOptions,
    /// Parameters of the search.
    pub search: SearchSettings,
}

/// What is particular to runs on REST services.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RestOptions {
    /// File or URL of the description. With one, and without a driver, the run is black-box;
    /// otherwise the driver tells where the description is.
    pub description: Option<String>,
    /// Where the service is, instead of where its description says; its path is put before all
    /// paths of the description.
    pub base_url: Option<String>,
    /// Users and how they log in: an authentication file of the Web Fuzzing Commons.
    pub auth: Option<PathBuf>,
    /// Whether operations that may change something are called although a black-box service is
    /// not on this machine.
    pub allow_mutations: bool,
    /// Operations to call; all where empty. See
    /// [`OperationFilter`](wallace_problems::rest::OperationFilter).
    pub include: Vec<String>,
    /// Operations never to call.
    pub exclude: Vec<String>,
    /// Most calls per second.
    pub rate: Option<f64>,
    /// Whether calls are sent that try to break in.
    pub security: bool,
    /// Codes of faults that are not reported.
    pub oracles_off: Vec<u16>,
    /// Whether the description may refer to other documents of its folder.
    pub external_references: bool,
}

impl Settings {
    /// 10,000 calls against the service behind `driver`, results in `out`.
    pub fn new(driver: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        Self {
            driver: driver.into(),
            calls: Some(10_000),
            time: None,
            out: out.into(),
            force: false,
            call_timeout: Duration::from_secs(30),
            checkpoint: None,
            checkpoint_interval: Duration::from_secs(30),
            resume: false,
            corpus: None,
            rest: RestOptions::default(),
            search: SearchSettings::default(),
        }
    }
}
