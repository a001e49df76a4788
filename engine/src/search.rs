//! The search: MIO, one proposal and one commit at a time.
//!
//! Proposal `i` is drawn exactly after commit `i - K`, with K the number of lineages, and results
//! are committed in order. Who evaluates what is not visible here, so any number of workers gives
//! the same run (design D4).

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{Draw, Specialisation};

use crate::action::Action;
use crate::adaptation::Adaptation;
use crate::archive::{Added, Archive};
use crate::baseline::{Baseline, Breeding};
use crate::budget::{Budget, StopReason};
use crate::evaluated::{Evaluated, Reach};
use crate::evaluator::{Evaluation, EvaluationError, TargetSource};
use crate::event::{Observer, SearchEvent, Statistics};
use crate::fit::{Fit, fit};
use crate::follow_up::FollowUps;
use crate::lineage::{Lineage, Operator, Origin, Proposal};
use crate::mutation::Mutation;
use crate::problem::{Learnt, Problem};
use crate::run::caught;
use crate::schedule::Schedule;
use crate::settings::SearchSettings;
use crate::stagnation::Stagnation;
use crate::suspicion::Watch;
use crate::target::Score;

/// A running search.
///
/// [`Search::run`](crate::Search::run) drives it to its end; [`Search::propose`] and
/// [`Search::commit`] let a caller drive it step by step.
pub struct Search<'a, P: Problem> {
    pub(crate) problem: &'a P,
    pub(crate) settings: SearchSettings,
    pub(crate) genes: Arc<wallace_genes::GeneSettings>,
    pub(crate) budget: Budget,
    pub(crate) archive: Archive<P::Action>,
    pub(crate) learnt: Learnt<P::Memory>,
    pub(crate) lineages: Vec<Option<Lineage<P::Action>>>,
    /// Tests of earlier runs that come before all others.
    pub(crate) seeds: VecDeque<crate::Individual<P::Action>>,
    pub(crate) initial: Option<u64>,
    pub(crate) follow_ups: FollowUps<P::Action>,
    pub(crate) adaptation: Adaptation,
    /// The state of the algorithm when it is not MIO.
    pub(crate) baseline: Option<Baseline<P::Action>>,
    /// Tests proposed and not committed, oldest first.
    pub(crate) open: VecDeque<Proposal<P::Action>>,
    /// How many of the open tests, the last ones, were open in a snapshot and go out again.
    pub(crate) again: usize,
    pub(crate) proposed: u64,
    pub(crate) statistics: Statistics,
    pub(crate) streak: Streak,
    pub(crate) watch: Watch,
    /// Is shown the search after each commit.
    pub(crate) keeper: Option<Keeper<'a, P>>,
    pub(crate) sources: Vec<Box<dyn TargetSource<P::Action> + 'a>>,
    pub(crate) observers: Vec<&'a mut dyn Observer<P::Action>>,
}

/// What is shown the search between commits.
pub(crate) type Keeper<'a, P> = Box<dyn FnMut(&Search<'a, P>) + 'a>;

/// Evaluations in a row that came to nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Streak {
    /// That failed.
    pub(crate) failures: u32,
    /// That made no call.
    pub(crate) without_calls: u32,
}

impl Streak {
    fn count<A: Action>(&mut self, result: &Result<Evaluation<A>, EvaluationError>) {
        let after = |count: u32, goes_on: bool| if goes_on { count.saturating_add(1) } else { 0 };
        let calls = result.as_ref().map_or(0, |evaluation| evaluation.calls);
        self.failures = after(self.failures, result.is_err());
        self.without_calls = after(self.without_calls, calls == 0);
    }
}

/// A result was committed before those of earlier tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "results are committed in the order of their proposals: {given} was given, {expected:?} comes next"
)]
pub struct OutOfOrder {
    /// Number of the proposal that was given.
    pub given: u64,
    /// Number of the oldest open proposal; `None` when none is open.
    pub expected: Option<u64>,
}

impl<P: Problem> std::fmt::Debug for Search<'_, P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Search")
            .field("settings", &self.settings)
            .field("budget", &self.budget)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

impl<'a, P: Problem> Search<'a, P> {
    /// A search that has not begun.
    pub fn new(problem: &'a P, settings: SearchSettings, budget: Budget) -> Self {
        let lineages = settings.lineages.clamp(1, SearchSettings::MOST_LINEAGES) as usize;
        Self {
            problem,
            genes: Arc::new(settings.genes.clone()),
            baseline: Baseline::of(settings.algorithm),
            settings,
            budget,
            archive: Archive::default(),
            learnt: Learnt::default(),
            lineages: vec![None; lineages],
            seeds: VecDeque::new(),
            initial: Some(0),
            follow_ups: FollowUps::default(),
            adaptation: Adaptation::default(),
            open: VecDeque::new(),
            again: 0,
            proposed: 0,
            statistics: Statistics::default(),
            streak: Streak::default(),
            watch: Watch::default(),
            keeper: None,
            sources: Vec::new(),
            observers: Vec::new(),
        }
    }

    /// Adds targets of the user's own.
    pub fn add_targets(&mut self, source: Box<dyn TargetSource<P::Action> + 'a>) {
        self.sources.push(source);
    }

    /// Adds an observer.
    pub fn observe(&mut self, observer: &'a mut dyn Observer<P::Action>) {
        self.observers.push(observer);
    }

    /// Adds a test of an earlier run, to be evaluated before all others in the order in which they
    /// are added. Genes that do not fit the problem any more are repaired; a test that cannot be
    /// repaired, because the problem has no such template say, is not added. Tells which of these
    /// it was.
    pub fn seed(&mut self, mut test: crate::Individual<P::Action>) -> Fit {
        // The template may be none of this problem, and what it does then is its own affair.
        let fitted = caught(|| fit(self.problem, &mut test, &self.genes)).unwrap_or(Fit::Lost);
        if fitted != Fit::Lost {
            self.seeds.push_back(test);
        }
        fitted
    }

    /// Learns the texts of a test that others have sent as constants of their positions, so that
    /// they are tried there and elsewhere in combination with other values.
    pub fn learn_texts(&mut self, test: &crate::Individual<P::Action>) {
        for (_, action) in test.actions() {
            let template = action.template();
            action.gene().visit_texts(&mut |path, string| {
                let constant = Specialisation::Constant(string.text.as_ref().into());
                self.learnt.knowledge.learn(template, path, constant);
            });
        }
    }

    /// Shows the search to `keeper` after each commit, the moment to take a
    /// [`Snapshot`](crate::Snapshot). A later keeper replaces an earlier one.
    pub fn keep_with(&mut self, keeper: impl FnMut(&Self) + 'a) {
        self.keeper = Some(Box::new(keeper));
    }

    /// The archive.
    #[must_use]
    pub fn archive(&self) -> &Archive<P::Action> {
        &self.archive
    }

    /// What was learnt.
    #[must_use]
    pub fn learnt(&self) -> &Learnt<P::Memory> {
        &self.learnt
    }

    /// Counters.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether another test may be proposed before the oldest open one is committed.
    #[must_use]
    pub fn may_propose(&self) -> bool {
        self.again > 0 || self.open.len() < self.lineages.len()
    }

    /// Why the search must end now, if it must.
    #[must_use]
    pub fn end(&self) -> Option<StopReason> {
        if self.budget.stop.is_set() {
            return Some(StopReason::Interrupted);
        }
        (self.used() >= 1.0).then_some(StopReason::BudgetUsed)
    }

    /// Used share of the budget, in `[0, 1]`.
    #[must_use]
    pub fn used(&self) -> f64 {
        self.budget.used(self.statistics.calls, self.statistics.evaluations)
    }

    /// Draws the next test; `None` when as many tests are open as there are lineages, since a
    /// lineage has one test under evaluation at a time.
    pub fn propose(&mut self) -> Option<Proposal<P::Action>> {
        if !self.may_propose() {
            return None;
        }
        let waiting = self.open.len() - self.again;
        if self.again > 0 {
            self.again -= 1;
            return self.open.get(waiting).cloned();
        }
        let number = self.proposed;
        self.proposed += 1;
        let schedule = Schedule::at(&self.settings, self.used());
        let mut draw = Draw::new(self.settings.seed, number, Arc::clone(&self.genes));
        draw.progress = schedule.progress;
        draw.is_tainting = self.settings.is_tainting;
        let (mut individual, origin) = self.next_individual(number, &schedule, &mut draw);
        if !matches!(origin, Origin::Mutated { .. }) {
            fit(self.problem, &mut individual, &self.genes);
        }
        let proposal = Proposal { number, individual, origin };
        self.open.push_back(proposal.clone());
        Some(proposal)
    }

    fn slot(&self, number: u64) -> usize {
        (number % self.lineages.len() as u64) as usize
    }

    fn next_individual(
        &mut self,
        number: u64,
        schedule: &Schedule,
        draw: &mut Draw,
    ) -> (crate::Individual<P::Action>, Origin) {
        if let Some(seed) = self.seeds.pop_front() {
            return (seed, Origin::Sampled);
        }
        if let Some(begun) = self.initial {
            self.initial = Some(begun + 1);
            match self.problem.initial(begun, &self.learnt, draw) {
                Some(individual) => return (individual, Origin::Sampled),
                None => self.initial = None,
            }
        }
        let used = self.used();
        if let Some(baseline) = &mut self.baseline {
            let mut breeding = Breeding {
                problem: self.problem,
                learnt: &self.learnt,
                settings: &self.settings,
                archive: &self.archive,
                used,
                draw,
            };
            return (baseline.propose(&mut breeding), Origin::Bred);
        }
        if draw.rng.chance(self.settings.follow_up)
            && let Some(individual) = self.follow_ups.next()
        {
            return (individual, Origin::Sampled);
        }
        let slot = self.slot(number);
        let sampling = self.sampling(schedule);
        if self.lineages[slot].is_none() && !draw.rng.chance(sampling) {
            let picked = self.pick(draw);
            self.lineages[slot] =
                picked.map(|(target, test)| Lineage::new(target, test, schedule.mutations));
        }
        let Some(lineage) = &mut self.lineages[slot] else {
            return (self.problem.sample(&self.learnt, draw), Origin::Sampled);
        };
        lineage.rounds = lineage.rounds.saturating_sub(1);
        let (target, parent) = (lineage.target, Arc::clone(&lineage.current));
        draw.dormant = std::mem::take(&mut lineage.dormant);
        draw.history = std::mem::take(&mut lineage.history);
        let is_stagnating = self.adaptation.stagnation.is_on();
        let least = if is_stagnating { Stagnation::SPLICE } else { 0.0 };
        let donor = if draw.rng.chance(self.settings.splice.max(least)) {
            donor(&self.archive, &parent.individual, draw)
        } else {
            None
        };
        let trust = self.adaptation.impact.trust(target);
        let hint = if draw.rng.chance(self.settings.hints * trust) {
            self.adaptation.hints.take(target)
        } else {
            None
        };
        let mutation = Mutation {
            problem: self.problem,
            learnt: &self.learnt,
            settings: &self.settings,
            impact: self.adaptation.impact.of(target),
            overall_trim: self.adaptation.impact.trim,
            draw,
        };
        let (mut child, operator) = match donor {
            Some(donor) => {
                (mutation.spliced(&parent.individual, &donor.individual), Operator::Structure)
            }
            None => mutation.mutant(&parent, target, hint),
        };
        if !child.initialisation().is_empty() {
            self.problem.repair_initialisation(&mut child, &self.learnt);
        }
        lineage.dormant = std::mem::take(&mut draw.dormant);
        lineage.history = std::mem::take(&mut draw.history);
        lineage.operator = operator;
        (child, Origin::Mutated { target })
    }

    /// Probability of sampling: as scheduled, or moved to where sampling covers more for each call.
    fn sampling(&self, schedule: &Schedule) -> f64 {
        let weight = self.settings.adaptive_sampling;
        let share = self.adaptation.yields.sampling_share();
        let sampling = schedule.sampling * (1.0 - weight) + share * weight;
        let least = if self.adaptation.stagnation.is_on() { Stagnation::SAMPLING } else { 0.0 };
        sampling.max(least)
    }

    /// An open target and one of its tests; now and then, and when nothing is open, a covered one.
    fn pick(&mut self, draw: &mut Draw) -> Option<(crate::TargetId, Arc<Evaluated<P::Action>>)> {
        if draw.rng.chance(self.settings.hints)
            && let Some(target) = self.adaptation.hints.next_target()
            && draw.rng.chance(self.adaptation.impact.trust(target))
            && let Some(best) = self.archive.best(target)
        {
            return Some((target, Arc::clone(best)));
        }
        if draw.rng.chance(self.settings.revisit) {
            return self.archive.revisit(&mut draw.rng);
        }
        let picked = self.archive.pick(&self.settings, &mut draw.rng);
        picked.or_else(|| self.archive.revisit(&mut draw.rng))
    }

    /// Takes in the result of the oldest open test.
    ///
    /// # Errors
    /// [`OutOfOrder`] when the proposal is not the oldest open one; nothing is changed then.
    pub fn commit(
        &mut self,
        proposal: Proposal<P::Action>,
        result: Result<Evaluation<P::Action>, EvaluationError>,
    ) -> Result<(), OutOfOrder> {
        let expected = self.open.front().map(|open| open.number);
        if expected != Some(proposal.number) || self.again == self.open.len() {
            return Err(OutOfOrder { given: proposal.number, expected });
        }
        self.open.pop_front();
        self.statistics.evaluations += 1;
        self.streak.count(&result);
        match result {
            Ok(evaluation) => self.take_in(proposal, evaluation),
            Err(error) => self.give_up(&proposal, &error),
        }
        if let Some(mut keeper) = self.keeper.take() {
            keeper(self);
            self.keeper = Some(keeper);
        }
        Ok(())
    }

    fn give_up(&mut self, proposal: &Proposal<P::Action>, error: &EvaluationError) {
        self.statistics.failures += 1;
        let number = proposal.number;
        let slot = self.slot(number);
        self.lineages[slot] = None;
        if let (Origin::Bred, Some(baseline)) = (&proposal.origin, &mut self.baseline) {
            baseline.commit(None, &self.archive);
        }
        let reason = error.to_string();
        self.notify(|_| SearchEvent::Failed { evaluation: number, reason: &reason });
        self.suspect(None);
    }

    fn suspect(&mut self, test: Option<&Evaluated<P::Action>>) {
        if let Some(suspicion) = self.watch.count(test) {
            self.notify(|_| SearchEvent::Suspicious { suspicion });
        }
    }

    fn take_in(&mut self, proposal: Proposal<P::Action>, evaluation: Evaluation<P::Action>) {
        let number = proposal.number;
        let slot = self.slot(number);
        self.statistics.calls = self.statistics.calls.saturating_add(evaluation.calls);
        let test = Arc::new(self.scored(number, proposal.individual, evaluation));
        // Before archiving: what was learnt belongs to this very test.
        let known = self.learnt.knowledge.len();
        for (_, action) in test.individual.actions() {
            self.learnt.knowledge.count_tries(action.template(), action.gene());
        }
        self.problem.learn(&test, &mut self.learnt);
        let limit = Schedule::at(&self.settings, self.used()).population;
        let added = self.archive.add(&test, limit, &self.settings);
        if added.is_progress() {
            self.statistics.last_progress = number;
        }
        if added.is_progress()
            || self.learnt.knowledge.len() > known
            || self.problem.wants_follow_ups(&test, &self.learnt)
        {
            // A stream of its own, apart from those of proposals.
            let seed = self.settings.seed.rotate_left(32);
            let mut draw = Draw::new(seed, number, Arc::clone(&self.genes));
            self.follow_ups.add(self.problem.follow_ups(&test, &self.learnt, &mut draw));
        }
        if let (Origin::Bred, Some(baseline)) = (&proposal.origin, &mut self.baseline) {
            baseline.commit(Some(&test), &self.archive);
        }
        let is_sampled = proposal.origin == Origin::Sampled;
        self.adaptation.yields.count(is_sampled, added.covered.len(), test.calls);
        if let Origin::Mutated { target } = proposal.origin {
            self.advance(slot, target, &test, &added);
        }
        let (statistics, used) = (self.statistics, self.used());
        let has_improved = added.is_progress();
        if self.adaptation.stagnation.advance(has_improved, number + 1, used, &self.settings) {
            let begins = self.adaptation.stagnation.is_on();
            self.notify(|_| SearchEvent::Stagnated { evaluation: number, begins });
        }
        let (test, added) = (&*test, &added);
        self.notify(|archive| SearchEvent::Evaluated { test, added, archive, statistics, used });
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
        let reached = evaluation.scores.iter().filter(|score| score.score.is_reached());
        let fitness = reached.map(|score| {
            let place = score.action.and_then(|action| individual.position(action));
            let secondary = place.and_then(|place| evaluation.secondary.get(place));
            let secondary = secondary.copied().unwrap_or(0.0);
            // What is no number is worse than any number, and an unknown action is none.
            let secondary = if secondary.is_nan() { f64::INFINITY } else { secondary };
            let action = place.and(score.action);
            Reach { target: archive.intern(&score.name), score: score.score, secondary, action }
        });
        let fitness = best_of_each(fitness.collect());
        let Evaluation { outcomes, calls, is_complete, .. } = evaluation;
        Evaluated::new(individual, fitness, outcomes, number, calls, is_complete)
    }

    /// Continues or ends the lineage after its mutant came back.
    fn advance(
        &mut self,
        slot: usize,
        target: crate::TargetId,
        test: &Arc<Evaluated<P::Action>>,
        added: &Added,
    ) {
        if !added.improved.contains(&target) && !added.covered.contains(&target) {
            self.archive.spend(target, &self.settings);
        }
        let Some(lineage) = &mut self.lineages[slot] else { return };
        let (operator, parent) = (lineage.operator, &lineage.current);
        self.adaptation.learn(target, operator, parent, test, added, &self.archive);
        if self.settings.stays_while_improving && added.improved.contains(&target) {
            lineage.rounds += 1;
        }
        let is_stagnating = self.adaptation.stagnation.is_on();
        let patience = self.settings.neutral_patience * if is_stagnating { 2 } else { 1 };
        lineage.accept(test, added.is_progress(), self.archive.best(target), patience);
        if lineage.rounds == 0 || self.archive.is_covered(target) {
            self.lineages[slot] = None;
        }
    }

    pub(crate) fn notify<'e>(
        &'e mut self,
        event: impl FnOnce(&'e Archive<P::Action>) -> SearchEvent<'e, P::Action>,
    ) {
        let event = event(&self.archive);
        for observer in &mut self.observers {
            observer.notify(&event);
        }
    }
}

/// A test of a covered target that shares an operation with this one and is another.
fn donor<A: Action>(
    archive: &Archive<A>,
    test: &crate::Individual<A>,
    draw: &mut Draw,
) -> Option<Arc<Evaluated<A>>> {
    const TRIES: usize = 5;
    let is_known =
        |action: &A| test.actions().iter().any(|(_, other)| other.template() == action.template());
    let is_donor = |other: &crate::Individual<A>| {
        other != test && other.actions().iter().any(|(_, action)| is_known(action))
    };
    (0..TRIES).find_map(|_| {
        let (_, donor) = archive.revisit(&mut draw.rng)?;
        is_donor(&donor.individual).then_some(donor)
    })
}

/// Keeps the best reach of each target, when a name came more than once.
fn best_of_each(mut fitness: Vec<Reach>) -> Vec<Reach> {
    fitness.sort_by(|one, other| {
        let order = |score: Score| score.get();
        one.target.cmp(&other.target).then(order(other.score).total_cmp(&order(one.score)))
    });
    fitness.dedup_by_key(|reach| reach.target);
    fitness
}
