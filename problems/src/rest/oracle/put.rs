//! Faults of PUT: it replaces what is there, and once more changes nothing.

use serde_json::Value;

use super::difference::is_same_state;
use super::semantics::{next_read, sent_body};
use super::{Step, fault};
use crate::oracle::Fault;
use crate::rest::schema::Schemas;

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
    if let Some(after) = next_read(steps, place, step.path)
        && let (Some(Value::Object(sent)), Some(Value::Object(now))) =
            (sent_body(step), &steps[after].body)
        && steps[after].is_success()
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
        for (name, value) in now {
            // Members that only the service sets are no part of what is replaced.
            let is_set_by_callers = can_send(schemas, step, name);
            // The answer of PUT is what it left, where it has one.
            let is_answered = step.body.as_ref().is_none_or(|body| body.get(name) == Some(value));
            let is_kept = is_answered
                && !sent.contains_key(name)
                && is_set_by_callers
                && !is_nothing(value)
                && earlier(name).as_ref() == Some(value);
            if is_kept {
                found(place, fault(904, ""));
            }
        }
    }
}

/// 905: the same PUT again leads to another state.
fn not_idempotent(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let step = &steps[place];
    for (later, other) in steps.iter().enumerate().skip(place + 1) {
        let is_same = other.verb == "PUT"
            && other.is_plain()
            && other.whole_path == step.whole_path
            && other.exchange.request.body == step.exchange.request.body
            && other.action.caller == step.action.caller;
        if !is_same {
            if other.is_change() {
                return;
            }
            continue;
        }
        if !other.is_success() {
            return;
        }
        let reads = (next_read(steps, place, step.path), next_read(steps, later, step.path));
        let differs = match reads {
            (Some(one), Some(two)) if one < later => {
                let (one, two) = (&steps[one], &steps[two]);
                one.is_success()
                    && two.is_success()
                    && !is_same_state(one.body.as_ref(), two.body.as_ref())
            }
            // Nothing reads the thing itself: the answers tell its state.
            (None, None) | (Some(_), None) | (None, Some(_)) | (Some(_), Some(_)) => {
                let has_bodies = step.body.is_some() && other.body.is_some();
                has_bodies
                    && step.status == other.status
                    && !is_same_state(step.body.as_ref(), other.body.as_ref())
            }
        };
        if differs {
            found(later, fault(905, ""));
        }
        return;
    }
}

/// Whether the member is one that callers may send.
fn can_send(schemas: &Schemas, step: &Step<'_>, name: &str) -> bool {
    step.operation.bodies.iter().filter(|body| body.media_type.contains("json")).any(|body| {
        let known = schemas.flat(&[body.schema.into()]).properties;
        known.iter().any(|(known, _)| **known == *name)
    })
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
