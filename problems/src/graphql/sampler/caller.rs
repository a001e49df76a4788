//! Who calls, and in which form.

use wallace_engine::Learnt;
use wallace_genes::{Draw, TemplateId};

use crate::graphql::action::{Form, GraphqlAction};
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::schema::OperationKind;

/// Share of calls without credentials, where there are users.
const ANONYMOUS: f64 = 0.05;
/// Share of calls in another form than the plain one.
const OTHER_FORM: f64 = 0.15;

impl GraphqlProblem {
    /// How a call is written and sent: mostly plainly, at times in a form that means the same. Forms
    /// that a service need not understand are taken once it answered one.
    pub(crate) fn some_form(
        &self,
        call: &GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Form {
        if !self.is_black_box || !draw.rng.chance(OTHER_FORM) {
            return Form::Literals;
        }
        let kind = self.templates.operations()[call.template.0 as usize].kind;
        let is_offered = |form: &Form| match form {
            // What changes something must not be asked for twice.
            Form::Get | Form::Twice | Form::Batched => {
                kind == OperationKind::Query && learnt.memory.offers(*form)
            }
            _ => kind != OperationKind::Subscription && learnt.memory.may_offer(*form),
        };
        let beside = self.beside(call, &learnt.memory, draw).filter(is_offered);
        let forms = Form::EQUIVALENT.into_iter().filter(is_offered).chain(beside);
        let forms: Vec<Form> = forms.collect();
        forms.get(draw.rng.below(forms.len().max(1))).copied().unwrap_or_default()
    }

    /// The form in which a query stands beside another one, which went well for the same user and
    /// needs no arguments.
    pub(crate) fn beside(
        &self,
        call: &GraphqlAction,
        memory: &GraphqlMemory,
        draw: &mut Draw,
    ) -> Option<Form> {
        let operations = self.templates.operations();
        let is_query = |id: TemplateId| operations[id.0 as usize].kind == OperationKind::Query;
        let is_free = |id: TemplateId| {
            let field = self.templates.schema().field(operations[id.0 as usize].field);
            !field.arguments.iter().any(|argument| argument.is_required())
        };
        if !is_query(call.template) {
            return None;
        }
        let others = self.callable.iter().copied().filter(|other| {
            let known = memory.operation(*other).map(|known| known.user(call.user));
            *other != call.template
                && is_query(*other)
                && is_free(*other)
                && known.is_some_and(|known| known.successes > 0)
        });
        let others: Vec<TemplateId> = others.collect();
        others.get(draw.rng.below(others.len().max(1))).copied().map(Form::Beside)
    }

    /// Who calls: mostly a user with whom the operation went well, at times any.
    pub(crate) fn some_user(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<u16> {
        if self.users == 0 || draw.rng.chance(ANONYMOUS) {
            return None;
        }
        let memory = learnt.memory.operation(template);
        let weight = |user: u16| {
            let known = memory.map(|memory| memory.user(Some(user))).unwrap_or_default();
            f64::from(known.successes + 1) / f64::from(known.calls + 2) + 0.05
        };
        let weights: Vec<f64> = (0..self.users).map(weight).collect();
        draw.rng.weighted(&weights).map(|user| user as u16)
    }

    /// The user with whom the operation goes best.
    pub(crate) fn best_user(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
    ) -> Option<u16> {
        let memory = learnt.memory.operation(template);
        let users = (0..self.users).map(Some).chain([None]);
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
