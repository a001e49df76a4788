//! Limits: tests that stand on them, and tests one step behind them.
//!
//! A test that only covers one side of a condition stands anywhere on it. Where the limit is, only
//! its two neighbours show. Where the driver tells what was compared, an argument is moved to the
//! limit at once; one step at each argument finds what nobody tells of.

use std::collections::{BTreeMap, BTreeSet};

use wallace_engine::{Action, Individual, TargetName};
use wallace_genes::{Gene, check};
use wallace_sut_driver::DecisionValues;

use super::neighbour::{moved, steps};
use super::{CalledBy, Seen, Sharpening};
use crate::service_family::ServiceFamily;

/// Most tests behind boundaries that one test leads to.
const BEHIND: usize = 3;

/// Most tests that stand on one limit and are answered differently.
const ON: usize = 2;

/// What ran on both sides of a boundary, by operation.
type Crossed = BTreeSet<(u32, BTreeSet<TargetName>, BTreeSet<TargetName>)>;

impl<P: ServiceFamily> Sharpening<'_, P> {
    /// Remembers on which limits a test stands.
    pub(super) fn note_limits(&mut self, seen: &Seen<P>) {
        let Some(answer) = seen.answer() else { return };
        for side in limits(&seen.values) {
            self.on_limit.entry(side.to_owned()).or_default().insert(answer.clone());
        }
    }

    /// Adds tests that stand on a limit and are answered as the test that came near it.
    pub(super) fn stand_on_limits(&mut self) {
        let mut added: BTreeMap<String, usize> = BTreeMap::new();
        for place in 0..self.tests.len() {
            let Some(seen) = &self.tests[place].seen else { continue };
            let Some(answer) = seen.answer().filter(|_| !seen.has_fault()) else { continue };
            let near: Vec<(String, f64, f64)> = seen.values.iter().filter_map(distant).collect();
            for (side, left, right) in near {
                if self.is_over() {
                    return;
                }
                let known = self.on_limit.get(&side);
                let is_known = known.is_some_and(|answers| answers.contains(&answer));
                let added = added.entry(side.clone()).or_default();
                if is_known || *added == ON {
                    continue;
                }
                let mut genes = self.with_values(place, |gene| moved(gene, left, right));
                genes.extend(self.with_values(place, |gene| moved(gene, right, left)));
                for individual in genes {
                    let Some(seen) = self.observe(&individual) else { continue };
                    let is_on = limits(&seen.values).any(|limit| limit == side);
                    if is_on && seen.answer().as_ref() == Some(&answer) && !seen.has_fault() {
                        self.add(individual, seen);
                        *added += 1;
                        break;
                    }
                }
            }
        }
    }

    /// Adds tests one step away that run other code and are answered otherwise.
    pub(super) fn cross_boundaries(&mut self) {
        let mut crossed = Crossed::new();
        for place in 0..self.tests.len() {
            if self.is_over() {
                return;
            }
            self.cross_from(place, &mut crossed);
        }
    }

    fn cross_from(&mut self, place: usize, crossed: &mut Crossed) {
        let Some(here) = &self.tests[place].seen else { return };
        let (covered, answer) = (here.covered.clone(), here.answer());
        let Some((_, last)) = self.tests[place].individual.actions().last() else { return };
        let template = last.template().0;
        let mut found = 0;
        for individual in self.with_values(place, steps) {
            if found == BEHIND || self.is_over() {
                return;
            }
            let Some(seen) = self.observe(&individual) else { continue };
            let is_behind = seen.covered != covered && seen.answer() != answer && !seen.has_fault();
            // Two ways over a boundary to the same code show it once from each side.
            if is_behind && crossed.insert((template, covered.clone(), seen.covered.clone())) {
                self.add(individual, seen);
                found += 1;
            }
        }
    }

    /// A test of one call with other values, those that the operation allows.
    fn with_values(
        &self,
        place: usize,
        change: impl Fn(&Gene) -> Vec<Gene>,
    ) -> Vec<Individual<CalledBy<P>>> {
        let individual = &self.tests[place].individual;
        // Among several calls a value may belong to another call, and move away from it.
        let [(_, action)] = individual.actions() else { return Vec::new() };
        let spec = self.problem.spec(action.template());
        let genes = change(action.gene()).into_iter().filter(|gene| check(&spec, gene).is_ok());
        let tests = genes.map(|gene| {
            let mut other = individual.clone();
            *other.action_mut(0).gene_mut() = gene;
            other
        });
        tests.collect()
    }
}

/// The sides of decisions on whose limit a test stands: both operands are the same.
fn limits(values: &[DecisionValues]) -> impl Iterator<Item = &str> {
    let is_on = |values: &&DecisionValues| values.is_order() && values.left == values.right;
    values.iter().filter(is_on).map(|values| values.target.as_str())
}

/// Side and operands of a comparison of two different numbers.
fn distant(values: &DecisionValues) -> Option<(String, f64, f64)> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let (left, right) = (number(&values.left)?, number(&values.right)?);
    (values.is_order() && values.left != values.right).then(|| (values.target.clone(), left, right))
}
