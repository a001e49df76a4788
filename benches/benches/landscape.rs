//! What the search reaches on synthetic landscapes with known optima, beside random search and
//! with single settings changed.
//!
//! Run: `cargo bench -p benches --bench landscape [-- --seeds 20 --scale 100 --only NAME]`; the
//! scale is in percent of each landscape's budget.

#![allow(clippy::print_stdout, missing_docs)]

use std::io::Write;

use benches::landscape::{self, Landscape, Run, run};
use benches::one_max::OneMax;
use benches::statistic::{a12, median};
use wallace_engine::{SearchSettings, TargetChoice};

/// Measures one search; the first number is the scale of the budget in percent.
type Measure = fn(u64, SearchSettings) -> Run;

/// Changes a setting.
type Change = fn(&mut SearchSettings);

const LANDSCAPES: [(&str, Measure); 11] = [
    ("one-max-100", one_max),
    ("needle", |scale, settings| measure(&landscape::needle(), scale, settings)),
    ("plateau", |scale, settings| measure(&landscape::plateau(), scale, settings)),
    ("trap", |scale, settings| measure(&landscape::trap(), scale, settings)),
    ("feasible", |scale, settings| measure(&landscape::infeasible(false), scale, settings)),
    ("80%-infeasible", |scale, settings| measure(&landscape::infeasible(true), scale, settings)),
    ("10000-targets", |scale, settings| measure(&landscape::many_targets(), scale, settings)),
    ("text", |scale, settings| measure(&landscape::text_match(false), scale, settings)),
    ("text-tainted", |scale, settings| measure(&landscape::text_match(true), scale, settings)),
    ("nested", |scale, settings| measure(&landscape::nested(), scale, settings)),
    // The seed of a run is also that of its program: a family, and not one program twenty times.
    ("generated", |scale, settings| measure(&landscape::generated(settings.seed), scale, settings)),
];

const ABLATIONS: [(&str, Change); 18] = [
    ("structure .5", |settings| settings.structure = 0.5),
    ("revisit 0", |settings| settings.revisit = 0.0),
    ("sampling .2", |settings| settings.sampling_start = 0.2),
    ("sampling .8", |settings| settings.sampling_start = 0.8),
    ("share .5", |settings| settings.mutated_share = 0.5),
    ("action 0", |settings| settings.focus_on_action = 0.0),
    ("trim 0", |settings| settings.trim = 0.0),
    ("population 1", |settings| settings.population_start = 1.0),
    ("rounds 10", |settings| settings.mutations_start = 10.0),
    ("lowest", |settings| settings.target_choice = TargetChoice::LowestCounter),
    ("last", |settings| settings.target_choice = TargetChoice::Last),
    ("uniform", |settings| settings.target_choice = TargetChoice::Uniform),
    ("patience 100", |settings| settings.patience = 100),
    ("drift 0", |settings| settings.neutral_patience = 0),
    ("no taint", |settings| settings.is_tainting = false),
    ("K=4", |settings| settings.lineages = 4),
    ("K=16", |settings| settings.lineages = 16),
    // What the field's reference sets (search-mio.md 12), as far as settings go.
    ("reference", |settings| {
        settings.sampling_start = 0.8;
        settings.structure = 0.5;
        settings.mutated_share = 0.5;
        settings.revisit = 0.0;
        settings.trim = 0.0;
    }),
];

fn main() {
    let (seeds, scale) = (argument("--seeds", 20), argument("--scale", 100));
    let only = text_argument("--only").unwrap_or_default();
    let chosen = LANDSCAPES.iter().filter(|(name, _)| name.contains(only.as_str()));
    let chosen: Vec<&(&str, Measure)> = chosen.collect();
    println!("{seeds} seeds, {scale} % of the budgets; covered share of the feasible targets\n");
    println!(
        "| landscape | MIO median | least | area | random median | least | A12 end | A12 area |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut defaults = Vec::new();
    for (name, measure) in &chosen {
        let guided = runs(*measure, seeds, scale, |_| {});
        let random = runs(*measure, seeds, scale, |settings| {
            *settings = std::mem::take(settings).random();
        });
        print_row(name, &guided, &random);
        defaults.push(guided);
    }
    print_ablations(&chosen, &defaults, seeds, scale);
}

fn print_row(name: &str, guided: &[Run], random: &[Run]) {
    println!(
        "| {name} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} |",
        median(&covered(guided)),
        least(&covered(guided)),
        median(&areas(guided)),
        median(&covered(random)),
        least(&covered(random)),
        a12(&covered(guided), &covered(random)),
        a12(&areas(guided), &areas(random)),
    );
}

fn print_ablations(chosen: &[&(&str, Measure)], defaults: &[Vec<Run>], seeds: u64, scale: u64) {
    println!("\nOne setting changed: median share, A12 at the end and A12 of the area against the");
    println!("default settings (above 0.5: the change is better)\n");
    let names: Vec<&str> = ABLATIONS.iter().map(|(name, _)| *name).collect();
    println!("| landscape | default | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    for ((name, measure), default) in chosen.iter().zip(defaults) {
        print!("| {name} | {:.3} |", median(&covered(default)));
        for (_, change) in ABLATIONS {
            let changed = runs(*measure, seeds, scale, change);
            print!(
                " {:.3} {:.2} {:.2} |",
                median(&covered(&changed)),
                a12(&covered(&changed), &covered(default)),
                a12(&areas(&changed), &areas(default)),
            );
            let _ = std::io::stdout().flush();
        }
        println!();
    }
}

fn runs(measure: Measure, seeds: u64, scale: u64, change: Change) -> Vec<Run> {
    let settings = |seed| {
        let mut settings = SearchSettings { seed, ..SearchSettings::default() };
        change(&mut settings);
        SearchSettings { seed, ..settings }
    };
    (0..seeds).map(|seed| measure(scale, settings(seed))).collect()
}

fn measure(landscape: &Landscape, scale: u64, settings: SearchSettings) -> Run {
    let is_tainting = landscape.is_tainting && settings.is_tainting;
    let settings = SearchSettings { is_tainting, ..settings };
    let calls = landscape.calls * scale / 100;
    run(landscape, &mut *landscape.evaluator(), settings, calls, landscape.feasible)
}

fn one_max(scale: u64, settings: SearchSettings) -> Run {
    let problem = OneMax::new(100);
    run(&problem, &mut *problem.evaluator(), settings, 100 * scale / 100, 100)
}

fn covered(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.covered).collect()
}

fn areas(runs: &[Run]) -> Vec<f64> {
    runs.iter().map(|run| run.area).collect()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn argument(name: &str, default: u64) -> u64 {
    text_argument(name).and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn text_argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}
