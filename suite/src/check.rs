//! Whether an answer is what a test expects: the judgement that every language's support library
//! makes too, here without writing a file.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wallace_problems::child_pointer;

use crate::expectation::{Expectation, ExpectedError, JsonKind, Shape};
use crate::lower::derivation::{RecordedBody, RecordedResponse, media_type};

/// Values that earlier steps of a test captured, by variable.
pub type Captured = BTreeMap<String, Value>;

impl Expectation {
    /// Where and how an answer is not what is expected; empty where it is.
    ///
    /// # Example
    /// ```
    /// use std::collections::BTreeMap;
    /// use serde_json::json;
    /// use wallace_suite::{Expectation, RecordedBody, RecordedResponse};
    ///
    /// let answer = json!({ "data": { "kind": 2 } });
    /// let response = RecordedResponse {
    ///     status: 200,
    ///     content_type: None,
    ///     headers: &[],
    ///     body: RecordedBody::Json(&answer),
    /// };
    /// let expected = Expectation::json_equals("/data/kind", &json!(3));
    /// let told = expected.differences(&response, &BTreeMap::new());
    /// assert_eq!(told, ["/data/kind: expected 3, found 2"]);
    /// ```
    #[must_use]
    pub fn differences(&self, response: &RecordedResponse<'_>, captured: &Captured) -> Vec<String> {
        let json = match response.body {
            RecordedBody::Json(json) => Some(json),
            RecordedBody::Empty | RecordedBody::Text(_) | RecordedBody::Unreadable => None,
        };
        let at = |pointer: &str| json.and_then(|json| json.pointer(pointer));
        let mut comparison = Comparison { captured, differences: Vec::new() };
        match self {
            Self::Status(status) if *status == response.status => {}
            Self::Status(status) => comparison.tell("status", status, response.status),
            Self::MediaType(expected) => {
                let found = media_type(response.content_type).unwrap_or_default();
                if found != *expected {
                    comparison.tell("media type", expected, found);
                }
            }
            Self::Header(name) if response.header(name).is_some() => {}
            Self::Header(name) => comparison.tell(&format!("header {name}"), "some", "none"),
            Self::Errors(errors) => comparison.errors(errors, at("/errors")),
            Self::Json { pointer, shape } => match at(pointer) {
                Some(value) => comparison.shape(shape, value, pointer),
                None => comparison.tell(pointer, "a value", "nothing"),
            },
            Self::Present(pointer) if at(pointer).is_some() => {}
            Self::Present(pointer) => comparison.tell(pointer, "a value", "nothing"),
            Self::Absent(pointer) => {
                if let Some(found) = at(pointer) {
                    comparison.tell(pointer, "nothing", found);
                }
            }
            Self::Text(expected) => match response.body {
                RecordedBody::Text(text) if text == expected => {}
                _ => comparison.tell("body", "another text", "this one"),
            },
            Self::EmptyBody if matches!(response.body, RecordedBody::Empty) => {}
            Self::EmptyBody => comparison.tell("body", "none", "some"),
            Self::NoAnswer => comparison.tell("answer", "none", response.status),
        }
        comparison.differences
    }
}

struct Comparison<'a> {
    captured: &'a Captured,
    differences: Vec<String>,
}

impl Comparison<'_> {
    fn tell(
        &mut self,
        place: &str,
        expected: impl std::fmt::Display,
        found: impl std::fmt::Display,
    ) {
        let place = if place.is_empty() { "body" } else { place };
        self.differences.push(format!("{place}: expected {expected}, found {found}"));
    }

    /// Whether the errors are these, in any order.
    fn errors(&mut self, expected: &[ExpectedError], found: Option<&Value>) {
        let Some(found) = found.and_then(Value::as_array) else {
            return self.tell("/errors", "a list", "none");
        };
        if found.len() != expected.len() {
            let (wanted, got) = (expected.len(), found.len());
            return self.tell("/errors", format!("{wanted} errors"), got);
        }
        let mut left: Vec<&Value> = found.iter().collect();
        for error in expected {
            match left.iter().position(|actual| is_error(error, actual)) {
                Some(place) => drop(left.remove(place)),
                None => self.tell("/errors", format!("{error:?}"), Value::from(found.clone())),
            }
        }
    }

    fn shape(&mut self, shape: &Shape, value: &Value, pointer: &str) {
        match shape {
            Shape::Anything => {}
            Shape::Kind(kind) if is_of_kind(*kind, value) => {}
            Shape::Kind(kind) => self.tell(pointer, format!("any {kind:?}"), value),
            Shape::Exactly(expected) => self.equal(expected, value, pointer),
            Shape::Captured(variable) => {
                if let Some(expected) = self.captured.get(variable) {
                    self.equal(expected, value, pointer);
                }
            }
            Shape::Object(fields) => self.object(fields, value, pointer),
            Shape::List { length, first } => self.list(*length, first, value, pointer),
            Shape::NonNull if !value.is_null() => {}
            Shape::NonNull => self.tell(pointer, "a value", value),
            Shape::Nullable(_) if value.is_null() => {}
            Shape::Nullable(inner) => self.shape(inner, value, pointer),
            Shape::Each(inner) => match value.as_array() {
                Some(elements) => self.elements(elements.iter().map(|it| (&**inner, it)), pointer),
                None => self.tell(pointer, "a list", value),
            },
            Shape::OneOf(texts) => {
                if !value.as_str().is_some_and(|text| texts.iter().any(|known| known == text)) {
                    self.tell(pointer, texts.join(" or "), value);
                }
            }
            Shape::Including(fields) => match value.as_object() {
                Some(found) => self.fields(fields, found, pointer),
                None => self.tell(pointer, "an object", value),
            },
            Shape::ByType { key, types } => {
                match value.get(key).and_then(Value::as_str).and_then(|name| types.get(name)) {
                    Some(shape) => self.shape(shape, value, pointer),
                    None => self.tell(pointer, "a known type", value),
                }
            }
        }
    }

    fn equal(&mut self, expected: &Value, found: &Value, pointer: &str) {
        if expected != found {
            self.tell(pointer, expected, found);
        }
    }

    fn object(&mut self, fields: &BTreeMap<String, Shape>, value: &Value, pointer: &str) {
        let Some(found) = value.as_object() else {
            return self.tell(pointer, "an object", value);
        };
        self.fields(fields, found, pointer);
        for (key, value) in found.iter().filter(|(key, _)| !fields.contains_key(*key)) {
            self.tell(&child_pointer(pointer, key), "nothing", value);
        }
    }

    fn fields(&mut self, fields: &BTreeMap<String, Shape>, found: &Map<String, Value>, at: &str) {
        for (key, shape) in fields {
            match found.get(key) {
                Some(value) => self.shape(shape, value, &child_pointer(at, key)),
                None => self.tell(&child_pointer(at, key), "a value", "nothing"),
            }
        }
    }

    fn list(&mut self, length: usize, first: &[Shape], value: &Value, pointer: &str) {
        let Some(found) = value.as_array() else {
            return self.tell(pointer, "a list", value);
        };
        if found.len() != length {
            self.tell(pointer, format!("{length} elements"), found.len());
        }
        self.elements(first.iter().zip(found), pointer);
    }

    fn elements<'s>(&mut self, pairs: impl Iterator<Item = (&'s Shape, &'s Value)>, pointer: &str) {
        for (index, (shape, value)) in pairs.enumerate() {
            self.shape(shape, value, &child_pointer(pointer, &index.to_string()));
        }
    }
}

fn is_of_kind(kind: JsonKind, value: &Value) -> bool {
    match kind {
        JsonKind::Integer => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|it| it.fract() == 0.0)
        }
        kind => JsonKind::of(value) == Some(kind),
    }
}

/// Whether an entry of `errors` is what is expected, as far as anything is.
fn is_error(expected: &ExpectedError, found: &Value) -> bool {
    let is_text = |pointer: &str, text: &Option<String>| {
        text.as_ref().is_none_or(|text| {
            found.pointer(pointer).and_then(Value::as_str).is_some_and(|found| found == text)
        })
    };
    expected.path.as_ref().is_none_or(|path| found.get("path") == Some(path))
        && is_text("/message", &expected.message)
        && is_text("/extensions/code", &expected.code)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(shape: Shape, value: &Value) -> Vec<String> {
        let captured = Captured::from([("id".to_owned(), json!(7))]);
        let expected = Expectation::Json { pointer: "/v".to_owned(), shape };
        let body = json!({ "v": value });
        let body = RecordedBody::Json(&body);
        expected.differences(
            &RecordedResponse { status: 200, content_type: None, headers: &[], body },
            &captured,
        )
    }

    #[test]
    fn shapes_hold_or_tell_where_not() {
        let text = Shape::Kind(JsonKind::String);
        let one = || Shape::from(&json!(1));
        let fields = |shape| BTreeMap::from([("a".to_owned(), shape)]);
        let list = |length, first| Shape::List { length, first };
        let by_type = || Shape::ByType {
            key: "t".to_owned(),
            types: BTreeMap::from([("A".to_owned(), Shape::Anything)]),
        };
        for (shape, value) in [
            (Shape::Anything, json!(null)),
            (text.clone(), json!("")),
            (Shape::Kind(JsonKind::Integer), json!(2.0)),
            (Shape::Captured("id".to_owned()), json!(7)),
            (Shape::Object(fields(one())), json!({ "a": 1 })),
            (Shape::Including(fields(one())), json!({ "a": 1, "b": 2 })),
            (list(2, vec![one()]), json!([1, 5])),
            (Shape::NonNull, json!(0)),
            (Shape::Nullable(Box::new(text.clone())), json!(null)),
            (Shape::Each(Box::new(one())), json!([1, 1])),
            (Shape::OneOf(vec!["A".to_owned()]), json!("A")),
            (by_type(), json!({ "t": "A" })),
        ] {
            assert_eq!(told(shape, &value), Vec::<String>::new());
        }
        for (shape, value, complaint) in [
            (text.clone(), json!(1), "/v: expected any String, found 1"),
            (Shape::Kind(JsonKind::Integer), json!(1.5), "/v: expected any Integer, found 1.5"),
            (Shape::Captured("id".to_owned()), json!(8), "/v: expected 7, found 8"),
            (one(), json!(1.0), "/v: expected 1, found 1.0"),
            (
                Shape::Object(fields(one())),
                json!({ "a": 1, "b": 2 }),
                "/v/b: expected nothing, found 2",
            ),
            (Shape::Object(fields(one())), json!({}), "/v/a: expected a value, found nothing"),
            (Shape::Including(fields(one())), json!({ "a": 2 }), "/v/a: expected 1, found 2"),
            (list(2, vec![]), json!([1]), "/v: expected 2 elements, found 1"),
            (list(1, vec![one()]), json!([2]), "/v/0: expected 1, found 2"),
            (Shape::NonNull, json!(null), "/v: expected a value, found null"),
            (Shape::Nullable(Box::new(text)), json!(1), "/v: expected any String, found 1"),
            (Shape::Each(Box::new(one())), json!([1, 2]), "/v/1: expected 1, found 2"),
            (Shape::OneOf(vec!["A".to_owned()]), json!("B"), "/v: expected A, found \"B\""),
            (by_type(), json!({ "t": "B" }), "/v: expected a known type, found {\"t\":\"B\"}"),
        ] {
            assert_eq!(told(shape, &value), [complaint]);
        }
    }

    #[test]
    fn the_rest_of_an_answer_is_looked_at() {
        let body = json!({ "errors": [{ "message": "a", "path": ["x"] }, { "message": "b" }] });
        let headers = [("location", "/a/1"), ("empty", "")];
        let headers = headers.map(|(name, value)| (name.into(), value.into()));
        let response = RecordedResponse {
            status: 500,
            content_type: Some("text/HTML; charset=utf-8"),
            headers: &headers,
            body: RecordedBody::Json(&body),
        };
        let empty = RecordedResponse { body: RecordedBody::Empty, ..response };
        let text = RecordedResponse { body: RecordedBody::Text("no"), ..response };
        let error = |message: &str| ExpectedError {
            message: Some(message.to_owned()),
            ..ExpectedError::default()
        };
        let holds = |expected: &Expectation, response| {
            expected.differences(response, &Captured::new()).is_empty()
        };
        let media_type = |text: &str| Expectation::MediaType(text.to_owned());
        let errors =
            |texts: &[&str]| Expectation::Errors(texts.iter().map(|it| error(it)).collect());
        for (expected, response, is_right) in [
            (Expectation::Status(500), &response, true),
            (Expectation::Status(200), &response, false),
            (media_type("text/html"), &response, true),
            (media_type("text/plain"), &response, false),
            (errors(&["b", "a"]), &response, true),
            (errors(&["b", "b"]), &response, false),
            (errors(&["b"]), &response, false),
            (errors(&["b"]), &empty, false),
            (Expectation::Header("location".to_owned()), &response, true),
            (Expectation::Header("allow".to_owned()), &response, false),
            (Expectation::Header("empty".to_owned()), &response, false),
            (Expectation::Present("/errors/0".to_owned()), &response, true),
            (Expectation::Present("/data".to_owned()), &response, false),
            (Expectation::Absent("/data".to_owned()), &response, true),
            (Expectation::Absent("/errors".to_owned()), &response, false),
            (Expectation::Text("no".to_owned()), &text, true),
            (Expectation::Text("yes".to_owned()), &text, false),
            (Expectation::EmptyBody, &empty, true),
            (Expectation::EmptyBody, &text, false),
            (Expectation::NoAnswer, &response, false),
        ] {
            assert_eq!(holds(&expected, response), is_right, "{expected:?}");
        }
    }
}
