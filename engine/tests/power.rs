//! What the search finds, as rates over seeds.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use common::{Lock, Locksmith, Manner};
use wallace_engine::{Budget, Search, SearchSettings};

fn covered(settings: SearchSettings, evaluations: u64) -> usize {
    let problem = Lock::new();
    let search = Search::new(&problem, settings, Budget::evaluations(evaluations));
    search.run(&mut Locksmith(Manner::Plain)).covered()
}

#[test]
fn a_lock_of_three_turns_and_a_word_opens() {
    // Eight targets: three turns, the word after none to three of them, and the speed.
    let opened = (0..20).filter(|seed| {
        let settings = SearchSettings { seed: *seed, ..SearchSettings::default() };
        covered(settings, 10_000) == 8
    });
    let opened = opened.count();
    assert!(opened >= 18, "{opened} of 20 seeds opened the lock");
}

#[test]
fn random_search_does_not_open_it() {
    let settings = |seed| SearchSettings { seed, ..SearchSettings::default() }.random();
    let opened = (0..5).filter(|seed| covered(settings(*seed), 10_000) == 8).count();
    assert_eq!(opened, 0);
}
