//! Evaluators whose system goes away: the others do their work, and nothing of it is seen.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::{Lock, Locksmith, Manner, Turn};
use wallace_engine::{
    Budget, Evaluation, EvaluationError, Evaluator, Individual, Search, SearchSettings, Solution,
    StopReason, StopSignal, Wanted, Workers,
};

/// A locksmith who hears the tests in an order of his own, goes away after some, and may come back.
struct Mortal {
    left: u32,
    returns: bool,
    evaluations: Arc<AtomicU32>,
    revivals: Arc<AtomicU32>,
    /// Tests after which he is gone whenever they come.
    is_deadly: fn(&Individual<Turn>) -> bool,
}

impl Mortal {
    fn after(left: u32, returns: bool) -> Self {
        let (evaluations, revivals) = (Arc::default(), Arc::default());
        Self { left, returns, evaluations, revivals, is_deadly: |_| false }
    }
}

impl Evaluator<Turn> for Mortal {
    fn evaluate(
        &mut self,
        individual: &Individual<Turn>,
        wanted: &Wanted,
    ) -> Result<Evaluation<Turn>, EvaluationError> {
        if self.left == 0 || (self.is_deadly)(individual) {
            return Err(EvaluationError::Unreachable("he left".to_owned()));
        }
        self.left -= 1;
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        let mut evaluation = Locksmith(Manner::Slow).evaluate(individual, wanted)?;
        // What he tells of first depends on how long he has been here.
        let places = evaluation.scores.len().max(1);
        evaluation.scores.rotate_left(self.left as usize % places);
        Ok(evaluation)
    }

    fn revive(&mut self) -> Result<(), EvaluationError> {
        if !self.returns {
            return Err(EvaluationError::Unreachable("he stays away".to_owned()));
        }
        self.revivals.fetch_add(1, Ordering::Relaxed);
        self.left = u32::MAX;
        Ok(())
    }
}

fn run(workers: &mut Workers<Turn>) -> Solution<Turn> {
    let problem = Lock::new();
    let settings = SearchSettings { seed: 7, lineages: 8, ..SearchSettings::default() };
    Search::new(&problem, settings, Budget::evaluations(600)).run_parallel(workers)
}

fn of(mortals: Vec<Mortal>) -> Workers<Turn> {
    Workers::new(mortals.into_iter().map(|it| Box::new(it) as Box<_>).collect())
}

/// Everything of a solution that a user sees.
fn told(solution: &Solution<Turn>) -> String {
    let tests = solution.tests.iter().map(|test| (&test.evaluated.individual, &test.covers));
    let tests: Vec<_> = tests.collect();
    format!("{tests:?} {:?} {:?}", solution.targets, solution.statistics)
}

#[test]
fn the_result_is_that_of_one_whatever_their_number_and_whoever_dies() {
    let one = told(&run(&mut of(vec![Mortal::after(u32::MAX, false)])));
    for count in [2, 4, 8] {
        let mortals =
            (0..count).map(|number| Mortal::after(if number == 1 { 20 } else { u32::MAX }, false));
        let mut workers = of(mortals.collect());
        let solution = run(&mut workers);
        assert_eq!(solution.reason, StopReason::BudgetUsed);
        assert_eq!(workers.evaluators().len(), count - 1, "the dead one is left out");
        assert!(told(&solution) == one, "{count} evaluators");
    }
}

#[test]
fn one_that_comes_back_is_taken_in() {
    let (first, other) = (Mortal::after(10, true), Mortal::after(10, false));
    let (evaluations, revivals) = (Arc::clone(&first.evaluations), Arc::clone(&first.revivals));
    let mut workers =
        of(vec![first, other]).with_patience(Duration::from_secs(20), &StopSignal::default());
    let solution = run(&mut workers);
    assert_eq!(solution.reason, StopReason::BudgetUsed);
    assert_eq!(revivals.load(Ordering::Relaxed), 1);
    assert!(evaluations.load(Ordering::Relaxed) > 500, "he does the rest");
    assert_eq!(workers.evaluators().len(), 1);
}

#[test]
fn those_that_were_never_there_spoil_no_test() {
    let absent = (0..4).map(|_| Mortal::after(0, true));
    let mut workers = of(absent.chain([Mortal::after(u32::MAX, false)]).collect());
    let solution = run(&mut workers);
    assert_eq!((solution.reason, solution.statistics.failures), (StopReason::BudgetUsed, 0));
}

#[test]
fn where_all_are_gone_the_search_ends_with_what_it_has() {
    let mut workers = of(vec![Mortal::after(30, false), Mortal::after(30, false)]);
    let solution = run(&mut workers);
    assert_eq!(solution.reason, StopReason::Unreachable("he left".to_owned()));
    assert!(!solution.targets.is_empty());
}

#[test]
fn whoever_waits_for_them_hears_that_the_run_is_to_stop() {
    let stop = StopSignal::default();
    let mut workers =
        of(vec![Mortal::after(30, false)]).with_patience(Duration::from_secs(600), &stop);
    let waiting = std::thread::spawn(move || run(&mut workers).reason);
    std::thread::sleep(Duration::from_millis(300));
    stop.stop();
    assert_eq!(waiting.join().unwrap(), StopReason::Unreachable("he left".to_owned()));
}

#[test]
fn a_test_that_is_deadly_does_not_end_them_all() {
    let deadly = |_| Mortal {
        is_deadly: |individual| individual.length() == 9,
        ..Mortal::after(u32::MAX, true)
    };
    let stop = StopSignal::default();
    let mut workers =
        of((0..3).map(deadly).collect()).with_patience(Duration::from_secs(20), &stop);
    let problem = Lock::new();
    let settings = SearchSettings { seed: 7, lineages: 8, ..SearchSettings::default() };
    let solution =
        Search::new(&problem, settings, Budget::evaluations(60)).run_parallel(&mut workers);
    assert_eq!(solution.reason, StopReason::BudgetUsed);
    assert!(solution.statistics.failures > 0, "{:?}", solution.statistics);
}
