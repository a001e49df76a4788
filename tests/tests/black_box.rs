//! Runs without a driver: the service is seen by its answers only.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use emb_fixtures::{Fixture, Options, Running};
use wallace::{RunError, Settings, StopReason, StopSignal, Summary};

fn start(name: &str) -> Running {
    let options = Options { driver_port: None, ..Options::default() };
    Fixture::find(name).unwrap().start(options).unwrap()
}

fn run(settings: &Settings) -> Result<Summary, RunError> {
    wallace::run(settings, &StopSignal::default(), &mut |_| {})
}

fn settings(service: &Running, calls: u64, out: &Path) -> Settings {
    let mut settings = Settings::black_box(format!("{}/graphql", service.base_url), out);
    settings.calls = Some(calls);
    settings
}

#[test]
fn a_service_without_a_driver_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let summary = run(&settings(&service, 600, &folder.path().join("out"))).unwrap();
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    assert!(!summary.is_white_box);
    assert_eq!((summary.operations, summary.answered, summary.faults), (6, 6, 0));
    assert!(summary.tests > 0);
}

#[test]
fn the_schema_may_come_from_a_file_and_filters_choose() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let file = folder.path().join("schema.graphql");
    std::fs::write(&file, "type Query { triangle(a: Int, b: Int, c: Int): String gone: Int }")
        .unwrap();
    let mut settings = settings(&service, 100, &folder.path().join("out"));
    settings.graphql.schema = Some(file);
    settings.exclude = vec!["Query\\.g.*".to_owned()];
    assert_eq!(run(&settings).unwrap().operations, 1);
    settings.exclude = vec![".*".to_owned()];
    settings.force = true;
    assert!(matches!(run(&settings), Err(RunError::Schema(_))));
    settings.exclude = vec!["(".to_owned()];
    assert!(matches!(run(&settings), Err(RunError::Settings(_))));
}
