//! How much of the branches of the REST fixtures a white-box run covers, over seeds, and which
//! sides and seeded faults it misses.
//!
//! Run: `cargo bench -p benches --bench rest_power [-- --seeds 20 --calls 10000 --fixture NAME]`

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};

use benches::argument;
use benches::statistic::median;
use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal};
use wallace_engine::{TargetKind, TargetName};

const FIXTURES: [&str; 4] = ["rest-ncs", "rest-scs", "rest-news", "features-service"];

fn main() {
    let seeds = argument::number("--seeds", 20);
    let calls = argument::number("--calls", 10_000);
    let wanted = argument::text("--fixture");
    println!("{seeds} seeds, {calls} calls; branches without the infeasible ones");
    for name in FIXTURES.into_iter().filter(|name| wanted.as_deref().is_none_or(|w| w == *name)) {
        measure(name, seeds, calls);
    }
}

fn measure(name: &str, seeds: u64, calls: u64) {
    let expected = Fixture::find(name).expect("the fixture exists").expected();
    let sides: BTreeSet<&str> = expected
        .witnesses
        .iter()
        .flat_map(|witness| &witness.reaches)
        .map(String::as_str)
        .collect();
    let mut shares = Vec::new();
    let mut missed: BTreeMap<&str, u64> = BTreeMap::new();
    let mut errors: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..seeds {
        let covered = run(name, seed, calls);
        let reached = sides.iter().filter(|side| covered.contains(**side)).count();
        shares.push(reached as f64 / sides.len() as f64);
        for side in sides.iter().filter(|side| !covered.contains(**side)) {
            *missed.entry(side).or_default() += 1;
        }
        for fault in covered.iter().filter(|name| name.kind() == TargetKind::Fault) {
            *errors.entry(fault.to_string()).or_default() += 1;
        }
    }
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    println!("{name}: {} sides, median {:.3}, least {least:.3}", sides.len(), median(&shares));
    for (side, times) in missed {
        println!("  missed by {times:2}  {side}");
    }
    for (fault, times) in errors {
        println!("  seen by {times:2}    {fault}");
    }
}

/// The targets that a run covers.
fn run(name: &str, seed: u64, calls: u64) -> BTreeSet<TargetName> {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    let folder = std::env::temp_dir().join(format!("wallace-rest-{}", std::process::id()));
    let mut settings =
        Settings::new(running.driver_url.as_deref().expect("it has a driver"), &folder);
    settings.calls = Some(calls);
    // What is measured is the search.
    settings.result.after_share = 0.0;
    settings.result.sharpen_share = 0.0;
    settings.force = true;
    settings.search.seed = seed;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs");
    let _ = std::fs::remove_dir_all(folder);
    let covered = summary.targets.iter().filter(|target| target.score.is_covered());
    covered.map(|target| target.name.clone()).collect()
}
