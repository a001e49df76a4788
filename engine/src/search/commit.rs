//! Commits: what becomes of the result of a test.
//!
//! Every evaluated test is learnt from and offered to all populations, whatever the lineage that
//! made it does with it next.

use std::cmp::Ordering;
use std::sync::Arc;

use wallace_genes::Draw;

use crate::archive::Added;
use crate::individual::action::Action;
use crate::operator::Operator;
use crate::problem::Problem;
use crate::problem::evaluated::{Evaluated, Reach};
use crate::problem::evaluator::{Evaluation, EvaluationError, TargetScore};
use crate::search::Search;
use crate::search::agenda::OutOfOrder;
use crate::search::attribution::inherit;
use crate::search::event::SearchEvent;
use crate::search::lineage::{Origin, Proposal};
use crate::search::schedule::Schedule;
use crate::target::{Score, TargetId};

impl<P: Problem> Search<'_, P> {
    /// Takes in the result of the oldest open test.
    ///
    /// # Errors
    /// [`OutOfOrder`] when the proposal is not the oldest open one; nothing is changed then.
    pub fn commit(
        &mut self,
        proposal: Proposal<P::Action>,
        result: Result<Evaluation<P::Action>, EvaluationError>,
    ) -> Result<(), OutOfOrder> {
        self.agenda.back(proposal.number)?;
        self.progress.count(&result);
        match result {
            Ok(evaluation) => self.take_in(proposal, evaluation),
            Err(error) => self.give_up(&proposal, &error),
        }
        self.keep();
        Ok(())
    }

    /// Shows the search to its keeper.
    pub(super) fn keep(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            keeper(self);
            self.keeper = Some(keeper);
        }
    }

    fn give_up(&mut self, proposal: &Proposal<P::Action>, error: &EvaluationError) {
        let number = proposal.number;
        *self.lineages.of(number) = None;
        if let (Origin::Bred, Some(baseline)) = (&proposal.origin, &mut self.baseline) {
            baseline.commit(None, &self.archive);
        }
        let reason = error.to_string();
        self.notify(|_| SearchEvent::Failed { evaluation: number, reason: &reason });
        self.suspect(None);
    }

    fn suspect(&mut self, test: Option<&Evaluated<P::Action>>) {
        if let Some(suspicion) = self.progress.watch.count(test) {
            self.notify(|_| SearchEvent::Suspicious { suspicion });
        }
    }

    fn take_in(&mut self, proposal: Proposal<P::Action>, evaluation: Evaluation<P::Action>) {
        let number = proposal.number;
        let is_attributed = evaluation.is_attributed;
        let mut test = self.scored(number, proposal.individual, evaluation);
        if !is_attributed {
            if self.archive.would_lead(&test) {
                let cause = proposal.cause;
                self.notify(|_| SearchEvent::Ran { test: &test, cause });
                return self.agenda.unattributed.add(Arc::new(test), proposal.origin, cause);
            }
            if let Some(lineage) = self.lineages.of(number) {
                inherit(&mut test.fitness, &test.individual, &lineage.current);
            }
        }
        let test = Arc::new(test);
        // Before archiving: what was learnt belongs to this very test.
        let known = self.learnt.knowledge.len();
        for (_, action) in test.individual.actions() {
            self.learnt.knowledge.count_tries(action.template(), action.gene());
        }
        self.problem.learn(&test, &mut self.learnt);
        let limit = Schedule::at(&self.settings, self.used()).population;
        let added = self.archive.add(&test, limit, &self.settings);
        if added.is_progress() {
            self.progress.statistics.last_progress = number;
            self.progress.last = self.usage();
        }
        if added.is_progress()
            || self.learnt.knowledge.len() > known
            || self.problem.wants_follow_ups(&test, &self.learnt)
        {
            // A stream of its own, apart from those of proposals.
            let seed = self.settings.seed.rotate_left(32);
            let mut draw = Draw::new(seed, number, Arc::clone(&self.genes));
            let tests = self.problem.follow_ups(&test, &self.learnt, &mut draw);
            match self.settings.by_yield {
                true => self.agenda.follow_ups.add(&test.individual, tests),
                false => self.agenda.follow_ups.add_in_order(tests),
            }
        }
        if let (Origin::Bred, Some(baseline)) = (&proposal.origin, &mut self.baseline) {
            baseline.commit(Some(&test), &self.archive);
        }
        let by_yield = self.settings.by_yield;
        self.adaptation.yields.count(proposal.cause, added.covered.len(), test.calls, by_yield);
        self.adaptation.shares.count(&test, added.is_progress());
        if let Origin::Mutated { target } = proposal.origin {
            self.advance(target, &test, &added);
        }
        let (statistics, used) = (self.progress.statistics, self.used());
        let has_improved = added.is_progress();
        if self.adaptation.stagnation.advance(has_improved, number + 1, used, &self.settings) {
            let begins = self.adaptation.stagnation.is_on();
            self.notify(|_| SearchEvent::Stagnated { evaluation: number, begins });
        }
        let (test, added, cause) = (&*test, &added, proposal.cause);
        self.notify(|archive| SearchEvent::Evaluated {
            test,
            cause,
            added,
            archive,
            statistics,
            used,
        });
        self.suspect(Some(test));
    }

    /// The test with its scores, target names interned.
    pub(crate) fn scored(
        &mut self,
        number: u64,
        individual: crate::Individual<P::Action>,
        mut evaluation: Evaluation<P::Action>,
    ) -> Evaluated<P::Action> {
        for source in &self.sources {
            evaluation.scores.extend(source.targets(&individual, &evaluation.outcomes));
        }
        let archive = &mut self.archive;
        // What is not told of an action counts as worse than what is.
        let is_unknown = !evaluation.is_attributed && !evaluation.secondary.is_empty();
        let unknown = if is_unknown { f64::MAX } else { 0.0 };
        let reached = evaluation.scores.iter().filter(|score| score.score.is_reached());
        let reached: Vec<&TargetScore> = reached.collect();
        let targets = archive.intern_all(reached.iter().map(|score| &score.name));
        let fitness = reached.into_iter().zip(targets).map(|(score, target)| {
            let place = score.action.and_then(|action| individual.position(action));
            let secondary = place.and_then(|place| evaluation.secondary.get(place));
            let secondary = secondary.copied().unwrap_or(unknown);
            // What is no number is worse than any number, and an unknown action is none.
            let secondary = if secondary.is_nan() { f64::INFINITY } else { secondary };
            let action = place.and(score.action);
            Reach { target, score: score.score, secondary, action }
        });
        let fitness = best_of_each(fitness.collect(), self.settings.by_yield);
        let Evaluation { outcomes, calls, is_complete, .. } = evaluation;
        Evaluated::new(individual, fitness, outcomes, number, calls, is_complete)
    }

    /// Continues or ends the lineage after its mutant came back.
    fn advance(&mut self, target: TargetId, test: &Arc<Evaluated<P::Action>>, added: &Added) {
        let has_helped = added.improved.contains(&target) || added.covered.contains(&target);
        self.archive.spend(target, has_helped, &self.settings);
        let slot = self.lineages.of(test.evaluation);
        let Some(lineage) = slot else { return };
        let (operator, parent) = (lineage.state.operator, &lineage.current);
        self.adaptation.learn(target, operator, parent, test, added, &self.archive);
        if operator == Operator::Structure && has_helped {
            self.helpers.note(&parent.individual, &test.individual);
        }
        if self.settings.stays_while_improving && added.improved.contains(&target) {
            lineage.state.rounds += 1;
        }
        let is_stagnating = self.adaptation.stagnation.is_on();
        let patience = self.settings.neutral_patience * if is_stagnating { 2 } else { 1 };
        lineage.accept(test, added.is_progress(), self.archive.best(target), patience);
        if lineage.state.rounds == 0 || self.archive.is_covered(target) {
            *slot = None;
        }
    }
}

/// Keeps the best reach of each target, when a name came more than once.
fn best_of_each(mut fitness: Vec<Reach>, by_yield: bool) -> Vec<Reach> {
    fitness.sort_by(|one, other| {
        let order = |score: Score| score.get();
        let by_score = order(other.score).total_cmp(&order(one.score));
        // In which order an evaluator tells equal ones may depend on what it saw before.
        let by_action = if by_yield { one.action.cmp(&other.action) } else { Ordering::Equal };
        one.target.cmp(&other.target).then(by_score).then(by_action)
    });
    fitness.dedup_by_key(|reach| reach.target);
    fitness
}
