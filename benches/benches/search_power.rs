//! How much of the fixtures' branches a run covers, over seeds, and how that compares with random
//! search.
//!
//! Run: `cargo bench -p benches --bench search_power [-- --seeds 20 --calls 10000]`

#![allow(clippy::print_stdout, missing_docs)]

use benches::statistic::{a12, area, median};
use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal, Summary};

struct Run {
    branches: f64,
    covered: f64,
    area: f64,
}

fn main() {
    let seeds = argument("--seeds", 20);
    let calls = argument("--calls", 10_000);
    println!("{seeds} seeds, {calls} calls; branches without the infeasible ones");
    for name in ["graphql-scs", "graphql-ncs"] {
        let guided: Vec<Run> = (0..seeds).map(|seed| run(name, seed, calls, false)).collect();
        let random: Vec<Run> = (0..seeds).map(|seed| run(name, seed, calls, true)).collect();
        let of =
            |runs: &[Run], value: fn(&Run) -> f64| -> Vec<f64> { runs.iter().map(value).collect() };
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

fn argument(name: &str, default: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    arguments.next().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn run(name: &str, seed: u64, calls: u64, is_random: bool) -> Run {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    let folder = std::env::temp_dir().join(format!("wallace-power-{}", std::process::id()));
    let mut settings =
        Settings::new(running.driver_url.as_deref().expect("it has a driver"), &folder);
    settings.calls = Some(calls);
    settings.force = true;
    settings.search.seed = seed;
    if is_random {
        settings.search = settings.search.random();
    }
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
