//! From a solution of a search on a REST service to neutral test cases.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Solution, SolutionTest};

use wallace_problems::rest::{ParameterPlace, RestAction, RestProblem, Twist};
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest, User};

use crate::credential::credentials;
use crate::lower::{Recording, finished};
use crate::name::{TestNamer, snake_case};
use crate::request::{Body, JsonBody, Request};
use crate::set_up::add_rows;
use crate::test_case::{Capture, Step, TestCase};
use crate::text::{CapturedForm, RequestText, TextPart};

/// The tests of a solution, in its order. Callers are known by their position among `users`;
/// their credentials are read from environment variables, `WALLACE_CREDENTIALS_` and the name.
///
/// None stands for a test in which a call got no response: there is nothing that could be expected.
#[must_use]
pub fn lower_rest(
    problem: &RestProblem,
    users: &[User],
    solution: &Solution<RestAction>,
    recorded_at: Option<u64>,
) -> Vec<Option<TestCase>> {
    let mut namer = TestNamer::default();
    let lowering = Lowering { problem, users, recorded_at };
    solution.tests.iter().map(|test| lowering.test_case(test, &mut namer)).collect()
}

struct Lowering<'s> {
    problem: &'s RestProblem,
    users: &'s [User],
    recorded_at: Option<u64>,
}

/// A value that a call takes from an earlier answer.
struct Taken {
    source: usize,
    capture: Capture,
    slot: Slot,
}

/// Where a taken value is sent.
enum Slot {
    /// In the segment of the path at this position.
    Segment(usize),
    /// In the parameter of the query of this name.
    Query(String),
    /// In the body, at this JSON pointer.
    Body(String),
}

impl Lowering<'_> {
    fn test_case(
        &self,
        test: &SolutionTest<RestAction>,
        namer: &mut TestNamer,
    ) -> Option<TestCase> {
        let individual = &test.evaluated.individual;
        let outcomes = &test.evaluated.outcomes;
        let mut steps: Vec<Step> = Vec::with_capacity(outcomes.len());
        let mut captured = BTreeMap::new();
        for place in 0..outcomes.len() {
            let action = self.problem.bound(individual, place, outcomes)?;
            let taken = self.taken(individual, place, outcomes, &action);
            for taken in &taken {
                let captures = &mut steps.get_mut(taken.source)?.captures;
                if !captures.contains(&taken.capture) {
                    captures.push(taken.capture.clone());
                }
                let value = pointed(&outcomes[taken.source], &taken.capture.pointer)?;
                captured.insert(taken.capture.variable.clone(), value);
            }
            let sent = self.problem.request(&action);
            let request = self.request(&action, &sent, &taken);
            let (captured, recorded_at) = (&captured, self.recorded_at);
            let recording = Recording { request: &request, captured, recorded_at };
            let response = outcomes[place].response.as_ref().ok().filter(|it| !it.is_cut)?;
            let expectations = recording.expectations(response, &test.repeats, place);
            let operation = self.problem.operation(&action).to_owned();
            steps.push(Step { operation, request, captures: Vec::new(), expectations });
        }
        let mut case = finished(test, steps, namer);
        add_rows(self.problem.sql_tables(), individual, &mut case.steps);
        Some(case)
    }

    /// What the call takes from earlier answers, as far as it stands in their bodies.
    fn taken(
        &self,
        individual: &Individual<RestAction>,
        place: usize,
        outcomes: &[HttpOutcome],
        action: &RestAction,
    ) -> Vec<Taken> {
        let (id, _) = &individual.actions()[place];
        let bindings = individual.bindings().iter().filter(|binding| binding.action == *id);
        let taken = bindings.filter_map(|binding| {
            // What breaks a rule on purpose is sent as it is, and not as an earlier call said.
            if let Some(Twist::Violation(violation)) = action.twist.as_deref()
                && violation.parameter.map(usize::from) == RestProblem::bound_parameter(binding)
            {
                return None;
            }
            let source = individual.position(answered_by(individual, binding)?)?;
            let (name, value, slot) = self.slot(action, binding)?;
            let body: Value =
                serde_json::from_str(&outcomes[source].response.as_ref().ok()?.body).ok()?;
            let pointer = find(&body, &text_of(&value), &mut String::new())?;
            let variable = format!("{}_{source}", snake_case(&name));
            Some(Taken { source, capture: Capture { variable, pointer }, slot })
        });
        taken.collect()
    }

    /// Name and value of what a binding fills, and where it is sent.
    fn slot(&self, action: &RestAction, binding: &Binding) -> Option<(String, Value, Slot)> {
        let templates = self.problem.templates();
        let operation = templates.operation(action.template);
        let values = templates.values(action.template, &action.gene);
        let Some(index) = RestProblem::bound_parameter(binding) else {
            let (_, body) = values.body?;
            let pointer = templates.body_pointer(action.template, &binding.path)?;
            let name = pointer.rsplit('/').next().unwrap_or_default().to_owned();
            return Some((name, body.pointer(&pointer)?.clone(), Slot::Body(pointer)));
        };
        let parameter = operation.parameters.get(index)?;
        let value = values.parameters.get(index)?.clone()?;
        let name = parameter.name.to_string();
        let wanted = format!("{{{name}}}");
        let slot = match parameter.place {
            ParameterPlace::Path => {
                Slot::Segment(operation.segments().position(|segment| segment == wanted)?)
            }
            ParameterPlace::Query => Slot::Query(name.clone()),
            ParameterPlace::Header | ParameterPlace::Cookie => return None,
        };
        Some((name, value, slot))
    }

    fn request(&self, action: &RestAction, sent: &HttpRequest, taken: &[Taken]) -> Request {
        let mut headers: Vec<(String, RequestText)> = Vec::new();
        let content_type = sent.headers.get("content-type").and_then(|value| value.to_str().ok());
        let media_type = content_type.unwrap_or_default().to_owned();
        for (name, value) in &sent.headers {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            if name != "content-type" {
                headers.push((name.as_str().to_owned(), value.into()));
            }
        }
        if let Some(user) = action.caller.and_then(|user| self.users.get(usize::from(user))) {
            headers.extend(credentials(user));
        }
        let text = String::from_utf8_lossy(&sent.body).into_owned();
        let json =
            (media_type == "application/json").then(|| serde_json::from_str::<Value>(&text).ok());
        let body = match json.flatten() {
            Some(value) => {
                let captured = taken.iter().filter_map(|taken| match &taken.slot {
                    Slot::Body(pointer) => Some((pointer.clone(), taken.capture.variable.clone())),
                    Slot::Segment(_) | Slot::Query(_) => None,
                });
                Body::Json(JsonBody { captured: captured.collect(), value })
            }
            None if media_type.is_empty() && text.is_empty() => Body::None,
            None => Body::Text { media_type, text: text.into() },
        };
        let path = self.path(sent, taken);
        Request { method: sent.method.to_string(), path, headers, body }
    }

    /// The path with what is taken from earlier answers in place of its segments.
    fn path(&self, sent: &HttpRequest, taken: &[Taken]) -> RequestText {
        let base = self.problem.base_path().split('/').filter(|part| !part.is_empty()).count();
        let whole = sent.path.as_str();
        let (path, query) = whole.split_once('?').map_or((whole, None), |(p, q)| (p, Some(q)));
        let mut text = RequestText::default();
        let mut literal = String::new();
        for (index, segment) in path.split('/').filter(|part| !part.is_empty()).enumerate() {
            literal.push('/');
            let is_here = |taken: &&Taken| matches!(taken.slot, Slot::Segment(segment) if segment + base == index);
            match taken.iter().find(is_here) {
                Some(taken) => push_captured(&mut text, &mut literal, taken),
                None => literal.push_str(segment),
            }
        }
        if path.ends_with('/') {
            literal.push('/');
        }
        for (index, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
            literal.push(if index == 0 { '?' } else { '&' });
            let name = pair.split('=').next().unwrap_or_default();
            let is_here =
                |taken: &&Taken| matches!(&taken.slot, Slot::Query(known) if known == name);
            match taken.iter().find(is_here) {
                Some(taken) => {
                    literal.push_str(name);
                    literal.push('=');
                    push_captured(&mut text, &mut literal, taken);
                }
                None => literal.push_str(pair),
            }
        }
        if !literal.is_empty() {
            text.parts.push(TextPart::Literal(literal));
        }
        text
    }
}

/// Ends the literal text and lets the captured value follow.
fn push_captured(text: &mut RequestText, literal: &mut String, taken: &Taken) {
    text.parts.push(TextPart::Literal(std::mem::take(literal)));
    let variable = taken.capture.variable.clone();
    text.parts.push(TextPart::Captured { variable, form: CapturedForm::PathSegment });
}

/// The action whose answer holds what a binding fills in, directly or through the genes of others.
fn answered_by(individual: &Individual<RestAction>, binding: &Binding) -> Option<ActionId> {
    match &binding.source {
        BindingSource::Response { action, .. } => Some(*action),
        BindingSource::Gene { action, path } => {
            let mut bindings = individual.bindings().iter();
            let next = bindings.find(|other| other.action == *action && other.path == *path)?;
            // Sources come first, so that this ends.
            answered_by(individual, next)
        }
    }
}

fn pointed(outcome: &HttpOutcome, pointer: &str) -> Option<Value> {
    let body: Value = serde_json::from_str(&outcome.response.as_ref().ok()?.body).ok()?;
    body.pointer(pointer).cloned()
}

/// The pointer of the first scalar that is written like the text.
fn find(value: &Value, text: &str, pointer: &mut String) -> Option<String> {
    let length = pointer.len();
    let mut below = |step: &str, part: &Value| {
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        let found = find(part, text, pointer);
        pointer.truncate(length);
        found
    };
    match value {
        Value::Object(members) => members.iter().find_map(|(name, part)| below(name, part)),
        Value::Array(elements) => {
            elements.iter().enumerate().find_map(|(index, part)| below(&index.to_string(), part))
        }
        Value::String(_) | Value::Number(_) => (text_of(value) == text).then(|| pointer.clone()),
        Value::Null | Value::Bool(_) => None,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_again_in_answers() {
        let body = json!({ "a": [{ "id/x": 7 }, { "id": "7" }] });
        assert_eq!(find(&body, "7", &mut String::new()).as_deref(), Some("/a/0/id~1x"));
        assert_eq!(find(&body, "8", &mut String::new()), None);
        assert_eq!(
            (snake_case("userId"), snake_case("a-B")),
            ("user_id".to_owned(), "a_b".to_owned())
        );
    }
}
