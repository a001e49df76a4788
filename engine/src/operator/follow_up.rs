//! Follow-ups: tests that what was just learnt asks for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};
use crate::individual::difference::changes;
use crate::individual::fingerprint::fingerprint;

/// Tests that wait for their one evaluation: those that cost few calls and try something new come first,
/// of equal ones the oldest. What is tried is a value at a place of an operation: a constant is shown by
/// test after test, and the first few that take it tell nearly all that it does.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct FollowUps<A: Action> {
    waiting: Queue<A>,
    /// Those that begin with an initialisation. They have room of their own: where a service shows
    /// hundreds of constants, nothing that a statement looked for would ever be put there.
    initialised: Queue<A>,
    /// How often each change was asked for.
    asked: BTreeMap<u64, u32>,
    arrived: u64,
    seen: BTreeSet<u64>,
}

/// When a test is next: its calls, times how often what it tries was asked for, or 0; then its number.
type Turn = (u32, u64);

/// Tests in the order of their turns.
type Queue<A> = VecDeque<(Turn, Individual<A>)>;

impl<A: Action> Default for FollowUps<A> {
    fn default() -> Self {
        let (waiting, initialised) = (VecDeque::new(), VecDeque::new());
        let (asked, seen) = (BTreeMap::new(), BTreeSet::new());
        Self { waiting, initialised, asked, arrived: 0, seen }
    }
}

impl<A: Action> FollowUps<A> {
    /// Most tests of either kind that wait; those that try something new take the place of others.
    const MOST_WAITING: usize = 256;
    /// Most tests remembered so that none is asked for twice.
    const MOST_SEEN: usize = 100_000;
    /// Most changes of which is known how often they were asked for.
    const MOST_CHANGES: usize = 10_000;

    /// Adds the tests that were not asked for before, in their order.
    pub(crate) fn add_in_order(&mut self, tests: Vec<Individual<A>>) {
        tests.into_iter().for_each(|test| self.put(test, 0));
    }

    /// Adds the tests that were not asked for before, which were made of `parent`; where one of several
    /// calls is changed, this one alone as well.
    pub(crate) fn add(&mut self, parent: &Individual<A>, tests: Vec<Individual<A>>) {
        for test in tests {
            let (times, changed) = self.times(parent, &test);
            if let Some(action) = changed.filter(|_| test.size() > 1) {
                self.put(test.trimmed_to(action), times);
            }
            self.put(test, times);
        }
    }

    /// Adds a test that tries what was asked for so many times.
    fn put(&mut self, test: Individual<A>, times: u32) {
        let calls = u32::try_from(test.size()).unwrap_or(u32::MAX);
        let turn = (calls.saturating_mul(times), self.arrived);
        let is_plain = test.initialisation().is_empty();
        let queue = if is_plain { &mut self.waiting } else { &mut self.initialised };
        let is_full = queue.len() >= Self::MOST_WAITING;
        let is_late = is_full && queue.back().is_some_and(|(last, _)| *last < turn);
        let is_known = self.seen.len() >= Self::MOST_SEEN || is_late;
        if is_known || !self.seen.insert(fingerprint(&test)) {
            return;
        }
        self.arrived += 1;
        let place = queue.partition_point(|(other, _)| *other < turn);
        queue.insert(place, (turn, test));
        if is_full {
            queue.pop_back();
        }
    }

    /// How often what a test tries was asked for, this time included, and the action that it is in where
    /// it is in one. A test that changes no value asks for something new.
    fn times(&mut self, parent: &Individual<A>, test: &Individual<A>) -> (u32, Option<ActionId>) {
        let changes = changes(parent, test);
        let Some(first) = changes.first().map(|change| change.action) else { return (1, None) };
        let is_one = changes.iter().all(|change| change.action == first);
        let mut hasher = FnvHasher::default();
        for change in changes {
            (change.template, &change.path, change.after).hash(&mut hasher);
        }
        let change = hasher.finish();
        if !self.asked.contains_key(&change) && self.asked.len() >= Self::MOST_CHANGES {
            self.asked.pop_first();
        }
        let times = self.asked.entry(change).or_default();
        *times = times.saturating_add(1);
        (*times, is_one.then_some(first))
    }

    /// The next test to evaluate.
    pub(crate) fn next(&mut self) -> Option<Individual<A>> {
        let queue = if self.is_plain_next() { &mut self.waiting } else { &mut self.initialised };
        queue.pop_front().map(|(_, test)| test)
    }

    /// The next test, which goes on waiting.
    pub(crate) fn first(&self) -> Option<&Individual<A>> {
        let queue = if self.is_plain_next() { &self.waiting } else { &self.initialised };
        queue.front().map(|(_, test)| test)
    }

    fn is_plain_next(&self) -> bool {
        let turn = |queue: &Queue<A>| queue.front().map(|(turn, _)| *turn);
        match (turn(&self.waiting), turn(&self.initialised)) {
            (Some(plain), Some(initialised)) => plain < initialised,
            (plain, _) => plain.is_some(),
        }
    }

    /// The next of those that begin with an initialisation.
    pub(crate) fn next_initialised(&mut self) -> Option<Individual<A>> {
        self.initialised.pop_front().map(|(_, test)| test)
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
        follow_ups.add(&test(0), vec![test(1), test(2), test(1)]);
        assert_eq!(follow_ups.next(), Some(test(1)));
        follow_ups.add(&test(0), vec![test(1)]);
        assert_eq!(follow_ups.next(), Some(test(2)));
        assert_eq!(follow_ups.next(), None);
    }

    #[test]
    fn what_was_tried_often_and_what_costs_more_waits() {
        let test = |values: &[i32]| Individual::new(values.iter().map(|it| Step::integer(*it)));
        let mut follow_ups = FollowUps::default();
        follow_ups.add(&test(&[0, 0, 0]), vec![test(&[0, 0, 7])]);
        for other in 1..=4 {
            follow_ups.add(&test(&[0]), vec![test(&[other])]);
        }
        let order: Vec<usize> =
            std::iter::from_fn(|| follow_ups.next()).map(|test| test.size()).collect();
        assert_eq!(order, [1, 1, 1, 1, 1, 3], "the changed call alone is tried, too");
        // The same value again, in other surroundings.
        for other in 1..=3 {
            follow_ups.add(&test(&[other, 0]), vec![test(&[other, 9])]);
        }
        follow_ups.add(&test(&[4, 5]), vec![test(&[8, 5])]);
        let next = std::iter::from_fn(|| follow_ups.next()).map(|test| test.size());
        assert_eq!(next.collect::<Vec<_>>(), [1, 1, 2, 2, 2, 2]);
    }

    #[test]
    fn what_waits_can_be_written_as_json() {
        let mut follow_ups = FollowUps::default();
        follow_ups.add(&Individual::new([Step::integer(0)]), vec![initialised(1), initialised(2)]);
        let text = serde_json::to_string(&follow_ups).unwrap();
        let mut read: FollowUps<Step> = serde_json::from_str(&text).unwrap();
        assert_eq!(read.next_initialised(), Some(initialised(1)));
        assert_eq!(read.asked, follow_ups.asked);
    }

    #[test]
    fn waiting_tests_are_bounded() {
        let mut follow_ups = FollowUps::default();
        let test = |value| Individual::new([Step::integer(value)]);
        follow_ups.add(&test(-1), (0..10_000).map(test).collect());
        assert_eq!(follow_ups.waiting.len(), FollowUps::<Step>::MOST_WAITING);
    }

    #[test]
    fn tests_with_an_initialisation_find_room_where_constants_fill_theirs() {
        let mut follow_ups = FollowUps::default();
        let test = |value| Individual::new([Step::integer(value)]);
        follow_ups.add(&test(-1), (0..10_000).map(test).collect());
        follow_ups.add(&test(-1), vec![initialised(1), initialised(2), initialised(1)]);
        assert_eq!(follow_ups.next(), Some(Individual::new([Step::integer(0)])));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(1)));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(2)));
        assert_eq!(follow_ups.next_initialised(), None);
    }

    #[test]
    fn of_two_kinds_the_one_that_came_first_is_next() {
        let mut follow_ups = FollowUps::default();
        let plain = |value| Individual::new([Step::integer(value)]);
        let tests = vec![plain(1), initialised(2), plain(3), initialised(4), initialised(5)];
        follow_ups.add(&plain(0), tests);
        assert_eq!(follow_ups.next(), Some(plain(1)));
        assert_eq!(follow_ups.next_initialised(), Some(initialised(2)));
        let order: Vec<_> = std::iter::from_fn(|| follow_ups.next()).collect();
        assert_eq!(order, [plain(3), initialised(4), initialised(5)]);
    }
}
