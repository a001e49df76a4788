//! Populations: the tests kept for one target.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::individual::action::Action;
use crate::problem::evaluated::{Evaluated, Fitness};

/// What offering a test to a population did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Not kept.
    Refused,
    /// Kept, without progress on the target.
    Kept,
    /// Kept, and nearer to the target than any before.
    Progress,
    /// The target is covered for the first time.
    Covered,
}

/// The tests kept for one target, best first.
///
/// At most as many as the schedule allows at the moment; exactly one once the target is covered
/// (*shrink on cover*).
#[derive(Debug, Clone)]
pub(crate) struct Population<A: Action> {
    members: Vec<(Fitness, Arc<Evaluated<A>>)>,
    is_covered: bool,
    pub(crate) effort: Effort,
}

/// Evaluations that a target took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Effort {
    /// Those since it last improved.
    pub(crate) counter: u32,
    /// The counter at the last improvement.
    pub(crate) last: Option<u32>,
    /// All of them.
    pub(crate) total: u32,
}

impl<A: Action> Population<A> {
    pub(crate) fn new() -> Self {
        Self { members: Vec::new(), is_covered: false, effort: Effort::default() }
    }

    /// The population that a snapshot holds; its members best first.
    pub(crate) fn restored(members: Vec<(Fitness, Arc<Evaluated<A>>)>, effort: Effort) -> Self {
        let is_covered = members.first().is_some_and(|(fitness, _)| fitness.score.is_covered());
        Self { members, is_covered, effort }
    }

    pub(crate) fn is_covered(&self) -> bool {
        self.is_covered
    }

    pub(crate) fn best(&self) -> Option<&Arc<Evaluated<A>>> {
        self.members.first().map(|(_, member)| member)
    }

    pub(crate) fn best_fitness(&self) -> Option<&Fitness> {
        self.members.first().map(|(fitness, _)| fitness)
    }

    pub(crate) fn members(&self) -> &[(Fitness, Arc<Evaluated<A>>)] {
        &self.members
    }

    /// Offers a test. An equally good one replaces the worst: neutral drift is wanted
    /// (docs/reference/search.md#archive).
    pub(crate) fn offer(
        &mut self,
        fitness: Fitness,
        test: &Arc<Evaluated<A>>,
        limit: usize,
        by_yield: bool,
    ) -> Entry {
        if fitness.score.is_covered() {
            return self.cover(fitness, test);
        }
        if self.is_covered {
            return Entry::Refused;
        }
        self.members.truncate(limit);
        let before = self.best_fitness().copied();
        if self.members.len() == limit {
            match self.members.last() {
                Some((worst, _)) if worst.is_better_than(&fitness) => return Entry::Refused,
                _ => self.members.pop(),
            };
        }
        // Without `by_yield` an equal that took the place of the only one counts, too.
        let best = if by_yield { before } else { self.best_fitness().copied() };
        let is_progress = best.is_none_or(|best| fitness.is_progress_over(&best));
        // Newcomers stand before their equals, so that the oldest of the worst goes first.
        let place = self.members.partition_point(|(other, _)| other.is_better_than(&fitness));
        self.members.insert(place, (fitness, Arc::clone(test)));
        if is_progress { self.improved() } else { Entry::Kept }
    }

    fn cover(&mut self, fitness: Fitness, test: &Arc<Evaluated<A>>) -> Entry {
        let is_first = !self.is_covered;
        if !is_first && self.best_fitness().is_some_and(|best| !fitness.is_better_than(best)) {
            return Entry::Refused;
        }
        self.members = vec![(fitness, Arc::clone(test))];
        self.is_covered = true;
        if is_first { Entry::Covered } else { Entry::Kept }
    }

    fn improved(&mut self) -> Entry {
        // Opening the population is not an improvement (docs/reference/search.md#archive).
        if self.members.len() > 1 || self.effort.counter > 0 {
            self.effort.last = Some(self.effort.counter);
        }
        self.effort.counter = 0;
        Entry::Progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individual::Individual;
    use crate::target::Score;
    use crate::testing::Step;

    fn test_of(size: usize) -> Arc<Evaluated<Step>> {
        let individual = Individual::new((0..size).map(|_| Step::integer(0)));
        Arc::new(Evaluated::new(individual, Vec::new(), Vec::new(), 0, 0, true))
    }

    fn fitness(score: f64, size: usize) -> Fitness {
        Fitness { score: Score::new(score), secondary: 0.0, size, length: size }
    }

    fn offer(population: &mut Population<Step>, score: f64, size: usize, limit: usize) -> Entry {
        population.offer(fitness(score, size), &test_of(size), limit, true)
    }

    #[test]
    fn the_worst_makes_room_for_the_better_and_the_equal() {
        let mut population = Population::new();
        for score in [0.1, 0.3, 0.2] {
            offer(&mut population, score, 1, 3);
        }
        assert_eq!(offer(&mut population, 0.05, 1, 3), Entry::Refused);
        assert_eq!(offer(&mut population, 0.1, 1, 3), Entry::Kept);
        assert_eq!(offer(&mut population, 0.4, 1, 3), Entry::Progress);
        let scores: Vec<f64> =
            population.members().iter().map(|(fitness, _)| fitness.score.get()).collect();
        assert_eq!(scores, [0.4, 0.3, 0.2]);
    }

    #[test]
    fn covering_leaves_one_test_and_only_a_shorter_one_replaces_it() {
        let mut population = Population::new();
        offer(&mut population, 0.4, 1, 3);
        offer(&mut population, 0.5, 1, 3);
        assert_eq!(offer(&mut population, 1.0, 3, 3), Entry::Covered);
        assert_eq!(population.members().len(), 1);
        assert_eq!(offer(&mut population, 0.9, 1, 3), Entry::Refused);
        assert_eq!(offer(&mut population, 1.0, 3, 3), Entry::Refused);
        assert_eq!(offer(&mut population, 1.0, 2, 3), Entry::Kept);
        assert_eq!(population.best_fitness().map(|fitness| fitness.size), Some(2));
    }

    #[test]
    fn a_smaller_limit_cuts_the_worst() {
        let mut population = Population::new();
        for score in [0.1, 0.2, 0.3, 0.4] {
            offer(&mut population, score, 1, 10);
        }
        assert_eq!(offer(&mut population, 0.35, 1, 2), Entry::Kept);
        assert_eq!(population.members().len(), 2);
    }

    #[test]
    fn an_equal_in_place_of_the_only_one_is_no_progress() {
        let mut population = Population::new();
        assert_eq!(offer(&mut population, 0.4, 1, 1), Entry::Progress);
        assert_eq!(offer(&mut population, 0.4, 1, 1), Entry::Kept);
        assert_eq!(offer(&mut population, 0.4, 2, 1), Entry::Refused);
        assert_eq!(offer(&mut population, 0.5, 2, 1), Entry::Progress);
    }

    #[test]
    fn opening_is_no_improvement() {
        let mut population = Population::new();
        offer(&mut population, 0.1, 1, 3);
        assert_eq!(population.effort.last, None);
        population.effort.counter = 7;
        offer(&mut population, 0.2, 1, 3);
        assert_eq!((population.effort.last, population.effort.counter), (Some(7), 0));
    }
}
