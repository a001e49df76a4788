//! Who calls, and in which form.

use wallace_genes::TemplateId;

use crate::graphql::action::{Form, GraphqlAction};
use crate::graphql::schema::OperationKind;

use super::Sampler;

/// Share of calls without credentials, where there are users.
const ANONYMOUS: f64 = 0.05;
/// Share of calls in another form than the plain one.
const OTHER_FORM: f64 = 0.15;

impl Sampler<'_, '_> {
    /// How a call is written and sent: mostly plainly, at times in a form that means the same. Forms
    /// that a service need not understand are taken once it answered one.
    pub(crate) fn some_form(&mut self, call: &GraphqlAction) -> Form {
        if !self.scope.is_black_box || !self.draw.rng.chance(OTHER_FORM) {
            return Form::Literals;
        }
        let kind = self.scope.operation(call.template).kind;
        let memory = &self.learnt.memory;
        let is_offered = |form: &Form| match form {
            // What changes something must not be asked for twice.
            Form::Get | Form::Twice | Form::Batched => {
                kind == OperationKind::Query && memory.offers(*form)
            }
            _ => kind != OperationKind::Subscription && memory.may_offer(*form),
        };
        let beside = self.beside(call).filter(is_offered);
        let forms = Form::EQUIVALENT.into_iter().filter(is_offered).chain(beside);
        let forms: Vec<Form> = forms.collect();
        forms.get(self.draw.rng.below(forms.len().max(1))).copied().unwrap_or_default()
    }

    /// The form in which a query stands beside another one, which went well for the same user and
    /// needs no arguments.
    pub(crate) fn beside(&mut self, call: &GraphqlAction) -> Option<Form> {
        let scope = self.scope;
        if !scope.is_query(call.template) {
            return None;
        }
        let others = scope.callable.iter().copied().filter(|other| {
            let known = self.learnt.memory.operation(*other).map(|known| known.user(call.user));
            *other != call.template
                && scope.is_query(*other)
                && !scope.schema().field(scope.operation(*other).field).needs_arguments()
                && known.is_some_and(|known| known.successes > 0)
        });
        let others: Vec<TemplateId> = others.collect();
        others.get(self.draw.rng.below(others.len().max(1))).copied().map(Form::Beside)
    }

    /// Who calls: mostly a user with whom the operation went well, at times any.
    pub(crate) fn some_user(&mut self, template: TemplateId) -> Option<u16> {
        if self.scope.users == 0 || self.draw.rng.chance(ANONYMOUS) {
            return None;
        }
        let memory = self.learnt.memory.operation(template);
        let weight = |user: u16| {
            let known = memory.map(|memory| memory.user(Some(user))).unwrap_or_default();
            f64::from(known.successes + 1) / f64::from(known.calls + 2) + 0.05
        };
        let weights: Vec<f64> = (0..self.scope.users).map(weight).collect();
        self.draw.rng.weighted(&weights).map(|user| user as u16)
    }

    /// The user with whom the operation goes best.
    pub(crate) fn best_user(&self, template: TemplateId) -> Option<u16> {
        let memory = self.learnt.memory.operation(template);
        let users = (0..self.scope.users).map(Some).chain([None]);
        users.max_by_key(|user| {
            let known = memory.map(|memory| memory.user(*user)).unwrap_or_default();
            // Of equals the first; nobody only where it is best.
            (
                known.successes * 1_000 / known.calls.max(1),
                std::cmp::Reverse(user.unwrap_or(u16::MAX)),
            )
        })?
    }
}
