//! Shrinking: one test made smaller while it covers what it is kept for.
//!
//! In the manner of Hypothesis: every candidate is smaller in shortlex order, fewer actions first,
//! then fewer and simpler genes, so that taking whatever still covers the targets ends. Candidates
//! depend on nothing but the test and earlier answers.

use std::collections::HashSet;
use std::sync::Arc;

use wallace_genes::{Gene, simpler};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::individual::fingerprint::fingerprint;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::settings::SearchSettings;
use crate::target::TargetId;

/// A test that is being made smaller.
pub(crate) struct Shrinker<A: Action> {
    /// The smallest form so far that covers the targets.
    pub(crate) test: Arc<Evaluated<A>>,
    /// The targets it must cover.
    pub(crate) targets: Vec<TargetId>,
    stage: Stage,
    has_changed: bool,
    tried: HashSet<u64>,
}

/// What is tried next.
enum Stage {
    /// Leaving out the first or the second half of the actions.
    Half { is_second: bool },
    /// Leaving out the action before this place, the last first.
    Single { before: usize },
    /// Leaving out the steps of initialisation before this place: all, then each, the last first.
    Initialisation { before: Option<usize> },
    /// Simpler genes of the action at this place; behind the last one, of the initialisation.
    Gene { place: usize, candidates: Box<dyn Iterator<Item = Gene>> },
    /// Nothing: a whole pass changed nothing.
    Done,
}

impl<A: Action> Shrinker<A> {
    pub(crate) fn new(test: Arc<Evaluated<A>>, targets: Vec<TargetId>) -> Self {
        let stage = Stage::Half { is_second: false };
        Self { test, targets, stage, has_changed: false, tried: HashSet::new() }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// The next smaller form to try; `None` when none is left, of actions only when `only_actions`.
    pub(crate) fn next<P: Problem<Action = A>>(
        &mut self,
        problem: &P,
        settings: &SearchSettings,
        only_actions: bool,
    ) -> Option<Individual<A>> {
        loop {
            if self.is_done() || (only_actions && matches!(self.stage, Stage::Gene { .. })) {
                return None;
            }
            let candidate = self.step(problem, settings);
            if let Some(candidate) = candidate
                && self.tried.insert(fingerprint(&candidate))
            {
                return Some(candidate);
            }
        }
    }

    /// Moves on by one step; the candidate there, if there is one.
    fn step<P: Problem<Action = A>>(
        &mut self,
        problem: &P,
        settings: &SearchSettings,
    ) -> Option<Individual<A>> {
        let individual = &self.test.individual;
        let count = individual.actions().len();
        match &mut self.stage {
            Stage::Half { is_second } => {
                let places = if *is_second { count / 2..count } else { 0..count / 2 };
                let candidate = individual.without(places);
                self.stage = if *is_second {
                    Stage::Single { before: count }
                } else {
                    Stage::Half { is_second: true }
                };
                candidate.filter(|_| count > 3)
            }
            Stage::Single { before: 0 } => {
                self.stage = Stage::Initialisation { before: None };
                None
            }
            Stage::Initialisation { before: Some(0) } => {
                self.enter_genes(0, problem, settings);
                None
            }
            Stage::Initialisation { before } => {
                let count = individual.initialisation().len();
                let places = match *before {
                    None => 0..count,
                    Some(place) => place - 1..place,
                };
                let candidate = individual.without_initialisation(places.clone());
                self.stage =
                    Stage::Initialisation { before: Some(before.map_or(count, |place| place - 1)) };
                candidate
            }
            Stage::Single { before } => {
                *before -= 1;
                individual.without(*before..*before + 1)
            }
            Stage::Gene { place, candidates } => {
                let Some(gene) = candidates.next() else {
                    let next = *place + 1;
                    self.enter_genes(next, problem, settings);
                    return None;
                };
                let mut candidate = individual.clone();
                match place.checked_sub(count) {
                    None => *candidate.action_mut(*place).gene_mut() = gene,
                    Some(step) => candidate.initialisation_mut(step).gene = gene,
                }
                candidate.repair_bindings();
                Some(candidate)
            }
            Stage::Done => None,
        }
    }

    /// Goes to the genes of the action at `place`; behind the last one, begins the next pass when
    /// this one changed something.
    fn enter_genes<P: Problem<Action = A>>(
        &mut self,
        place: usize,
        problem: &P,
        settings: &SearchSettings,
    ) {
        let individual = &self.test.individual;
        let step = place.checked_sub(individual.actions().len());
        let step = step.and_then(|step| individual.initialisation().get(step));
        self.stage = match individual.actions().get(place) {
            _ if step.is_some() => {
                let step = step.expect("it is some");
                let spec = problem.initialisation_spec(step.template);
                let candidates = Box::new(simpler(&spec, &step.gene, &settings.genes));
                Stage::Gene { place, candidates }
            }
            Some((_, action)) => {
                let spec = problem.spec(action.template());
                let candidates = Box::new(simpler(&spec, action.gene(), &settings.genes));
                Stage::Gene { place, candidates }
            }
            None if std::mem::take(&mut self.has_changed) => Stage::Half { is_second: false },
            None => Stage::Done,
        };
    }

    /// Takes the answer to the last candidate: it becomes the test when it covers the targets.
    pub(crate) fn settle<P: Problem<Action = A>>(
        &mut self,
        candidate: Evaluated<A>,
        problem: &P,
        settings: &SearchSettings,
    ) -> bool {
        let covers = |target: &TargetId| {
            candidate.reach(*target).is_some_and(|reach| reach.score.is_covered())
        };
        if !self.targets.iter().all(covers) {
            return false;
        }
        self.test = Arc::new(candidate);
        self.has_changed = true;
        match self.stage {
            Stage::Half { .. } => self.stage = Stage::Half { is_second: false },
            Stage::Single { before } => {
                let before = before.min(self.test.individual.actions().len());
                self.stage = Stage::Single { before };
            }
            Stage::Initialisation { before } => {
                let count = self.test.individual.initialisation().len();
                let before = before.map(|before| before.min(count));
                self.stage = Stage::Initialisation { before };
            }
            Stage::Gene { place, .. } => self.enter_genes(place, problem, settings),
            Stage::Done => {}
        }
        true
    }
}
