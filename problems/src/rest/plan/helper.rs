//! Which operations may bring the service into a state in which a call shows something new.

use std::collections::BTreeSet;

use http::Method;
use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, TemplateId};

use crate::rest::action::RestAction;
use crate::rest::problem::{RestMemory, RestProblem};
use crate::rest::resource::Creation;

/// Probability that what is done first fills a table that the call reads, where a driver tells of
/// tables.
const FED: f64 = 0.7;
/// Probability that what is done first has a word in its path that refusals of the call told.
const TOLD: f64 = 0.6;
/// Probability that something is done first that came before successful calls.
const HELPED: f64 = 0.6;
/// Probability that what is done first is anything at all.
const ANYTHING: f64 = 0.15;

impl RestProblem {
    /// An operation whose call may bring the service into a state in which that of `id` works, or
    /// works otherwise: one that fills a table which it reads, one that came before successful
    /// calls, one of the same kind of thing, or any.
    pub(super) fn helper(
        &self,
        id: TemplateId,
        plan: &Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        if draw.rng.chance(FED)
            && let Some(feeder) = self.feeder(id, plan, learnt, draw)
        {
            return Some(feeder);
        }
        if draw.rng.chance(TOLD)
            && let Some(told) = self.told(id, learnt, draw)
        {
            return Some(told);
        }
        if let Some(record) = learnt.memory.record.get(&id)
            && draw.rng.chance(HELPED)
        {
            let known: Vec<(&TemplateId, &u32)> = record.before.iter().collect();
            let weights: Vec<f64> = known.iter().map(|(_, count)| f64::from(**count)).collect();
            if let Some(index) = draw.rng.weighted(&weights) {
                return Some(*known[index].0);
            }
        }
        if draw.rng.chance(ANYTHING) {
            let is_change = |id: &&TemplateId| !self.templates.operation(**id).method.is_safe();
            let changes: Vec<TemplateId> =
                self.callable.iter().filter(is_change).copied().collect();
            return draw.rng.pick(&changes).copied();
        }
        let near = self.neighbours(id);
        // Mostly something is to be there afterwards.
        let weight = |id: &TemplateId| match self.templates.operation(*id).method {
            Method::DELETE => 0.25,
            _ => 1.0,
        };
        let weights: Vec<f64> = near.iter().map(weight).collect();
        draw.rng.weighted(&weights).map(|index| near[index])
    }

    /// An operation that fills a table which `id` reads: best one that neither the calls of the
    /// plan fill nor those that make what the path names, since nobody else would.
    fn feeder(
        &self,
        id: TemplateId,
        plan: &Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        let tables = &learnt.memory.tables;
        let read = &tables.get(&id)?.read;
        let written = |by: TemplateId| tables.get(&by).into_iter().flat_map(|known| &known.written);
        let mut filled: BTreeSet<&str> = BTreeSet::new();
        for (_, call) in plan.actions() {
            filled.extend(written(call.template).map(|table| &**table));
        }
        for need in self.resources.needs(id) {
            for creation in &need.thing.creations {
                let (Creation::Answered(by) | Creation::Chosen(by)) = creation;
                filled.extend(written(*by).map(|table| &**table));
            }
        }
        let can_fill = |table: &str| {
            let mut others = self.callable.iter().filter(|other| **other != id);
            others.any(|other| written(*other).any(|known| **known == *table))
        };
        let fed: Vec<&str> = read.iter().map(|table| &**table).filter(|t| can_fill(t)).collect();
        let open: Vec<&str> = fed.iter().copied().filter(|table| !filled.contains(table)).collect();
        let table = *draw.rng.pick(if open.is_empty() { &fed } else { &open })?;
        let fills = |other: &&TemplateId| written(**other).any(|known| **known == *table);
        let feeders: Vec<TemplateId> = self.callable.iter().filter(fills).copied().collect();
        draw.rng.pick(&feeders).copied()
    }

    /// An operation that changes what refusals of the call speak of.
    fn told(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        let told: Vec<(&Box<str>, &u32)> = learnt.memory.words.get(&id)?.iter().collect();
        // One refusal may be as common as another is rare and telling.
        let weights: Vec<f64> = told.iter().map(|(_, count)| f64::from(**count).sqrt()).collect();
        let (word, _) = told[draw.rng.weighted(&weights)?];
        draw.rng.pick(self.resources.changes(word)).copied()
    }

    /// Operations that change something below the same first segment of the path.
    pub(super) fn neighbours(&self, id: TemplateId) -> Vec<TemplateId> {
        let first = self.templates.operation(id).segments().next();
        let is_near = |other: &&TemplateId| {
            let other = self.templates.operation(**other);
            other.segments().next() == first && !other.method.is_safe()
        };
        self.callable.iter().filter(is_near).copied().collect()
    }
}
