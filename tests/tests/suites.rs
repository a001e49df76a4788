//! How much generated suites notice: every test is run against fixtures that behave otherwise.
//!
//! The tests are run as they stand in `run.json`, without a language; other tests show that each
//! language judges alike.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, unreachable_pub)]

mod mutation;

use emb_fixtures::Fixture;
use mutation::{Instance, Measured, suite_of};
use tests::is_slow_stage;
use wallace_suite::{TestSuite, Verdict};

/// Share of the switches whose code a suite reaches that it must notice.
const LEAST: f64 = 0.9;

/// The fixture whose suites fell short of that when all were measured; what is missed is told.
const SHORT: &str = "petclinic";

/// Share of the tests of all suites that some switch must fail.
const LEAST_FAILED: f64 = 0.95;

/// All fixtures that have a driver and switches; `WALLACE_FIXTURES` names fewer.
const FIXTURES: &str =
    "graphql-scs,graphql-ncs,rest-scs,rest-ncs,petclinic,rest-news,features-service";

#[test]
fn suites_notice_what_is_switched() {
    if !is_slow_stage() {
        return;
    }
    let names = std::env::var("WALLACE_FIXTURES");
    let names = names.as_deref().unwrap_or(FIXTURES);
    let calls = std::env::var("WALLACE_CALLS").map_or(10_000, |text| text.parse().unwrap());
    println!(
        "| fixture | tests | flaky | switches | reached | noticed | of reached | tests failed by a switch | of all |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let (mut reached, mut missed, mut tests, mut idle) = (0, 0, 0, 0);
    for name in names.split(',') {
        let measured = Measured::of(name, 42, calls);
        println!("{measured}");
        assert!(measured.unstable.is_empty(), "{:?}", measured.unstable);
        let share = measured.noticed_share();
        assert!(share >= LEAST || name == SHORT, "{name}: {share}");
        reached += measured.reached_switches();
        missed += measured.missed().len();
        tests += measured.suite.tests.len();
        idle += measured.idle().len();
    }
    let share = |part: usize, all: usize| 1.0 - part as f64 / all as f64;
    assert!(share(missed, reached) >= LEAST, "{missed} of {reached} switches are missed");
    assert!(share(idle, tests) >= LEAST_FAILED, "{idle} of {tests} tests are failed by no switch");
}

/// Tests that read what they wrote before.
fn reads_after_writes(suite: &TestSuite) -> usize {
    let is_such = |test: &&wallace_suite::TestCase| {
        let methods: Vec<&str> = test.steps.iter().map(|it| it.request.method.as_str()).collect();
        matches!(methods[..], [.., write, "GET"] if write != "GET")
    };
    suite.tests.iter().filter(is_such).count()
}

/// Sharpening adds to what a suite looks at, and what it adds passes on the service.
#[test]
fn sharpened_tests_read_what_was_written_and_pass() {
    let fixture = Fixture::find("features-service").unwrap();
    let instance = Instance::start(fixture, &[]);
    let reads = |share: f64| -> usize {
        let suites = (1..=3).map(|seed| {
            let suite = suite_of(fixture, seed, Some(share), 1_000);
            for test in &suite.tests {
                assert_eq!(instance.run(test), Verdict::Passed, "{}", test.name);
            }
            reads_after_writes(&suite)
        });
        suites.sum()
    };
    assert!(reads(1.0) > reads(0.0));
}
