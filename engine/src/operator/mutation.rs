//! Mutation of individuals: either their structure, or some of their genes.

use wallace_genes::{
    Draw, GenePath, mutate,
    site::{collect_sites, visit_sites, weigh_sites},
};

use crate::archive::Archive;
use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};
use crate::operator::Operator;
use crate::operator::helper::Helpers;
use crate::operator::hint::Hint;
use crate::operator::hint::edit::apply;
use crate::operator::impact::{Tally, TargetImpact};
use crate::problem::evaluated::Evaluated;
use crate::problem::fit::fit;
use crate::problem::{Learnt, Problem};
use crate::settings::SearchSettings;
use crate::target::TargetId;

/// What stands for the number of an action while steps of an initialisation are mutated.
const STEPS: u32 = u32::MAX;
/// Share of these calls that are one of the test's own once more: a state that one call changes may have
/// to change again.
const AGAIN: f64 = 0.5;
/// The same where the test has no call but the one that came nearest.
const ITSELF: f64 = 0.2;
/// Share of the others that helped before, where some did.
const HELPED: f64 = 0.6;
/// Probability of changing the structure where values do nothing.
const STATEFUL: f64 = 0.7;

/// What a mutation is made with.
pub(crate) struct Mutation<'a, P: Problem> {
    pub(crate) problem: &'a P,
    pub(crate) learnt: &'a Learnt<P::Memory>,
    pub(crate) settings: &'a SearchSettings,
    /// What is known of the target that is worked on.
    pub(crate) impact: Option<&'a TargetImpact>,
    pub(crate) archive: &'a Archive<P::Action>,
    pub(crate) helpers: &'a Helpers<P::Action>,
    /// What cutting tests down did on the way to any target.
    pub(crate) overall_trim: Tally,
    pub(crate) draw: &'a mut Draw,
}

impl<P: Problem> Mutation<'_, P> {
    /// A mutant of a test, on the way to a target, and what made it.
    pub(crate) fn mutant(
        mut self,
        parent: &Evaluated<P::Action>,
        target: TargetId,
        hint: Option<Hint>,
    ) -> (Individual<P::Action>, Operator) {
        if let Some(child) = self.problem.initialise(parent, self.learnt, self.draw) {
            return (child, Operator::Rows);
        }
        let action = parent.reach(target).and_then(|reach| reach.action);
        let size = parent.individual.size();
        let can_trim = size > 1;
        let trim = |action| parent.individual.trimmed_to(action);
        if let Some(hint) = hint {
            let is_trimmed = can_trim && self.draw.rng.chance(self.bold_trim());
            let (trimmed, operator) = match action.filter(|_| is_trimmed).map(trim) {
                Some(trimmed) => (trimmed, Operator::TrimmedHint),
                None => (parent.individual.clone(), Operator::Hint),
            };
            if let Some(child) = self.hinted(trimmed, &hint) {
                return (child, operator);
            }
        }
        if can_trim
            && let Some(action) = action.filter(|_| self.draw.rng.chance(self.trim_of(size)))
        {
            let trimmed = trim(action);
            // Where all of it is needed, this would be the same test again.
            if trimmed.size() < parent.individual.size() {
                return (trimmed, Operator::Trim);
            }
        }
        let mut child = parent.individual.clone();
        if self.draw.rng.chance(self.structure()) {
            let may_prepare = self.settings.prepared > 0.0 && size < self.settings.max_size;
            if may_prepare
                && self.draw.rng.chance(self.settings.prepared)
                && let Some(prepared) = self.prepared(&child, action)
            {
                return (prepared, Operator::Structure);
            }
            if self.restructure(&mut child) {
                return (child, Operator::Structure);
            }
        }
        let place = action.and_then(|action| child.position(action));
        let focus = place.filter(|_| self.draw.rng.chance(self.settings.focus_on_action));
        for (_, action) in child.actions() {
            self.draw.copy_from(action.gene());
        }
        let has_steps = !child.initialisation().is_empty();
        if has_steps
            && self.draw.rng.chance(self.settings.initialisation)
            && self.mutate_initialisation(&mut child)
        {
            return (child, Operator::Values);
        }
        // Most trees change at the first try; a few have nothing to change where it was tried.
        for focus in [focus, focus, focus, None] {
            if self.mutate_values(&mut child, focus) {
                return (child, Operator::Values);
            }
        }
        self.restructure(&mut child);
        (child, Operator::Structure)
    }

    /// The test after one call more, with what that needs: one of its own once more, one that helped, or
    /// one that covered a target. What the test waits for may be a state, and a call that changes it shows.
    fn prepared(
        &mut self,
        test: &Individual<P::Action>,
        nearest: Option<ActionId>,
    ) -> Option<Individual<P::Action>> {
        let others = test.actions().iter().map(|(id, _)| *id).filter(|id| Some(*id) != nearest);
        let others: Vec<ActionId> = others.collect();
        let rng = &mut self.draw.rng;
        let again = match others.is_empty() {
            true => nearest.filter(|_| rng.chance(ITSELF)),
            false => rng.pick(&others).copied().filter(|_| rng.chance(AGAIN)),
        };
        let donor = if let Some(again) = again {
            test.trimmed_to(again)
        } else if let Some(helper) = self.helpers.pick(rng).filter(|_| rng.chance(HELPED)) {
            helper.clone()
        } else {
            let (target, donor) = self.archive.revisit(rng)?;
            donor.individual.trimmed_to(donor.reach(target)?.action?)
        };
        Some(self.spliced(test, &donor))
    }

    /// The test with the actions of another before its own, which then meet the state that those
    /// leave; as many as a test may have (docs/reference/search.md#splicing).
    pub(crate) fn spliced(
        &self,
        test: &Individual<P::Action>,
        donor: &Individual<P::Action>,
    ) -> Individual<P::Action> {
        let own = test.actions().len();
        let mut child = test.joined(own, donor, 0);
        child.actions.rotate_left(own);
        child.repair_bindings();
        // What came nearest stands at the end of a test more often than at its beginning.
        while child.size() > self.settings.max_size.max(1) {
            child.remove(0);
        }
        child
    }

    /// A mutant without anything that follows a target: its structure, or each gene of all actions
    /// with a probability of one in their number.
    pub(crate) fn plain(mut self, parent: &Individual<P::Action>) -> Individual<P::Action> {
        let mut child = parent.clone();
        if self.draw.rng.chance(self.settings.structure) && self.restructure(&mut child) {
            return child;
        }
        let settings =
            SearchSettings { mutated_share: 0.0, single_gene: 0.0, ..self.settings.clone() };
        let mut plain = Mutation { settings: &settings, ..self };
        if !plain.mutate_values(&mut child, None) {
            plain.restructure(&mut child);
        }
        child
    }

    fn restructure(&mut self, child: &mut Individual<P::Action>) -> bool {
        let has_changed = self.problem.mutate_structure(child, self.learnt, self.draw);
        if has_changed {
            fit(self.problem, child, &self.draw.settings);
        }
        has_changed
    }

    /// Probability of changing the structure: adaptive, twice the setting where it always helped, and
    /// more where no change of a value ever moved the target.
    fn structure(&self) -> f64 {
        match self.impact {
            Some(impact) if self.settings.adaptive_structure => {
                let helps = self.settings.structure * 2.0 * impact.structure.rate();
                let usual = helps.max(self.settings.structure * 0.25);
                let is_state = if self.settings.prepared > 0.0 { impact.deafness() } else { 0.0 };
                usual + (STATEFUL - usual).max(0.0) * is_state
            }
            _ => self.settings.structure,
        }
    }

    /// Probability of cutting the test down: falls where targets need more than one action.
    fn trim(&self) -> f64 {
        if self.settings.adaptive_structure {
            self.settings.trim * 2.0 * self.trim_rate()
        } else {
            self.settings.trim
        }
    }

    /// Probability for a test of `size` actions: as if each action that may go were asked about. What
    /// the cut test costs if it does not do is one call, and each mutant of the whole costs them all.
    fn trim_of(&self, size: usize) -> f64 {
        let once = self.trim();
        if !self.settings.by_yield {
            return once;
        }
        1.0 - libm::pow(1.0 - once.min(1.0), (size - 1) as f64)
    }

    /// Probability of cutting the test down and following a hint at once: only where cutting down
    /// hardly ever did harm, since the hint is lost where it does.
    fn bold_trim(&self) -> f64 {
        (2.0 * self.trim() * (2.0 * self.trim_rate() - 1.0)).max(0.0)
    }

    fn trim_rate(&self) -> f64 {
        let own = self.impact.map_or(Tally::default(), |impact| impact.trim);
        let rate = own.rate_with(self.overall_trim.rate());
        // Whether a target needs other actions hardly changes on the way to it.
        let has_failed = self.settings.by_yield && own.hits == 0;
        if has_failed { rate / f64::from(1 + own.tries) } else { rate }
    }

    /// The test with a hint followed; `None` where that changes nothing.
    fn hinted(
        &mut self,
        mut child: Individual<P::Action>,
        hint: &Hint,
    ) -> Option<Individual<P::Action>> {
        let place = child.position(hint.action)?;
        let template = child.actions()[place].1.template();
        if template != hint.template {
            return None;
        }
        let spec = self.problem.spec(template);
        let gene = child.action_mut(place).gene_mut();
        apply(hint.edit, &hint.path, &spec, gene, &self.draw.settings).then(|| {
            child.repair_bindings();
            child
        })
    }

    /// Mutates genes of the action at `focus`, or of all actions.
    fn mutate_values(&mut self, child: &mut Individual<P::Action>, focus: Option<usize>) -> bool {
        let places = focus.map_or(0..child.actions().len(), |place| place..place + 1);
        let mut weights = Vec::new();
        let mut ends = Vec::with_capacity(places.len());
        let impact = self.impact.filter(|_| self.draw.rng.chance(self.settings.impact));
        for place in places.clone() {
            self.weigh(&child.actions()[place].1, impact, &mut weights);
            ends.push(weights.len());
        }
        let chosen = self.choose_sites(&weights, impact.is_some());
        let mut has_changed = false;
        let (mut start, mut next) = (0, 0);
        for (place, end) in places.zip(ends) {
            let own = chosen[next..].iter().take_while(|site| **site < end).count();
            if own > 0 {
                let sites: Vec<usize> =
                    chosen[next..next + own].iter().map(|site| site - start).collect();
                self.draw.dormant.enter_action(child.actions()[place].0.0);
                self.draw.history.enter_action(child.actions()[place].0.0);
                let action = child.action_mut(place);
                let (template, spec) = (action.template(), self.problem.spec(action.template()));
                let (gene, knowledge) = (action.gene_mut(), &self.learnt.knowledge);
                has_changed |= mutate(&spec, template, gene, &sites, knowledge, self.draw);
            }
            (start, next) = (end, next + own);
        }
        child.repair_bindings();
        has_changed
    }

    /// Mutates genes of the initialisation, which are a group of their own: they do not compete
    /// with those of actions.
    fn mutate_initialisation(&mut self, child: &mut Individual<P::Action>) -> bool {
        let knowledge = &self.learnt.knowledge;
        let mut weights = Vec::new();
        let mut ends = Vec::new();
        for step in child.initialisation() {
            let spec = self.problem.initialisation_spec(step.template);
            weigh_sites(&spec, step.template, &step.gene, knowledge, &mut weights);
            ends.push(weights.len());
        }
        let chosen = self.choose_sites(&weights, false);
        // Templates of steps are no templates of actions, so what was switched off there fits none.
        self.draw.dormant.enter_action(STEPS);
        self.draw.history.enter_action(STEPS);
        // Nobody is told how the system uses texts of rows.
        let is_tainting = std::mem::take(&mut self.draw.is_tainting);
        let (mut start, mut next, mut has_changed) = (0, 0, false);
        for (place, end) in ends.into_iter().enumerate() {
            let own = chosen[next..].iter().take_while(|site| **site < end).count();
            if own > 0 {
                let sites: Vec<usize> =
                    chosen[next..next + own].iter().map(|site| site - start).collect();
                let step = child.initialisation_mut(place);
                let spec = self.problem.initialisation_spec(step.template);
                let template = step.template;
                has_changed |=
                    mutate(&spec, template, &mut step.gene, &sites, knowledge, self.draw);
            }
            (start, next) = (end, next + own);
        }
        self.draw.is_tainting = is_tainting;
        has_changed
    }

    /// Appends the weights of the sites of an action.
    fn weigh(&self, action: &P::Action, impact: Option<&TargetImpact>, weights: &mut Vec<f64>) {
        let template = action.template();
        let (spec, knowledge) = (self.problem.spec(template), &self.learnt.knowledge);
        match impact {
            None if self.settings.weigh_by_size => {
                weigh_sites(&spec, template, action.gene(), knowledge, weights);
            }
            None => collect_sites(&spec, action.gene(), weights),
            Some(impact) => visit_sites(&spec, action.gene(), &mut |site| {
                let path = GenePath(site.path.to_vec()).normalised();
                weights.push(impact.weight(&(template, path)));
            }),
        }
    }

    /// Chooses sites, each with its share of the expected number
    /// (docs/reference/search.md#genes-to-mutate): a part of it equally, the rest by weight. Half
    /// of the time it is one site only.
    fn choose_sites(&mut self, weights: &[f64], is_weighted: bool) -> Vec<usize> {
        let draw = &mut *self.draw;
        if weights.is_empty() {
            return Vec::new();
        }
        let equally = if is_weighted { self.settings.equal_share } else { 0.8 };
        let count = weights.len() as f64;
        let sum: f64 = weights.iter().sum();
        let share = |site: usize| equally / count + (1.0 - equally) * weights[site] / sum;
        if draw.rng.chance(self.settings.single_gene) {
            let shares: Vec<f64> = (0..weights.len()).map(share).collect();
            return draw.rng.weighted(&shares).into_iter().collect();
        }
        let expected = draw.scheduled((self.settings.mutated_share * count).max(1.0), 1.0);
        for _ in 0..10 {
            let chosen: Vec<usize> = (0..weights.len())
                .filter(|site| draw.rng.chance(expected * share(*site)))
                .collect();
            if !chosen.is_empty() {
                return chosen;
            }
        }
        vec![draw.rng.below(weights.len())]
    }
}
