//! REST services through the facade: with a driver and without, as users, and the suites that
//! come of it.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

mod alone;
mod condition;
mod dropped;
mod elsewhere;
mod habit;
mod header;
mod hostile;
mod kind;
mod locked;
mod lost;
mod remote;
mod service;
mod session;
mod shop;
mod spoiled;
mod stranger;
mod suite;
mod told;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use emb_fixtures::{Fixture, Options, Running};
use wallace::{RunError, Settings, StopReason, StopSignal, Summary};

fn start(name: &str, options: Options) -> Running {
    Fixture::find(name).unwrap().start(options).unwrap()
}

fn without_driver(switches: &[&str], name: &str) -> Running {
    let names: Vec<String> = switches.iter().map(|name| (*name).to_owned()).collect();
    let switches = Fixture::find(name).unwrap().parse_switches(&names).unwrap();
    start(name, Options { driver_port: None, switches, ..Options::default() })
}

fn run(settings: &Settings) -> Result<Summary, RunError> {
    wallace::run(settings, &StopSignal::default(), &mut |_| {})
}

fn white_box(name: &str, seed: u64, calls: u64, out: &Path) -> Summary {
    let running = start(name, Options::default());
    let mut settings = Settings::new(running.driver_url.as_deref().unwrap(), out);
    settings.calls = Some(calls);
    settings.search.seed = seed;
    run(&settings).unwrap()
}

fn black_box(service: &Running, calls: u64, out: &Path) -> Settings {
    let mut settings = Settings::rest(format!("{}/openapi.json", service.base_url), out);
    settings.calls = Some(calls);
    settings.call_timeout = Duration::from_secs(5);
    settings
}

/// Share of the sides that witnesses reach.
fn branch_share(name: &str, summary: &Summary) -> f64 {
    let expected = Fixture::find(name).unwrap().expected();
    let sides: BTreeSet<&String> =
        expected.witnesses.iter().flat_map(|witness| &witness.reaches).collect();
    let covered: BTreeSet<&str> = summary
        .targets
        .iter()
        .filter(|target| target.score.is_covered())
        .map(|target| target.name.as_str())
        .collect();
    let reached = sides.iter().filter(|side| covered.contains(side.as_str())).count();
    reached as f64 / sides.len() as f64
}

fn covered<'s>(summary: &'s Summary, prefix: &str) -> Vec<&'s str> {
    let covered = summary.targets.iter().filter(|target| target.score.is_covered());
    covered.map(|target| target.name.as_str()).filter(|name| name.starts_with(prefix)).collect()
}

#[test]
fn a_driver_guides_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let summary = white_box("rest-ncs", 1, 1_500, &folder.path().join("out"));
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    assert!(summary.is_white_box);
    assert_eq!((summary.operations, summary.answered, summary.faults), (6, 6, 0));
    let share = branch_share("rest-ncs", &summary);
    assert!(share > 0.6, "{share}");
    assert!(folder.path().join("out/rust/tests/regression.rs").is_file());
}

#[test]
fn things_are_made_before_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let summary = white_box("features-service", 2, 2_000, &folder.path().join("out"));
    assert_eq!(summary.operations, 19);
    assert!(summary.answered >= 16, "{} {:?}", summary.answered, covered(&summary, "rest:ok:"));
}

#[test]
fn two_runs_with_one_seed_write_the_same_suite() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let first = white_box("rest-news", 3, 600, &one);
    let second = white_box("rest-news", 3, 600, &other);
    assert_eq!((first.calls, first.covered), (second.calls, second.covered));
    let read = |out: &Path| std::fs::read(out.join("rust/tests/regression.rs")).unwrap();
    assert!(read(&one) == read(&other));
}

#[test]
fn a_run_goes_on_where_it_was_stopped_and_tests_are_carried_on() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("rest-ncs", Options::default());
    let settings = |out: &str| {
        let mut settings =
            Settings::new(service.driver_url.as_deref().unwrap(), folder.path().join(out));
        settings.calls = Some(500);
        settings.search.seed = 5;
        settings
    };
    let whole = run(&settings("whole")).unwrap();
    let stop = StopSignal::default();
    let mut tests = 0;
    let stopped = wallace::run(&settings("part"), &stop, &mut |_| {
        tests += 1;
        if tests == 60 {
            stop.stop();
        }
    });
    assert_eq!(stopped.unwrap().reason, StopReason::Interrupted);
    let mut rest = settings("part");
    rest.resume = true;
    let rest = run(&rest).unwrap();
    assert_eq!((rest.calls, rest.covered), (whole.calls, whole.covered));
    // What one run found, the next one begins with.
    let corpus = folder.path().join("corpus");
    let mut first = settings("first");
    first.corpus = Some(corpus.clone());
    first.calls = Some(1_000);
    let first = run(&first).unwrap();
    let mut next = settings("next");
    next.corpus = Some(corpus);
    next.calls = Some(200);
    let next = run(&next).unwrap();
    assert!(next.branches.covered + 3 >= first.branches.covered, "{next:?} {first:?}");
}

#[test]
fn a_base_url_comes_before_what_the_description_says() {
    let folder = tempfile::tempdir().unwrap();
    let service = without_driver(&[], "rest-ncs");
    let text = "openapi: 3.0.0\nservers: [{url: 'http://127.0.0.1:1/wrong'}]\npaths:\n  \
                /triangle/{a}/{b}/{c}:\n    get:\n      parameters:\n        \
                - {name: a, in: path, required: true, schema: {type: integer}}\n        \
                - {name: b, in: path, required: true, schema: {type: integer}}\n        \
                - {name: c, in: path, required: true, schema: {type: integer}}\n      \
                responses: {'200': {description: ok}}\n";
    let file = folder.path().join("openapi.yaml");
    std::fs::write(&file, text).unwrap();
    let out = folder.path().join("out");
    let mut settings = Settings::rest(file.to_str().unwrap(), out);
    settings.calls = Some(50);
    assert!(matches!(run(&settings), Err(RunError::Settings(_))), "nothing tells where it is");
    settings.rest.base_url = Some(format!("{}/api", service.base_url));
    let summary = run(&settings).unwrap();
    assert_eq!((summary.operations, summary.answered), (1, 1));
}

#[test]
fn another_version_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let service = without_driver(&[], "rest-ncs");
    let mut settings = black_box(&service, 300, &folder.path().join("out"));
    let same = without_driver(&[], "rest-ncs");
    settings.rest.compare_with = Some(same.base_url.clone());
    assert_eq!(run(&settings).unwrap().differences, []);
    // A description of more operations than the other version has.
    let other = without_driver(&[], "rest-scs");
    settings.rest.compare_with = Some(other.base_url.clone());
    settings.force = true;
    let differences = run(&settings).unwrap().differences;
    assert!(differences.iter().any(|it| it.what == "status 200, there 404"), "{differences:?}");
}
