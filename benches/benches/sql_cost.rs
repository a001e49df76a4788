//! Processor time of a call with SQL on against SQL off, service and engine together.
//!
//! Runs with and without alternate in pairs of one seed; the ratio of each pair is taken, and their
//! median. Names of fixtures may be given.
//!
//! Run: `cargo bench -p benches --bench sql_cost [-- NAME…]`

#![allow(clippy::print_stdout, missing_docs)]

use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal};

/// Calls of each search.
const CALLS: u64 = 5_000;
const PAIRS: u64 = 7;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    println!("fixture             ratio  [all pairs]  us a call with, without");
    for name in ["rest-news", "features-service", "petclinic"] {
        if given.is_empty() || given.iter().any(|one| one == name) {
            compare(name);
        }
    }
}

fn compare(name: &str) {
    run(name, 100, true);
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for seed in 0..PAIRS {
        // Whoever comes first finds a colder machine.
        let first = cost(name, seed, seed % 2 == 0);
        let second = cost(name, seed, seed % 2 != 0);
        pairs.push(if seed % 2 == 0 { (first, second) } else { (second, first) });
    }
    pairs.sort_by(|one, other| (one.0 / one.1).total_cmp(&(other.0 / other.1)));
    let ratios: Vec<String> =
        pairs.iter().map(|(with, without)| format!("{:.2}", with / without)).collect();
    let (with, without) = pairs[pairs.len() / 2];
    println!("{name:18} {:6.2}  [{}]  {with:.0}, {without:.0}", with / without, ratios.join(" "));
}

/// Microseconds of processor time of each call of the search.
fn cost(name: &str, seed: u64, sql: bool) -> f64 {
    let before = processor_time();
    let calls = run(name, seed, sql);
    (processor_time() - before) / calls as f64 * 1e6
}

/// Calls that the run made.
fn run(name: &str, seed: u64, sql: bool) -> u64 {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    let folder = tempfile::tempdir().expect("there is room");
    let driver = running.driver_url.as_deref().expect("a driver was asked for");
    let mut settings = Settings::new(driver, folder.path().join("out"));
    settings.calls = Some(CALLS);
    settings.search.seed = seed;
    settings.sql = sql;
    // What comes after the search makes calls too, more where there are more tests.
    settings.search.minimise_share = 0.0;
    settings.result.sharpen_share = 0.0;
    settings.search.repeats = 0;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {});
    summary.expect("the run succeeds").calls
}

/// Processor time of this process, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
