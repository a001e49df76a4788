//! Values that programs often do not expect, whether or not they are documented.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wallace_genes::{Gene, TemplateId, spec::is_of_format};

use super::Templates;
use super::place::apply;
use crate::rest::action::Extreme;
use crate::rest::description::{Parameter, ParameterPlace};

/// Most places of a call that are considered.
const MOST_PLACES: usize = 100;
/// Most levels of a body that are considered.
const MOST_LEVELS: usize = 12;
/// Characters of a text that is long for a column of a database, and short for a server.
const LONG: usize = 2_000;
/// Elements of a list that is long.
const MANY: usize = 500;
/// Bytes of an element that such a list may repeat: a list of larger ones tells no more, and is kept.
const MANY_OF: usize = 1_000;

impl Templates {
    /// The extremes of a call with these genes: of each parameter, and of all that its body holds.
    pub(crate) fn extremes(&self, id: TemplateId, gene: &Gene) -> Vec<Extreme> {
        let operation = self.operation(id);
        let values = self.values(id, gene);
        let mut found = Vec::new();
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let Some(Some(value)) = values.parameters.get(index) else { continue };
            let index = u16::try_from(index).ok();
            let of = |value: Value| extreme(index, String::new(), &value);
            found.extend(of_parameter(parameter, value).into_iter().map(of));
        }
        if let Some((body, value)) = &values.body
            && operation.bodies[*body].media_type.contains("json")
        {
            let mut places = Vec::new();
            collect(value, "", 0, &mut places);
            let markers = self.description().schemas.markers();
            for (pointer, value) in places {
                let of = |value: Value| extreme(None, pointer.clone(), &value);
                found.extend(of_member(value).into_iter().map(of));
                found.extend(without_markers(value, &markers).into_iter().map(of));
            }
        }
        found
    }

    /// Whether a call with these genes has the place of the extreme, but perhaps for its last step.
    pub(crate) fn has_place(&self, id: TemplateId, gene: &Gene, extreme: &Extreme) -> bool {
        match extreme.parameter {
            Some(index) => {
                self.parameter_values(id, gene).get(usize::from(index)).is_some_and(Option::is_some)
            }
            None => self.values(id, gene).body.is_some_and(|(_, mut body)| {
                let before = body.clone();
                apply(&mut body, &extreme.pointer, extreme.value());
                body != before
            }),
        }
    }
}

fn extreme(parameter: Option<u16>, pointer: String, value: &Value) -> Extreme {
    Extreme { parameter, pointer, value: value.to_string() }
}

/// The values of a body, each before those in it; one element stands for a list.
fn collect<'v>(
    value: &'v Value,
    pointer: &str,
    level: usize,
    found: &mut Vec<(String, &'v Value)>,
) {
    if found.len() >= MOST_PLACES || level > MOST_LEVELS {
        return;
    }
    found.push((pointer.to_owned(), value));
    match value {
        Value::Object(members) => {
            for (name, part) in members {
                let step = name.replace('~', "~0").replace('/', "~1");
                collect(part, &format!("{pointer}/{step}"), level + 1, found);
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                collect(first, &format!("{pointer}/0"), level + 1, found);
            }
        }
        _ => {}
    }
}

/// What a parameter may be besides; all of it is sent as text.
fn of_parameter(parameter: &Parameter, value: &Value) -> Vec<Value> {
    let mut found = scalars(value);
    let is_in_query = parameter.place == ParameterPlace::Query;
    if is_in_query && (value.is_string() || value.is_number() || value.is_boolean()) {
        // Sent twice.
        found.push(json!([value, value]));
    }
    if value.is_number() {
        found.extend([json!("NaN"), json!("1e999")]);
    }
    found.retain(|value| match parameter.place {
        ParameterPlace::Query => true,
        // An empty segment is another path, and headers carry no control characters.
        ParameterPlace::Path => value != "",
        ParameterPlace::Header | ParameterPlace::Cookie => {
            !value.as_str().is_some_and(|text| text.contains('\0'))
        }
    });
    found
}

/// What a member or element of a body may be besides.
fn of_member(value: &Value) -> Vec<Value> {
    let mut found = scalars(value);
    match value {
        Value::Null => return found,
        Value::Object(_) => found.extend([json!([]), json!({})]),
        Value::Array(elements) => {
            found.extend([json!({}), json!([]), json!([null])]);
            let first = elements.first().filter(|first| first.to_string().len() <= MANY_OF);
            found.extend(first.map(|first| Value::Array(vec![first.clone(); MANY])));
        }
        _ => found.extend([json!([]), json!({})]),
    }
    found.push(Value::Null);
    found.retain(|found| found != value);
    found
}

/// An object without what tells which alternative it is, and with a value there that none has.
fn without_markers(value: &Value, markers: &BTreeSet<&str>) -> Vec<Value> {
    let Value::Object(members) = value else { return Vec::new() };
    let told = members.keys().filter(|name| markers.contains(name.as_str()));
    let without = told.flat_map(|name| {
        let mut without = members.clone();
        without.remove(name);
        let mut other = members.clone();
        other.insert(name.clone(), json!("none of these"));
        [Value::Object(without), Value::Object(other)]
    });
    without.collect()
}

/// Values of the same kind at the edge of what machines, databases and calendars hold.
fn scalars(value: &Value) -> Vec<Value> {
    match value {
        // Beyond 32 bits, beyond 64 bits, beyond what is exact.
        Value::Number(_) => {
            vec![json!(-1), json!(1_u64 << 31), json!(1_u64 << 63), json!(1e308)]
        }
        Value::String(text) => {
            let mut texts =
                vec![String::new(), "a\0b".into(), "\u{1f600}".into(), "a".repeat(LONG)];
            let is_of = |format: &str| is_of_format(format, text) == Some(true);
            if is_of("date-time") {
                // In another time zone these are before the first and after the last year.
                texts.extend(
                    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"].map(Into::into),
                );
            }
            if is_of("date") {
                texts.extend(["0001-01-01", "9999-12-31"].map(Into::into));
            }
            texts.into_iter().map(Value::String).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_meet_what_machines_calendars_and_kinds_do_not_hold() {
        let body = json!({"filter": {"limit": 7, "after": "2026-01-02T03:04:05Z"}, "tags": ["a"]});
        let mut places = Vec::new();
        collect(&body, "", 0, &mut places);
        let pointers: Vec<&str> = places.iter().map(|(pointer, _)| &**pointer).collect();
        assert_eq!(pointers, ["", "/filter", "/filter/after", "/filter/limit", "/tags", "/tags/0"]);
        let of = |pointer: &str| of_member(body.pointer(pointer).unwrap());
        assert!(of("/filter/limit").contains(&json!(9_223_372_036_854_775_808_u64)));
        assert!(of("/filter/after").contains(&json!("0001-01-01T00:00:00+14:00")));
        assert!(of("/tags").contains(&json!({})) && of("/tags/0").contains(&json!("a\0b")));
        let most = |body: Value| of_member(&body).iter().map(|it| it.to_string().len()).max();
        assert!(most(json!(["a"])) > Some(MANY) && most(json!(["a".repeat(MANY_OF)])) < Some(MANY));
        assert!(of("/filter").contains(&json!([])) && of("").contains(&Value::Null));
        let unions = without_markers(&json!({ "kind": "a", "b": 1 }), &["kind"].into());
        assert_eq!(unions, [json!({ "b": 1 }), json!({ "kind": "none of these", "b": 1 })]);
    }
}
