//! JSON values and shapes as the inside of `json!`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::literal;
use super::scope::Scope;
use crate::expectation::{JsonKind, Shape};
use crate::pointer::child;
use crate::request::JsonBody;

/// Longest list or object that stays on one line, in bytes.
pub(super) const LONGEST_INLINE: usize = 60;

/// Key that the support library gives a meaning of its own.
const MATCHER: &str = "$matcher";

/// What stands inside of `json!`.
#[derive(Debug, Clone)]
pub(super) enum JsonSource {
    /// A literal, a variable, a call.
    Expression(String),
    /// `[a, b]`
    List(Vec<JsonSource>),
    /// `{ "a": b }`
    Object(Vec<(String, JsonSource)>),
    /// `list_starting_with(9, json!([...]))`
    ListStart(usize, Vec<JsonSource>),
}

impl JsonSource {
    /// The source of a request's JSON; captured parts become variables.
    pub(super) fn of_body(body: &JsonBody, scope: &mut Scope) -> Self {
        Self::of_value(&body.value, "", &body.captured, scope)
    }

    fn of_value(
        value: &Value,
        pointer: &str,
        captured: &BTreeMap<String, String>,
        scope: &mut Scope,
    ) -> Self {
        if let Some(variable) = captured.get(pointer).and_then(|name| scope.variable(name)) {
            return Self::Expression(variable);
        }
        match value {
            Value::Array(elements) => {
                let elements = elements.iter().enumerate().map(|(index, element)| {
                    Self::of_value(element, &child(pointer, &index.to_string()), captured, scope)
                });
                Self::List(elements.collect())
            }
            Value::Object(fields) => {
                let sorted: BTreeMap<_, _> = fields.iter().collect();
                let fields = sorted.into_iter().map(|(key, field)| {
                    let field = Self::of_value(field, &child(pointer, key), captured, scope);
                    (literal::string(key), field)
                });
                Self::Object(fields.collect())
            }
            scalar => Self::of_scalar(scalar, scope),
        }
    }

    fn of_scalar(value: &Value, scope: &mut Scope) -> Self {
        Self::Expression(match value {
            Value::String(text) => literal::string(text),
            Value::Number(number) => {
                scope.has_floats |= number.is_f64();
                literal::number(number)
            }
            other => other.to_string(),
        })
    }

    /// The source of an expected shape.
    pub(super) fn of_shape(shape: &Shape, scope: &mut Scope) -> Self {
        match shape {
            Shape::Anything => scope.call("anything"),
            Shape::Kind(kind) => scope.call(matcher(*kind)),
            Shape::Exactly(value) => Self::of_value(value, "", &BTreeMap::new(), scope),
            Shape::Captured(name) => match scope.variable(name) {
                Some(variable) => Self::Expression(variable),
                None => scope.call("anything"),
            },
            Shape::Object(fields) if fields.contains_key(MATCHER) => scope.call("any_object"),
            Shape::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(key, field)| (literal::string(key), Self::of_shape(field, scope)));
                Self::Object(fields.collect())
            }
            Shape::List { length, first } => {
                let elements: Vec<Self> =
                    first.iter().map(|element| Self::of_shape(element, scope)).collect();
                if *length == elements.len() {
                    return Self::List(elements);
                }
                scope.import("list_starting_with");
                Self::ListStart(*length, elements)
            }
        }
    }

    /// The source on one line.
    pub(super) fn inline(&self) -> String {
        match self {
            Self::Expression(text) => text.clone(),
            Self::List(elements) => format!("[{}]", inline_elements(elements)),
            Self::Object(fields) if fields.is_empty() => "{}".to_owned(),
            Self::Object(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(key, field)| format!("{key}: {}", field.inline())).collect();
                format!("{{ {} }}", fields.join(", "))
            }
            Self::ListStart(length, first) => {
                format!("list_starting_with({length}, json!([{}]))", inline_elements(first))
            }
        }
    }

    /// The source, on several lines if it is long. Lines after the first are indented.
    pub(super) fn source(&self, indentation: usize) -> String {
        let inline = self.inline();
        if inline.len() <= LONGEST_INLINE {
            return inline;
        }
        match self {
            Self::Expression(text) => text.clone(),
            Self::List(elements) => format!("[{}]", self.lines(elements, indentation)),
            Self::ListStart(length, first) => {
                let lines = self.lines(first, indentation);
                format!("list_starting_with({length}, json!([{lines}]))")
            }
            Self::Object(fields) => {
                let margin = " ".repeat(indentation);
                let mut text = String::from("{\n");
                for (key, field) in fields {
                    text += &format!("{margin}    {key}: {},\n", field.source(indentation + 4));
                }
                text + &margin + "}"
            }
        }
    }

    /// Elements on a line each, with the line breaks around them.
    fn lines(&self, elements: &[Self], indentation: usize) -> String {
        if elements.is_empty() {
            return String::new();
        }
        let margin = " ".repeat(indentation);
        let lines: Vec<String> = elements
            .iter()
            .map(|element| format!("{margin}    {}", element.source(indentation + 4)))
            .collect();
        // A formatter that understands the macro takes the last comma away.
        let last = if self.is_expression() { "" } else { "," };
        format!("\n{}{last}\n{margin}", lines.join(",\n"))
    }

    /// Whether all of it could stand in Rust without the macro.
    fn is_expression(&self) -> bool {
        match self {
            Self::Expression(_) => true,
            Self::List(elements) | Self::ListStart(_, elements) => {
                elements.iter().all(Self::is_expression)
            }
            Self::Object(fields) => fields.is_empty(),
        }
    }

    /// How deep the compiler must follow `json!` to the end of this value. The macro takes
    /// three steps for a field and one for an element; measured with serde_json 1.0.
    pub(super) fn recursion(&self) -> usize {
        let deepest = |children: &mut dyn Iterator<Item = &Self>, steps: usize| {
            let depths = children.enumerate();
            depths.map(|(index, child)| (index + 1) * steps + child.recursion()).max().unwrap_or(0)
        };
        4 + match self {
            Self::Expression(_) => 0,
            Self::Object(fields) => deepest(&mut fields.iter().map(|(_, field)| field), 3),
            Self::List(elements) | Self::ListStart(_, elements) => deepest(&mut elements.iter(), 1),
        }
    }
}

fn inline_elements(elements: &[JsonSource]) -> String {
    elements.iter().map(JsonSource::inline).collect::<Vec<_>>().join(", ")
}

fn matcher(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "any_boolean",
        JsonKind::Number => "any_number",
        JsonKind::String => "any_string",
        JsonKind::List => "any_list",
        JsonKind::Object => "any_object",
    }
}
