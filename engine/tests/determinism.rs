//! The same seed gives the same run: twice, and with any number of workers.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use common::{Lock, Locksmith, Manner, Turn};
use wallace_engine::{Budget, Evaluator, Search, SearchEvent, SearchSettings};

/// Everything that can be seen of a run, as text.
fn run(lineages: u32, workers: usize, manner: Manner, evaluations: u64) -> String {
    let problem = Lock::new();
    let settings = SearchSettings { seed: 7, lineages, ..SearchSettings::default() };
    let mut log = String::new();
    let mut observer = |event: &SearchEvent<'_, Turn>| {
        if let SearchEvent::Evaluated { test, added, statistics, .. } = event {
            log += &format!("{:?} {added:?} {statistics:?}\n", test.individual);
        } else {
            log += &format!("{event:?}\n");
        }
    };
    let mut evaluators: Vec<Box<dyn Evaluator<Turn>>> = Vec::new();
    evaluators.resize_with(workers, || Box::new(Locksmith(manner)));
    let mut search = Search::new(&problem, settings, Budget::evaluations(evaluations));
    search.observe(&mut observer);
    let solution = search.run_parallel(&mut evaluators);
    log + &format!("{:?} {:?}", solution.targets, solution.statistics)
}

/// FNV-1a, as stable as the log it is taken of.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
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
    assert_eq!(hash(&run(4, 2, Manner::Plain, 5_000)), GOLDEN);
}

const GOLDEN: u64 = 10_569_834_734_672_672_883;
