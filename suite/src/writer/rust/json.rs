//! JSON values and shapes as the inside of `json!`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::layout;
use super::literal;
use super::scope::Scope;
use crate::expectation::Shape;
use crate::pointer::child;
use crate::request::JsonBody;

/// Longest value that stays on the line of a statement, in characters.
const LONGEST_INLINE: usize = 60;

/// Longest list or object inside of another one that stays on one line, in characters.
const LONGEST_INNER: usize = 72;

/// Key that the support library gives a meaning of its own.
const MATCHER: &str = "$matcher";

/// What stands inside of `json!`.
#[derive(Debug, Clone)]
pub(super) enum JsonSource {
    /// A literal or a variable.
    Expression(String),
    /// Name of a function of the support library that gives a value for any of a kind.
    Matcher(&'static str),
    /// `[a, b]`
    List(Vec<JsonSource>),
    /// `{ "a": b }`
    Object(Vec<(String, JsonSource)>),
    /// `list_starting_with(9, json!([...]))`
    ListStart(usize, Vec<JsonSource>),
    /// `nullable(any_string())`: a function of the support library and its arguments.
    Call(&'static str, Vec<JsonSource>),
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
            Shape::Kind(kind) => scope.call(kind.matcher()),
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
            Shape::NonNull => scope.call("non_null"),
            Shape::Nullable(inner) => Self::call("nullable", [Self::of_shape(inner, scope)], scope),
            Shape::Each(inner) => Self::call("each", [Self::of_shape(inner, scope)], scope),
            Shape::OneOf(texts) => {
                let texts = texts.iter().map(|text| Self::Expression(literal::string(text)));
                Self::call("one_of", [Self::List(texts.collect())], scope)
            }
            Shape::Including(fields) => {
                Self::call("including", [Self::of_shapes(fields, scope)], scope)
            }
            Shape::ByType { key, types } => {
                let types = Self::of_shapes(types, scope);
                Self::call("by_type", [Self::Expression(literal::string(key)), types], scope)
            }
        }
    }

    fn of_shapes(fields: &BTreeMap<String, Shape>, scope: &mut Scope) -> Self {
        let fields =
            fields.iter().map(|(key, field)| (literal::string(key), Self::of_shape(field, scope)));
        Self::Object(fields.collect())
    }

    fn call<const N: usize>(
        function: &'static str,
        arguments: [Self; N],
        scope: &mut Scope,
    ) -> Self {
        scope.import(function);
        // Scope looks at whole values only, and what is inside of a call stands in a macro again.
        scope.uses_json = true;
        Self::Call(function, arguments.into())
    }

    /// A call with its arguments, which are values of their own.
    fn call_source(function: &str, arguments: &[Self], indentation: usize) -> String {
        let arguments = arguments.iter().map(|argument| match argument {
            Self::Expression(_) | Self::Matcher(_) | Self::Call(..) => {
                argument.source(indentation, LONGEST_INNER)
            }
            _ => format!("json!({})", argument.source(indentation, LONGEST_INNER)),
        });
        format!("{function}({})", arguments.collect::<Vec<_>>().join(", "))
    }

    /// The source on one line.
    pub(super) fn inline(&self) -> String {
        match self {
            Self::Expression(text) => text.clone(),
            Self::Matcher(function) => format!("{function}()"),
            Self::List(elements) => format!("[{}]", inline_elements(elements)),
            Self::Object(fields) if fields.is_empty() => "{}".to_owned(),
            Self::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(key, field)| format!("{key}: {}", field.inline()))
                    .collect();
                format!("{{ {} }}", fields.join(", "))
            }
            Self::ListStart(length, first) => {
                format!("list_starting_with({length}, json!([{}]))", inline_elements(first))
            }
            Self::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| match argument {
                    Self::Expression(_) | Self::Matcher(_) | Self::Call(..) => argument.inline(),
                    _ => format!("json!({})", argument.inline()),
                });
                format!("{function}({})", arguments.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A Rust expression of this value, on several lines if it is long.
    pub(super) fn expression(&self, indentation: usize) -> String {
        match self {
            Self::Matcher(_) => self.inline(),
            Self::Call(function, arguments) => Self::call_source(function, arguments, indentation),
            Self::ListStart(length, first) => {
                let first = Self::List(first.clone());
                let inline = format!("{length}, {}", first.expression(0));
                if layout::width(&inline) <= LONGEST_INLINE && !inline.contains('\n') {
                    return format!("list_starting_with({inline})");
                }
                let (margin, first) = (" ".repeat(indentation), first.expression(indentation + 4));
                format!(
                    "list_starting_with(\n{margin}    {length},\n{margin}    {first},\n{margin})"
                )
            }
            Self::Expression(_) | Self::List(_) | Self::Object(_) => {
                format!("json!({})", self.source(indentation, self.longest_inline()))
            }
        }
    }

    /// What stands inside of `json!`, on several lines if it is longer than `longest`.
    fn source(&self, indentation: usize, longest: usize) -> String {
        let inline = self.inline();
        if layout::width(&inline) <= longest {
            return inline;
        }
        match self {
            Self::Expression(_) | Self::Matcher(_) => inline,
            Self::Call(function, arguments) => Self::call_source(function, arguments, indentation),
            Self::List(elements) => format!("[{}]", self.lines(elements, indentation)),
            Self::ListStart(length, first) => {
                let lines = self.lines(first, indentation);
                format!("list_starting_with({length}, json!([{lines}]))")
            }
            Self::Object(fields) => {
                let margin = " ".repeat(indentation);
                let mut text = String::from("{\n");
                for (key, field) in fields {
                    text += &format!(
                        "{margin}    {key}: {},\n",
                        field.source(indentation + 4, LONGEST_INNER)
                    );
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
        // A formatter that understands the macro lays out its inside as well: it breaks lists
        // earlier and takes the last comma away.
        let (longest, last) =
            if self.is_expression() { (self.longest_inline(), "") } else { (LONGEST_INNER, ",") };
        let lines: Vec<String> = elements
            .iter()
            .map(|element| format!("{margin}    {}", element.source(indentation + 4, longest)))
            .collect();
        format!("\n{}{last}\n{margin}", lines.join(",\n"))
    }

    /// How long the value may be on the line of a statement. Of a list that a formatter
    /// understands only the inside counts.
    fn longest_inline(&self) -> usize {
        if self.is_expression() { LONGEST_INLINE + 2 } else { LONGEST_INLINE }
    }

    /// Whether all of it could stand in Rust without the macro.
    fn is_expression(&self) -> bool {
        match self {
            Self::Expression(_) | Self::Matcher(_) => true,
            Self::Call(_, arguments) => arguments.iter().all(Self::is_expression),
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
            Self::Expression(_) | Self::Matcher(_) => 0,
            Self::Object(fields) => deepest(&mut fields.iter().map(|(_, field)| field), 3),
            Self::List(elements) | Self::ListStart(_, elements) | Self::Call(_, elements) => {
                deepest(&mut elements.iter(), 1)
            }
        }
    }
}

fn inline_elements(elements: &[JsonSource]) -> String {
    elements.iter().map(JsonSource::inline).collect::<Vec<_>>().join(", ")
}
