//! Building blocks of checks: the test up to the call that is checked, and calls about the same
//! thing.

use http::Method;
use wallace_engine::{ActionId, Individual};
use wallace_genes::{Gene, GeneSettings, TemplateId};

use super::{Check, Checks};
use crate::rest::action::RestAction;
use crate::rest::plan::Planner;

pub(super) type Test = Individual<RestAction>;

/// What a check is built from.
pub(super) struct Build<'b, 'p> {
    pub(super) planner: &'b mut Planner<'p>,
    pub(super) checks: &'b Checks,
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
            Check::Known => self.known(),
            Check::Other(user) => self.other(user),
            Check::Violation => self.violation(),
            Check::Extreme => self.extreme(),
            Check::MediaType => self.media_type(),
            Check::Callback => self.callback(),
            Check::Injection(payload) => self.injection(payload),
            Check::Verb(number) => self.verb(number),
        }
    }

    /// A valid call of an operation by this user.
    pub(super) fn call(&mut self, id: TemplateId, caller: Option<u16>) -> RestAction {
        RestAction { caller, ..self.planner.call(id) }
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

    /// A call with everything that is optional, about the same thing as the last one.
    pub(super) fn full_gene(&mut self) -> Gene {
        let gene = self.everything(self.action.template);
        self.planner.operations.about(&self.action, gene)
    }

    /// Values for everything that is optional.
    pub(super) fn everything(&mut self, id: TemplateId) -> Gene {
        let usual = (*self.planner.draw.settings).clone();
        let full = GeneSettings { absent: 0.0, null: 0.0, ..usual };
        self.planner.with_settings(full, |planner| planner.sample(id))
    }

    /// Adds a call about the same thing as the last one.
    pub(super) fn push(&self, test: &mut Test, call: RestAction) -> Option<ActionId> {
        self.planner.operations.push_about(test, call, self.last)
    }

    /// The test with another call about the same thing at its end.
    pub(super) fn once_more(&self, call: RestAction) -> Option<Test> {
        let mut test = self.base.clone();
        self.push(&mut test, call)?;
        Some(test)
    }

    /// The operation that reads what the last call is about.
    pub(super) fn reading(&self) -> Option<TemplateId> {
        self.planner.operations.here(self.action.template, &Method::GET)
    }

    /// Adds a reading of the thing that the last call is about, by its caller.
    pub(super) fn read(&mut self, test: &mut Test, read: Option<TemplateId>) {
        if let Some(read) = read {
            // The same reading each time: other parameters may show other parts.
            let mut earlier = test.actions().iter().map(|(_, action)| &**action);
            let same = earlier.find(|it| {
                it.template == read && it.caller == self.action.caller && it.deviation.is_none()
            });
            let call = same.cloned();
            let call = call.unwrap_or_else(|| self.call(read, self.action.caller));
            self.push(test, call);
        }
    }
}
