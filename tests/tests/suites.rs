//! How much generated suites notice: every test is run against fixtures that behave otherwise.
//!
//! The tests are run as they stand in `run.json`, without a language; other tests show that each
//! language judges alike.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, unreachable_pub)]

mod mutation;

use mutation::Measured;
use tests::is_slow_stage;

/// Two fixtures; the measure of benches/runs names all in `WALLACE_FIXTURES`, with
/// `WALLACE_CALLS=10000`.
#[test]
fn suites_notice_what_is_switched() {
    if !is_slow_stage() {
        return;
    }
    let names = std::env::var("WALLACE_FIXTURES");
    let names = names.as_deref().unwrap_or("graphql-ncs,rest-news");
    let calls = std::env::var("WALLACE_CALLS").map_or(2_000, |text| text.parse().unwrap());
    println!("| fixture | tests | flaky | switches | noticed | tests failed by a switch |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for name in names.split(',') {
        let measured = Measured::of(name, 42, calls);
        println!("{measured}");
        assert!(measured.unstable.is_empty(), "{:?}", measured.unstable);
    }
}
