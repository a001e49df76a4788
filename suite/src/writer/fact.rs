//! Expectations one by one, for formats that have no library of their own to compare values.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wallace_problems::child_pointer;

use crate::expectation::{Expectation, ExpectedError, JsonKind, Shape};

/// Something that holds of the value at a JSON pointer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fact {
    /// It equals this one.
    Equals(Value),
    /// It equals what an earlier step captured under this name.
    Captured(String),
    /// It is of this kind.
    Kind(JsonKind),
    /// It is an object of exactly these keys, in their order.
    Keys(Vec<String>),
    /// It is a list of so many elements.
    Length(usize),
    /// One of its elements is such an error.
    Error(ExpectedError),
    /// It is there; it may be null.
    Present,
    /// It is not there.
    Absent,
    /// It is not null.
    NonNull,
}

/// The facts of an expectation about the body as JSON, with the pointer of each. What holds only
/// of some values (lists of any length, values that may be null) is left out.
pub(crate) fn facts(expectation: &Expectation) -> Vec<(String, Fact)> {
    let mut facts = Vec::new();
    match expectation {
        Expectation::Json { pointer, shape } => collect(shape, pointer, &mut facts),
        Expectation::Present(pointer) => facts.push((pointer.clone(), Fact::Present)),
        Expectation::Absent(pointer) => facts.push((pointer.clone(), Fact::Absent)),
        Expectation::Errors(errors) => {
            facts.push(("/errors".to_owned(), Fact::Length(errors.len())));
            let errors = errors.iter().filter(|error| **error != ExpectedError::default());
            facts.extend(errors.map(|it| ("/errors".to_owned(), Fact::Error(it.clone()))));
        }
        Expectation::Status(_)
        | Expectation::MediaType(_)
        | Expectation::Header(_)
        | Expectation::Text(_)
        | Expectation::EmptyBody
        | Expectation::NoAnswer => {}
    }
    facts
}

fn collect(shape: &Shape, pointer: &str, facts: &mut Vec<(String, Fact)>) {
    if let Some(value) = exact(shape) {
        return facts.push((pointer.to_owned(), Fact::Equals(value)));
    }
    let mut tell = |fact: Fact| facts.push((pointer.to_owned(), fact));
    match shape {
        Shape::Kind(kind) => tell(Fact::Kind(*kind)),
        Shape::Captured(variable) => tell(Fact::Captured(variable.clone())),
        Shape::NonNull => tell(Fact::NonNull),
        Shape::Each(_) => tell(Fact::Kind(JsonKind::List)),
        Shape::ByType { .. } => tell(Fact::Kind(JsonKind::Object)),
        Shape::Object(fields) => {
            tell(Fact::Keys(fields.keys().cloned().collect()));
            collect_fields(fields, pointer, facts);
        }
        Shape::Including(fields) => collect_fields(fields, pointer, facts),
        Shape::List { length, first } => {
            tell(Fact::Length(*length));
            for (index, shape) in first.iter().enumerate() {
                collect(shape, &child_pointer(pointer, &index.to_string()), facts);
            }
        }
        Shape::Anything | Shape::Exactly(_) | Shape::Nullable(_) | Shape::OneOf(_) => {}
    }
}

fn collect_fields(
    fields: &BTreeMap<String, Shape>,
    pointer: &str,
    facts: &mut Vec<(String, Fact)>,
) {
    for (key, shape) in fields {
        collect(shape, &child_pointer(pointer, key), facts);
    }
}

/// The only value that has a shape, if there is one.
pub(crate) fn exact(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Exactly(value) => Some(value.clone()),
        Shape::Object(fields) => {
            let fields = fields.iter().map(|(key, shape)| Some((key.clone(), exact(shape)?)));
            Some(Value::Object(fields.collect::<Option<Map<_, _>>>()?))
        }
        Shape::List { length, first } if *length == first.len() => {
            Some(Value::Array(first.iter().map(exact).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_exact_is_one_fact_and_the_rest_are_many() {
        let shape = Shape::Object(BTreeMap::from([
            ("a".to_owned(), Shape::from(&json!({ "x": [1] }))),
            ("b/c".to_owned(), Shape::Kind(JsonKind::String)),
            (
                "d".to_owned(),
                Shape::List { length: 5, first: vec![Shape::Captured("id".to_owned())] },
            ),
        ]));
        let expectation = Expectation::Json { pointer: "/data".to_owned(), shape };
        let keys = ["a", "b/c", "d"].map(str::to_owned).to_vec();
        let expected = [
            ("/data", Fact::Keys(keys)),
            ("/data/a", Fact::Equals(json!({ "x": [1] }))),
            ("/data/b~1c", Fact::Kind(JsonKind::String)),
            ("/data/d", Fact::Length(5)),
            ("/data/d/0", Fact::Captured("id".to_owned())),
        ];
        let expected = expected.map(|(pointer, fact)| (pointer.to_owned(), fact));
        assert_eq!(facts(&expectation), expected);
    }
}
