//! Evaluated individuals.

use serde::{Deserialize, Serialize};

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};
use crate::target::{Score, TargetId};

/// How a test did on one target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// The target.
    pub target: TargetId,
    /// How near the test came.
    pub score: Score,
    /// Order between equal scores; lower is better.
    pub secondary: f64,
    /// The action that came nearest.
    pub action: Option<ActionId>,
}

/// A test together with what running it gave. Never changed; shared between populations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Evaluated<A: Action> {
    /// The test.
    pub individual: Individual<A>,
    /// Reached targets, ascending by number.
    pub fitness: Vec<Reach>,
    /// Outcome of each action that ran.
    pub outcomes: Vec<A::Outcome>,
    /// Number of the evaluation.
    pub evaluation: u64,
    /// Calls it took.
    pub calls: u64,
    /// Whether targets that are left out were not reached.
    pub is_complete: bool,
    size: usize,
    length: usize,
}

impl<A: Action> Evaluated<A> {
    /// An evaluated individual; `fitness` is put in order.
    pub(crate) fn new(
        individual: Individual<A>,
        mut fitness: Vec<Reach>,
        outcomes: Vec<A::Outcome>,
        evaluation: u64,
        calls: u64,
        is_complete: bool,
    ) -> Self {
        fitness.sort_unstable_by_key(|reach| reach.target);
        let (size, length) = (individual.size(), individual.length());
        Self { individual, fitness, outcomes, evaluation, calls, is_complete, size, length }
    }

    /// How the test did on a target; `None` when it did not reach it, or nobody asked.
    #[must_use]
    pub fn reach(&self, target: TargetId) -> Option<Reach> {
        let found = self.fitness.binary_search_by_key(&target, |reach| reach.target).ok()?;
        Some(self.fitness[found])
    }

    /// The test's fitness on a target; `None` when it did not reach it, or nobody asked.
    #[must_use]
    pub fn fitness_on(&self, target: TargetId) -> Option<Fitness> {
        self.reach(target).map(|reach| self.fitness_of(reach))
    }

    pub(crate) fn fitness_of(&self, reach: Reach) -> Fitness {
        Fitness {
            score: reach.score,
            secondary: reach.secondary,
            size: self.size,
            length: self.length,
        }
    }
}

/// How fit a test is for one target. Ordered: score, then secondary objective, then fewer main
/// actions, then fewer genes (design D9); greater is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitness {
    /// How near the test came.
    pub score: Score,
    /// Secondary objective; lower is better.
    pub secondary: f64,
    /// Main actions.
    pub size: usize,
    /// Genes.
    pub length: usize,
}

impl Fitness {
    /// Whether this is better than `other`.
    #[must_use]
    pub fn is_better_than(&self, other: &Self) -> bool {
        self.order(other) == std::cmp::Ordering::Greater
    }

    /// Whether the score or the secondary objective is better, whatever the size.
    #[must_use]
    pub fn is_progress_over(&self, other: &Self) -> bool {
        self.score > other.score || (self.score == other.score && self.secondary < other.secondary)
    }

    /// The order of fitness.
    #[must_use]
    pub fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.score
            .get()
            .total_cmp(&other.score.get())
            .then(other.secondary.total_cmp(&self.secondary))
            .then(other.size.cmp(&self.size))
            .then(other.length.cmp(&self.length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_score_secondary_size_length() {
        let fitness = |score, secondary, size, length| Fitness {
            score: Score::new(score),
            secondary,
            size,
            length,
        };
        let ascending = [
            fitness(0.2, 0.0, 1, 1),
            fitness(0.5, 9.0, 1, 1),
            fitness(0.5, 1.0, 3, 1),
            fitness(0.5, 1.0, 2, 7),
            fitness(0.5, 1.0, 2, 6),
        ];
        for pair in ascending.windows(2) {
            assert!(pair[1].is_better_than(&pair[0]), "{pair:?}");
            assert!(!pair[0].is_better_than(&pair[1]), "{pair:?}");
        }
        assert!(!fitness(0.5, 1.0, 1, 1).is_progress_over(&fitness(0.5, 1.0, 2, 2)));
    }
}
