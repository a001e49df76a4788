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
    /// Parameters of the search.
    pub search: SearchSettings,
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
            search: SearchSettings::default(),
        }
    }
}
