//! Black-box runs on GraphQL fixtures, and what they report.

use std::time::Duration;

use emb_fixtures::{Fixture, Options};
use serde_json::Value;
use wallace::{Settings, StopSignal, report::TargetResult, settings::CheckSettings};
use wallace_suite::Fault;

/// A run to be made.
#[derive(Debug, Clone)]
pub struct Run {
    /// Name of the fixture.
    pub fixture: &'static str,
    /// What is wrong with it.
    pub switch: Option<String>,
    /// Seed of the search.
    pub seed: u64,
    /// Most calls.
    pub calls: u64,
    /// Whether oversized documents are sent.
    pub overload: bool,
}

/// What a run reported.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Faults, by code.
    pub faults: Vec<Fault>,
    /// Operations that never went well.
    pub never: Vec<String>,
    /// Number of operations.
    pub operations: usize,
    /// Calls made when the first fault was there.
    pub first_fault: Option<u64>,
}

/// Starts the fixture without a driver, and runs.
///
/// # Panics
/// When the fixture cannot be started or the run not be made: nothing can be measured then.
#[must_use]
pub fn run(run: &Run) -> Report {
    let fixture = Fixture::find(run.fixture).expect("the benches name fixtures");
    let names: Vec<String> = run.switch.iter().cloned().collect();
    let switches = fixture.parse_switches(&names).expect("the switch is one of the fixture");
    let options = Options { driver_port: None, switches, ..Options::default() };
    let service = fixture.start(options).expect("a free port can be taken");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut settings =
        Settings::black_box(format!("{}/graphql", service.base_url), folder.path().join("out"));
    settings.calls = Some(run.calls);
    // What is measured is the search.
    settings.result.after_share = 0.0;
    settings.search.seed = run.seed;
    settings.call_timeout = Duration::from_secs(2);
    settings.security = run.overload;
    settings.graphql.checks = CheckSettings { overload: run.overload, ..CheckSettings::default() };
    if let Some(users) = fixture.auth() {
        let file = folder.path().join("auth.yaml");
        std::fs::write(&file, users).expect("the folder can be written");
        settings.auth = Some(file);
    }
    let mut first_fault = None;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |progress| {
        if progress.faults > 0 && first_fault.is_none() {
            first_fault = Some(progress.calls);
        }
    })
    .expect("the service runs");
    let text = std::fs::read_to_string(&summary.report).expect("the report is written");
    let report: Value = serde_json::from_str(&text).expect("the report is JSON");
    let operations = facts(&report);
    Report {
        faults: faults(&summary.targets),
        never: operations.iter().filter(|(_, data)| *data == 0).map(|it| it.0.clone()).collect(),
        operations: operations.len(),
        first_fault,
    }
}

/// Operations, with how often each gave data without errors.
fn facts(report: &Value) -> Vec<(String, u64)> {
    let operations = report["problemDetails"]["graphql"]["operations"].as_array();
    let facts = operations.into_iter().flatten().map(|facts| {
        let name = facts["operationId"].as_str().unwrap_or_default();
        (name.to_owned(), facts["data"].as_u64().unwrap_or_default())
    });
    facts.collect()
}

/// The faults among the targets of a run.
fn faults(targets: &[TargetResult]) -> Vec<Fault> {
    let covered = targets.iter().filter(|target| target.score.is_covered());
    let found = covered.filter_map(|target| Fault::of(&target.name));
    let mut faults: Vec<Fault> = found.collect();
    faults.sort();
    faults
}
