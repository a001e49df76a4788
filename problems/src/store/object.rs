//! Objects that calls were sent or answered with.

use serde_json::Value;

use crate::http::HttpOutcome;

/// The object that a call which went well was sent, or else the first in its answer.
pub(super) fn example(outcome: &HttpOutcome) -> Option<Value> {
    let outcome = Some(outcome).filter(|outcome| outcome.is_success())?;
    let sent = outcome.request.as_ref().map(|request| serde_json::from_slice(&request.body));
    let sent = sent.and_then(Result::ok).filter(|it: &Value| it.is_object());
    // What carries a query is no object of the service's own.
    let sent = sent.filter(|it| it.get("query").is_none());
    let told = || first(&outcome.response.as_ref().ok()?.tree()?, 3);
    sent.or_else(told)
}

/// The first object that holds anything but other objects and lists.
fn first(value: &Value, depth: usize) -> Option<Value> {
    let parts: Vec<&Value> = match value {
        Value::Array(elements) => elements.iter().take(1).collect(),
        Value::Object(members) if members.values().any(|it| !it.is_array() && !it.is_object()) => {
            // Counts and pages stand beside the list of what was found.
            let list = members.values().find(|it| it.get(0).is_some_and(Value::is_object));
            return list.map_or_else(|| Some(value.clone()), |list| first(list, depth));
        }
        Value::Object(members) => members.values().collect(),
        _ => return None,
    };
    if depth == 0 {
        return None;
    }
    parts.into_iter().find_map(|part| first(part, depth - 1))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::first;

    #[test]
    fn the_object_is_found_in_lists_pages_and_data() {
        let pet = json!({ "name": "Rex", "tags": ["a"] });
        for answer in [
            pet.clone(),
            json!([pet]),
            json!({ "items": [pet] }),
            json!({ "total": 1, "items": [pet] }),
            json!({ "data": { "pets": [pet] } }),
        ] {
            assert_eq!(first(&answer, 3), Some(pet.clone()), "{answer}");
        }
        assert_eq!(first(&json!([]), 3), None);
        assert_eq!(first(&json!({ "items": [] }), 3), None);
    }
}
