//! The order of lists, from one answer to the next.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Judge;
use crate::graphql::answer::Seen;

impl Judge<'_> {
    /// Equal queries in a row whose lists hold the same in ever another order.
    pub(super) fn repeat(&mut self) {
        let calls = self.calls;
        let answers: Vec<&Seen<'_>> =
            calls.iter().filter(|call| call.is_query() && call.gave()).collect();
        let is_same_question = |pair: &[&Seen<'_>]| {
            pair[0].asks_as(pair[1]) && pair[0].action.user == pair[1].action.user
        };
        let changes = answers.windows(2).filter(|pair| {
        is_same_question(pair)
            && matches!((pair[0].value(), pair[1].value()), (Some(one), Some(other)) if is_reordered(one, other))
    });
        // Once may be a change by somebody else; twice in a row is the service.
        if changes.count() >= 2 {
            self.report(
                answers[answers.len() - 1],
                988,
                "the order of a list changes with each request",
            );
        }
    }
}

/// Whether some list holds, in another order, what it shares with the same list of the other value.
/// What only one of the two holds is left out: where the order of equals changes, so does what is
/// the last on a page.
fn is_reordered(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => are_reordered(one, other),
        (Value::Object(one), Value::Object(other)) => one
            .iter()
            .any(|(key, value)| other.get(key).is_some_and(|again| is_reordered(value, again))),
        _ => false,
    }
}

fn are_reordered(one: &[Value], other: &[Value]) -> bool {
    let keyed = |list: &[Value]| -> Vec<String> {
        list.iter().map(|element| sorted(element).to_string()).collect()
    };
    let (first, second) = (keyed(one), keyed(other));
    let in_first: BTreeSet<&String> = first.iter().collect();
    let in_second: BTreeSet<&String> = second.iter().collect();
    let shared: Vec<usize> =
        (0..first.len()).filter(|place| in_second.contains(&first[*place])).collect();
    let again: Vec<usize> =
        (0..second.len()).filter(|place| in_first.contains(&second[*place])).collect();
    let keys = |keys: &[String], places: &[usize]| {
        let mut keys: Vec<String> = places.iter().map(|place| keys[*place].clone()).collect();
        keys.sort_unstable();
        keys
    };
    // Lists that hardly share anything are two lists; of some things there may be more than one.
    let is_little = shared.len() * 2 < first.len().max(second.len());
    if is_little || keys(&first, &shared) != keys(&second, &again) {
        return false;
    }
    let mut pairs = shared.into_iter().zip(again);
    pairs.any(|(place, there)| {
        first[place] != second[there] || is_reordered(&one[place], &other[there])
    })
}

/// The value with all lists in one order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.iter().map(sorted).collect();
            elements.sort_by_cached_key(Value::to_string);
            Value::Array(elements)
        }
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_another_order_of_the_same_is_another_order() {
        let page = |ids: &[u32], last: u32| {
            let nodes: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
            json!({"nodes": nodes, "end": last})
        };
        let is = |one: &[u32], other: &[u32]| is_reordered(&page(one, 0), &page(other, 1));
        assert!(is(&[1, 2, 3], &[2, 1, 3]));
        // Equals at the end of a page push each other out of it.
        assert!(is(&[1, 2, 3, 4], &[2, 1, 3, 5]));
        assert!(!is(&[1, 2, 3, 4], &[1, 2, 3, 5]));
        assert!(
            !is(&[1, 1, 2], &[1, 2, 2])
                && !is(&[1, 2, 3], &[1, 2])
                && !is(&[], &[1])
                && !is(&[1, 2, 3], &[3, 4, 5])
        );
        let nested = |tags: &[&str]| json!([{"id": 1, "tags": tags}, {"id": 2}]);
        assert!(is_reordered(&nested(&["a", "b"]), &nested(&["b", "a"])));
        assert!(!is_reordered(&nested(&["a", "b"]), &nested(&["a", "c"])));
        assert!(!is_reordered(&nested(&["a"]), &nested(&["a"])));
    }
}
