//! The archive: one population per target.

pub(crate) mod pick;
pub(crate) mod population;

use std::sync::Arc;

use wallace_genes::Rng;

use crate::archive::pick::PickQueue;
use crate::archive::population::{Effort, Entry, Population};
use crate::individual::action::Action;
use crate::problem::evaluated::{Evaluated, Fitness};
use crate::settings::SearchSettings;
use crate::target::index::TargetIndex;
use crate::target::{TargetId, TargetName};

/// What a test changed in the archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    /// Targets covered for the first time.
    pub covered: Vec<TargetId>,
    /// Open targets that the test came nearer to than any before.
    pub improved: Vec<TargetId>,
}

impl Added {
    /// Whether the search is nearer to any of its targets.
    #[must_use]
    pub fn is_progress(&self) -> bool {
        !self.covered.is_empty() || !self.improved.is_empty()
    }
}

/// All populations, and what is needed to choose among them.
#[derive(Debug, Clone)]
pub struct Archive<A: Action> {
    pub(crate) index: TargetIndex,
    pub(crate) populations: Vec<Population<A>>,
    pub(crate) queue: PickQueue,
    pub(crate) covered: Vec<TargetId>,
}

impl<A: Action> Default for Archive<A> {
    fn default() -> Self {
        Self {
            index: TargetIndex::default(),
            populations: Vec::new(),
            queue: PickQueue::default(),
            covered: Vec::new(),
        }
    }
}

impl<A: Action> Archive<A> {
    /// The number of a target in this run, a new one for a name never seen.
    pub(crate) fn intern(&mut self, name: &TargetName) -> TargetId {
        let id = self.index.intern(name);
        if id.index() == self.populations.len() {
            self.populations.push(Population::new());
        }
        id
    }

    /// The numbers of the targets of one test. New ones are numbered in the order of their names: in
    /// which order an evaluator tells them may depend on what it saw before.
    pub(crate) fn intern_all<'n>(
        &mut self,
        names: impl Iterator<Item = &'n TargetName> + Clone,
    ) -> Vec<TargetId> {
        let known: Vec<Option<TargetId>> = names.clone().map(|name| self.find(name)).collect();
        let new = names.clone().zip(&known).filter(|(_, id)| id.is_none());
        let mut new: Vec<&TargetName> = new.map(|(name, _)| name).collect();
        new.sort_unstable();
        for name in new {
            self.intern(name);
        }
        let numbered = known.into_iter().zip(names);
        numbered.map(|(id, name)| id.unwrap_or_else(|| self.intern(name))).collect()
    }

    /// The number of a target; `None` when no evaluation reached it.
    #[must_use]
    pub fn find(&self, name: &TargetName) -> Option<TargetId> {
        self.index.find(name)
    }

    /// Name of a target; `None` for a number of another run.
    #[must_use]
    pub fn name(&self, target: TargetId) -> Option<&TargetName> {
        self.index.name(target)
    }

    /// Number of covered targets.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Number of reached targets, covered ones included.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.populations.len()
    }

    /// Reached targets with their best fitness and best test, in order of discovery.
    pub fn targets(&self) -> impl Iterator<Item = (TargetId, &Fitness, &Arc<Evaluated<A>>)> {
        self.populations.iter().enumerate().filter_map(|(index, population)| {
            let (fitness, best) = population.members().first()?;
            Some((TargetId(index as u32), fitness, best))
        })
    }

    /// Whether a target is covered; not, for a number of another run.
    #[must_use]
    pub fn is_covered(&self, target: TargetId) -> bool {
        self.populations.get(target.index()).is_some_and(Population::is_covered)
    }

    /// The best test of a target; `None` for a number of another run.
    #[must_use]
    pub fn best(&self, target: TargetId) -> Option<&Arc<Evaluated<A>>> {
        self.populations.get(target.index())?.best()
    }

    /// Offers a test to the population of every target it reaches. Every evaluated test passes
    /// here, whatever the search does with it next (docs/reference/search.md#archive).
    pub(crate) fn add(
        &mut self,
        test: &Arc<Evaluated<A>>,
        limit: usize,
        settings: &SearchSettings,
    ) -> Added {
        let mut added = Added::default();
        for reach in &test.fitness {
            let population = &mut self.populations[reach.target.index()];
            match population.offer(test.fitness_of(*reach), test, limit, settings.by_yield) {
                Entry::Refused | Entry::Kept => continue,
                Entry::Progress => added.improved.push(reach.target),
                Entry::Covered => {
                    self.covered.push(reach.target);
                    added.covered.push(reach.target);
                }
            }
            self.queue.update(reach.target, population, settings);
        }
        added
    }

    /// Whether the test would be the best of some target.
    pub(crate) fn would_lead(&self, test: &Evaluated<A>) -> bool {
        test.fitness.iter().any(|reach| {
            let best = self.populations[reach.target.index()].best_fitness();
            best.is_none_or(|best| test.fitness_of(*reach).is_better_than(best))
        })
    }

    /// Chooses a covered target and its test; of two drawn, the one covered later, since code that
    /// was just opened leads on to more.
    pub(crate) fn revisit(&self, rng: &mut Rng) -> Option<(TargetId, Arc<Evaluated<A>>)> {
        let one = *rng.pick(&self.covered)?;
        let other = *rng.pick(&self.covered)?;
        let when = |target: TargetId| self.best(target).map(|test| test.evaluation);
        let target = if when(one) < when(other) { other } else { one };
        Some((target, Arc::clone(self.best(target)?)))
    }

    /// Chooses a target and one of its tests. `None` when nothing is reached and open.
    pub(crate) fn pick(
        &mut self,
        settings: &SearchSettings,
        rng: &mut Rng,
    ) -> Option<(TargetId, Arc<Evaluated<A>>)> {
        let target = self.queue.pick(settings)?;
        let members = self.populations[target.index()].members();
        let (_, test) = rng.pick(members)?;
        Some((target, Arc::clone(test)))
    }

    /// Evaluations spent on a target since it last improved.
    pub(crate) fn spent(&self, target: TargetId) -> u32 {
        self.populations.get(target.index()).map_or(0, |population| population.effort.counter)
    }

    /// Counts an evaluation spent on a target, and whether it improved it.
    pub(crate) fn spend(&mut self, target: TargetId, has_helped: bool, settings: &SearchSettings) {
        let Some(population) = self.populations.get_mut(target.index()) else { return };
        let Effort { counter, total, .. } = &mut population.effort;
        *total = total.saturating_add(1);
        *counter = counter.saturating_add(u32::from(!has_helped));
        self.queue.update(target, population, settings);
    }
}
