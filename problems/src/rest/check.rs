//! Checks: tests that ask for more about what a call showed.
//!
//! Each is a test with some calls after it, made so that an oracle over the whole can tell right
//! from wrong: the same call again, the call that reads what was written, the same call by somebody
//! else. The call that is checked is marked with the check, and tries are counted by it: what was
//! tried least, for the ways in which it can turn out, comes first.

mod access;
mod build;
mod input;
mod offer;
mod state;
mod verb;

use http::Method;
use serde::{Deserialize, Serialize};
use wallace_engine::{Evaluated, Individual, Learnt};
use wallace_genes::{Draw, Gene, TemplateId};

use super::action::RestAction;
use super::oracle::Payload;
use super::problem::{RestMemory, RestProblem};

pub(super) use offer::Offer;
pub(super) use verb::other_verbs;

/// Operations of which the check that was tried least is made.
const MOST_CANDIDATES: usize = 64;
/// What a try counts that told nothing, since the service refused the call for another reason.
const REFUSED: f64 = 0.35;
/// Tries that told something, for each way in which a check can turn out, after which no more of it
/// is asked for.
const ENOUGH: f64 = 8.0;
/// Probability of a check after a test that was progress, with a driver.
const RARE_CHECK: f64 = 0.1;
/// Probability that something is changed before a call whose check depends on what is there.
const STATEFUL: f64 = 0.6;
/// The same for other checks.
const STATELESS: f64 = 0.1;

/// What a call, with those around it, shall show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// PUT twice leaves what PUT once leaves.
    Again,
    /// PUT replaces what was there.
    Replace,
    /// What was deleted is not there.
    Gone,
    /// Reading changes nothing.
    Reread,
    /// Neighbouring pages share nothing.
    Pages,
    /// The member of this number that is not documented has no effect.
    Member(u8),
    /// A creation that failed left nothing.
    Failed,
    /// What was made and taken back again is as if it had never been there.
    Emptied,
    /// What is no more as the caller knows it is not changed.
    Stale,
    /// What the caller has already is not sent again.
    NotModified,
    /// Pages of any origin may not read what the caller may.
    Origin,
    /// The same call with another listed value goes well, or is refused.
    Walk,
    /// Nobody in particular may do what needs a user.
    Nobody,
    /// This user may do all that changes a thing, or nothing.
    Other(u16),
    /// A call that breaks a rule is refused.
    Violation,
    /// A body of another media type is refused.
    MediaType,
    /// The service does not call where a request says.
    Callback,
    /// A text is not taken for code.
    Injection(Payload),
    /// The verb of this number, which is not documented, is refused.
    Verb(u32),
}

impl Check {
    /// Whether the answer of the marked call shows that the service looked at what was asked.
    fn is_told_by(self, status: u16) -> bool {
        match self {
            Self::Nobody => matches!(status, 200..300 | 401 | 403),
            Self::Emptied => !matches!(status, 401 | 403 | 404),
            Self::Violation | Self::MediaType | Self::Callback | Self::Injection(_) => {
                !matches!(status, 401 | 403 | 404 | 409)
            }
            Self::Failed => {
                (400..500).contains(&status) && !matches!(status, 401 | 403 | 404 | 409)
            }
            _ => (200..300).contains(&status),
        }
    }

    /// Whether what it shows depends on what else is there.
    fn is_stateful(self) -> bool {
        matches!(self, Self::Again | Self::Walk)
    }
}

/// How often a check of an operation was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// The check.
    pub check: Check,
    /// Tries in which the service looked at what was asked.
    pub told: u32,
    /// Tries in which it refused the call for another reason.
    pub refused: u32,
}

impl RestMemory {
    /// Counts the checks that a test was made for.
    pub(super) fn note_checks(&mut self, test: &Evaluated<RestAction>) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Some(check) = action.check else { continue };
            let all = self.checks.entry(action.template).or_default();
            let place = all.iter().position(|tries| tries.check == check);
            let place = place.unwrap_or_else(|| {
                all.push(Tries { check, told: 0, refused: 0 });
                all.len() - 1
            });
            let is_told = outcome.status().is_some_and(|status| check.is_told_by(status));
            let count = if is_told { &mut all[place].told } else { &mut all[place].refused };
            *count = count.saturating_add(1);
        }
    }

    /// How much a check of an operation was tried, for the ways in which it can turn out. The first
    /// try of one comes before the second of another, where it is likely to tell something.
    fn tried(&self, id: TemplateId, offer: &Offer) -> f64 {
        let mut all = self.checks.get(&id).into_iter().flatten();
        match all.find(|tries| tries.check == offer.check) {
            None if offer.weight >= 1.0 => 0.0,
            None => 1.0 / offer.weight,
            Some(Tries { told, refused, .. }) => {
                (1.0 + f64::from(*told) + REFUSED * f64::from(*refused)) / offer.weight
            }
        }
    }
}

impl RestProblem {
    /// A test for the check that was tried least; `None` where all were tried enough.
    pub(super) fn least_tried_check(
        &self,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let count = self.callable.len();
        let start = draw.rng.below(count);
        let mut candidates = Vec::new();
        for place in 0..count.min(MOST_CANDIDATES) {
            let id = self.callable[(start + place) % count];
            for offer in &self.offers[id.0 as usize] {
                let tried = learnt.memory.tried(id, offer);
                if tried <= ENOUGH && self.is_possible(id, offer.check, learnt) {
                    candidates.push((tried, draw.rng.unit(), id, offer.check));
                }
            }
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        candidates
            .into_iter()
            .take(MOST_CANDIDATES)
            .find_map(|(_, _, id, check)| self.check_of(id, check, learnt, draw))
    }

    /// Whether a check can be made without an answer to go by.
    fn is_possible(&self, id: TemplateId, check: Check, learnt: &Learnt<RestMemory>) -> bool {
        match check {
            Check::NotModified => false,
            Check::Stale => {
                let read = self.here(id, &Method::GET);
                read.is_some_and(|read| learnt.memory.tagged.contains(&read))
            }
            _ => true,
        }
    }

    /// A plan for the operation with one of its checks after it.
    pub(super) fn any_check(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let offers = &self.offers[id.0 as usize];
        let weights: Vec<f64> = offers.iter().map(|offer| offer.weight).collect();
        let check = offers[draw.rng.weighted(&weights)?].check;
        let plan = self.plan(id, learnt, draw);
        self.checked(plan, check, None, learnt, draw)
    }

    /// A test for a check of an operation, after what makes its call go well.
    fn check_of(
        &self,
        id: TemplateId,
        check: Check,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let neighbour = if check.is_stateful() { STATEFUL } else { STATELESS };
        let mut plan = self.plan_after(id, neighbour, learnt, draw);
        let other = if let Check::Other(user) = check { Some(user) } else { None };
        self.by_somebody_able(&mut plan, other, learnt, draw);
        self.checked(plan, check, None, learnt, draw)
    }

    /// Lets the last call be made by somebody for whom it worked before, rather one who also made
    /// what comes before it, and not by `other`.
    fn by_somebody_able(
        &self,
        plan: &mut Individual<RestAction>,
        other: Option<u16>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) {
        let Some((_, last)) = plan.actions().last() else { return };
        let known = learnt.memory.successes.get(&last.template).into_iter().flatten();
        let able: Vec<Option<u16>> = known
            .map(|user| u16::try_from(*user).ok())
            .filter(|user| other.is_none() || *user != other)
            .collect();
        if able.contains(&last.caller) {
            return;
        }
        let before = plan.actions().iter().rev().skip(1).map(|(_, action)| action.caller);
        let mut near = before.filter(|caller| caller.is_some() && able.contains(caller));
        let Some(caller) = near.next().or_else(|| draw.rng.pick(&able).copied()) else { return };
        let place = plan.actions().len() - 1;
        plan.action_mut(place).caller = caller;
    }

    /// The test with the check of its last call.
    pub(super) fn checked(
        &self,
        base: Individual<RestAction>,
        check: Check,
        tag: Option<&str>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let (last, action) = base.actions().last().cloned()?;
        if action.twist.is_some() || base.size() + 1 >= self.max_size {
            return None;
        }
        let action = RestAction::clone(&action);
        build::Build { problem: self, learnt, draw, base, last, action, tag }.built(check)
    }

    /// The check of what a test was about that was tried least; seldom any with a driver.
    pub(super) fn checks(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<RestAction>> {
        let last = test.outcomes.len().checked_sub(1)?;
        test.individual.actions().get(last)?;
        if self.is_white_box && !draw.rng.chance(RARE_CHECK) {
            return None;
        }
        // What only takes back what the test made is not what it is about.
        let place = if draw.rng.chance(0.5) { last } else { self.subject(&test.individual, last) };
        let response = test.outcomes[place].response.as_ref().ok()?;
        let id = test.individual.actions()[place].1.template;
        if !(200..300).contains(&response.status) {
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
        self.renew(&mut base, learnt, draw);
        let mut candidates: Vec<(f64, f64, Check)> = Vec::new();
        for offer in &self.offers[id.0 as usize] {
            let tried = if self.is_white_box { 0.0 } else { learnt.memory.tried(id, offer) };
            candidates.push((tried, draw.rng.unit(), offer.check));
        }
        candidates.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let tag = response.header("etag");
        let mut tests = candidates
            .into_iter()
            .filter_map(|(.., check)| self.checked(base.clone(), check, tag, learnt, draw));
        let mut check = tests.next()?;
        drop(tests);
        self.clean(&mut check, learnt, draw);
        Some(check)
    }

    /// Samples anew what is created, where no driver takes back what was created before: much can
    /// be there only once.
    fn renew(
        &self,
        base: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) {
        if self.is_white_box {
            return;
        }
        for place in 0..base.actions().len() {
            let action = RestAction::clone(&base.actions()[place].1);
            if action.twist.is_none() && self.is_creation(action.template) {
                let fresh = self.call(action.template, learnt, draw);
                base.action_mut(place).gene = self.about(&action, fresh.gene);
            }
        }
    }

    /// The gene with the placeholders of the path as an earlier call of the operation has them.
    fn about(&self, action: &RestAction, mut gene: Gene) -> Gene {
        if let (Gene::Tuple(elements), Gene::Tuple(known)) = (&mut gene, &action.gene) {
            for need in self.resources.needs(action.template) {
                let index = need.parameter as usize;
                if let (Some(element), Some(known)) = (elements.get_mut(index), known.get(index)) {
                    *element = known.clone();
                }
            }
        }
        gene
    }

    /// Whether the call has a body of one of some documented media types.
    fn has_closed_media_types(&self, id: TemplateId, gene: &Gene) -> bool {
        let operation = self.templates.operation(id);
        let has_range = operation.bodies.iter().any(|body| body.media_type.contains('*'));
        !has_range && self.templates.body(id, gene).is_some()
    }
}
