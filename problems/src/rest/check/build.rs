//! Building blocks of checks: the test up to the call that is checked, and calls about the same
//! thing.

use std::sync::Arc;

use wallace_engine::{ActionId, Individual, Learnt};
use wallace_genes::{Draw, Gene, GeneSettings, TemplateId};

use super::Check;
use crate::rest::action::RestAction;
use crate::rest::problem::{RestMemory, RestProblem};

pub(super) type Test = Individual<RestAction>;

/// What a check is built from.
pub(super) struct Build<'b, 'd> {
    pub(super) problem: &'b RestProblem,
    pub(super) learnt: &'b Learnt<RestMemory>,
    pub(super) draw: &'d mut Draw,
    /// The test up to the call that is checked.
    pub(super) base: Test,
    /// The call that is checked: the last one of the base.
    pub(super) last: ActionId,
    pub(super) action: RestAction,
    /// Entity tag of its answer, where that is known.
    pub(super) tag: Option<&'b str>,
}

impl Build<'_, '_> {
    /// The test of a check, its call marked; `None` where the check does not fit the call.
    pub(super) fn built(mut self, check: Check) -> Option<Test> {
        let mut test = self.unmarked(check)?;
        let place = match check {
            Check::Failed => 1,
            Check::Pages => 0,
            Check::Emptied => test.actions().len() - 1,
            _ => test.position(self.last)?,
        };
        test.action_mut(place).check = Some(check);
        Some(test)
    }

    fn unmarked(&mut self, check: Check) -> Option<Test> {
        match check {
            Check::Again => self.again(),
            Check::Replace => self.replace(),
            Check::Gone => self.gone(),
            Check::Reread => self.reread(),
            Check::Pages => self.pages(),
            Check::Member(number) => self.member(usize::from(number)),
            Check::Failed => self.failed(),
            Check::Emptied => self.emptied(),
            Check::Stale => self.stale(),
            Check::NotModified => self.not_modified(),
            Check::Origin => self.origin(),
            Check::Walk => self.walk(),
            Check::Nobody => self.nobody(),
            Check::Other(user) => self.other(user),
            Check::Violation => self.violation(),
            Check::MediaType => self.media_type(),
            Check::Callback => self.callback(),
            Check::Injection(payload) => self.injection(payload),
            Check::Verb(number) => self.verb(number),
        }
    }

    /// A valid call of an operation by this user.
    pub(super) fn call(&mut self, id: TemplateId, caller: Option<u16>) -> RestAction {
        let mut call = self.problem.call(id, self.learnt, self.draw);
        call.caller = caller;
        call
    }

    /// The test up to the last call, and that replaced.
    pub(super) fn with_last(&self, call: RestAction) -> Test {
        let mut test = self.base.clone();
        if let Some(place) = test.position(self.last) {
            *test.action_mut(place) = call;
        }
        test.repair_bindings();
        test
    }

    /// A call with everything that is optional.
    pub(super) fn full_gene(&mut self, id: TemplateId) -> Gene {
        let usual = Arc::clone(&self.draw.settings);
        let full = GeneSettings { absent: 0.0, null: 0.0, ..(*usual).clone() };
        self.draw.settings = Arc::new(full);
        let (knowledge, pool) = (&self.learnt.knowledge, &self.learnt.memory.pool);
        let gene = self.problem.templates.sample(id, knowledge, pool, self.draw);
        self.draw.settings = usual;
        gene
    }

    /// Adds a reading of the thing that the last call is about, by its caller.
    pub(super) fn read(&mut self, test: &mut Test, read: Option<TemplateId>) {
        if let Some(read) = read {
            let call = self.call(read, self.action.caller);
            self.problem.push_about(test, call, self.last);
        }
    }
}
