//! Follow-ups: tests that what was just learnt asks for.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::individual::fingerprint::fingerprint;

/// Tests that wait for their one evaluation, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct FollowUps<A: Action> {
    waiting: VecDeque<Individual<A>>,
    seen: BTreeSet<u64>,
}

impl<A: Action> Default for FollowUps<A> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), seen: BTreeSet::new() }
    }
}

impl<A: Action> FollowUps<A> {
    /// Most tests that wait; further ones are dropped.
    const MOST_WAITING: usize = 256;
    /// Most tests remembered so that none is asked for twice.
    const MOST_SEEN: usize = 100_000;

    /// Adds the tests that were not asked for before.
    pub(crate) fn add(&mut self, tests: Vec<Individual<A>>) {
        for test in tests {
            let has_room =
                self.waiting.len() < Self::MOST_WAITING && self.seen.len() < Self::MOST_SEEN;
            if has_room && self.seen.insert(fingerprint(&test)) {
                self.waiting.push_back(test);
            }
        }
    }

    /// The next test to evaluate.
    pub(crate) fn next(&mut self) -> Option<Individual<A>> {
        self.waiting.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    #[test]
    fn each_test_is_asked_for_once_in_order() {
        let test = |value| Individual::new([Step::integer(value)]);
        let mut follow_ups = FollowUps::default();
        follow_ups.add(vec![test(1), test(2), test(1)]);
        assert_eq!(follow_ups.next(), Some(test(1)));
        follow_ups.add(vec![test(1)]);
        assert_eq!(follow_ups.next(), Some(test(2)));
        assert_eq!(follow_ups.next(), None);
    }

    #[test]
    fn waiting_tests_are_bounded() {
        let mut follow_ups = FollowUps::default();
        follow_ups.add((0..10_000).map(|value| Individual::new([Step::integer(value)])).collect());
        assert_eq!(follow_ups.waiting.len(), FollowUps::<Step>::MOST_WAITING);
    }
}
