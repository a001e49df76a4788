//! A service over an empty database: rows open what it reads, whether its driver tells the
//! statements or not, and no operation takes the calls of the others.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use emb_fixtures::Catalogue;
use tests::is_slow_stage;
use wallace::{Settings, StopSignal, Summary};
use wallace_suite::record::LedgerRow;

const CALLS: u64 = 2_000;

fn run(tells_statements: bool, seed: u64, sql: bool) -> Summary {
    let running = Catalogue { tells_statements }.start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut settings =
        Settings::new(running.driver_url.as_deref().unwrap(), folder.path().join("out"));
    settings.calls = Some(CALLS);
    settings.search.seed = seed;
    settings.sql = sql;
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap()
}

/// Branch sides that were covered, of all.
fn share(summary: &Summary) -> f64 {
    summary.branches.covered as f64 / summary.branches.total as f64
}

/// The operation that had most calls, its share of them, and that of the targets that they covered.
fn largest(summary: &Summary) -> (&str, f64, f64) {
    let sums = LedgerRow::sums(&summary.ledger, |row| &*row.operation);
    let calls: u64 = sums.values().map(|sum| sum.calls).sum();
    let covered: u64 = sums.values().map(|sum| sum.covered).sum();
    let (operation, most) = sums.iter().max_by_key(|(_, sum)| sum.calls).unwrap();
    (operation, most.calls as f64 / calls as f64, most.covered as f64 / covered as f64)
}

/// Two seeds; the measure of benches/runs is `WALLACE_SEEDS=20`, with `--nocapture`.
#[test]
fn rows_open_what_is_read_from_an_empty_database() {
    if !is_slow_stage() {
        return;
    }
    let seeds: u64 = std::env::var("WALLACE_SEEDS").map_or(2, |text| text.parse().unwrap());
    let without = share(&run(true, 1, false));
    eprintln!("without rows: {without:.2} of the sides");
    let mut good = 0;
    for seed in 1..=seeds {
        for tells_statements in [true, false] {
            let summary = run(tells_statements, seed, true);
            let (share, (operation, calls, earned)) = (share(&summary), largest(&summary));
            eprintln!(
                "seed {seed}, statements told: {tells_statements}: {share:.2} of the sides, \
                 {calls:.2} of the calls for {operation}, which earned {earned:.2} of the targets"
            );
            good += u64::from(share >= 0.9);
            if std::env::var("WALLACE_OPEN").is_ok() {
                for row in summary.ledger.iter().filter(|row| row.operation == operation) {
                    eprintln!("  {} {} {} {}", row.cause, row.calls, row.covered, row.improved);
                }
                for target in summary.targets.iter().filter(|target| !target.score.is_covered()) {
                    eprintln!("  {target:?}");
                }
            }
        }
    }
    assert!(without < 0.5, "{without}");
    assert!(good * 10 >= seeds * 2 * 9, "{good} of {}", seeds * 2);
}
