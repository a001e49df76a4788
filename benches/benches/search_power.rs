//! How much of the fixtures' branches a run covers, over seeds, and how that compares with random
//! search and with single techniques left out.
//!
//! Run: `cargo bench -p benches --bench search_power [-- --seeds 20 --calls 10000]`; with
//! `--ablation 1` it measures the techniques, for which 1,000 calls tell more than 10,000.

#![allow(clippy::print_stdout, missing_docs)]

use std::io::Write;

use benches::ablation::{self, CHANGES};
use benches::argument;
use benches::statistic::{a12, area, median};
use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal, Summary};
use wallace_engine::SearchSettings;

const FIXTURES: [&str; 2] = ["graphql-scs", "graphql-ncs"];

struct Run {
    branches: f64,
    covered: f64,
    area: f64,
}

fn main() {
    let seeds = argument::number("--seeds", 20);
    let calls = argument::number("--calls", 10_000);
    println!("{seeds} seeds, {calls} calls; branches without the infeasible ones");
    if argument::number("--ablation", 0) > 0 {
        return print_ablations(seeds, calls);
    }
    for name in FIXTURES {
        let guided = runs(name, seeds, calls, |_| {});
        let random = runs(name, seeds, calls, |settings| *settings = settings.clone().random());
        let branches = |runs: &[Run]| of(runs, |run| run.branches);
        let covered = |runs: &[Run]| of(runs, |run| run.covered);
        let areas = |runs: &[Run]| of(runs, |run| run.area);
        println!("{name}");
        println!(
            "  branches, median share   MIO {:.3}  random {:.3}",
            median(&branches(&guided)),
            median(&branches(&random))
        );
        println!(
            "  branches, least share    MIO {:.3}  random {:.3}",
            least(&branches(&guided)),
            least(&branches(&random))
        );
        println!(
            "  targets, median          MIO {:.0}  random {:.0}",
            median(&covered(&guided)),
            median(&covered(&random))
        );
        println!(
            "  A12 of the area under covered targets  {:.3}",
            a12(&areas(&guided), &areas(&random))
        );
        println!(
            "  A12 of the targets covered at the end  {:.3}",
            a12(&covered(&guided), &covered(&random))
        );
    }
}

fn print_ablations(seeds: u64, calls: u64) {
    println!("\nOne technique off or setting changed: median share of branches; A12 of it with");
    println!("its interval, and of the area under covered targets, against the default (above");
    println!("0.5: the change is better)\n");
    let defaults = FIXTURES.map(|name| runs(name, seeds, calls, |_| {}));
    let medians = defaults.each_ref().map(|runs| median(&of(runs, |run| run.branches)));
    println!("| change | {} |", FIXTURES.join(" | "));
    println!("|---|{}", "---|".repeat(FIXTURES.len()));
    println!("| (default) | {:.3} | {:.3} |", medians[0], medians[1]);
    for (change, apply) in CHANGES {
        print!("| {change} |");
        for (name, default) in FIXTURES.iter().zip(&defaults) {
            let changed = runs(name, seeds, calls, apply);
            let branches = |runs: &[Run]| of(runs, |run| run.branches);
            let areas = |runs: &[Run]| of(runs, |run| run.area);
            let ends = [&branches(&changed)[..], &branches(default)];
            print!(" {} |", ablation::cell(ends, [&areas(&changed), &areas(default)]));
            let _ = std::io::stdout().flush();
        }
        println!();
    }
}

fn of(runs: &[Run], value: fn(&Run) -> f64) -> Vec<f64> {
    runs.iter().map(value).collect()
}

fn runs(name: &str, seeds: u64, calls: u64, change: impl Fn(&mut SearchSettings)) -> Vec<Run> {
    (0..seeds).map(|seed| run(name, seed, calls, &change)).collect()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn run(name: &str, seed: u64, calls: u64, change: &impl Fn(&mut SearchSettings)) -> Run {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    let folder = std::env::temp_dir().join(format!("wallace-power-{}", std::process::id()));
    let mut settings =
        Settings::new(running.driver_url.as_deref().expect("it has a driver"), &folder);
    settings.calls = Some(calls);
    // What is measured is the search.
    settings.result.after_share = 0.0;
    settings.result.sharpen_share = 0.0;
    settings.force = true;
    settings.search.seed = seed;
    change(&mut settings.search);
    let mut curve = Vec::new();
    let mut observe =
        |progress: &wallace::Progress| curve.push((progress.calls, progress.covered as f64));
    let summary: Summary =
        wallace::run(&settings, &StopSignal::default(), &mut observe).expect("it runs");
    let _ = std::fs::remove_dir_all(folder);
    let feasible = summary.branches.total - fixture.expected().infeasible.len();
    Run {
        branches: summary.branches.covered as f64 / feasible as f64,
        covered: summary.covered as f64,
        area: area(&curve, calls),
    }
}
