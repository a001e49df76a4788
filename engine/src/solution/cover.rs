//! Set cover: which tests the result needs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::archive::Archive;
use crate::individual::action::Action;
use crate::problem::evaluated::{Evaluated, Reach};
use crate::target::TargetId;

/// A test and the targets it is kept for.
pub(crate) type Chosen<A> = (Arc<Evaluated<A>>, Vec<TargetId>);

/// Chooses tests that cover all that is covered (search-mio.md 14.11): the best test of each target
/// that stands alone; then, greedily, the test that covers most of what is left for each of its
/// actions, so that a long test comes in only where short ones do not do. Ties go to the smaller
/// test, then to the earlier one.
pub(crate) fn cover<A: Action>(
    archive: &Archive<A>,
    stands_alone: impl Fn(TargetId) -> bool,
) -> Vec<Chosen<A>> {
    let mut cover = Cover::new(archive);
    for target in archive.targets().map(|(target, _, _)| target) {
        if cover.is_open(target) && stands_alone(target) {
            let best = archive.best(target).and_then(|best| cover.place_of(best.evaluation));
            best.into_iter().for_each(|place| cover.choose(place));
        }
    }
    cover.choose_greedily();
    cover.chosen
}

struct Cover<A: Action> {
    /// Best tests of covered targets, in order of evaluation, with all that each covers.
    tests: Vec<Chosen<A>>,
    is_open: Vec<bool>,
    chosen: Vec<Chosen<A>>,
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

    fn choose(&mut self, place: usize) {
        let (test, covered) = &self.tests[place];
        let needed: Vec<TargetId> =
            covered.iter().copied().filter(|target| self.is_open(*target)).collect();
        needed.iter().for_each(|target| self.is_open[target.index()] = false);
        if !needed.is_empty() {
            self.chosen.push((Arc::clone(test), needed));
        }
    }

    /// What a test gains for each action, in thousandths, since integers are the same everywhere.
    fn gain(&self, place: usize) -> usize {
        let (test, covered) = &self.tests[place];
        let open = covered.iter().filter(|target| self.is_open(**target)).count();
        open * 1000 / test.individual.actions().len().max(1)
    }

    /// Gains only fall while tests are chosen, so a gain that is still the largest after it was
    /// counted again is the largest of all: most are never counted again.
    fn choose_greedily(&mut self) {
        let key = |place: usize, gain: usize| {
            let individual = &self.tests[place].0.individual;
            (gain, Reverse((individual.size(), individual.length(), place)))
        };
        let mut heap: BinaryHeap<_> =
            (0..self.tests.len()).map(|place| key(place, self.gain(place))).collect();
        while let Some((gain, Reverse((size, length, place)))) = heap.pop() {
            let now = self.gain(place);
            if now == gain {
                self.choose(place);
            } else if now > 0 {
                heap.push((now, Reverse((size, length, place))));
            }
        }
    }
}
