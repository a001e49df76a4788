//! Tests about few things: many calls that all mean the same two of a kind.
//!
//! What goes wrong between things mostly shows with two of each already, when enough calls are
//! about them (the small scope hypothesis of Jackson 2006, Software Abstractions). A test that
//! makes new things for its calls has no calls left when the first two of them meet.

use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::{Known, Planner};
use crate::rest::action::RestAction;

impl Planner<'_> {
    /// A call of the operation after others that change something near it, all about few things.
    pub(super) fn plan_about_few(&mut self, id: TemplateId) -> Individual<RestAction> {
        let operations = self.operations;
        let mut plan = Individual::new([]);
        let mut known = Known::of_few();
        let near = operations.neighbours(id);
        let weight = |near: &TemplateId| operations.leaving(*near) * self.involved(*near);
        let weights: Vec<f64> = near.iter().map(weight).collect();
        while plan.size() + 1 < operations.max_size && self.chance(self.settings().further) {
            let any = |place: usize| near[place];
            let before = self.feeder(id).or_else(|| self.draw.rng.weighted(&weights).map(any));
            let Some(before) = before else { break };
            self.append(&mut plan, before, &mut known, 1);
        }
        self.append(&mut plan, id, &mut known, 1);
        plan
    }

    /// How much a call has to do with: what its path names, and tables that it reads.
    pub(in crate::rest) fn involved(&self, id: TemplateId) -> f64 {
        let read = self.learnt.memory.tables.get(&id).map_or(0, |known| known.read.len());
        (1 + self.operations.resources.needs(id).len() + read) as f64
    }
}
