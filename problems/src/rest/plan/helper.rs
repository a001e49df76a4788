//! Which operations may bring the service into a state in which a call shows something new.

use http::Method;
use wallace_engine::Learnt;
use wallace_genes::{Draw, TemplateId};

use crate::rest::problem::{RestMemory, RestProblem};

/// Probability that what is done first fills a table that the call reads, where a driver tells of
/// tables.
const FED: f64 = 0.5;
/// Probability that what is done first has a word in its path that refusals of the call told.
const TOLD: f64 = 0.6;
/// Probability that something is done first that came before successful calls.
const HELPED: f64 = 0.6;
/// Share of successful calls below which what came before those comes first.
pub(super) const MOSTLY_FAILING: f64 = 0.3;
/// How much seldomer a deletion is done first than something else.
const DELETED: f64 = 0.25;
/// Probability that what is done first is anything at all.
const ANYTHING: f64 = 0.15;

impl RestProblem {
    /// An operation whose call may bring the service into a state in which that of `id` works, or
    /// works otherwise: one that fills a table which it reads, one that came before successful
    /// calls, one of the same kind of thing, or any.
    pub(super) fn helper(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        if let Some(feeder) = self.feeder(id, learnt, draw) {
            return Some(feeder);
        }
        if draw.rng.chance(TOLD)
            && let Some(told) = self.told(id, learnt, draw)
        {
            return Some(told);
        }
        if let Some(record) = learnt.memory.record.get(&id)
            && (!self.is_white_box || record.rate() < MOSTLY_FAILING)
            && draw.rng.chance(HELPED)
        {
            let known: Vec<(&TemplateId, &u32)> =
                record.before.iter().filter(|(before, _)| **before != id).collect();
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
        let weight = |near: &TemplateId| {
            let weight = self.leaving(*near);
            if self.is_white_box { weight * novelty(id, *near, learnt) } else { weight }
        };
        let weights: Vec<f64> = near.iter().map(weight).collect();
        draw.rng.weighted(&weights).map(|index| near[index])
    }

    /// Now and then an operation that fills a table which `id` reads: the rather, the seldomer it came before a
    /// successful call so far. What both touch is where one may make a difference to the other.
    pub(super) fn feeder(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        if !draw.rng.chance(FED) {
            return None;
        }
        let tables = &learnt.memory.tables;
        let read = &tables.get(&id)?.read;
        let fills = |other: &&TemplateId| {
            tables.get(other).is_some_and(|known| !known.written.is_disjoint(read))
        };
        let feeders: Vec<TemplateId> = self.callable.iter().filter(fills).copied().collect();
        let weight = |feeder: &TemplateId| self.leaving(*feeder) * novelty(id, *feeder, learnt);
        let weights: Vec<f64> = feeders.iter().map(weight).collect();
        draw.rng.weighted(&weights).map(|index| feeders[index])
    }

    /// How much rather an operation comes first than another: mostly something is to be there
    /// afterwards.
    pub(super) fn leaving(&self, id: TemplateId) -> f64 {
        if self.templates.operation(id).method == Method::DELETE { DELETED } else { 1.0 }
    }

    /// Whether the operation makes another thing each time it is called.
    pub(super) fn may_follow_itself(&self, id: TemplateId) -> bool {
        self.templates.operation(id).method == Method::POST
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
    pub(in crate::rest) fn neighbours(&self, id: TemplateId) -> Vec<TemplateId> {
        let first = self.templates.operation(id).segments().next();
        let is_near = |other: &&TemplateId| {
            let other = self.templates.operation(**other);
            other.segments().next() == first && !other.method.is_safe()
        };
        self.callable.iter().filter(is_near).copied().collect()
    }
}

/// How seldom an operation came before a successful call of another, from 1 down.
fn novelty(id: TemplateId, before: TemplateId, learnt: &Learnt<RestMemory>) -> f64 {
    let record = learnt.memory.record.get(&id);
    let count = record.and_then(|record| record.before.get(&before)).copied().unwrap_or(0);
    1.0 / (1.0 + f64::from(count) / 4.0)
}
