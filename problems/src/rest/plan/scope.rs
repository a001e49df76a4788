//! Tests about few things: many calls that all mean the same two of a kind.
//!
//! What goes wrong between things mostly shows with two of each already, when enough calls are
//! about them (the small scope hypothesis of Jackson 2006, Software Abstractions). A test that
//! makes new things for its calls has no calls left when the first two of them meet.

use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, TemplateId};

use super::known::Known;
use crate::rest::action::RestAction;
use crate::rest::problem::{RestMemory, RestProblem};

/// Probability that a further call comes before the last one, while the test has room for it.
const FURTHER: f64 = 0.9;

impl RestProblem {
    /// A call of the operation after others that change something near it, all about few things.
    pub(super) fn plan_about_few(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        let mut plan = Individual::new([]);
        let mut known = Known::of_few();
        let near = self.neighbours(id);
        let weight = |near: &TemplateId| self.leaving(*near) * self.involved(*near, learnt);
        let weights: Vec<f64> = near.iter().map(weight).collect();
        while plan.size() + 1 < self.max_size && draw.rng.chance(FURTHER) {
            let feeder = self.feeder(id, learnt, draw);
            let any = || draw.rng.weighted(&weights).map(|place| near[place]);
            let Some(before) = feeder.or_else(any) else { break };
            self.append(&mut plan, before, &mut known, learnt, draw, 1);
        }
        self.append(&mut plan, id, &mut known, learnt, draw, 1);
        plan
    }

    /// How much a call has to do with: what its path names, and tables that it reads.
    pub(super) fn involved(&self, id: TemplateId, learnt: &Learnt<RestMemory>) -> f64 {
        let read = learnt.memory.tables.get(&id).map_or(0, |known| known.read.len());
        (1 + self.resources.needs(id).len() + read) as f64
    }
}
