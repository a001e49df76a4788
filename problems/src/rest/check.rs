//! Checks: tests that ask for more about what a call showed.
//!
//! Each is a test with some calls after it, made so that an oracle over the whole can tell right
//! from wrong: the same call again, the call that reads what was written, the same call by somebody
//! else. The call that is checked is marked with the check, and tries are counted by it: what was
//! tried least, for the ways in which it can turn out, comes first.

mod access;
mod build;
mod input;
mod kind;
mod member;
mod offer;
mod state;
mod verb;

use http::Method;
use wallace_engine::{Evaluated, Individual};
use wallace_genes::{GeneSettings, TemplateId};

use super::action::RestAction;
use super::operations::Operations;
use super::oracle::OracleSettings;
use super::plan::Planner;
use build::Build;
use offer::Offer;

pub use kind::{Check, Tries};

/// Operations of which the check that was tried least is made.
const MOST_CANDIDATES: usize = 64;
/// The checks that operations can be put to.
#[derive(Debug)]
pub(super) struct Checks {
    /// Verbs that paths do not document, with an operation of the path.
    pub(super) other_verbs: Vec<(TemplateId, &'static str)>,
    /// The checks of each template.
    offers: Vec<Vec<Offer>>,
    /// What is judged: nothing else is asked.
    oracles: OracleSettings,
}

impl Checks {
    /// The checks of all operations that are called; `has_callback` says whether services may be
    /// made to call us.
    pub(super) fn new(
        operations: &Operations,
        oracles: &OracleSettings,
        has_callback: bool,
        genes: &GeneSettings,
    ) -> Self {
        let oracles = oracles.clone();
        let has_verbs = !operations.is_white_box || oracles.security;
        let other_verbs =
            if has_verbs { verb::other_verbs(operations, oracles.security) } else { Vec::new() };
        let mut checks = Self { offers: Vec::new(), other_verbs, oracles };
        let offers = operations.templates.operations().iter().map(|template| {
            let id = Some(template.id).filter(|id| operations.callable.contains(id));
            id.map_or_else(Vec::new, |id| checks.offers_of(operations, id, has_callback, genes))
        });
        checks.offers = offers.collect();
        checks
    }

    fn of(&self, id: TemplateId) -> &[Offer] {
        &self.offers[id.0 as usize]
    }
}

/// Makes the tests of checks.
pub(super) struct Checker<'p> {
    pub(super) planner: Planner<'p>,
    pub(super) checks: &'p Checks,
}

impl Checker<'_> {
    /// A test for the check that was tried least; `None` where all were tried enough.
    pub(super) fn least_tried_check(&mut self) -> Option<Individual<RestAction>> {
        let Planner { operations, learnt, .. } = self.planner;
        let settings = &operations.settings;
        let count = operations.callable.len();
        let start = self.planner.draw.rng.below(count);
        let mut candidates = Vec::new();
        for place in 0..count.min(MOST_CANDIDATES) {
            let id = operations.callable[(start + place) % count];
            for offer in self.checks.of(id) {
                let tried = learnt.memory.tried(id, offer, settings);
                if tried <= settings.enough_tries && self.is_possible(id, offer.check) {
                    candidates.push((tried, self.planner.draw.rng.unit(), id, offer.check));
                }
            }
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let mut candidates = candidates.into_iter().take(MOST_CANDIDATES);
        candidates.find_map(|(_, _, id, check)| self.check_of(id, check))
    }

    /// Whether a check can be made without an answer to go by.
    fn is_possible(&self, id: TemplateId, check: Check) -> bool {
        match check {
            Check::NotModified => self.planner.learnt.memory.tagged.contains_key(&id),
            // Whom it lets in is known to it.
            Check::Known => {
                let memory = &self.planner.learnt.memory;
                let has_worked =
                    |users: &std::collections::BTreeSet<i32>| users.iter().any(|user| *user >= 0);
                memory.record.contains_key(&id)
                    && !memory.successes.get(&id).is_some_and(has_worked)
            }
            Check::Stale => {
                let read = self.planner.operations.here(id, &Method::GET);
                read.is_some_and(|read| self.planner.learnt.memory.has_strong_tag(read))
            }
            _ => true,
        }
    }

    /// A plan for the operation with one of its checks after it.
    pub(super) fn any_check(&mut self, id: TemplateId) -> Option<Individual<RestAction>> {
        let offers = self.checks.of(id);
        let weights: Vec<f64> = offers.iter().map(|offer| offer.weight).collect();
        let check = offers[self.planner.draw.rng.weighted(&weights)?].check;
        let plan = self.planner.plan(id);
        self.checked(plan, check, None)
    }

    /// A test for a check of an operation, after what makes its call go well.
    fn check_of(&mut self, id: TemplateId, check: Check) -> Option<Individual<RestAction>> {
        let settings = self.planner.settings();
        let neighbour = match check.is_stateful() {
            true => settings.change_before_check,
            false => settings.change_before_other_check,
        };
        self.planner.is_alone = true;
        let mut plan = match check {
            // The tag is that of something which was read before.
            Check::NotModified => self.planner.plan_alone(id),
            _ => self.planner.plan_after(id, neighbour),
        };
        let other = if let Check::Other(user) = check { Some(user) } else { None };
        self.planner.by_somebody_able(&mut plan, other);
        let tag = self.planner.learnt.memory.tagged.get(&id);
        self.checked(plan, check, tag.map(|tag| &**tag))
    }

    /// The test with the check of its last call.
    pub(super) fn checked(
        &mut self,
        base: Individual<RestAction>,
        check: Check,
        tag: Option<&str>,
    ) -> Option<Individual<RestAction>> {
        let (last, action) = base.actions().last().cloned()?;
        if action.deviation.is_some() || base.size() + 1 >= self.planner.operations.max_size {
            return None;
        }
        let action = RestAction::clone(&action);
        let (planner, checks) = (&mut self.planner, self.checks);
        Build { planner, checks, base, last, action, tag }.built(check)
    }

    /// The check of what a test was about that was tried least; seldom any with a driver.
    pub(super) fn follow_up(
        &mut self,
        test: &Evaluated<RestAction>,
    ) -> Option<Individual<RestAction>> {
        let Planner { operations, learnt, .. } = self.planner;
        let settings = &operations.settings;
        let last = test.outcomes.len().checked_sub(1)?;
        test.individual.actions().get(last)?;
        if operations.is_white_box && !self.planner.chance(settings.check_of_progress) {
            return None;
        }
        // What only takes back what the test made is not what it is about.
        let is_last = self.planner.chance(0.5);
        let place = if is_last { last } else { operations.subject(&test.individual, last) };
        let response = test.outcomes[place].response.as_ref().ok()?;
        let id = test.individual.actions()[place].1.template;
        if !response.is_success() {
            return None;
        }
        let mut base = test.individual.clone();
        while base.actions().len() > place + 1 {
            base.remove(place + 1);
        }
        for place in 0..base.actions().len() {
            if base.actions()[place].1.check.is_some() {
                base.action_mut(place).check = None;
            }
        }
        self.planner.renew(&mut base);
        let mut candidates: Vec<(f64, f64, Check)> = Vec::new();
        for offer in self.checks.of(id) {
            let is_told = operations.is_white_box;
            let tried = if is_told { 0.0 } else { learnt.memory.tried(id, offer, settings) };
            candidates.push((tried, self.planner.draw.rng.unit(), offer.check));
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let tag = response.header("etag");
        let mut candidates = candidates.into_iter();
        let mut check =
            candidates.find_map(|(.., check)| self.checked(base.clone(), check, tag))?;
        self.planner.clean(&mut check);
        Some(check)
    }
}

impl Planner<'_> {
    /// Lets the last call be made by somebody for whom it worked before, rather one who also made
    /// what comes before it, and not by `other`.
    fn by_somebody_able(&mut self, plan: &mut Individual<RestAction>, other: Option<u16>) {
        let Some((_, last)) = plan.actions().last() else { return };
        let known = self.learnt.memory.successes.get(&last.template).into_iter().flatten();
        let able: Vec<Option<u16>> = known
            .map(|user| u16::try_from(*user).ok())
            .filter(|user| other.is_none() || *user != other)
            .collect();
        if able.contains(&last.caller) {
            return;
        }
        let before = plan.actions().iter().rev().skip(1).map(|(_, action)| action.caller);
        let mut near = before.filter(|caller| caller.is_some() && able.contains(caller));
        let caller = near.next().or_else(|| self.draw.rng.pick(&able).copied());
        let Some(caller) = caller else { return };
        let place = plan.actions().len() - 1;
        plan.action_mut(place).caller = caller;
    }

    /// Samples anew what is created, where no driver takes back what was created before: much can
    /// be there only once.
    fn renew(&mut self, base: &mut Individual<RestAction>) {
        if self.operations.is_white_box {
            return;
        }
        for place in 0..base.actions().len() {
            let action = RestAction::clone(&base.actions()[place].1);
            if action.deviation.is_none() && self.operations.is_creation(action.template) {
                let fresh = self.call(action.template);
                base.action_mut(place).gene = self.operations.about(&action, fresh.gene);
            }
        }
    }
}
