//! Judging checks: what the calls of one test show together.

mod access;
mod agree;
mod filter;
mod order;
mod state;

pub(crate) use state::is_truthy;

use serde_json::{Map, Value};
use wallace_genes::Gene;

use super::CheckSettings;
use crate::graphql::action::{Check, Form, GraphqlAction};
use crate::graphql::answer::{Seen, Sight};
use crate::graphql::link::Purpose;
use crate::graphql::schema::TypeId;
use crate::graphql::scope::Scope;
use crate::oracle::Fault;

/// A fault of the call at a position of the test.
pub(super) type Found = (usize, Fault);

/// Judges the calls of one check.
struct Judge<'c> {
    scope: &'c Scope,
    calls: &'c [Seen<'c>],
    faults: Vec<Found>,
}

/// The faults that the calls of a test show, most of them by the checks that they are marked with.
pub(crate) fn judge(scope: &Scope, settings: CheckSettings, test: &[Seen<'_>]) -> Vec<Found> {
    let mut faults = Vec::new();
    if settings.relations {
        let mut judge = Judge { scope, calls: test, faults };
        test.iter().filter(|it| it.action.form.has_shape()).for_each(|it| judge.filtered(it));
        faults = judge.faults;
    }
    let mut checks: Vec<Check> = test.iter().filter_map(|seen| seen.action.check).collect();
    checks.sort_unstable();
    checks.dedup();
    for check in checks {
        let marked = test.iter().filter(|seen| seen.action.check == Some(check));
        let calls: Vec<Seen<'_>> = marked.copied().collect();
        let mut judge = Judge { scope, calls: &calls, faults };
        judge.check(check);
        faults = judge.faults;
    }
    faults
}

impl<'c> Judge<'c> {
    fn report(&mut self, seen: &Seen<'_>, code: u16, context: impl Into<String>) {
        self.faults.push((seen.place, Fault { code, context: context.into() }));
    }

    fn check(&mut self, check: Check) {
        match check {
            Check::Repeat => self.repeat(),
            Check::Forms => self.forms(),
            Check::Persisted => self.persisted(),
            Check::Pages => self.pages(),
            Check::Echo => self.echo(),
            Check::Inverse => self.inverse(),
            Check::Quote(_) => self.quote(),
            Check::Condition(_) => self.condition(),
            Check::ReadBack => self.read_back(),
            Check::AfterDelete => self.after_delete(),
            Check::Failed => self.failed(),
            Check::Anonymous => self.anonymous(),
            Check::Foreign => self.foreign(),
            Check::Sibling => self.sibling(),
            Check::Bypass => self.bypass(),
            // Each call of these is judged by itself, as every call is.
            Check::Edge | Check::Combine => {}
            Check::Forgery(_) | Check::Violation(_) | Check::Overload(_) | Check::Introspection => {
                let calls = self.calls;
                calls.iter().for_each(|call| self.single(call));
            }
        }
    }

    /// What a single call shows by the form it came in.
    fn single(&mut self, call: &Seen<'_>) {
        let answer = call.answer;
        let has_executed = || {
            answer.has_data()
                || answer
                    .response
                    .as_ref()
                    .is_ok_and(|top| top.errors.iter().any(|error| !error.path.is_empty()))
        };
        // Another site sends no header that names a user, and what is refused without is not open.
        let is_forgeable = call.action.user.is_none() && !answer.is_refused();
        match call.action.form {
            Form::Get | Form::FormEncoded | Form::PlainText
                if !call.is_query() && is_forgeable && has_executed() =>
            {
                let form = call.action.form.as_str();
                self.report(call, 984, format!("a mutation is executed when it comes as {form}"))
            }
            Form::Violation(violation) if call.gave() => {
                let rule = violation.rule.as_str();
                self.report(call, 979, format!("accepted: {rule}"))
            }
            Form::Overload(overload) if is_unlimited(call) => {
                self.report(call, 986, format!("no limit on {}", overload.as_str()))
            }
            Form::Introspection
                if answer.data().is_some_and(|data| data.contains_key("__schema")) =>
            {
                self.report(call, 987, "the schema is told to anybody")
            }
            _ => {}
        }
    }

    /// Every object of an answer whose type is known.
    fn objects(&self, call: &Seen<'c>) -> Vec<(TypeId, &'c Map<String, Value>)> {
        let mut objects = Vec::new();
        call.walk(self.scope.schema(), &mut |_, sight| {
            if let Sight::Object(Some(id), object) = sight {
                objects.push((id, object));
            }
        });
        objects
    }

    /// What the arguments of a call identify: key and value as text.
    fn identities(&self, action: &GraphqlAction) -> Vec<(String, String)> {
        let needs = self.scope.needs(action).into_iter();
        let needs = needs.filter(|need| need.source.purpose == Purpose::Id);
        let identities = needs.filter_map(|need| {
            let key = need.source.keys.first()?.clone();
            Some((key, text_of(need.path.find(&action.gene)?)?))
        });
        identities.collect()
    }
}

/// Whether an overload was executed as a whole.
fn is_unlimited(call: &Seen<'_>) -> bool {
    match &call.answer.body {
        // A batch: every request must have been executed.
        Some(Value::Array(answers)) => {
            answers.len() > 1
                && answers.iter().all(|answer| answer.get("data").is_some_and(Value::is_object))
        }
        _ => call.answer.is_success(),
    }
}

fn text_of(gene: &Gene) -> Option<String> {
    match gene {
        Gene::String(string) => Some(string.text.to_string()),
        Gene::Integer(number) => Some(number.to_string()),
        Gene::Long(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_genes::{GeneSettings, TemplateId, simplest};

    use super::*;
    use crate::graphql::answer::Answer;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    /// The faults of a mutation that came as a form, by who sent it and what was answered.
    fn forged(user: Option<u16>, body: &str) -> Vec<u16> {
        let sdl = "type Query { a: Int } type Mutation { change: Int }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let (template, form) = (TemplateId(1), Form::FormEncoded);
        let scope = Scope::new(Arc::clone(&templates), vec![template], 5);
        let operation = &templates.operations()[1];
        let gene = simplest(&operation.spec, &GeneSettings::default());
        let action = GraphqlAction::new(template, gene).by(user).written(form);
        let action = action.checked(Check::Forgery(form));
        let response =
            HttpResponse { status: 200, body: body.to_owned(), ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), form, None).unwrap();
        let seen = Seen { place: 0, action: &action, operation, selections: &[], answer: &answer };
        let faults = judge(&scope, CheckSettings::default(), &[seen]);
        faults.into_iter().map(|(_, fault)| fault.code).collect()
    }

    #[test]
    fn mutations_are_forged_without_a_header_that_names_a_user() {
        let done = r#"{"data":{"change":1}}"#;
        assert_eq!(forged(None, done), [984]);
        assert!(forged(Some(0), done).is_empty());
        let refused = r#"{"data":{"change":null},"errors":[{"message":"m","path":["change"],
            "extensions":{"code":"FORBIDDEN"}}]}"#;
        assert!(forged(None, refused).is_empty());
    }
}
