//! Faults of PUT: it replaces what is there, and once more changes nothing.

use serde_json::{Map, Value};

use super::difference::{is_another_state, is_changed_by_reading};
use super::semantics::{next_read, sent_body};
use super::{Step, fault};
use crate::kind::scalar;
use crate::oracle::Fault;
use crate::rest::identity::decoded;
use crate::rest::schema::{Direction, SchemaId, Schemas};

/// 905 and 904.
pub(super) fn put(
    schemas: &Schemas,
    steps: &[Step<'_>],
    place: usize,
    found: &mut dyn FnMut(usize, Fault),
) {
    let step = &steps[place];
    if !step.is_success() || !step.is_plain() {
        return;
    }
    not_idempotent(steps, place, found);
    if step.operation.keeps_rest {
        return;
    }
    if let Some(after) = next_read(steps, place, step.path)
        && let (Some(Value::Object(sent)), Some(Value::Object(now))) =
            (sent_body(step), &steps[after].body)
        && steps[after].is_success()
        && is_of(step, &sent, now)
    {
        let earlier = |name: &str| {
            steps[..place].iter().rev().find_map(|other| {
                let is_about = other.path == step.path
                    && other.is_success()
                    && matches!(other.verb, "GET" | "PUT");
                let body = other.body.as_ref().filter(|_| is_about)?;
                body.get(name).cloned()
            })
        };
        let is_kept = |(name, value): &(&String, &Value)| {
            // The answer of PUT is what it left, where it has one.
            let is_answered = step.body.as_ref().is_none_or(|body| body.get(*name) == Some(value));
            is_answered
                && !sent.contains_key(*name)
                // What the path says need not be said again.
                && !is_of_path(step, value)
                // Members that only the service sets are no part of what is replaced.
                && can_send(schemas, step, name)
                && !is_nothing(value)
                && earlier(name).as_ref() == Some(*value)
        };
        if let Some((name, _)) = now.iter().find(is_kept) {
            found(place, fault(904, name));
        }
    }
}

/// Whether a reading is of what was put there: it shows what was sent, as the answer of PUT says. A path
/// may name what a new thing stands below.
fn is_of(step: &Step<'_>, sent: &Map<String, Value>, now: &Map<String, Value>) -> bool {
    let is_same = |one: &Map<String, Value>, names: &[&str]| {
        names.iter().all(|name| match (one.get(*name), now.get(*name)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        })
    };
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    let all: Vec<&str> =
        sent.iter().filter(|(_, it)| is_plain(it)).map(|(name, _)| &**name).collect();
    let answer = step.body.as_ref().and_then(Value::as_object);
    is_same(sent, &all) && answer.is_none_or(|answer| is_same(answer, &["id", "_id", "uuid"]))
}

/// 905: the same PUT again leads to another state. Two readings of the first say what is meant to differ
/// each time; where nothing reads the thing itself, three answers do.
fn not_idempotent(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let Some(again) = next_same(steps, place) else { return };
    let path = steps[place].path;
    // A change in between ends the look for a reading.
    let one = next_read(steps, place, path);
    let twice = one.and_then(|one| next_read(steps, one, path));
    let other = next_read(steps, again, path);
    let body = |read: usize| steps[read].body.as_ref().filter(|_| steps[read].is_success());
    let differs = match (one.and_then(body), twice.and_then(body), other.and_then(body)) {
        (Some(one), Some(twice), Some(other)) => is_another_state(one, twice, other),
        _ => {
            let third = next_same(steps, again);
            let bodies = (body(place), body(again), third.and_then(body));
            let (Some(first), Some(second), Some(third)) = bodies else { return };
            steps[place].status == steps[again].status
                && is_changed_by_reading(first, second, third)
        }
    };
    if differs {
        found(again, fault(905, ""));
    }
}

/// The same PUT by the same user once more, with nothing that changes something in between, where it
/// goes well.
fn next_same(steps: &[Step<'_>], place: usize) -> Option<usize> {
    let step = &steps[place];
    let is_same = |other: &Step<'_>| {
        other.verb == "PUT"
            && other.is_plain()
            && other.whole_path == step.whole_path
            && other.exchange.request.body == step.exchange.request.body
            && other.action.caller == step.action.caller
    };
    let mut later = place + 1..steps.len();
    let next = later.find(|later| steps[*later].is_change())?;
    (is_same(&steps[next]) && steps[next].is_success()).then_some(next)
}

/// Whether the member is one that callers may send.
fn can_send(schemas: &Schemas, step: &Step<'_>, name: &str) -> bool {
    step.operation.bodies.iter().filter(|body| body.media_type.contains("json")).any(|body| {
        let known = schemas.flat(&[body.schema.into()]).properties;
        let mut named = known.iter().filter(|(known, _)| **known == *name);
        let is_read_only = |id: &SchemaId| schemas.is_left_out(*id, Direction::Sent);
        named.any(|(_, schemas)| !schemas.iter().any(is_read_only))
    })
}

/// Whether a value is a part of the path.
fn is_of_path(step: &Step<'_>, value: &Value) -> bool {
    scalar(value).is_some_and(|text| step.path.split('/').any(|segment| decoded(segment) == text))
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use crate::rest::problem::support::{answered, has_fault, problem};

    #[test]
    fn what_only_the_service_sets_is_kept() {
        let is_kept = |description: &str| {
            let body = format!(
                "{{schema: {{properties: {{name: {{type: string}}, at: {{type: string{description}}}}}}}}}"
            );
            let problem = problem(
                &format!(
                    "{{'/tags/{{id}}': {{get: {{}}, put: {{requestBody: {{content: {{application/json: {body}}}}}}}}}}}"
                ),
                1,
            );
            let call = |verb: &str, sent, answer| {
                answered(
                    &problem,
                    (&format!("{verb}:/tags/{{id}}"), "/tags/a", sent),
                    (200, answer),
                )
            };
            let calls = [
                call("GET", "", r#"{"id":"a","name":"x","at":"monday"}"#),
                call("PUT", r#"{"name":"y"}"#, r#"{"id":"a","name":"y","at":"monday"}"#),
                call("GET", "", r#"{"id":"a","name":"y","at":"monday"}"#),
            ];
            has_fault(&problem, 904, &calls)
        };
        assert!(is_kept(""));
        assert!(!is_kept(", readOnly: true"));
    }

    #[test]
    fn what_the_path_says_is_not_kept() {
        let body = "{schema: {properties: {kind: {type: string}, config: {type: string}}}}";
        let problem = problem(
            &format!(
                "{{'/rules/{{kind}}': {{get: {{}}, put: {{requestBody: {{content: {{application/json: {body}}}}}}}}}}}"
            ),
            1,
        );
        let calls = |path: &str| {
            let call = |verb: &str, sent, answer| {
                answered(&problem, (&format!("{verb}:/rules/{{kind}}"), path, sent), (200, answer))
            };
            [
                call("GET", "", r#"{"kind":"FULL TEXT","config":"x"}"#),
                call("PUT", r#"{"config":"y"}"#, r#"{"kind":"FULL TEXT","config":"y"}"#),
                call("GET", "", r#"{"kind":"FULL TEXT","config":"y"}"#),
            ]
        };
        assert!(!has_fault(&problem, 904, &calls("/rules/FULL%20TEXT")));
        assert!(has_fault(&problem, 904, &calls("/rules/7")));
    }
}
