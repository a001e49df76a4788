//! Which operations may bring the service into a state in which a call shows something new.

use wallace_genes::TemplateId;

use super::Planner;

/// Calls without any success after which an operation is hardly a helper any more, where only answers tell
/// what it changes, and the share of times when it still is.
const IN_VAIN: u32 = 30;
const STILL: f64 = 0.1;

impl Planner<'_> {
    /// An operation whose call may bring the service into a state in which that of `id` works, or
    /// works otherwise.
    pub(super) fn helper(&mut self, id: TemplateId) -> Option<TemplateId> {
        let helper = self.any_helper(id)?;
        let is_vain = !self.operations.is_white_box
            && self.record(helper).is_some_and(|it| it.fruitful == 0 && it.calls >= IN_VAIN);
        (!is_vain || self.chance(STILL)).then_some(helper)
    }

    /// One that fills a table which `id` reads, one that came before successful calls, one of the same kind
    /// of thing, or any.
    fn any_helper(&mut self, id: TemplateId) -> Option<TemplateId> {
        let (operations, settings) = (self.operations, self.settings());
        if let Some(feeder) = self.feeder(id) {
            return Some(feeder);
        }
        if self.chance(settings.told)
            && let Some(told) = self.told(id)
        {
            return Some(told);
        }
        if let Some(record) = self.record(id)
            && (!operations.is_white_box || record.rate() < settings.mostly_failing)
            && self.chance(settings.helped)
        {
            let known: Vec<(&TemplateId, &u32)> =
                record.before.iter().filter(|(before, _)| **before != id).collect();
            let weights: Vec<f64> = known.iter().map(|(_, count)| f64::from(**count)).collect();
            if let Some(index) = self.draw.rng.weighted(&weights) {
                return Some(*known[index].0);
            }
        }
        if self.chance(settings.anything) {
            let is_change = |id: &&TemplateId| !operations.get(**id).method.is_safe();
            let changes: Vec<TemplateId> =
                operations.callable.iter().filter(is_change).copied().collect();
            return self.draw.rng.pick(&changes).copied();
        }
        let is_told = operations.is_white_box;
        let novelty = |near| if is_told { self.novelty(id, near) } else { 1.0 };
        let near = operations.neighbours(id);
        let weights: Vec<f64> =
            near.iter().map(|near| operations.leaving(*near) * novelty(*near)).collect();
        self.draw.rng.weighted(&weights).map(|index| near[index])
    }

    /// Now and then an operation that fills a table which `id` reads: the rather, the seldomer it
    /// came before a successful call so far. What both touch is where one may make a difference to
    /// the other.
    pub(super) fn feeder(&mut self, id: TemplateId) -> Option<TemplateId> {
        if !self.chance(self.settings().fed) {
            return None;
        }
        let tables = &self.learnt.memory.tables;
        let read = &tables.get(&id)?.read;
        let fills = |other: &&TemplateId| {
            tables.get(other).is_some_and(|known| !known.written.is_disjoint(read))
        };
        let callable = self.operations.callable.iter();
        let feeders: Vec<TemplateId> = callable.filter(fills).copied().collect();
        let weight =
            |feeder: &TemplateId| self.operations.leaving(*feeder) * self.novelty(id, *feeder);
        let weights: Vec<f64> = feeders.iter().map(weight).collect();
        self.draw.rng.weighted(&weights).map(|index| feeders[index])
    }

    /// An operation that changes what refusals of the call speak of.
    fn told(&mut self, id: TemplateId) -> Option<TemplateId> {
        let told: Vec<(&Box<str>, &u32)> = self.learnt.memory.words.get(&id)?.iter().collect();
        // One refusal may be as common as another is rare and telling.
        let weights: Vec<f64> = told.iter().map(|(_, count)| f64::from(**count).sqrt()).collect();
        let (word, _) = told[self.draw.rng.weighted(&weights)?];
        self.draw.rng.pick(self.operations.resources.changes(word)).copied()
    }

    /// How seldom an operation came before a successful call of another, from 1 down.
    fn novelty(&self, id: TemplateId, before: TemplateId) -> f64 {
        let count = self.record(id).and_then(|record| record.before.get(&before));
        1.0 / (1.0 + f64::from(count.copied().unwrap_or(0)) / 4.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use crate::rest::memory::{Record, RestMemory};
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn what_never_went_well_is_hardly_a_helper() {
        let problem = problem("{/a: {get: {}, post: {}}}", 0);
        let (get, post) = (named(&problem, "GET:/a"), named(&problem, "POST:/a"));
        let helped = |calls: u32, fruitful: u32| {
            let mut learnt: Learnt<RestMemory> = Learnt::default();
            learnt.memory.record.insert(post, Record { calls, fruitful, ..Record::default() });
            let mut draw = Draw::new(1, 1, Arc::default());
            let mut planner = problem.planner(&learnt, &mut draw);
            (0..200).filter(|_| planner.helper(get) == Some(post)).count()
        };
        assert!(helped(29, 0) > 50 && helped(300, 1) > 50);
        assert!(helped(30, 0) < helped(29, 0) / 4);
    }
}
