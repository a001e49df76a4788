//! Proposals: how the next test comes about.
//!
//! Proposal `i` is drawn exactly after commit `i - K`, with K the number of lineages, and results
//! are committed in order. Who evaluates what is not visible here, so any number of workers gives
//! the same run (docs/reference/search.md#lineages).

use std::sync::Arc;

use wallace_genes::{Draw, Sampled};

use crate::baseline::Breeding;
use crate::individual::Individual;
use crate::operator::Operator;
use crate::operator::cause::Cause;
use crate::operator::hint::Hint;
use crate::operator::mutation::Mutation;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::problem::fit::fit;
use crate::search::Search;
use crate::search::lineage::{Lineage, Origin, Proposal};
use crate::search::schedule::Schedule;
use crate::search::stagnation::Stagnation;
use crate::target::TargetId;

/// Part of the budget after which a sweep of first tests that still goes on leaves every other test to
/// rows: with 190 operations it takes two thirds of 1,000 calls, and no row would be tried.
const LONG_SWEEP: u64 = 4;
/// Least probability of sampling where yields decide: some kinds of tests are only sampled, such as
/// those that break a documented rule, and a few of them may cover what nothing else does.
const LEAST_SAMPLING: f64 = 0.1;

impl<P: Problem> Search<'_, P> {
    /// Draws the next test; `None` when as many tests are open as there are lineages, since a
    /// lineage has one test under evaluation at a time.
    pub fn propose(&mut self) -> Option<Proposal<P::Action>> {
        if !self.may_propose() {
            return None;
        }
        if let Some(proposal) = self.agenda.once_more() {
            return Some(proposal);
        }
        let number = self.agenda.number();
        let proposal = self.again_in_full(number).unwrap_or_else(|| self.next(number));
        Some(self.agenda.sent(proposal))
    }

    fn next(&mut self, number: u64) -> Proposal<P::Action> {
        let schedule = Schedule::at(&self.settings, self.used());
        let mut draw = Draw::new(self.settings.seed, number, Arc::clone(&self.genes));
        draw.progress = schedule.progress;
        draw.is_tainting = self.settings.is_tainting;
        let (mut individual, origin, cause) = self.next_individual(number, &schedule, &mut draw);
        if !matches!(origin, Origin::Mutated { .. }) {
            fit(self.problem, &mut individual, &self.genes);
        }
        let wanted = self.wanted(&individual);
        Proposal { number, individual, origin, cause, wanted }
    }

    fn next_individual(
        &mut self,
        number: u64,
        schedule: &Schedule,
        draw: &mut Draw,
    ) -> (Individual<P::Action>, Origin, Cause) {
        if let Some(seed) = self.agenda.seeds.pop_front() {
            return (seed, Origin::Sampled, Cause::Seed);
        }
        if let Some(begun) = self.agenda.initial {
            // Where there are many operations, these tests may be all that there are calls for: then
            // every other one is a test with rows.
            let calls = self.progress.statistics.calls;
            let is_long = self.budget.calls.is_some_and(|most| calls > most / LONG_SWEEP);
            if is_long
                && number % 2 == 1
                && let Some(individual) = self.agenda.follow_ups.next_initialised()
                && !self.has_had_enough(&individual)
            {
                return (individual, Origin::Sampled, Cause::FollowUp);
            }
            self.agenda.initial = Some(begun + 1);
            match self.problem.initial(begun, &self.learnt, draw) {
                Some(individual) => return (individual, Origin::Sampled, Cause::Initial),
                None => self.agenda.initial = None,
            }
        }
        if let Some(individual) = self.bred(draw) {
            return (individual, Origin::Bred, Cause::Bred);
        }
        if draw.rng.chance(self.settings.follow_up * self.worth_of_follow_up())
            && let Some(individual) = self.agenda.follow_ups.next()
            && !self.has_had_enough(&individual)
        {
            return (individual, Origin::Sampled, Cause::FollowUp);
        }
        self.evolved(number, schedule, draw)
    }

    /// How far the next follow-up is worth its calls. Rows are: they mostly find nothing, and what they
    /// find is behind nothing else.
    fn worth_of_follow_up(&self) -> f64 {
        let next = self.agenda.follow_ups.first().filter(|test| test.initialisation().is_empty());
        match next {
            Some(next) if self.settings.by_yield => {
                self.adaptation.yields.worth_of_follow_up(next.size())
            }
            _ => 1.0,
        }
    }

    /// Whether what a follow-up is about has had enough of the calls.
    fn has_had_enough(&self, test: &Individual<P::Action>) -> bool {
        self.problem.has_had_enough(test, &self.learnt)
            || self.adaptation.shares.has_had_enough(test, self.settings.idle_follow_ups)
    }

    /// The next test of a baseline; `None` when the algorithm is MIO.
    fn bred(&mut self, draw: &mut Draw) -> Option<Individual<P::Action>> {
        let used = self.used();
        let baseline = self.baseline.as_mut()?;
        let mut breeding = Breeding {
            problem: self.problem,
            learnt: &self.learnt,
            settings: &self.settings,
            archive: &self.archive,
            used,
            draw,
        };
        Some(baseline.propose(&mut breeding))
    }

    /// A mutant of what the lineage came to, or a random test.
    fn evolved(
        &mut self,
        number: u64,
        schedule: &Schedule,
        draw: &mut Draw,
    ) -> (Individual<P::Action>, Origin, Cause) {
        let mut lineage = self.lineages.of(number).take();
        if lineage.is_none() && !draw.rng.chance(self.sampling(schedule)) {
            lineage = self.pick(draw).map(|(target, test)| {
                // Where nothing is worth a call, samples may show something that is.
                let is_vain = self.settings.by_yield && self.archive.queue.is_exhausted(target);
                Lineage::new(target, test, if is_vain { 1 } else { schedule.mutations })
            });
        }
        let lineage = lineage.filter(|lineage| {
            !self.problem.has_had_enough(&lineage.current.individual, &self.learnt)
        });
        let Some(mut lineage) = lineage else {
            let individual = self.problem.sample(&self.learnt, draw);
            return (individual, Origin::Sampled, sampled(draw.sampled));
        };
        let state = &mut lineage.state;
        let target = state.target;
        state.rounds = state.rounds.saturating_sub(1);
        draw.dormant = std::mem::take(&mut state.dormant);
        draw.history = std::mem::take(&mut state.history);
        let (mut child, operator) = self.mutant(target, &lineage.current, draw);
        if !child.initialisation().is_empty() {
            self.problem.repair_initialisation(&mut child, &self.learnt);
        }
        let state = &mut lineage.state;
        state.dormant = std::mem::take(&mut draw.dormant);
        state.history = std::mem::take(&mut draw.history);
        state.operator = operator;
        *self.lineages.of(number) = Some(lineage);
        let is_revisit = self.archive.is_covered(target);
        let cause = if is_revisit { Cause::Revisit } else { operator.cause() };
        (child, Origin::Mutated { target }, cause)
    }

    fn mutant(
        &mut self,
        target: TargetId,
        parent: &Arc<Evaluated<P::Action>>,
        draw: &mut Draw,
    ) -> (Individual<P::Action>, Operator) {
        let donor = self.donor(target, parent, draw);
        let hint = self.hint(target, draw);
        let mutation = Mutation {
            problem: self.problem,
            learnt: &self.learnt,
            settings: &self.settings,
            impact: self.adaptation.impact.of(target),
            archive: &self.archive,
            helpers: &self.helpers,
            overall_trim: self.adaptation.impact.trim,
            draw,
        };
        match donor {
            Some(donor) => {
                (mutation.spliced(&parent.individual, &donor.individual), Operator::Splice)
            }
            None => mutation.mutant(parent, target, hint),
        }
    }

    /// A test to join this one with, another or itself: for a target that has not come nearer for
    /// long, the more often the more it helped, and for any while nothing improves.
    fn donor(
        &self,
        target: TargetId,
        test: &Arc<Evaluated<P::Action>>,
        draw: &mut Draw,
    ) -> Option<Arc<Evaluated<P::Action>>> {
        let least = if self.adaptation.stagnation.is_on() { Stagnation::SPLICE } else { 0.0 };
        let is_stuck = self.archive.spent(target) >= self.settings.patience;
        let trust = (10.0 * self.adaptation.impact.splice.rate_with(0.1)).clamp(0.1, 1.0);
        let usual = if is_stuck { self.settings.splice * trust } else { 0.0 };
        if !draw.rng.chance(usual.max(least)) {
            return None;
        }
        if draw.rng.chance(0.3) {
            return Some(Arc::clone(test));
        }
        self.archive.revisit(&mut draw.rng).map(|(_, donor)| donor)
    }

    /// What earlier scores say about a value for the target, as far as that helped before.
    fn hint(&mut self, target: TargetId, draw: &mut Draw) -> Option<Hint> {
        let trust = self.adaptation.impact.trust(target);
        let is_followed = draw.rng.chance(self.settings.hints * trust);
        is_followed.then(|| self.adaptation.hints.take(target))?
    }

    /// Probability of sampling: as scheduled, or moved to where sampling covers more for each call.
    fn sampling(&self, schedule: &Schedule) -> f64 {
        let weight = self.settings.adaptive_sampling;
        let share = self.adaptation.yields.sampling_share(self.settings.by_yield);
        let sampling = schedule.sampling * (1.0 - weight) + share * weight;
        let least = if self.settings.by_yield { LEAST_SAMPLING } else { 0.0 };
        let is_stagnating = self.adaptation.stagnation.is_on();
        sampling.max(if is_stagnating { Stagnation::SAMPLING } else { least * weight })
    }

    /// An open target and one of its tests; now and then, and when nothing is open, a covered one.
    fn pick(&mut self, draw: &mut Draw) -> Option<(TargetId, Arc<Evaluated<P::Action>>)> {
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
}

fn sampled(kind: Sampled) -> Cause {
    match kind {
        Sampled::Plain => Cause::Sample,
        Sampled::Plan => Cause::Plan,
        Sampled::Check => Cause::Check,
    }
}
