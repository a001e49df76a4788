//! Rules of the search that only show in a whole run.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::{Lock, Locksmith, Manner, Turn};
use wallace_engine::{
    Algorithm, Attribution, Budget, Evaluation, Evaluator, Score, Search, SearchEvent,
    SearchSettings, TargetScore, Wanted,
    search::{Origin, Proposal},
};

/// Runs step by step and shows each proposal with the search before it is committed.
fn run_with(
    settings: SearchSettings,
    evaluations: u64,
    evaluate: impl Fn(&Proposal<Turn>) -> Evaluation<Turn>,
    mut see: impl FnMut(&Proposal<Turn>, &Search<'_, Lock>),
) {
    let problem = Lock::new();
    let mut search = Search::new(&problem, settings, Budget::evaluations(evaluations));
    while search.end().is_none() {
        let proposal = search.propose().unwrap();
        see(&proposal, &search);
        let evaluation = evaluate(&proposal);
        search.commit(proposal, Ok(evaluation)).unwrap();
    }
}

fn unlocked(proposal: &Proposal<Turn>) -> Evaluation<Turn> {
    Locksmith(Manner::Plain).evaluate(&proposal.individual, &Wanted::Everything).unwrap()
}

fn score(name: &str, score: f64) -> TargetScore {
    TargetScore { name: name.into(), score: Score::new(score), action: None }
}

#[test]
fn a_mutant_that_is_worse_for_its_target_is_offered_to_all_others() {
    // Every mutant loses on the target it was made for, and reaches one of its own.
    let problem = Lock::new();
    let budget = Budget::evaluations(200);
    let mut search = Search::new(&problem, SearchSettings::default(), budget);
    let mut mutants = 0;
    while search.end().is_none() {
        let proposal = search.propose().unwrap();
        let scores = if let Origin::Mutated { .. } = proposal.origin {
            mutants += 1;
            vec![score("chased", 0.1), score(&format!("by the way {mutants}"), 0.5)]
        } else {
            vec![score("chased", 0.6)]
        };
        let outcomes = proposal.individual.actions().iter().map(|_| false).collect();
        search.commit(proposal, Ok(Evaluation::new(scores, outcomes))).unwrap();
    }
    assert!(mutants > 20, "{mutants}");
    assert_eq!(search.archive().reached(), mutants + 1);
}

#[test]
fn tests_are_shared_between_populations() {
    let problem = Lock::new();
    let mut search = Search::new(&problem, SearchSettings::default(), Budget::evaluations(1));
    let proposal = search.propose().unwrap();
    let scores = (0..50).map(|target| score(&format!("target {target}"), 0.5)).collect();
    let outcomes = proposal.individual.actions().iter().map(|_| false).collect();
    search.commit(proposal, Ok(Evaluation::new(scores, outcomes))).unwrap();
    let tests: Vec<_> = search.archive().targets().map(|(_, _, test)| Arc::as_ptr(test)).collect();
    assert_eq!(tests.len(), 50);
    assert!(tests.iter().all(|test| *test == tests[0]), "one test, fifty pointers");
}

#[test]
fn stagnation_is_told_and_ends() {
    let phases = |stagnation| {
        let problem = Lock::new();
        let settings = SearchSettings { stagnation, ..SearchSettings::default() };
        let mut phases = Vec::new();
        let mut observer = |event: &SearchEvent<'_, Turn>| {
            if let SearchEvent::Stagnated { evaluation, begins } = event {
                phases.push((*evaluation, *begins));
            }
        };
        struct Flat;
        impl Evaluator<Turn> for Flat {
            fn evaluate(
                &mut self,
                test: &wallace_engine::Individual<Turn>,
                _wanted: &Wanted,
            ) -> Result<Evaluation<Turn>, wallace_engine::EvaluationError> {
                let outcomes = test.actions().iter().map(|_| false).collect();
                Ok(Evaluation::new(vec![score("flat", 0.5)], outcomes))
            }
        }
        let mut search = Search::new(&problem, settings, Budget::evaluations(30_000));
        search.observe(&mut observer);
        search.run(&mut Flat);
        phases
    };
    let told = phases(2_000);
    assert!(told.len() >= 6, "{told:?}");
    assert!((2_990..3_010).contains(&told[0].0) && told[0].1, "{told:?}");
    assert!((4_490..4_510).contains(&told[1].0) && !told[1].1, "{told:?}");
    assert!(phases(0).is_empty());
}

#[test]
fn spliced_tests_hold_the_actions_of_two() {
    // Sampled tests have one to six steps; only joining two makes longer ones.
    let longest = |splice| {
        let settings =
            SearchSettings { splice, max_size: 12, structure: 0.0, ..SearchSettings::default() };
        let mut longest = 0;
        run_with(settings, 2_000, unlocked, |proposal, _| {
            longest = longest.max(proposal.individual.size());
        });
        longest
    };
    assert!(longest(0.3) > 6);
    assert!(longest(0.0) <= 6);
}

#[test]
fn a_focused_search_samples_no_more() {
    let settings = SearchSettings { adaptive_sampling: 0.0, ..SearchSettings::default() };
    let (mut early, mut late) = (0, 0);
    run_with(settings, 2_000, unlocked, |proposal, search| {
        let is_sampled = proposal.origin == Origin::Sampled;
        if search.used() < 0.2 {
            early += u32::from(is_sampled);
        } else if search.used() >= 0.8 {
            late += u32::from(is_sampled);
        }
    });
    assert!(early > 100 && late == 0, "{early} early, {late} late");
}

#[test]
fn each_algorithm_finds_what_it_can() {
    let covered = |algorithm| {
        let mut covered = 0;
        for seed in 0..5 {
            let problem = Lock::new();
            let settings = SearchSettings { seed, algorithm, ..SearchSettings::default() };
            let search = Search::new(&problem, settings, Budget::evaluations(4_000));
            covered += search.run(&mut Locksmith(Manner::Plain)).covered();
        }
        covered
    };
    let random = covered(Algorithm::Random);
    for algorithm in [Algorithm::Mio, Algorithm::OnePlusOne, Algorithm::ManyObjective] {
        let found = covered(algorithm);
        assert!(found > random, "{algorithm:?}: {found}, random: {random}");
    }
    assert!(covered(Algorithm::WholeSuite) >= random);
}

#[test]
fn baselines_do_not_depend_on_the_number_of_tests_in_flight_for_their_validity() {
    for algorithm in [Algorithm::OnePlusOne, Algorithm::WholeSuite, Algorithm::ManyObjective] {
        let problem = Lock::new();
        let settings = SearchSettings { algorithm, lineages: 16, ..SearchSettings::default() };
        let mut search = Search::new(&problem, settings, Budget::evaluations(2_000));
        let mut open = std::collections::VecDeque::new();
        let mut seen = BTreeSet::new();
        while search.end().is_none() {
            open.extend(std::iter::from_fn(|| search.propose()));
            let proposal = open.pop_front().unwrap();
            seen.insert(format!("{:?}", proposal.individual));
            let evaluation = unlocked(&proposal);
            search.commit(proposal, Ok(evaluation)).unwrap();
        }
        assert!(seen.len() > 1_000, "{algorithm:?} made {} different tests", seen.len());
        assert!(search.archive().covered() > 0);
    }
}

#[test]
fn attribution_on_demand_runs_again_only_what_is_best() {
    for lineages in [1, 3] {
        let problem = Lock::new();
        let attribution = Attribution::OnDemand;
        let settings = SearchSettings { lineages, attribution, ..SearchSettings::default() };
        let mut search = Search::new(&problem, settings, Budget::evaluations(1_000));
        let (mut scored, mut again) = (0, 0);
        let mut open = std::collections::VecDeque::new();
        while search.end().is_none() {
            while let Some(proposal) = search.propose() {
                open.push_back(proposal);
            }
            let proposal: Proposal<Turn> = open.pop_front().unwrap();
            let evaluation =
                Locksmith(Manner::Plain).evaluate(&proposal.individual, &proposal.wanted).unwrap();
            let is_unattributed = !evaluation.is_attributed;
            search.commit(proposal.clone(), Ok(evaluation)).unwrap();
            let next = search.propose().unwrap();
            // A test of one action has nothing to attribute.
            if next.wanted == Wanted::Everything && next.individual.size() > 1 {
                assert!(is_unattributed && next.individual == proposal.individual);
                assert_eq!(next.origin, proposal.origin);
                again += 1;
            }
            open.push_back(next);
            scored += u32::from(is_unattributed);
        }
        assert!(again > 10 && scored > 4 * again, "{again} of {scored} run again");
        let covered =
            search.archive().targets().filter(|(_, fitness, _)| fitness.score.is_covered());
        for (target, _, test) in covered {
            assert!(test.reach(target).unwrap().action.is_some(), "{target:?} is attributed");
        }
    }
}
