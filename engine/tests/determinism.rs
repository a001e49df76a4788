//! The same seed gives the same run: twice, and with any number of workers.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use common::{Lock, Locksmith, Manner, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wallace_engine::{
    Attribution, Budget, Evaluation, EvaluationError, Evaluator, Individual, Search, SearchEvent,
    SearchSettings, Wanted, Workers,
};

fn workers(count: usize, manner: Manner) -> Workers<Turn> {
    let mut evaluators: Vec<Box<dyn Evaluator<Turn>>> = Vec::new();
    evaluators.resize_with(count, || Box::new(Locksmith(manner)));
    Workers::new(evaluators)
}

/// Everything that can be seen of a run, as text.
fn run(lineages: u32, count: usize, manner: Manner, evaluations: u64) -> String {
    let mut workers = workers(count, manner);
    let log = run_with(lineages, &mut workers, evaluations);
    assert_eq!(workers.evaluators().len(), count, "every evaluator comes back");
    log
}

fn run_with(lineages: u32, workers: &mut Workers<Turn>, evaluations: u64) -> String {
    let settings = SearchSettings { seed: 7, lineages, ..SearchSettings::default() };
    run_as(settings, workers, evaluations)
}

fn run_as(settings: SearchSettings, workers: &mut Workers<Turn>, evaluations: u64) -> String {
    let problem = Lock::new();
    let mut log = String::new();
    let mut observer = |event: &SearchEvent<'_, Turn>| {
        if let SearchEvent::Evaluated { test, added, statistics, .. } = event {
            log += &format!("{:?} {added:?} {statistics:?}\n", test.individual);
        } else {
            log += &format!("{event:?}\n");
        }
    };
    let mut search = Search::new(&problem, settings, Budget::evaluations(evaluations));
    search.observe(&mut observer);
    let solution = search.run_parallel(workers);
    let tests: Vec<_> = solution
        .tests
        .iter()
        .map(|test| (&test.evaluated.individual, &test.covers, &test.flaky, &test.repeats))
        .collect();
    log + &format!(
        "{tests:?} {:?} {:?} {:?}",
        solution.targets, solution.statistics, solution.reason
    )
}

/// FNV-1a, as stable as the log it is taken of.
fn hash(text: &str) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    std::hash::Hasher::write(&mut hasher, text.as_bytes());
    std::hash::Hasher::finish(&hasher)
}

#[test]
fn two_runs_with_one_seed_are_equal() {
    assert_eq!(run(1, 1, Manner::Plain, 2_000), run(1, 1, Manner::Plain, 2_000));
}

#[test]
fn workers_are_not_visible() {
    for lineages in [1, 4, 16] {
        let alone = run(lineages, 1, Manner::Plain, 600);
        for workers in [2, 7] {
            assert!(run(lineages, workers, Manner::Plain, 600) == alone, "{lineages} {workers}");
            assert!(
                run(lineages, workers, Manner::Slow, 600) == alone,
                "{lineages} {workers} slow"
            );
        }
    }
}

/// Counts the calls that it makes.
struct Counted(Locksmith, Arc<AtomicU64>);

impl Evaluator<Turn> for Counted {
    fn evaluate(
        &mut self,
        individual: &Individual<Turn>,
        wanted: &Wanted,
    ) -> Result<Evaluation<Turn>, EvaluationError> {
        self.1.fetch_add(individual.actions().len() as u64, Ordering::Relaxed);
        self.0.evaluate(individual, wanted)
    }
}

#[test]
fn many_workers_make_no_more_calls_than_the_budget_has() {
    let (problem, made) = (Lock::new(), Arc::new(AtomicU64::new(0)));
    let mut evaluators: Vec<Box<dyn Evaluator<Turn>>> = Vec::new();
    evaluators.resize_with(16, || Box::new(Counted(Locksmith(Manner::Slow), Arc::clone(&made))));
    let settings = SearchSettings { lineages: 16, ..SearchSettings::default() };
    let mut in_search = 0;
    let mut observer = |event: &SearchEvent<'_, Turn>| {
        if matches!(event, SearchEvent::Ended { .. }) {
            in_search = made.load(Ordering::Relaxed);
        }
    };
    let mut search = Search::new(&problem, settings, Budget::calls(100));
    search.observe(&mut observer);
    let counted = search.run_parallel(&mut Workers::new(evaluators)).statistics.calls;
    assert_eq!(in_search, counted, "no test was made for nothing");
    assert!((100..106).contains(&counted), "{counted}: the last test has at most six");
}

#[test]
fn workers_are_not_visible_where_tests_are_run_twice() {
    for lineages in [1, 4, 16] {
        let run = |count, manner| {
            let attribution = Attribution::OnDemand;
            let settings = SearchSettings { lineages, attribution, ..SearchSettings::default() };
            run_as(settings, &mut workers(count, manner), 600)
        };
        let alone = run(1, Manner::Plain);
        for workers in [2, 7] {
            assert!(run(workers, Manner::Slow) == alone, "{lineages} {workers}");
        }
    }
}

#[test]
fn failing_and_panicking_evaluators_neither_stall_nor_reorder() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for manner in [Manner::Failing, Manner::Panicking] {
        let alone = run(4, 1, manner, 600);
        assert!(alone.contains("Failed"), "some tests fail");
        assert!(run(4, 7, manner, 600) == alone, "{manner:?}");
    }
    std::panic::set_hook(hook);
}

#[test]
fn a_long_run_has_the_hash_it_always_had() {
    // A change here means that no earlier run can be repeated: it is a decision, and goes into
    // CHANGELOG.md. The number is the same on every platform.
    let log = run(4, 2, Manner::Plain, 5_000);
    let (evaluations, _) = log.split_once("Ended {").unwrap();
    assert_eq!(hash(evaluations), GOLDEN);
}

/// The archive and everything else at the end of a run whose evaluators hang for some tests.
fn run_hanging(count: usize, can_replace: bool) -> String {
    let mut workers = workers(count, Manner::Hanging).with_limit(Duration::from_millis(800));
    if can_replace {
        workers = workers.with_replacement(|| Ok(Box::new(Locksmith(Manner::Hanging))));
    }
    run_with(4, &mut workers, 64)
}

#[test]
fn hanging_evaluators_are_given_up_and_replaced() {
    let one = run_hanging(1, true);
    assert!(one.contains("did not end within 0.8 s"), "some tests hang: {one}");
    assert!(one.ends_with("BudgetUsed"), "the run goes on to its end");
    for count in [2, 7] {
        assert!(run_hanging(count, true) == one, "{count} workers");
    }
    // Without a replacement the worker is lost, and others do its work.
    assert!(run_hanging(7, false) == one);
}

#[test]
fn a_search_whose_only_evaluator_hangs_ends_and_tells_why() {
    let log = run_hanging(1, false);
    assert!(log.contains("Unreachable(\"no evaluator answers any more"), "{log}");
}

#[test]
fn a_panicked_evaluator_is_replaced() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut workers =
        workers(2, Manner::Panicking).with_replacement(|| Ok(Box::new(Locksmith(Manner::Plain))));
    let log = run_with(4, &mut workers, 600);
    // Each of the two panics once.
    assert_eq!(log.matches("the key broke").count(), 2, "{log}");
    // Where none can be made any more, the search ends and keeps what it has.
    let mut workers = self::workers(2, Manner::Panicking)
        .with_replacement(|| Err(EvaluationError::Failed("no key is left".to_owned())));
    let log = run_with(4, &mut workers, 600);
    std::panic::set_hook(hook);
    assert!(log.contains("no key is left") && log.contains("Individual"), "{log}");
    let log = run_with(1, &mut Workers::new(Vec::new()), 600);
    assert!(log.contains("there is no evaluator"), "{log}");
}

const GOLDEN: u64 = 1_892_896_484_038_793_648;
