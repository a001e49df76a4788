//! Set cover: which tests the result needs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use crate::archive::Archive;
use crate::individual::action::{Action, ActionId};
use crate::problem::evaluated::{Evaluated, Reach};
use crate::target::TargetId;

/// A test and the targets it is kept for.
pub(crate) type Chosen<A> = (Arc<Evaluated<A>>, Vec<TargetId>);

/// Chooses tests that cover all that is covered (docs/reference/search.md#minimising): the best
/// test of each target that stands alone, for what the same action covers, so that it can be made as small
/// as that; where they are kept apart, of such targets only. Then, greedily, the test that covers most of
/// what is left for each of its actions, so that a long test comes in only where short ones do not do. One
/// that stands for a target of its own already comes in a second time for what its other actions cover.
/// Ties go to the smaller test, then to the earlier one.
pub(crate) fn cover<A: Action>(
    archive: &Archive<A>,
    stands_alone: impl Fn(TargetId) -> bool,
    are_apart: bool,
) -> Vec<Chosen<A>> {
    let mut cover = Cover::new(archive);
    for target in archive.targets().map(|(target, _, _)| target) {
        if !cover.is_open(target) || !stands_alone(target) {
            continue;
        }
        let best = archive.best(target).and_then(|best| cover.place_of(best.evaluation));
        if let Some(place) = best {
            let action = cover.action(place, target);
            let is_wanted = |cover: &Cover<A>, other: TargetId| {
                let is_same = cover.action(place, other) == action;
                other == target
                    || action.map_or(!are_apart, |_| is_same && (!are_apart || stands_alone(other)))
            };
            cover.choose(place, action, is_wanted);
        }
    }
    // What shows nothing but such a target stays as small as it can, where others do for the rest.
    cover.choose_greedily(false);
    cover.choose_greedily(true);
    let tests = cover.chosen.into_iter();
    tests.map(|Entry { place, targets, .. }| (Arc::clone(&cover.tests[place].0), targets)).collect()
}

struct Cover<A: Action> {
    /// Best tests of covered targets, in order of evaluation, with all that each covers.
    tests: Vec<Chosen<A>>,
    is_open: Vec<bool>,
    chosen: Vec<Entry>,
}

/// What a chosen test is kept for.
struct Entry {
    place: usize,
    /// Of which action, where it is kept for one.
    action: Option<ActionId>,
    targets: Vec<TargetId>,
}

impl<A: Action> Cover<A> {
    fn new(archive: &Archive<A>) -> Self {
        let mut is_open = vec![false; archive.reached()];
        let mut best: Vec<&Arc<Evaluated<A>>> = Vec::new();
        for (target, _, test) in
            archive.targets().filter(|(_, fitness, _)| fitness.score.is_covered())
        {
            is_open[target.index()] = true;
            best.push(test);
        }
        best.sort_by_key(|test| test.evaluation);
        best.dedup_by_key(|test| test.evaluation);
        let covered = |test: &Arc<Evaluated<A>>| {
            let is_covered = |reach: &&Reach| reach.score.is_covered();
            test.fitness.iter().filter(is_covered).map(|reach| reach.target).collect()
        };
        let tests = best.into_iter().map(|test| (Arc::clone(test), covered(test))).collect();
        Self { tests, is_open, chosen: Vec::new() }
    }

    fn is_open(&self, target: TargetId) -> bool {
        self.is_open.get(target.index()).copied().unwrap_or(false)
    }

    fn place_of(&self, evaluation: u64) -> Option<usize> {
        self.tests.binary_search_by_key(&evaluation, |(test, _)| test.evaluation).ok()
    }

    /// The action of a test that covers a target.
    fn action(&self, place: usize, target: TargetId) -> Option<ActionId> {
        self.tests[place].0.reach(target)?.action
    }

    /// Chooses a test for those of its open targets that are wanted; `action` is that of all of them, where
    /// they are of one.
    fn choose(
        &mut self,
        place: usize,
        action: Option<ActionId>,
        is_wanted: impl Fn(&Self, TargetId) -> bool,
    ) {
        let (_, covered) = &self.tests[place];
        let is_needed = |target: &TargetId| self.is_open(*target) && is_wanted(self, *target);
        let needed: Vec<TargetId> = covered.iter().copied().filter(is_needed).collect();
        for target in needed {
            self.is_open[target.index()] = false;
            let of = self.action(place, target);
            let fits = |entry: &&mut Entry| {
                let is_any = entry.action.is_none() || of.is_none();
                entry.place == place && (is_any || entry.action == of)
            };
            match self.chosen.iter_mut().find(fits) {
                Some(entry) => entry.targets.push(target),
                None => self.chosen.push(Entry { place, action, targets: vec![target] }),
            }
        }
    }

    /// What a test gains for each action, in thousandths, since integers are the same everywhere.
    fn gain(&self, place: usize) -> usize {
        let (test, covered) = &self.tests[place];
        let open = covered.iter().filter(|target| self.is_open(**target)).count();
        open * 1000 / test.individual.actions().len().max(1)
    }

    /// Chooses tests for what is open, also those that are chosen already where they `may_be_chosen`.
    /// Gains only fall while tests are chosen, so a gain that is still the largest after it was
    /// counted again is the largest of all: most are never counted again.
    fn choose_greedily(&mut self, may_be_chosen: bool) {
        let key = |place: usize, gain: usize| {
            let individual = &self.tests[place].0.individual;
            (gain, Reverse((individual.size(), individual.length(), place)))
        };
        let chosen: HashSet<usize> = self.chosen.iter().map(|entry| entry.place).collect();
        let places = (0..self.tests.len()).filter(|place| may_be_chosen || !chosen.contains(place));
        let mut heap: BinaryHeap<_> = places.map(|place| key(place, self.gain(place))).collect();
        while let Some((gain, Reverse((size, length, place)))) = heap.pop() {
            let now = self.gain(place);
            if now == gain {
                self.choose(place, None, |_, _| true);
            } else if now > 0 {
                heap.push((now, Reverse((size, length, place))));
            }
        }
    }
}
