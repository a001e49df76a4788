//! Runs without a driver: the service is seen by its answers only.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use emb_fixtures::{Fixture, Options, Running};
use wallace::{Call, Fault, Oracle, RunError, Settings, StopReason, StopSignal, Summary};

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

/// Without them, the first calls of a run are those of its sweep over the operations.
#[test]
fn production_operations_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let log = folder.path().join("requests.ndjson");
    let lines = [
        r#"{"query":"query T($c: Int!) { triangleClassification(a: 3, b: 4, c: $c) remainder(a: 7, b: 2) }","variables":{"c":5}}"#,
        r#"{"query":"{ gone }"}"#,
    ];
    std::fs::write(&log, lines.join("\n")).unwrap();
    let mut settings = settings(&service, 2, &folder.path().join("out"));
    settings.seeds = vec![log];
    let summary = run(&settings).unwrap();
    assert_eq!((summary.calls, summary.answered), (2, 2));
    let notes = summary.warnings.join("\n");
    assert!(notes.contains("requests.ndjson:2: not used as a seed"), "{notes}");
    assert!(notes.contains("begins with 1 of 2 different operations"), "{notes}");
}

/// Whoever sends a negative number is at fault, to this oracle.
struct NoNegatives;

impl Oracle for NoNegatives {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let body = String::from_utf8_lossy(&call.request.body);
        let context = "a negative number was sent".to_owned();
        if body.contains(":-") { vec![Fault { code: 990, context }] } else { Vec::new() }
    }

    fn judge_test(&self, calls: &[Call<'_>]) -> Vec<(usize, Fault)> {
        let context = "a test of three calls".to_owned();
        if calls.len() == 3 { vec![(2, Fault { code: 991, context })] } else { Vec::new() }
    }
}

#[test]
fn oracles_of_the_user_judge_calls_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let settings = settings(&service, 600, &folder.path().join("out"));
    let oracles: Vec<Box<dyn Oracle>> = vec![Box::new(NoNegatives)];
    let summary =
        wallace::run_with_oracles(&settings, oracles, &StopSignal::default(), &mut |_| {}).unwrap();
    let has = |name: &str| summary.targets.iter().any(|it| it.name.as_str().starts_with(name));
    assert!(has("fault:990:Query.") && has("fault:991:Query."), "{:?}", summary.faults);
}

/// What a run used of the schema stands in a file of its own.
#[test]
fn coverage_of_the_schema_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("petclinic");
    let out = folder.path().join("out");
    run(&settings(&service, 300, &out)).unwrap();
    let text = std::fs::read_to_string(out.join("schema-coverage.json")).unwrap();
    let coverage: serde_json::Value = serde_json::from_str(&text).unwrap();
    let total = |name: &str| {
        let totals = coverage["totals"].as_array().unwrap().iter();
        let total = totals.filter(|it| it["name"] == name).next().unwrap();
        (total["covered"].as_u64().unwrap(), total["total"].as_u64().unwrap())
    };
    let (selected, fields) = total("fields selected");
    let (with_value, _) = total("fields with a value");
    assert!(fields > 50 && selected > fields / 2, "{selected} of {fields}");
    assert!(with_value > 0 && with_value <= selected, "{with_value}");
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("fields selected"));
}
