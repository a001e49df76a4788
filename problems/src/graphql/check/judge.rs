//! Judging checks: what the calls of one test show together.

mod access;
mod agree;
mod state;

use serde_json::{Map, Value};
use wallace_genes::{Gene, TemplateId};

use crate::evaluator::Exchange;
use crate::graphql::action::{Check, Form, GraphqlAction};
use crate::graphql::answer::{Answer, Sight, walk};
use crate::graphql::link::Purpose;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::schema::{OperationKind, TypeId};
use crate::graphql::template::OperationTemplate;
use crate::oracle::Fault;

/// A call of a check, with its answer.
pub(super) struct Seen<'a> {
    /// Position in the test.
    pub(super) place: usize,
    pub(super) action: &'a GraphqlAction,
    pub(super) operation: &'a OperationTemplate,
    pub(super) answer: &'a Answer,
}

impl Seen<'_> {
    pub(super) fn is_query(&self) -> bool {
        self.operation.kind == OperationKind::Query
    }

    /// Whether the operation gave a value without any error.
    pub(super) fn gave(&self) -> bool {
        self.answer.gave(&self.operation.name)
    }

    /// The value of the operation.
    pub(super) fn value(&self) -> Option<&Value> {
        self.answer.data()?.get(&*self.operation.name)
    }

    /// What the operation gave the second time, where the form asks for it twice.
    pub(super) fn value_again(&self) -> Option<&Value> {
        let again = self.answer.again.as_ref()?;
        match self.action.form {
            Form::Batched => again.get("data")?.get(&*self.operation.name),
            _ => Some(again),
        }
    }

    /// Whether two calls ask the same, whoever asks and in whatever form.
    pub(super) fn asks_as(&self, other: &Self) -> bool {
        self.action.template == other.action.template && self.action.gene == other.action.gene
    }
}

/// A fault of the call at a position of the test.
pub(super) type Found = (usize, Fault);

pub(super) fn found(seen: &Seen<'_>, code: u16, context: impl Into<String>) -> Found {
    (seen.place, Fault { code, context: context.into() })
}

/// The faults that the marked calls of a test show.
pub(crate) fn judge(
    problem: &GraphqlProblem,
    test: &[Exchange<'_, GraphqlAction>],
    answers: &[Option<Answer>],
) -> Vec<Found> {
    let mut faults = Vec::new();
    if problem.checks.relations {
        for (place, (exchange, answer)) in test.iter().zip(answers).enumerate() {
            let action = exchange.action;
            let operation = problem.templates.operation(action.template);
            if let (Some(operation), Some(answer), true) =
                (operation, answer, action.form.has_shape())
            {
                faults.extend(agree::filtered(problem, &Seen { place, action, operation, answer }));
            }
        }
    }
    let mut checks: Vec<Check> = test.iter().filter_map(|exchange| exchange.action.check).collect();
    checks.sort_unstable();
    checks.dedup();
    for check in checks {
        let marked =
            test.iter().zip(answers).enumerate().filter_map(|(place, (exchange, answer))| {
                let action = exchange.action;
                let operation = problem.templates.operation(action.template)?;
                let answer = answer.as_ref().filter(|_| action.check == Some(check))?;
                Some(Seen { place, action, operation, answer })
            });
        let calls: Vec<Seen<'_>> = marked.collect();
        judge_check(problem, check, &calls, &mut faults);
    }
    faults
}

fn judge_check(
    problem: &GraphqlProblem,
    check: Check,
    calls: &[Seen<'_>],
    faults: &mut Vec<Found>,
) {
    match check {
        Check::Repeat => agree::repeat(calls, faults),
        Check::Forms => agree::forms(calls, faults),
        Check::Persisted => agree::persisted(calls, faults),
        Check::Pages => agree::pages(problem, calls, faults),
        Check::Echo => agree::echo(problem, calls, faults),
        Check::Inverse => agree::inverse(problem, calls, faults),
        Check::Quote(_) => agree::quote(calls, faults),
        Check::Condition(_) => agree::condition(calls, faults),
        Check::ReadBack => state::read_back(problem, calls, faults),
        Check::AfterDelete => state::after_delete(problem, calls, faults),
        Check::Failed => state::failed(calls, faults),
        Check::Anonymous => access::anonymous(calls, faults),
        Check::Foreign => access::foreign(problem, calls, faults),
        Check::Sibling => access::sibling(problem, calls, faults),
        Check::Bypass => access::bypass(problem, calls, faults),
        // Each call of these is judged by itself, as every call is.
        Check::Edge | Check::Combine => {}
        Check::Forgery(_) | Check::Violation(_) | Check::Overload(_) | Check::Introspection => {
            faults.extend(calls.iter().filter_map(single));
        }
    }
}

/// What a single call shows by the form it came in.
fn single(call: &Seen<'_>) -> Option<Found> {
    let answer = call.answer;
    let has_executed = || {
        answer.has_data()
            || answer
                .response
                .as_ref()
                .is_ok_and(|top| top.errors.iter().any(|error| !error.path.is_empty()))
    };
    match call.action.form {
        Form::Get | Form::FormEncoded | Form::PlainText if !call.is_query() && has_executed() => {
            let form = call.action.form.as_str();
            Some(found(call, 984, format!("a mutation is executed when it comes as {form}")))
        }
        Form::Violation(violation) if call.gave() => {
            let rule = violation.rule.as_str();
            Some(found(call, 979, format!("accepted: {rule}")))
        }
        Form::Overload(overload) if is_unlimited(call) => {
            Some(found(call, 986, format!("no limit on {}", overload.as_str())))
        }
        Form::Introspection if answer.data().is_some_and(|data| data.contains_key("__schema")) => {
            Some(found(call, 987, "the schema is told to anybody"))
        }
        _ => None,
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

/// Every object of an answer whose type is known.
pub(super) fn objects<'a>(
    problem: &GraphqlProblem,
    call: &Seen<'a>,
) -> Vec<(TypeId, &'a Map<String, Value>)> {
    let mut objects = Vec::new();
    let answer: &'a Answer = call.answer;
    if let Some(data) = answer.data() {
        let gene = &call.action.gene;
        walk(&problem.templates, call.operation, gene, data, &mut |_, sight| {
            if let Sight::Object(Some(id), object) = sight {
                objects.push((id, object));
            }
        });
    }
    objects
}

/// What the arguments of a call identify: key and value as text.
pub(super) fn identities(
    problem: &GraphqlProblem,
    action: &GraphqlAction,
) -> Vec<(String, String)> {
    let needs = problem.needs(action).into_iter().filter(|need| need.source.purpose == Purpose::Id);
    needs
        .filter_map(|need| {
            let key = need.source.keys.first()?.clone();
            Some((key, text_of(need.path.find(&action.gene)?)?))
        })
        .collect()
}

fn text_of(gene: &Gene) -> Option<String> {
    match gene {
        Gene::String(string) => Some(string.text.to_string()),
        Gene::Integer(number) => Some(number.to_string()),
        Gene::Long(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A scalar as text, so that an id is the same as number and as text.
pub(super) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The type that an operation is about.
pub(super) fn resource(problem: &GraphqlProblem, template: TemplateId) -> Option<TypeId> {
    problem.links.resource(template)
}
