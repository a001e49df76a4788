//! From a recorded answer to what a test expects.
//!
//! Expected are: the status; the media type; that there is a location where one is told; for GraphQL whether there are errors, and
//! then where and which; keys, kinds, stable scalars and sizes of lists, the first elements
//! of which are looked into. Never expected are values that the next run may give
//! differently. Floats are expected to the last bit: the same service computes them from
//! the same input, and both sides read and write the shortest text that round-trips.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_problems::{child_pointer, scalar};

use crate::expectation::{Expectation, ExpectedError, JsonKind, Shape};
use crate::lower::volatile::StaticRules;
use crate::request::{Body, Request};

/// How many elements of a list are looked into, from its start.
const LIST_ELEMENTS_CHECKED: usize = 3;

/// How many values of one answer are looked into; of further ones only the kind is
/// expected. Nobody reads a longer assertion.
const VALUES_CHECKED: usize = 200;

/// How deep an answer is looked into.
const DEPTH_CHECKED: usize = 16;

/// The longest text that is expected literally, in bytes.
const LONGEST_TEXT: usize = 500;

/// The longest error message that is expected literally, in bytes.
const LONGEST_MESSAGE: usize = 300;

/// The header that names what was made, or where the answer is. Its value may have a number that
/// the next run gives differently.
const LOCATION: &str = "location";

/// An answer as it was recorded.
#[derive(Debug, Clone, Copy)]
pub struct RecordedResponse<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The header `content-type` as it came.
    pub content_type: Option<&'a str>,
    /// Other headers, names in lower case.
    pub headers: &'a [(Box<str>, Box<str>)],
    /// The body.
    pub body: RecordedBody<'a>,
}

impl<'a> RecordedResponse<'a> {
    /// The value of a header; `None` where it is missing or empty.
    pub(crate) fn header(&self, name: &str) -> Option<&'a str> {
        let (_, value) = self.headers.iter().find(|(header, _)| &**header == name)?;
        Some(&**value).filter(|value| !value.is_empty())
    }
}

/// The body of a recorded answer.
#[derive(Debug, Clone, Copy)]
pub enum RecordedBody<'a> {
    /// No bytes.
    Empty,
    /// A JSON value.
    Json(&'a Value),
    /// Text that is not JSON.
    Text(&'a str),
    /// Something else: not text, cut off, too large. Nothing is expected of it.
    Unreadable,
}

/// What repeating a request showed about a part of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Volatility {
    /// The value differs, its kind does not. Of a list, size and order differ.
    Value,
    /// Even the kind differs.
    Kind,
    /// The member of an object is not always there.
    Absence,
}

/// What is known besides the answer when expectations are derived from it.
#[derive(Debug, Clone, Copy)]
pub struct Derivation<'a> {
    /// The request that was answered.
    pub request: &'a Request,
    /// Values that earlier steps captured, by variable.
    pub captured: &'a BTreeMap<String, Value>,
    /// Parts known to differ between runs, by JSON pointer into the body.
    pub volatile: &'a BTreeMap<String, Volatility>,
    /// When the answer came, in seconds since 1970; `None` where there is no clock.
    pub recorded_at: Option<u64>,
}

impl Derivation<'_> {
    /// What is to be expected of the next answer to the same request.
    #[must_use]
    pub fn expectations(&self, response: &RecordedResponse<'_>) -> Vec<Expectation> {
        let mut expectations = vec![Expectation::Status(response.status)];
        if let Some(media_type) = media_type(response.content_type) {
            expectations.push(Expectation::MediaType(media_type));
        }
        if response.header(LOCATION).is_some() {
            expectations.push(Expectation::Header(LOCATION.to_owned()));
        }
        let mut shaper = Shaper::new(self);
        match response.body {
            RecordedBody::Empty => expectations.push(Expectation::EmptyBody),
            RecordedBody::Json(body) => self.expect_json(body, &mut shaper, &mut expectations),
            RecordedBody::Text(text) if shaper.is_stable_text(text, LONGEST_TEXT) => {
                expectations.push(Expectation::Text(text.to_owned()));
            }
            RecordedBody::Text(_) | RecordedBody::Unreadable => {}
        }
        expectations
    }

    fn expect_json(&self, body: &Value, shaper: &mut Shaper<'_>, found: &mut Vec<Expectation>) {
        let is_graphql = matches!(self.request.body, Body::GraphQl { .. });
        let has_results = body.get("data").is_some() || body.get("errors").is_some();
        if !is_graphql || !has_results {
            let shape = shaper.shape("", "", body, 0);
            found.push(Expectation::Json { pointer: String::new(), shape });
            return;
        }
        found.push(match body.get("errors") {
            None => Expectation::Absent("/errors".to_owned()),
            Some(errors) => expected_errors(errors, shaper),
        });
        found.push(match body.get("data") {
            None => Expectation::Absent("/data".to_owned()),
            Some(data) => {
                let shape = shaper.shape("/data", "data", data, 0);
                Expectation::Json { pointer: "/data".to_owned(), shape }
            }
        });
    }
}

/// The essence of a content type, in lower case; `None` when it is missing or empty.
pub(crate) fn media_type(content_type: Option<&str>) -> Option<String> {
    let essence = content_type?.split(';').next()?.trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

/// What to expect of `errors`. A malformed list is a fault that somebody may mend: then
/// its shape is expected as it is.
fn expected_errors(errors: &Value, shaper: &mut Shaper<'_>) -> Expectation {
    let well_formed = errors
        .as_array()
        .filter(|entries| !entries.is_empty() && entries.iter().all(Value::is_object));
    let is_known_volatile = shaper.derivation.volatile.keys().any(|key| {
        key == "/errors" || key.strip_prefix("/errors/").is_some_and(|rest| !rest.contains('/'))
    });
    match well_formed {
        Some(_) if is_known_volatile => Expectation::Present("/errors".to_owned()),
        Some(entries) => {
            let entries = entries.iter().enumerate();
            Expectation::Errors(entries.map(|(index, entry)| shaper.error(index, entry)).collect())
        }
        None => Expectation::Json {
            pointer: "/errors".to_owned(),
            shape: shaper.shape("/errors", "errors", errors, 0),
        },
    }
}

/// Turns one answer into shapes.
#[derive(Debug)]
struct Shaper<'a> {
    derivation: &'a Derivation<'a>,
    rules: StaticRules,
    values_left: usize,
}

impl<'a> Shaper<'a> {
    fn new(derivation: &'a Derivation<'a>) -> Self {
        let request_text = derivation.request.literal_text();
        let captured_texts = derivation.captured.values().filter_map(scalar).collect();
        let recorded_at = derivation.recorded_at;
        let rules = StaticRules { request_text, recorded_at, captured_texts };
        Self { derivation, rules, values_left: VALUES_CHECKED }
    }

    /// The shape of a value; `key` is the nearest name above it.
    fn shape(&mut self, pointer: &str, key: &str, value: &Value, depth: usize) -> Shape {
        match (self.derivation.volatile.get(pointer), JsonKind::of(value)) {
            (Some(Volatility::Kind | Volatility::Absence), _) | (Some(Volatility::Value), None) => {
                Shape::Anything
            }
            // What another step captured is another value each time, and the same within a run.
            (Some(Volatility::Value), Some(kind)) => {
                self.captured_as(value).map_or(Shape::Kind(kind), Shape::Captured)
            }
            (None, None) => Shape::Exactly(Value::Null),
            (None, Some(kind)) if self.values_left == 0 || depth >= DEPTH_CHECKED => {
                Shape::Kind(kind)
            }
            (None, Some(kind)) => {
                self.values_left -= 1;
                self.stable_shape(pointer, key, value, kind, depth)
            }
        }
    }

    fn stable_shape(
        &mut self,
        pointer: &str,
        key: &str,
        value: &Value,
        kind: JsonKind,
        depth: usize,
    ) -> Shape {
        match value {
            Value::Array(elements) => self.list(pointer, key, elements, depth),
            Value::Object(fields) => {
                let mut shapes = BTreeMap::new();
                for (name, field) in fields {
                    let inner = child_pointer(pointer, name);
                    if self.derivation.volatile.get(&inner) != Some(&Volatility::Absence) {
                        shapes.insert(name.clone(), self.shape(&inner, name, field, depth + 1));
                    }
                }
                if self.has_passing_members(pointer) {
                    Shape::Including(shapes)
                } else {
                    Shape::Object(shapes)
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.scalar(key, value, kind)
            }
        }
    }

    /// Whether some members of the object at a pointer are not always there.
    fn has_passing_members(&self, pointer: &str) -> bool {
        let above = format!("{pointer}/");
        let below = self.derivation.volatile.range(above.clone()..);
        let mut below = below.take_while(|(inner, _)| inner.starts_with(&above));
        below.any(|(inner, volatility)| {
            *volatility == Volatility::Absence && !inner[above.len()..].contains('/')
        })
    }

    fn list(&mut self, pointer: &str, key: &str, elements: &[Value], depth: usize) -> Shape {
        let checked = elements.iter().take(LIST_ELEMENTS_CHECKED).enumerate();
        let first = checked
            .map(|(index, element)| {
                self.shape(&child_pointer(pointer, &index.to_string()), key, element, depth + 1)
            })
            .collect();
        Shape::List { length: elements.len(), first }
    }

    fn scalar(&self, key: &str, value: &Value, kind: JsonKind) -> Shape {
        if self.rules.is_volatile(key, value) {
            return match self.captured_as(value) {
                Some(variable) => Shape::Captured(variable),
                None => Shape::Kind(kind),
            };
        }
        match value {
            Value::String(text) if text.len() > LONGEST_TEXT => Shape::Kind(kind),
            _ => Shape::Exactly(value.clone()),
        }
    }

    /// The variable that holds a volatile value, if an earlier step captured it.
    fn captured_as(&self, value: &Value) -> Option<String> {
        let mut captured = self.derivation.captured.iter();
        captured.find(|(_, known)| *known == value).map(|(variable, _)| variable.clone())
    }

    /// What to expect of one entry of `errors`.
    fn error(&self, index: usize, entry: &Value) -> ExpectedError {
        let is_known = |field: &str| {
            let pointer = format!("/errors/{index}/{field}");
            !self.derivation.volatile.contains_key(&pointer)
        };
        let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str);
        let message = text("/message")
            .filter(|text| is_known("message") && self.is_stable_text(text, LONGEST_MESSAGE));
        let code = text("/extensions/code")
            .filter(|text| is_known("extensions/code") && self.is_stable_text(text, LONGEST_TEXT));
        ExpectedError {
            path: entry.get("path").filter(|path| is_known("path") && path.is_array()).cloned(),
            message: message.map(str::to_owned),
            code: code.map(str::to_owned),
        }
    }

    /// Whether a text of one line can be expected literally. Texts of several lines are
    /// traces and pages, which change with every release.
    fn is_stable_text(&self, text: &str, longest: usize) -> bool {
        let is_one_line = !text.trim_end().contains('\n');
        text.len() <= longest && is_one_line && !self.rules.is_volatile_text(text)
    }
}

#[cfg(test)]
mod tests;
