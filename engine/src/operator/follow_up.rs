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
    /// Those that begin with an initialisation. They have room of their own: where a service shows
    /// hundreds of constants, nothing that a statement looked for would ever be put there.
    #[serde(default)]
    initialised: VecDeque<Individual<A>>,
    /// Which of the two kinds came when: whether it was initialised.
    #[serde(default)]
    arrivals: VecDeque<bool>,
    seen: BTreeSet<u64>,
}

impl<A: Action> Default for FollowUps<A> {
    fn default() -> Self {
        let (waiting, initialised) = (VecDeque::new(), VecDeque::new());
        Self { waiting, initialised, arrivals: VecDeque::new(), seen: BTreeSet::new() }
    }
}

impl<A: Action> FollowUps<A> {
    /// Most tests of either kind that wait; further ones are dropped.
    const MOST_WAITING: usize = 256;
    /// Most tests remembered so that none is asked for twice.
    const MOST_SEEN: usize = 100_000;

    /// Adds the tests that were not asked for before.
    pub(crate) fn add(&mut self, tests: Vec<Individual<A>>) {
        for test in tests {
            let is_plain = test.initialisation().is_empty();
            let queue = if is_plain { &mut self.waiting } else { &mut self.initialised };
            let has_room = queue.len() < Self::MOST_WAITING && self.seen.len() < Self::MOST_SEEN;
            if has_room && self.seen.insert(fingerprint(&test)) {
                queue.push_back(test);
                self.arrivals.push_back(!is_plain);
            }
        }
    }

    /// The next test to evaluate: the one that came first.
    pub(crate) fn next(&mut self) -> Option<Individual<A>> {
        match self.arrivals.pop_front() {
            Some(true) => self.initialised.pop_front(),
            _ => self.waiting.pop_front(),
        }
    }

    /// The next of those that begin with an initialisation.
    pub(crate) fn next_initialised(&mut self) -> Option<Individual<A>> {
        let place = self.arrivals.iter().position(|is_initialised| *is_initialised)?;
        self.arrivals.remove(place);
        self.initialised.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{Gene, TemplateId};

    use super::*;
    use crate::individual::initialisation::Initialisation;
    use crate::testing::Step;

    fn initialised(value: i32) -> Individual<Step> {
        let mut test = Individual::new([Step::integer(value)]);
        let gene = Gene::Integer(value);
        let step = Initialisation { template: TemplateId(9), gene, round: 1, feeds: Vec::new() };
        test.set_initialisation(vec![step]);
        test
    }

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

    #[test]
    fn tests_with_an_initialisation_find_room_where_constants_fill_theirs() {
        let mut follow_ups = FollowUps::default();
        follow_ups.add((0..10_000).map(|value| Individual::new([Step::integer(value)])).collect());
        follow_ups.add(vec![initialised(1), initialised(2), initialised(1)]);
        assert_eq!(follow_ups.next(), Some(Individual::new([Step::integer(0)])));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(1)));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(2)));
        assert_eq!(follow_ups.next_initialised(), None);
    }

    #[test]
    fn of_two_kinds_the_one_that_came_first_is_next() {
        let mut follow_ups = FollowUps::default();
        let plain = |value| Individual::new([Step::integer(value)]);
        follow_ups.add(vec![plain(1), initialised(2), plain(3), initialised(4), initialised(5)]);
        assert_eq!(follow_ups.next(), Some(plain(1)));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(2)));
        let order: Vec<_> = std::iter::from_fn(|| follow_ups.next()).collect();
        assert_eq!(order, [plain(3), initialised(4), initialised(5)]);
    }
}
