//! JSON values and expected shapes as expressions.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_problems::child_pointer;

use super::{Builder, Expression};
use crate::expectation::Shape;
use crate::request::JsonBody;

/// Key that support libraries may give a meaning of its own.
const MATCHER: &str = "$matcher";

impl Builder<'_> {
    /// A literal value.
    pub(super) fn value(&self, value: &Value) -> Expression {
        self.filled(value, "", &BTreeMap::new())
    }

    /// The JSON of a request; captured parts become variables.
    pub(super) fn body(&self, body: &JsonBody) -> Expression {
        self.filled(&body.value, "", &body.captured)
    }

    fn filled(
        &self,
        value: &Value,
        pointer: &str,
        captured: &BTreeMap<String, String>,
    ) -> Expression {
        let variable = captured.get(pointer).and_then(|name| self.variables.get(name));
        if let Some(variable) = variable {
            return Expression::Variable(variable.clone());
        }
        match value {
            Value::Null => Expression::Null,
            Value::Bool(value) => Expression::Boolean(*value),
            Value::Number(number) => Expression::Number(number.clone()),
            Value::String(text) => Expression::Text(text.clone()),
            Value::Array(elements) => Expression::List(
                elements
                    .iter()
                    .enumerate()
                    .map(|(at, one)| {
                        self.filled(one, &child_pointer(pointer, &at.to_string()), captured)
                    })
                    .collect(),
            ),
            Value::Object(fields) => {
                let sorted: BTreeMap<_, _> = fields.iter().collect();
                let fields = sorted.into_iter();
                let field = |(key, field): (&String, &Value)| {
                    (key.clone(), self.filled(field, &child_pointer(pointer, key), captured))
                };
                Expression::Object(fields.map(field).collect())
            }
        }
    }

    /// An expected shape.
    pub(super) fn shape(&mut self, shape: &Shape) -> Expression {
        match shape {
            Shape::Anything => self.call("anything", Vec::new()),
            Shape::Kind(kind) => self.call(kind.matcher(), Vec::new()),
            Shape::Exactly(value) => self.value(value),
            Shape::Captured(name) => match self.variables.get(name) {
                Some(variable) => Expression::Variable(variable.clone()),
                None => self.call("anything", Vec::new()),
            },
            Shape::Object(fields) if fields.contains_key(MATCHER) => {
                self.call("any_object", Vec::new())
            }
            Shape::Object(fields) => self.fields(fields),
            Shape::List { length, first } => {
                let elements: Vec<Expression> = first.iter().map(|it| self.shape(it)).collect();
                if *length == elements.len() {
                    return Expression::List(elements);
                }
                let length = Expression::Number((*length).into());
                self.call("list_starting_with", vec![length, Expression::List(elements)])
            }
            Shape::NonNull => self.call("non_null", Vec::new()),
            Shape::Nullable(inner) => {
                let inner = self.shape(inner);
                self.call("nullable", vec![inner])
            }
            Shape::Each(inner) => {
                let inner = self.shape(inner);
                self.call("each", vec![inner])
            }
            Shape::OneOf(texts) => {
                let texts = texts.iter().map(|text| Expression::Text(text.clone())).collect();
                self.call("one_of", vec![Expression::List(texts)])
            }
            Shape::Including(fields) => {
                let fields = self.fields(fields);
                self.call("including", vec![fields])
            }
            Shape::ByType { key, types } => {
                let types = self.fields(types);
                self.call("by_type", vec![Expression::Text(key.clone()), types])
            }
        }
    }

    fn fields(&mut self, fields: &BTreeMap<String, Shape>) -> Expression {
        let fields = fields.iter().map(|(key, field)| (key.clone(), self.shape(field)));
        Expression::Object(fields.collect())
    }
}
