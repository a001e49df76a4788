//! How two answers differ, leaving aside what is meant to differ.

use serde_json::Value;

/// Largest number that counts as one which is counted, and not as a time.
const MOST_COUNTED: u64 = 1_000_000_000;
/// Longest list whose order is left aside.
const LONGEST_SET: usize = 200;

/// Whether two values are the same but for what changes with time, and for the order of lists: that
/// of a set may be any.
pub(super) fn is_same_state(one: Option<&Value>, other: Option<&Value>) -> bool {
    one.map(settled) == other.map(settled)
}

/// A value without what changes with time, its lists in one order where they are not too long.
fn settled(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !is_volatile(name));
            kept.map(|(name, member)| (name.clone(), settled(member))).collect()
        }
        Value::Array(elements) => {
            let mut elements: Vec<Value> = elements.iter().map(settled).collect();
            if elements.len() <= LONGEST_SET {
                elements.sort_by_cached_key(Value::to_string);
            }
            Value::Array(elements)
        }
        other => other.clone(),
    }
}

/// Names of members that change with each call or with time.
fn is_volatile(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "time",
        "date",
        "updated",
        "modified",
        "version",
        "etag",
        "timestamp",
        "requestid",
        "token",
        "views",
        "hits",
        "expires",
        "ttl",
        "remaining",
    ]
    .iter()
    .any(|sign| name.contains(sign))
}

/// Whether three readings in a row show that reading changes what is read: something differs between
/// the first two and stays then, or a number moves by the same step each time.
pub(super) fn is_changed_by_reading(one: &Value, two: &Value, three: &Value) -> bool {
    is_changed(&settled(one), &settled(two), &settled(three))
}

/// Whether something that two readings of one state agree on is otherwise in another reading.
pub(super) fn is_another_state(one: &Value, again: &Value, other: &Value) -> bool {
    is_another(&settled(one), &settled(again), &settled(other))
}

fn is_another(one: &Value, again: &Value, other: &Value) -> bool {
    match (one, again, other) {
        _ if one == again => other != one,
        (Value::Object(one), Value::Object(again), Value::Object(other)) => {
            let none = Value::Null;
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            let of = |members: &'_ serde_json::Map<String, Value>, name: &String| {
                members.get(name).unwrap_or(&none).clone()
            };
            names
                .into_iter()
                .any(|name| is_another(&of(one, name), &of(again, name), &of(other, name)))
        }
        // Elements that differ each time cannot be told apart, but counted.
        (Value::Array(one), Value::Array(again), Value::Array(other)) => {
            one.len() == again.len() && other.len() != one.len()
        }
        _ => false,
    }
}

fn is_changed(one: &Value, two: &Value, three: &Value) -> bool {
    match (one, two, three) {
        _ if one == two => false,
        (Value::Object(one), Value::Object(two), Value::Object(three)) => {
            let names = one.keys().chain(two.keys().filter(|name| !one.contains_key(*name)));
            let part = |members: &'_ serde_json::Map<String, Value>, name: &String| {
                members.get(name).cloned().unwrap_or_default()
            };
            names
                .into_iter()
                .any(|name| is_changed(&part(one, name), &part(two, name), &part(three, name)))
        }
        (Value::Array(one), Value::Array(two), Value::Array(three)) => {
            let lengths = [one.len() as i64, two.len() as i64, three.len() as i64];
            match (one.first(), lengths) {
                // A list of one is its element: elements of longer ones cannot be told apart.
                (Some(one), [1, 1, 1]) => is_changed(one, &two[0], &three[0]),
                // What grows with each reading is a list of readings; what grows once, and is left
                // alone by the next reading, may have grown with time.
                (_, [one, two, three]) if one < two => two - one == three - two,
                (_, [one, two, three]) if one > two => two == three || two - one == three - two,
                _ => {
                    let (gone, come) = (without(one, two), without(two, one));
                    let mut pairs = gone.into_iter().zip(come);
                    two == three && pairs.any(|(gone, come)| is_changed(gone, come, come))
                }
            }
        }
        (Value::Number(_), Value::Number(_), Value::Number(_)) if two != three => {
            let counted = |value: &Value| {
                value.as_i64().filter(|number| number.unsigned_abs() < MOST_COUNTED)
            };
            match (counted(one), counted(two), counted(three)) {
                (Some(one), Some(two), Some(three)) => two - one == three - two,
                _ => false,
            }
        }
        // Seconds since something happened go on by one now and then, whoever reads.
        (Value::Number(one), Value::Number(two), _) => {
            let step = one.as_i64().zip(two.as_i64()).map(|(one, two)| two.wrapping_sub(one));
            !step.is_some_and(|step| matches!(step, 1 | -1))
        }
        _ => two == three,
    }
}

/// The elements of a list that another does not have.
fn without<'v>(elements: &'v [Value], others: &[Value]) -> Vec<&'v Value> {
    elements.iter().filter(|element| !others.contains(element)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changes(readings: [Value; 3]) -> bool {
        let [one, two, three] = readings;
        is_changed_by_reading(&one, &two, &three)
    }

    #[test]
    fn what_changes_with_time_is_no_difference() {
        let same = |one: Value, other: Value| is_same_state(Some(&one), Some(&other));
        assert!(same(json!({ "a": 1, "updatedAt": 1 }), json!({ "a": 1, "updatedAt": 2 })));
        assert!(!same(json!({ "a": [1] }), json!({ "a": [1, 2] })));
        assert!(!same(json!({ "a": 1 }), json!({})));
    }

    #[test]
    fn what_differs_between_readings_of_one_state_says_nothing_of_another() {
        let read = |total: u32, trace: &str| json!({ "total": total, "trace": trace, "lines": [] });
        assert!(is_another_state(&read(5, "a"), &read(5, "b"), &read(4, "c")));
        assert!(!is_another_state(&read(5, "a"), &read(5, "b"), &read(5, "c")));
        let list = |length: usize| json!((0..length).map(|_| rand_trace()).collect::<Vec<_>>());
        assert!(!is_another_state(&list(2), &list(2), &list(2)));
        assert!(is_another_state(&list(2), &list(2), &list(3)));
    }

    /// An element that is another one each time.
    fn rand_trace() -> Value {
        use std::hash::BuildHasher;
        json!({ "trace": std::hash::RandomState::new().hash_one(0) })
    }

    #[test]
    fn sets_have_no_order() {
        let (one, other) = (json!([1, 2, { "a": 3 }]), json!([{ "a": 3 }, 1, 2]));
        assert!(is_same_state(Some(&one), Some(&other)));
        assert!(!is_same_state(Some(&json!([1, 1, 2])), Some(&json!([1, 2, 2]))));
    }

    #[test]
    fn what_differs_at_each_reading_is_meant_so() {
        let random = ["x1", "k9", "pq"].map(|text| json!({ "data": text }));
        let beat = [1_700_000_000_123_i64, 1_700_000_000_125, 1_700_000_000_127];
        assert!(!changes(random) && !changes(beat.map(|it| json!({ "heartbeat": it }))));
        let load = [0.25, 0.5, 0.75].map(|it| json!([it]));
        assert!(!changes(load));
        let seen = [35, 36, 36].map(|it| json!([{ "id": 1 }, { "id": 2, "last_seen": it }]));
        assert!(!changes(seen));
    }

    #[test]
    fn what_grows_by_itself_is_not_changed_by_reading() {
        let history = [2, 3, 3].map(|length| json!({ "cpu": vec![0.5; length] }));
        assert!(!changes(history));
        assert!(changes([1, 2, 3].map(|length| json!(vec!["read"; length]))));
    }

    #[test]
    fn what_reading_takes_away_changes() {
        assert!(changes([5, 4, 3].map(|stock| json!({ "id": 1, "stock": stock }))));
        assert!(changes(["new", "read", "read"].map(|state| json!([{ "state": state }]))));
        assert!(changes([json!([1, 2]), json!([2]), json!([2])]));
        let states = ["new", "read", "read"];
        assert!(changes(states.map(|state| json!([{ "id": 1 }, { "id": 2, "state": state }]))));
    }
}
