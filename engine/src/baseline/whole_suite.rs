//! Whole test suites as individuals of a genetic algorithm.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::breeding::Breeding;
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::target::TargetId;

/// Suites of a population: the value of the paper.
const POPULATION: usize = 80;
/// Probability of crossover: the value of the paper.
const CROSSOVER: f64 = 0.75;
/// Bias of the selection by rank: the value of the paper.
const BIAS: f64 = 1.7;
/// Probability of one more new test, again and again: the value of the paper.
const INSERTION: f64 = 0.1;
/// Most tests of a suite that is sampled.
const SAMPLED: usize = 10;
/// Most tests of a suite: the value of the paper.
const LARGEST: usize = 100;

/// The population, and the suites of the next one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct WholeSuite<A: Action> {
    /// Best first.
    parents: Vec<Suite<A>>,
    next: Vec<Suite<A>>,
    /// Suites some of whose tests are still to be evaluated, oldest first.
    broods: VecDeque<Brood<A>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
struct Suite<A: Action> {
    tests: Vec<Arc<Evaluated<A>>>,
    /// Sum over all targets of the best score.
    fitness: f64,
    /// Actions of all tests.
    length: usize,
}

/// A suite in the making.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
struct Brood<A: Action> {
    done: Vec<Arc<Evaluated<A>>>,
    to_propose: VecDeque<Individual<A>>,
    /// Tests proposed and not yet evaluated.
    out: usize,
    /// The better parent, which survives instead of a worse child.
    parent: Option<Suite<A>>,
}

impl<A: Action> Default for WholeSuite<A> {
    fn default() -> Self {
        Self { parents: Vec::new(), next: Vec::new(), broods: VecDeque::new() }
    }
}

impl<A: Action> Suite<A> {
    fn new(tests: Vec<Arc<Evaluated<A>>>) -> Self {
        let mut best: BTreeMap<TargetId, f64> = BTreeMap::new();
        for reach in tests.iter().flat_map(|test| &test.fitness) {
            let known = best.entry(reach.target).or_insert(0.0);
            *known = known.max(reach.score.get());
        }
        let length = tests.iter().map(|test| test.individual.size()).sum();
        Self { tests, fitness: best.values().sum(), length }
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.fitness.total_cmp(&other.fitness).then(other.length.cmp(&self.length))
    }
}

impl<A: Action> Brood<A> {
    fn new(to_propose: VecDeque<Individual<A>>) -> Self {
        Self { done: Vec::new(), to_propose, out: 0, parent: None }
    }

    fn survivor(self) -> Suite<A> {
        let child = Suite::new(self.done);
        let is_worse = |parent: &Suite<A>| child.order(parent) == std::cmp::Ordering::Less;
        self.parent.filter(is_worse).unwrap_or(child)
    }
}

impl<A: Action> WholeSuite<A> {
    pub(crate) fn propose<P: Problem<Action = A>>(
        &mut self,
        breeding: &mut Breeding<'_, P>,
    ) -> Individual<A> {
        if self.broods.back().is_none_or(|brood| brood.to_propose.is_empty()) {
            self.breed(breeding);
        }
        let brood = self.broods.back_mut().expect("one was just bred");
        brood.out += 1;
        brood.to_propose.pop_front().unwrap_or_else(|| breeding.sample())
    }

    /// Adds a brood with at least one test to propose.
    fn breed<P: Problem<Action = A>>(&mut self, breeding: &mut Breeding<'_, P>) {
        // Offspring without a new test costs nothing; of the few tries one has one.
        for _ in 0..100 {
            let brood = self.brood(breeding);
            if !brood.to_propose.is_empty() {
                self.broods.push_back(brood);
                return;
            }
        }
        let to_propose = [breeding.sample()].into();
        self.broods.push_back(Brood::new(to_propose));
    }

    fn brood<P: Problem<Action = A>>(&self, breeding: &mut Breeding<'_, P>) -> Brood<A> {
        if self.parents.is_empty() {
            let count = 1 + breeding.draw.rng.below(SAMPLED);
            let to_propose = (0..count).map(|_| breeding.sample()).collect();
            return Brood::new(to_propose);
        }
        let (one, other) = (self.select(breeding), self.select(breeding));
        let tests = if breeding.draw.rng.chance(CROSSOVER) {
            let point = breeding.draw.rng.unit();
            let cut = |suite: &Suite<A>| (suite.tests.len() as f64 * point) as usize;
            let (head, tail) = (&one.tests[..cut(one)], &other.tests[cut(other)..]);
            head.iter().chain(tail).take(LARGEST).cloned().collect()
        } else {
            one.tests.clone()
        };
        let parent = if one.order(other) == std::cmp::Ordering::Less { other } else { one };
        Brood { parent: Some(parent.clone()), ..mutated(tests, breeding) }
    }

    /// A suite drawn by rank (Whitley 1989, as the paper).
    fn select<P: Problem<Action = A>>(&self, breeding: &mut Breeding<'_, P>) -> &Suite<A> {
        let draw = breeding.draw.rng.unit();
        let root = libm::sqrt(BIAS * BIAS - 4.0 * (BIAS - 1.0) * draw);
        let place = self.parents.len() as f64 * (BIAS - root) / 2.0 / (BIAS - 1.0);
        &self.parents[(place as usize).min(self.parents.len() - 1)]
    }

    pub(crate) fn commit(&mut self, test: Option<&Arc<Evaluated<A>>>) {
        let Some(brood) = self.broods.iter_mut().find(|brood| brood.out > 0) else { return };
        brood.out -= 1;
        brood.done.extend(test.cloned());
        while let Some(brood) = self.broods.front()
            && brood.out == 0
            && brood.to_propose.is_empty()
        {
            self.next.extend(self.broods.pop_front().map(Brood::survivor));
        }
        if self.next.len() + 1 >= POPULATION {
            self.replace();
        }
    }

    /// The next generation: the new suites and the best of the old ones.
    fn replace(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.extend(self.parents.drain(..).take(1));
        next.sort_by(|one, other| other.order(one));
        self.parents = next;
    }
}

/// Mutates each test with a probability of one in their number, and adds new ones.
fn mutated<P: Problem>(
    tests: Vec<Arc<Evaluated<P::Action>>>,
    breeding: &mut Breeding<'_, P>,
) -> Brood<P::Action> {
    let rate = 1.0 / tests.len().max(1) as f64;
    let mut brood = Brood::new(VecDeque::new());
    for test in tests {
        if breeding.draw.rng.chance(rate) {
            brood.to_propose.push_back(breeding.mutant(&test.individual));
        } else {
            brood.done.push(test);
        }
    }
    while brood.done.len() + brood.to_propose.len() < LARGEST && breeding.draw.rng.chance(INSERTION)
    {
        brood.to_propose.push_back(breeding.sample());
    }
    brood
}
