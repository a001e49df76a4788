//! Evaluations per second of CPU of a whole MIO run on OneMax, beside the reference engine's.
//!
//! Run: `cargo bench -p benches --bench one_max`

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use benches::one_max::OneMax;
use wallace_engine::{Budget, Search, SearchSettings};

fn main() {
    println!("targets  evaluations  evaluations/s  covered  tests  reference/s");
    for (n, evaluations, reference) in
        [(10, 1_000_000, "12,200"), (100, 300_000, "735"), (1000, 30_000, "did not finish")]
    {
        let problem = OneMax::new(n);
        let mut rates: Vec<f64> = Vec::new();
        let mut found = (0, 0);
        for seed in 0..3 {
            let settings = SearchSettings { seed, ..SearchSettings::default() };
            let search = Search::new(&problem, settings, Budget::evaluations(evaluations));
            let start = Instant::now();
            let solution = search.run(&mut *problem.evaluator());
            rates.push(evaluations as f64 / start.elapsed().as_secs_f64());
            found = (solution.covered(), solution.tests.len());
        }
        rates.sort_by(f64::total_cmp);
        let (covered, tests) = found;
        println!("{n:7}  {evaluations:11}  {:13.0}  {covered:7}  {tests:5}  {reference}", rates[1]);
    }
}
