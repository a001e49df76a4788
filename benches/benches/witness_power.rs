//! How many of the branch sides that are known to be reachable, since a witness reaches each, a
//! white-box run covers, over seeds; on the case studies, and on generated services of which each run
//! sees another.
//!
//! Run: `cargo bench -p benches --bench witness_power
//! [-- --seeds 20 --calls 10000 --first 0 --taint off --attribution on-demand --by-yield off --ledger on
//! NAME…]`; names are those of fixtures, and `generated`. `--by-yield off` is `by_yield = false` and
//! `prepared = 0`. Of a generated service the run number is the
//! service. `--ledger on` also prints what the calls of all runs were made for and earned.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};

use benches::argument;
use benches::statistic::median;
use emb_fixtures::{Expected, Fixture, Generated, Options, Running};
use wallace::{Settings, StopSignal, Summary};
use wallace_engine::Attribution;
use wallace_suite::record::{LedgerRow, LedgerSum};

const NAMES: [&str; 5] = ["graphql-ncs", "graphql-scs", "rest-ncs", "rest-scs", "generated"];
/// Operations of each generated service.
const OPERATIONS: usize = 6;

struct Plan {
    seeds: std::ops::Range<u64>,
    calls: u64,
    is_tainting: bool,
    attribution: Attribution,
    is_by_yield: bool,
    has_ledger: bool,
}

fn main() {
    let first = argument::number("--first", 0);
    let plan = Plan {
        seeds: first..first + argument::number("--seeds", 20),
        calls: argument::number("--calls", 10_000),
        is_tainting: argument::text("--taint").as_deref() != Some("off"),
        attribution: match argument::text("--attribution").as_deref() {
            Some("on-demand") => Attribution::OnDemand,
            _ => Attribution::Always,
        },
        is_by_yield: argument::text("--by-yield").as_deref() != Some("off"),
        has_ledger: argument::text("--ledger").as_deref() == Some("on"),
    };
    println!("seeds {:?}, {} calls; branch sides with a witness", plan.seeds, plan.calls);
    let given: Vec<String> = std::env::args().collect();
    let is_any = NAMES.iter().any(|name| given.iter().any(|one| one == name));
    for name in NAMES.into_iter().filter(|name| !is_any || given.iter().any(|one| one == name)) {
        measure(name, &plan);
    }
}

/// Prints the shares of the sides of all runs, and the sides that some run missed.
fn measure(name: &str, plan: &Plan) {
    let mut shares = Vec::new();
    let mut missed: BTreeMap<String, usize> = BTreeMap::new();
    let mut ledger = Vec::new();
    for seed in plan.seeds.clone() {
        let (running, expected) = started(name, seed);
        let sides: BTreeSet<String> =
            expected.witnesses.into_iter().flat_map(|witness| witness.reaches).collect();
        let summary = run(&running, seed, plan);
        let covered = summary.targets.iter().filter(|target| target.score.is_covered());
        let covered: BTreeSet<&str> = covered.map(|target| target.name.as_str()).collect();
        let (_, open): (Vec<_>, Vec<_>) =
            sides.iter().partition(|side| covered.contains(side.as_str()));
        shares.push(1.0 - open.len() as f64 / sides.len() as f64);
        for side in open {
            *missed.entry(side.clone()).or_default() += 1;
        }
        ledger.extend(summary.ledger);
    }
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    missed.retain(|_, times| *times * 4 > shares.len());
    let often = if name == "generated" { 0 } else { missed.len() };
    println!(
        "{name:16} median {:.3}  least {least:.3}  sides missed by more than a quarter: {often}",
        median(&shares)
    );
    for (side, times) in missed.into_iter().take(often) {
        println!("    missed by {times:2}  {side}");
    }
    for (cause, sum) in LedgerRow::sums(&ledger, |row| &*row.cause) {
        if plan.has_ledger {
            let LedgerSum { calls, covered, improved, .. } = sum;
            println!("    {cause:28} calls {calls:7}  covered {covered:6}  improved {improved:6}");
        }
    }
}

fn started(name: &str, seed: u64) -> (Running, Expected) {
    let ports = "there are free ports";
    if name == "generated" {
        let service = Generated::new(seed, OPERATIONS);
        return (service.start(Options::default()).expect(ports), service.expected());
    }
    let fixture = Fixture::find(name).expect("the fixture exists");
    (fixture.start(Options::default()).expect(ports), fixture.expected())
}

fn run(running: &Running, seed: u64, plan: &Plan) -> Summary {
    let folder = tempfile::tempdir().expect("there is room");
    let driver = running.driver_url.as_deref().expect("a driver was asked for");
    let mut settings = Settings::new(driver, folder.path().join("out"));
    settings.calls = Some(plan.calls);
    // What is measured is the search.
    settings.result.after_share = 0.0;
    settings.result.sharpen_share = 0.0;
    settings.search.seed = seed;
    settings.search.is_tainting = plan.is_tainting;
    if !plan.is_by_yield {
        (settings.search.by_yield, settings.search.prepared) = (false, 0.0);
    }
    settings.search.attribution = plan.attribution;
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs")
}
