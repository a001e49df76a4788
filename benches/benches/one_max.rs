//! Evaluations per second of CPU of a whole MIO run on OneMax, beside the reference engine's.
//!
//! Timed is the search, as for the reference: choosing and shrinking tests comes after it, and is
//! printed apart, with the share of CPU it adds.
//!
//! Run: `cargo bench -p benches --bench one_max`

#![allow(clippy::print_stdout, missing_docs)]

use benches::one_max::{Digits, OneMax};
use benches::statistic::median;
use benches::usage::thread_time;
use wallace_engine::{Budget, Search, SearchEvent, SearchSettings};

fn main() {
    println!("targets  evaluations  evaluations/s  then minimising  covered  tests  reference/s");
    for (n, evaluations, reference) in
        [(10, 1_000_000, "12,200"), (100, 300_000, "735"), (1000, 30_000, "did not finish")]
    {
        let runs: Vec<Run> = (0..3).map(|seed| run(&OneMax::new(n), seed, evaluations)).collect();
        let rate = median(&runs.iter().map(|run| run.rate).collect::<Vec<_>>());
        let minimising = median(&runs.iter().map(|run| run.minimising).collect::<Vec<_>>());
        let Run { covered, tests, .. } = runs[2];
        println!(
            "{n:7}  {evaluations:11}  {rate:13.0}  {:14.0} %  {covered:7}  {tests:5}  {reference}",
            100.0 * minimising,
        );
    }
}

struct Run {
    /// Evaluations of the search per second of CPU.
    rate: f64,
    /// CPU time of minimising, as a share of the search's.
    minimising: f64,
    covered: usize,
    tests: usize,
}

fn run(problem: &OneMax, seed: u64, evaluations: u64) -> Run {
    let settings = SearchSettings { seed, ..SearchSettings::default() };
    let mut search = Search::new(problem, settings, Budget::evaluations(evaluations));
    let start = thread_time();
    let mut end = start;
    let mut note = |event: &SearchEvent<'_, Digits>| {
        if let SearchEvent::Ended { .. } = event {
            end = thread_time();
        }
    };
    search.observe(&mut note);
    let solution = search.run(&mut *problem.evaluator());
    let (covered, tests) = (solution.covered(), solution.tests.len());
    let searching = (end - start).as_secs_f64();
    Run {
        rate: evaluations as f64 / searching,
        minimising: (thread_time() - end).as_secs_f64() / searching,
        covered,
        tests,
    }
}
