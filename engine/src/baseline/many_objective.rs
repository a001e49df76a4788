//! MOSA: all open targets are objectives of one population.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::breeding::Breeding;
use super::dominance::{crowding, fronts};
use crate::archive::Archive;
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;

/// Tests of a population: the value of the paper.
const POPULATION: usize = 50;
/// Probability of crossover: the value of the paper.
const CROSSOVER: f64 = 0.75;
/// Tests of a tournament: the value of EvoSuite, which the paper used.
const TOURNAMENT: usize = 10;

/// Parents, best first, and the children evaluated so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct ManyObjective<A: Action> {
    parents: Vec<Arc<Evaluated<A>>>,
    children: Vec<Arc<Evaluated<A>>>,
}

impl<A: Action> Default for ManyObjective<A> {
    fn default() -> Self {
        Self { parents: Vec::new(), children: Vec::new() }
    }
}

impl<A: Action> ManyObjective<A> {
    pub(crate) fn propose<P: Problem<Action = A>>(
        &mut self,
        breeding: &mut Breeding<'_, P>,
    ) -> Individual<A> {
        if self.parents.is_empty() {
            return breeding.sample();
        }
        let parent = self.select(breeding);
        if !breeding.draw.rng.chance(CROSSOVER) {
            return breeding.mutant(&parent.individual);
        }
        // One point, at the same share of both tests.
        let (one, other) = (&parent.individual, &self.select(breeding).individual);
        let point = breeding.draw.rng.unit();
        let cut = |test: &Individual<A>| (test.actions().len() as f64 * point) as usize;
        let (head, tail) = (cut(one), cut(other));
        let child = breeding.joined(one, head, other, tail);
        breeding.mutant(if child.size() == 0 { one } else { &child })
    }

    /// The best of a few tests drawn.
    fn select<P: Problem<Action = A>>(&self, breeding: &mut Breeding<'_, P>) -> Arc<Evaluated<A>> {
        let draw = |_| breeding.draw.rng.below(self.parents.len());
        let best = (0..TOURNAMENT).map(draw).min().expect("a tournament is not empty");
        Arc::clone(&self.parents[best])
    }

    pub(crate) fn commit(&mut self, test: Option<&Arc<Evaluated<A>>>, archive: &Archive<A>) {
        self.children.extend(test.cloned());
        if self.children.len() < POPULATION {
            return;
        }
        let mut tests = std::mem::take(&mut self.parents);
        tests.append(&mut self.children);
        for front in fronts(&tests, archive, POPULATION) {
            let distances = crowding(&front, &tests, archive);
            let mut order: Vec<usize> = (0..front.len()).collect();
            order.sort_by(|one, other| distances[*other].total_cmp(&distances[*one]));
            let room = POPULATION - self.parents.len();
            let chosen = order.iter().take(room).map(|place| Arc::clone(&tests[front[*place]]));
            self.parents.extend(chosen);
        }
    }
}
