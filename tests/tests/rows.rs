//! Tests that begin with rows post them to the driver, in every language.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../../suite/tests/written/runner.rs"]
#[allow(dead_code, reason = "a part of the runners is of the suites that every writer gets")]
mod runner;

use emb_fixtures::{Fixture, Options};
use runner::{Language, Written};
use tests::{cargo_test, is_slow_stage};
use wallace::{Settings, StopSignal};
use wallace_suite::{Format, OutputFolder, TestCase, TestSuite, record::RunRecord};

/// Most tests that are written: languages differ in how rows are sent, not in which.
const TESTS: usize = 6;

/// Tests of a search on a service whose database is empty, which begin with rows.
fn suite() -> TestSuite {
    let fixture = Fixture::find("rest-news").unwrap();
    let running = fixture.start(Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut settings = Settings::new(running.driver_url.as_deref().unwrap(), &out);
    settings.calls = Some(2_000);
    settings.search.seed = 1;
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(out.join("run.json")).unwrap();
    let mut suite = RunRecord::from_json(&text).unwrap().suite;
    suite.tests.retain(|test: &TestCase| test.steps.iter().any(|step| step.is_set_up()));
    suite.tests.truncate(TESTS);
    assert!(suite.tests.len() > 1, "the search found tests that need rows");
    suite
}

#[test]
fn every_language_inserts_rows() {
    if !is_slow_stage() {
        return;
    }
    let suite = suite();
    let running = Fixture::find("rest-news").unwrap().start(Options::default()).unwrap();
    let url = running.driver_url.as_deref().unwrap();
    // By URL, by host, and by port alone.
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let port = host.rsplit(':').next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let output = OutputFolder::prepare(folder.path(), true).unwrap();
    output.write(&Format::Rust.write(&suite)).unwrap();
    let (passes, told) = cargo_test(&folder.path().join("rust"), ("WALLACE_DRIVER", port));
    assert!(passes, "{told}");
    let languages = [
        (Language::Pytest, port),
        (Language::Jest, host),
        (Language::VitestTs, url),
        (Language::Phpunit, port),
        (Language::Java, port),
        (Language::Kotlin, host),
        (Language::Curl, port),
    ];
    for (language, place) in languages.into_iter().filter(|(language, _)| language.is_there()) {
        let written = Written::new(language, "rows", &suite);
        let (results, told) = written.run(("WALLACE_DRIVER", place), 1);
        assert_eq!(results.len(), suite.tests.len(), "{language:?}: {told}");
        assert!(results.values().all(|passed| *passed), "{language:?}: {told}");
    }
}
