//! How two answers differ, leaving aside what is meant to differ.

use serde_json::Value;

/// Largest number that counts as one which is counted, and not as a time.
const MOST_COUNTED: i64 = 1_000_000_000;
/// Longest list whose order is left aside.
const LONGEST_SET: usize = 200;

/// Whether two values are the same but for what changes with time.
pub(super) fn is_same_state(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            names
                .filter(|name| !is_volatile(name))
                .all(|name| is_same_state(one.get(name), other.get(name)))
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            let is_same = |one: &Value, other: &Value| is_same_state(Some(one), Some(other));
            let mut pairs = one.iter().zip(other);
            one.len() == other.len()
                && (pairs.all(|(one, two)| is_same(one, two)) || is_shuffled(one, other))
        }
        (one, other) => one == other,
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
    ]
    .iter()
    .any(|sign| name.contains(sign))
}

/// Whether two lists hold the same in another order: the order of a set may be any.
fn is_shuffled(one: &[Value], other: &[Value]) -> bool {
    if one.len() > LONGEST_SET {
        return false;
    }
    let mut left: Vec<&Value> = other.iter().collect();
    one.iter().all(|value| {
        let place = left.iter().position(|other| is_same_state(Some(value), Some(other)));
        place.map(|place| left.swap_remove(place)).is_some()
    })
}

/// Whether three readings in a row show that reading changes what is read: something differs between
/// the first two and stays then, or a number moves by the same step each time.
pub(super) fn is_changed_by_reading(one: &Value, two: &Value, three: &Value) -> bool {
    if is_same_state(Some(one), Some(two)) {
        return false;
    }
    match (one, two, three) {
        (Value::Object(one), Value::Object(two), Value::Object(three)) => {
            let names = one.keys().chain(two.keys().filter(|name| !one.contains_key(*name)));
            let null = Value::Null;
            let part = |members: &'_ serde_json::Map<String, Value>, name: &String| {
                members.get(name).cloned().unwrap_or_else(|| null.clone())
            };
            names.filter(|name| !is_volatile(name)).any(|name| {
                is_changed_by_reading(&part(one, name), &part(two, name), &part(three, name))
            })
        }
        (Value::Array(one), Value::Array(two), Value::Array(three))
            if one.len() == two.len() && two.len() == three.len() =>
        {
            let rows = one.iter().zip(two).zip(three);
            rows.into_iter().any(|((one, two), three)| is_changed_by_reading(one, two, three))
        }
        (Value::Number(_), Value::Number(_), Value::Number(_)) if two != three => {
            let number = |value: &Value| value.as_i64().filter(|it| it.abs() < MOST_COUNTED);
            let (Some(one), Some(two), Some(three)) = (number(one), number(two), number(three))
            else {
                return false;
            };
            two - one == three - two
        }
        // What grows with each reading is a list of readings.
        (Value::Array(one), Value::Array(two), Value::Array(three)) => {
            let (one, two, three) = (one.len() as i64, two.len() as i64, three.len() as i64);
            two != one && (two == three || two - one == three - two)
        }
        _ => is_same_state(Some(two), Some(three)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_changed(readings: [Value; 3]) -> bool {
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
    fn sets_have_no_order() {
        let (one, other) = (json!([1, 2, { "a": 3 }]), json!([{ "a": 3 }, 1, 2]));
        assert!(is_same_state(Some(&one), Some(&other)));
        assert!(!is_same_state(Some(&json!([1, 1, 2])), Some(&json!([1, 2, 2]))));
    }

    #[test]
    fn what_differs_at_each_reading_is_meant_so() {
        let random = ["x1", "k9", "pq"].map(|text| json!({ "data": text }));
        let beat = [1_700_000_000_123_i64, 1_700_000_000_125, 1_700_000_000_127];
        assert!(!is_changed(random) && !is_changed(beat.map(|it| json!({ "heartbeat": it }))));
        let load = [0.25, 0.5, 0.75].map(|it| json!([it]));
        assert!(!is_changed(load));
    }

    #[test]
    fn what_reading_takes_away_is_changed() {
        assert!(is_changed([5, 4, 3].map(|stock| json!({ "id": 1, "stock": stock }))));
        assert!(is_changed(["new", "read", "read"].map(|state| json!([{ "state": state }]))));
        assert!(is_changed([json!([1, 2]), json!([2]), json!([2])]));
    }
}
