//! Proposals: how the next test comes about.
//!
//! Proposal `i` is drawn exactly after commit `i - K`, with K the number of lineages, and results
//! are committed in order. Who evaluates what is not visible here, so any number of workers gives
//! the same run (design D4).

use std::sync::Arc;

use wallace_genes::Draw;

use crate::baseline::Breeding;
use crate::operator::hint::Hint;
use crate::operator::mutation::Mutation;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::problem::fit::fit;
use crate::search::Search;
use crate::search::lineage::{Lineage, Operator, Origin, Proposal};
use crate::search::schedule::Schedule;
use crate::search::stagnation::Stagnation;
use crate::target::TargetId;

impl<P: Problem> Search<'_, P> {
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
        if let Some(proposal) = self.again_in_full(number) {
            self.open.push_back(proposal.clone());
            return Some(proposal);
        }
        let schedule = Schedule::at(&self.settings, self.used());
        let mut draw = Draw::new(self.settings.seed, number, Arc::clone(&self.genes));
        draw.progress = schedule.progress;
        draw.is_tainting = self.settings.is_tainting;
        let (mut individual, origin) = self.next_individual(number, &schedule, &mut draw);
        if !matches!(origin, Origin::Mutated { .. }) {
            fit(self.problem, &mut individual, &self.genes);
        }
        let wanted = self.wanted(&individual);
        let proposal = Proposal { number, individual, origin, wanted };
        self.open.push_back(proposal.clone());
        Some(proposal)
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
        if let Some(individual) = self.bred(draw) {
            return (individual, Origin::Bred);
        }
        if draw.rng.chance(self.settings.follow_up)
            && let Some(individual) = self.follow_ups.next()
        {
            return (individual, Origin::Sampled);
        }
        self.evolved(self.slot(number), schedule, draw)
    }

    /// The next test of a baseline; `None` when the algorithm is MIO.
    fn bred(&mut self, draw: &mut Draw) -> Option<crate::Individual<P::Action>> {
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
        slot: usize,
        schedule: &Schedule,
        draw: &mut Draw,
    ) -> (crate::Individual<P::Action>, Origin) {
        if self.lineages[slot].is_none() && !draw.rng.chance(self.sampling(schedule)) {
            let picked = self.pick(draw);
            self.lineages[slot] =
                picked.map(|(target, test)| Lineage::new(target, test, schedule.mutations));
        }
        let Some(mut lineage) = self.lineages[slot].take() else {
            return (self.problem.sample(&self.learnt, draw), Origin::Sampled);
        };
        lineage.rounds = lineage.rounds.saturating_sub(1);
        draw.dormant = std::mem::take(&mut lineage.dormant);
        draw.history = std::mem::take(&mut lineage.history);
        let (mut child, operator) = self.mutant(&lineage, draw);
        if !child.initialisation().is_empty() {
            self.problem.repair_initialisation(&mut child, &self.learnt);
        }
        lineage.dormant = std::mem::take(&mut draw.dormant);
        lineage.history = std::mem::take(&mut draw.history);
        lineage.operator = operator;
        let target = lineage.target;
        self.lineages[slot] = Some(lineage);
        (child, Origin::Mutated { target })
    }

    fn mutant(
        &mut self,
        lineage: &Lineage<P::Action>,
        draw: &mut Draw,
    ) -> (crate::Individual<P::Action>, Operator) {
        let (target, parent) = (lineage.target, &lineage.current);
        let donor = self.donor(target, parent, draw);
        let hint = self.hint(target, draw);
        let mutation = Mutation {
            problem: self.problem,
            learnt: &self.learnt,
            settings: &self.settings,
            impact: self.adaptation.impact.of(target),
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
        let share = self.adaptation.yields.sampling_share();
        let sampling = schedule.sampling * (1.0 - weight) + share * weight;
        let least = if self.adaptation.stagnation.is_on() { Stagnation::SAMPLING } else { 0.0 };
        sampling.max(least)
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
