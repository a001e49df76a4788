//! Suites of two fixtures in every language: all tests pass on the unchanged service, in three
//! orders (in Rust and in scripts for curl in one), and with a switch on the same fail (in Rust as many) as when they are run
//! without a language.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod mutation;
#[path = "../../suite/tests/written/runner.rs"]
#[allow(dead_code, reason = "a part of the runners is of the suites that every writer gets")]
mod runner;

use std::collections::BTreeSet;

use emb_fixtures::{Fixture, Options, Running};
use mutation::{Instance, suite};
use runner::{Language, Written};
use tests::{cargo_test, is_slow_stage};
use wallace_suite::{Format, OutputFolder, TestSuite, Verdict};

const CALLS: u64 = 2_000;
/// Fewest tests that each language gets of a system.
const LEAST: usize = 30;
const LANGUAGES: [Language; 8] = [
    Language::Pytest,
    Language::Jest,
    Language::JestTs,
    Language::VitestTs,
    Language::Phpunit,
    Language::Java,
    Language::Kotlin,
    Language::Curl,
];

fn start(name: &str, switches: &[String]) -> Running {
    let fixture = Fixture::find(name).unwrap();
    let switches = fixture.parse_switches(switches).unwrap();
    fixture.start(Options { switches, ..Options::default() }).unwrap()
}

/// Positions of the tests that fail with a switch on.
fn failing(name: &str, switch: &str, suite: &TestSuite) -> BTreeSet<usize> {
    let instance = Instance::start(Fixture::find(name).unwrap(), &[switch.to_owned()]);
    let tests = suite.tests.iter().enumerate();
    let failed = tests.filter(|(_, test)| instance.run(test) != Verdict::Passed);
    failed.map(|(place, _)| place).collect()
}

fn in_rust(suite: &TestSuite, plain: &str, changed: &str, failing: usize) {
    let folder = tempfile::tempdir().unwrap();
    let output = OutputFolder::prepare(folder.path(), true).unwrap();
    output.write(&Format::Rust.write(suite)).unwrap();
    let (passes, told) = cargo_test(&folder.path().join("rust"), ("WALLACE_DRIVER", plain));
    assert!(passes && told.matches(" ... ok").count() == suite.tests.len(), "{told}");
    let (_, told) = cargo_test(&folder.path().join("rust"), ("WALLACE_DRIVER", changed));
    assert_eq!(told.matches(" ... FAILED").count(), failing, "{told}");
}

fn in_language(
    language: Language,
    name: &str,
    suite: &TestSuite,
    (plain, changed): (&str, &str),
    failing: &BTreeSet<usize>,
) {
    let written = Written::new(language, name, suite);
    // Scripts have one order.
    let orders = if language == Language::Curl { 1 } else { 3 };
    for seed in 1..=orders {
        let (results, told) = written.run(("WALLACE_DRIVER", plain), seed);
        assert_eq!(results.len(), suite.tests.len(), "{language:?} {name}: {told}");
        assert!(results.values().all(|passed| *passed), "{language:?} {name}: {told}");
    }
    let (results, told) = written.run(("WALLACE_DRIVER", changed), 4);
    let names = written.names();
    let expected: BTreeSet<&String> = failing.iter().map(|place| &names[place]).collect();
    let failed: BTreeSet<&String> =
        results.iter().filter(|(_, passed)| !**passed).map(|(name, _)| name).collect();
    assert_eq!(failed, expected, "{language:?} {name}: {told}");
}

/// `switch` is one that several tests of the fixture notice.
fn every_language(name: &str, switch: &str) {
    if !is_slow_stage() {
        return;
    }
    let suite = suite(Fixture::find(name).unwrap(), 1, CALLS);
    assert!(suite.tests.len() >= LEAST, "{} tests", suite.tests.len());
    let failing = failing(name, switch, &suite);
    assert!(!failing.is_empty() && failing.len() < suite.tests.len(), "{name}: {failing:?}");
    let (plain, changed) = (start(name, &[]), start(name, &[switch.to_owned()]));
    let driver = |running: &Running| running.driver_url.clone().unwrap();
    let (plain, changed) = (driver(&plain), driver(&changed));
    in_rust(&suite, &plain, &changed, failing.len());
    for language in LANGUAGES.into_iter().filter(|language| language.is_there()) {
        in_language(language, name, &suite, (&plain, &changed), &failing);
    }
}

#[test]
fn every_language_passes_and_notices_the_same_of_graphql() {
    every_language("graphql-scs", "calc-plus-off-by-one");
}

#[test]
fn every_language_passes_and_notices_the_same_of_rest() {
    every_language("features-service", "product-location-missing");
}
