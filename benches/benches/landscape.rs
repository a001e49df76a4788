//! What the search reaches on synthetic landscapes with known optima, beside the baselines and with
//! single techniques left out.
//!
//! Run: `cargo bench -p benches --bench landscape [-- --seeds 30 --scale 100 --only NAME --skip
//! ablation|baselines]`; the scale is in percent of each landscape's budget. Figures go to `target/figures`.

#![allow(clippy::print_stdout, missing_docs)]

use std::io::Write;
use std::path::PathBuf;

use benches::ablation::{self, CHANGES};
use benches::argument;
use benches::figure;
use benches::landscape::{self, Landscape, Run, run};
use benches::one_max::OneMax;
use benches::statistic::{a12, a12_interval, holm, mann_whitney, median};
use wallace_engine::{Algorithm, SearchSettings};

/// A landscape of a seed; for most every seed has the same one.
type Make = fn(u64) -> Landscape;

const LANDSCAPES: [(&str, Option<Make>); 11] = [
    ("one-max-100", None),
    ("needle", Some(|_| landscape::needle())),
    ("plateau", Some(|_| landscape::plateau())),
    ("trap", Some(|_| landscape::trap())),
    ("feasible", Some(|_| landscape::infeasible(false))),
    ("80%-infeasible", Some(|_| landscape::infeasible(true))),
    ("10000-targets", Some(|_| landscape::many_targets())),
    ("text", Some(|_| landscape::text_match(false))),
    ("text-tainted", Some(|_| landscape::text_match(true))),
    ("nested", Some(|_| landscape::nested())),
    // The seed of a run is also that of its program: a family, and not one program many times.
    ("generated", Some(landscape::generated)),
];

/// Landscapes on which MIO must beat the baselines; on the others it must not lose.
const MUST_WIN: [&str; 3] = ["80%-infeasible", "10000-targets", "generated"];

const BASELINES: [(&str, Algorithm); 4] = [
    ("random", Algorithm::Random),
    ("(1+1) EA", Algorithm::OnePlusOne),
    ("WTS", Algorithm::WholeSuite),
    ("MOSA", Algorithm::ManyObjective),
];

fn main() {
    let (seeds, scale) = (argument::number("--seeds", 30), argument::number("--scale", 100));
    let (only, skip) = (argument::text("--only"), argument::text("--skip").unwrap_or_default());
    let is_chosen = |name: &str| only.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let chosen: Vec<&(&str, Option<Make>)> =
        LANDSCAPES.iter().filter(|(name, _)| is_chosen(name)).collect();
    println!("{seeds} seeds, {scale} % of the budgets; covered share of the feasible targets\n");
    let defaults: Vec<Vec<Run>> =
        chosen.iter().map(|(_, make)| runs(*make, seeds, scale, |_| {})).collect();
    if skip != "baselines" {
        print_baselines(&chosen, &defaults, seeds, scale);
        print_cost_of_infeasible(&chosen, &defaults);
    }
    if skip != "ablation" {
        print_ablations(&chosen, &defaults, seeds, scale);
    }
}

/// What targets that cannot be covered take from those that can, at the same budget.
fn print_cost_of_infeasible(chosen: &[&(&str, Option<Make>)], defaults: &[Vec<Run>]) {
    let mean = |wanted: &str| {
        let (_, runs) = chosen.iter().zip(defaults).find(|((name, _), _)| *name == wanted)?;
        Some(covered(runs).iter().sum::<f64>() / runs.len() as f64)
    };
    if let (Some(alone), Some(mixed)) = (mean("feasible"), mean("80%-infeasible")) {
        let cost = 100.0 * (1.0 - mixed / alone);
        let verdict = if cost <= 10.0 { "holds" } else { "DOES NOT HOLD" };
        println!(
            "\n80 % infeasible targets cost {cost:.1} % of the covered ones (mean share {mixed:.3} \
             with them, {alone:.3} without; at most 10 %: {verdict})"
        );
    }
}

/// MIO against each baseline: A12 of the covered share at the end with its interval, p corrected
/// over all comparisons of the table.
fn print_baselines(
    chosen: &[&(&str, Option<Make>)],
    defaults: &[Vec<Run>],
    seeds: u64,
    scale: u64,
) {
    println!("| landscape | MIO median | baseline | median | A12 [95 %] | p (Holm) | A12 area | |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for ((name, make), guided) in chosen.iter().zip(defaults) {
        let all: Vec<(&str, Vec<Run>)> = BASELINES
            .iter()
            .map(|(baseline, algorithm)| {
                (*baseline, runs(*make, seeds, scale, |settings| settings.algorithm = *algorithm))
            })
            .collect();
        save_figure(name, budget(*make, scale), guided, &all);
        for (baseline, other) in all {
            // A gradient that leads away is what a climber is compared on with climbers.
            let is_compared = *name != "trap" || matches!(baseline, "(1+1) EA" | "WTS");
            let p = mann_whitney(&covered(guided), &covered(&other));
            rows.push((*name, guided, baseline, other, is_compared, p));
        }
    }
    let compared: Vec<f64> = rows.iter().filter(|row| row.4).map(|row| row.5).collect();
    let mut corrected = holm(&compared).into_iter();
    for (name, guided, baseline, other, is_compared, p) in &rows {
        let p = if *is_compared { corrected.next().unwrap_or(1.0) } else { *p };
        let (one, two) = (covered(guided), covered(other));
        let (size, (low, high)) = (a12(&one, &two), a12_interval(&one, &two));
        let verdict = match (*is_compared, MUST_WIN.contains(name)) {
            (false, _) => "not compared",
            (_, true) if *baseline != "(1+1) EA" => {
                if size > 0.6 && p < 0.05 {
                    "wins"
                } else {
                    "DOES NOT WIN"
                }
            }
            _ if size < 0.44 && p < 0.05 => "LOSES",
            _ => "does not lose",
        };
        println!(
            "| {name} | {:.3} | {baseline} | {:.3} | {size:.2} [{low:.2}, {high:.2}] | {p:.4} | {:.2} | {verdict} |",
            median(&one),
            median(&two),
            a12(&areas(guided), &areas(other)),
        );
    }
}

fn save_figure(name: &str, calls: u64, guided: &[Run], others: &[(&str, Vec<Run>)]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/figures");
    let mut groups: Vec<(&str, &[Run])> = vec![("MIO", guided)];
    groups.extend(others.iter().map(|(name, runs)| (*name, runs.as_slice())));
    let path = folder.join(format!("{}.png", name.replace('%', "-percent")));
    let drawn = std::fs::create_dir_all(&folder)
        .map_err(Into::into)
        .and_then(|()| figure::draw(&path, name, calls, &groups));
    if let Err(error) = drawn {
        println!("(no figure of {name}: {error})");
    }
}

fn print_ablations(
    chosen: &[&(&str, Option<Make>)],
    defaults: &[Vec<Run>],
    seeds: u64,
    scale: u64,
) {
    println!(
        "\nOne technique off or setting changed: median share; A12 of the share at the end with"
    );
    println!(
        "its interval, and of the area, against the default (above 0.5: the change is better)\n"
    );
    let names: Vec<&str> = chosen.iter().map(|(name, _)| *name).collect();
    println!("| change | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(names.len()));
    for (change, apply) in CHANGES {
        print!("| {change} |");
        for ((_, make), default) in chosen.iter().zip(defaults) {
            let changed = runs(*make, seeds, scale, apply);
            let ends = [&covered(&changed)[..], &covered(default)];
            print!(" {} |", ablation::cell(ends, [&areas(&changed), &areas(default)]));
            let _ = std::io::stdout().flush();
        }
        println!();
    }
}

fn runs(
    make: Option<Make>,
    seeds: u64,
    scale: u64,
    change: impl Fn(&mut SearchSettings),
) -> Vec<Run> {
    let measured = |seed| {
        let mut settings = SearchSettings { seed, ..SearchSettings::default() };
        change(&mut settings);
        measure(make, scale, settings)
    };
    (0..seeds).map(measured).collect()
}

fn measure(make: Option<Make>, scale: u64, settings: SearchSettings) -> Run {
    let calls = budget(make, scale);
    let Some(make) = make else {
        let problem = OneMax::new(100);
        return run(&problem, &mut *problem.evaluator(), settings, calls, 100);
    };
    let landscape = make(settings.seed);
    let is_tainting = landscape.is_tainting && settings.is_tainting;
    let settings = SearchSettings { is_tainting, ..settings };
    run(&landscape, &mut *landscape.evaluator(), settings, calls, landscape.feasible)
}

fn budget(make: Option<Make>, scale: u64) -> u64 {
    make.map_or(100, |make| make(0).calls) * scale / 100
}

fn covered(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.covered).collect()
}

fn areas(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.area).collect()
}
