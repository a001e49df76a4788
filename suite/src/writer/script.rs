//! The little JavaScript that API clients run after an answer: Postman and HTTP files.

use serde_json::{Value, json};
use wallace_problems::AnswerPlace;

use crate::expectation::{Expectation, JsonKind};
use crate::test_case::Step;
use crate::usage::used_captures;
use crate::writer::fact::{Fact, facts};

/// What differs between clients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    /// Opens a named check, up to the name.
    pub(crate) check: &'static str,
    /// What a condition stands in: before it, and after it.
    pub(crate) assert: (&'static str, &'static str),
    /// The status of the answer.
    pub(crate) status: &'static str,
    /// The content type of the answer, or nothing.
    pub(crate) content_type: &'static str,
    /// Reads a header of the answer, up to its name.
    pub(crate) header: &'static str,
    /// The body of the answer as text.
    pub(crate) text: &'static str,
    /// Sets a variable, up to its name.
    pub(crate) set: &'static str,
    /// Reads a variable, up to its name.
    pub(crate) get: &'static str,
}

/// The lines that look at the answer to a step and keep what later steps use.
pub(crate) fn lines(client: Client, step: &Step, later: &[Step]) -> Vec<String> {
    let captures = used_captures(step, later);
    let is_json = |it: &Expectation| !facts(it).is_empty();
    let mut lines = Vec::new();
    if !captures.is_empty() || step.expectations.iter().any(is_json) {
        lines.push(format!("const answer = (() => {{ try {{ return JSON.parse({}); }} catch {{ return undefined; }} }})();", client.text));
        lines.push("const at = (pointer) => pointer.split(\"/\").slice(1).map((key) => key.replace(/~1/g, \"/\").replace(/~0/g, \"~\")).reduce((value, key) => (value === null || typeof value !== \"object\" ? undefined : value[key]), answer);".to_owned());
    }
    if step.expectations.iter().any(|it| facts(it).iter().any(|(_, fact)| compares(fact))) {
        lines.push("const sorted = (value) => (Array.isArray(value) ? value.map(sorted) : value !== null && typeof value === \"object\" ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value);".to_owned());
        lines.push("const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));".to_owned());
    }
    for expectation in &step.expectations {
        lines.extend(checks(client, expectation).into_iter().map(|(name, condition)| {
            let (open, close) = client.assert;
            format!("{}{}, () => {{ {open}{condition}{close}; }});", client.check, json!(name))
        }));
    }
    for capture in captures {
        let (value, name) = (captured(client, &capture.place), set_name(&capture.variable));
        let plain = format!("typeof {value} === \"string\" ? {value} : JSON.stringify({value})");
        let quoted = format!("JSON.stringify(JSON.stringify({value})).slice(1, -1)");
        let set = client.set;
        lines.push(format!("{set}{}, {plain});", json!(name)));
        lines.push(format!("{set}{}, JSON.stringify({value}));", json!(format!("{name}_json"))));
        lines.push(format!("{set}{}, {quoted});", json!(format!("{name}_quoted"))));
        let segment = json!(format!("{name}_segment"));
        lines.push(format!("{set}{segment}, encodeURIComponent({plain}));"));
    }
    lines
}

/// An expression for a place of an answer.
fn captured(client: Client, place: &AnswerPlace) -> String {
    let at = |pointer: &String| format!("at({})", json!(pointer));
    let header = |name: &str| format!("{}{})", client.header, json!(name));
    let (address, from_end) = match place {
        AnswerPlace::Body(pointer) => return at(pointer),
        AnswerPlace::Header(name) => return header(name),
        AnswerPlace::Segment { address, from_end } => {
            (address.as_ref().map_or_else(|| header("location"), at), from_end)
        }
    };
    let path = format!("String({address}).replace(/^\\w+:\\/\\/[^/]*/, \"\").split(/[?#]/)[0]");
    format!(
        "decodeURIComponent({path}.split(\"/\").filter((part) => part !== \"\").slice(-{from_end})[0])"
    )
}

/// The variable of a captured value in a client: no text of a request is likely to name it.
pub(crate) fn set_name(variable: &str) -> String {
    format!("captured_{variable}")
}

fn compares(fact: &Fact) -> bool {
    matches!(fact, Fact::Equals(_) | Fact::Captured(_) | Fact::Error(_))
}

/// What must hold of an answer: a name and a condition each.
fn checks(client: Client, expectation: &Expectation) -> Vec<(String, String)> {
    match expectation {
        Expectation::Status(status) => {
            vec![(format!("status is {status}"), format!("{} === {status}", client.status))]
        }
        Expectation::MediaType(media_type) => {
            let found =
                format!("({} || \"\").split(\";\")[0].trim().toLowerCase()", client.content_type);
            let condition = format!("{found} === {}", json!(media_type));
            vec![(format!("media type is {media_type}"), condition)]
        }
        Expectation::Header(name) => {
            let condition = format!("({}{}) || \"\") !== \"\"", client.header, json!(name));
            vec![(format!("there is a header {name}"), condition)]
        }
        Expectation::Text(text) => {
            vec![(
                "the text is the same".to_owned(),
                format!("{} === {}", client.text, json!(text)),
            )]
        }
        Expectation::EmptyBody => {
            vec![("there is no body".to_owned(), format!("({} || \"\") === \"\"", client.text))]
        }
        other => facts(other).iter().map(|(pointer, fact)| check(client, pointer, fact)).collect(),
    }
}

fn check(client: Client, pointer: &str, fact: &Fact) -> (String, String) {
    let place = if pointer.is_empty() { "body" } else { pointer };
    let value = format!("at({})", json!(pointer));
    match fact {
        Fact::Equals(expected) => {
            (format!("{place} is {}", shown(expected)), format!("same({value}, {expected})"))
        }
        Fact::Captured(variable) => {
            let known = format!("{}{})", client.get, json!(format!("{}_json", set_name(variable))));
            (format!("{place} is {variable}"), format!("same({value}, JSON.parse({known}))"))
        }
        Fact::Kind(kind) => {
            (format!("{place} is any {}", kind_name(*kind)), of_kind(*kind, &value))
        }
        Fact::Keys(keys) => {
            let is_object = of_kind(JsonKind::Object, &value);
            let keys = json!(keys);
            let condition = format!(
                "{is_object} && JSON.stringify(Object.keys({value}).sort()) === JSON.stringify({keys}.sort())"
            );
            (format!("{place} has its keys"), condition)
        }
        Fact::Length(length) => {
            let condition = format!("Array.isArray({value}) && {value}.length === {length}");
            (format!("{place} has {length} elements"), condition)
        }
        Fact::Error(error) => {
            let expected = crate::writer::program::error_value(error);
            let parts =
                expected.as_object().into_iter().flatten().map(|(key, value)| match key.as_str() {
                    "extensions" => format!(
                        "same(error.extensions && error.extensions.code, {})",
                        value["code"]
                    ),
                    key => format!("same(error.{key}, {value})"),
                });
            let condition = parts.collect::<Vec<_>>().join(" && ");
            let message = error.message.as_deref().unwrap_or("known");
            (
                format!("an error is {message}"),
                format!("({value} || []).some((error) => {condition})"),
            )
        }
        Fact::Present => (format!("{place} is there"), format!("{value} !== undefined")),
        Fact::Absent => (format!("{place} is not there"), format!("{value} === undefined")),
        Fact::NonNull => (format!("{place} is not null"), format!("({value} ?? null) !== null")),
    }
}

/// A value in the name of a check.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { "as before".to_owned() }
}

/// What a kind is called.
pub(crate) fn kind_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "boolean",
        JsonKind::Number => "number",
        JsonKind::Integer => "integer",
        JsonKind::String => "string",
        JsonKind::List => "list",
        JsonKind::Object => "object",
    }
}

fn of_kind(kind: JsonKind, value: &str) -> String {
    match kind {
        JsonKind::List => format!("Array.isArray({value})"),
        JsonKind::Integer => format!("Number.isInteger({value})"),
        JsonKind::Object => {
            format!("{value} !== null && typeof {value} === \"object\" && !Array.isArray({value})")
        }
        other => format!("typeof {value} === \"{}\"", kind_name(other)),
    }
}
