//! A service over documents and keys that are not there: insertions open what it reads, and the suite
//! makes them again.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use emb_fixtures::Depot;
use wallace::{Settings, StopSignal, Summary};

const CALLS: u64 = 1_000;

fn run(seed: u64, calls: u64, is_on: bool) -> (Summary, String) {
    let running = Depot.start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut settings = Settings::new(running.driver_url.as_deref().unwrap(), &out);
    settings.calls = Some(calls);
    settings.search.seed = seed;
    settings.sql = is_on;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    (summary, std::fs::read_to_string(out.join("suite.json")).unwrap_or_default())
}

/// Branch sides that were covered, of all.
fn share(summary: &Summary) -> f64 {
    summary.branches.covered as f64 / summary.branches.total as f64
}

/// Two seeds; the measure of benches/runs is `WALLACE_SEEDS=10`, with `--nocapture`.
#[test]
fn documents_and_keys_open_what_is_read() {
    let seeds: u64 = std::env::var("WALLACE_SEEDS").map_or(2, |text| text.parse().unwrap());
    let without = share(&run(1, CALLS, false).0);
    eprintln!("without insertions: {without:.2} of the sides");
    assert!(without < 0.4, "{without}");
    for seed in 1..=seeds {
        let (summary, _) = run(seed, CALLS, true);
        let share = share(&summary);
        eprintln!("seed {seed}: {share:.2} of the sides");
        if std::env::var("WALLACE_OPEN").is_ok() {
            for target in summary.targets.iter().filter(|target| !target.score.is_covered()) {
                eprintln!("  {target:?}");
            }
        }
        assert!(share >= 0.9, "{share}");
    }
}
