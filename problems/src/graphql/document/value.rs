//! Values as they stand in documents.

use std::sync::Arc;

use serde_json::Value;

/// A value as it stands in a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// Null.
    Null,
    /// A variable, by its name.
    Variable(Arc<str>),
    /// Text.
    Text(Box<str>),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// Name of an enum value.
    Enum(Arc<str>),
    /// A list.
    List(Vec<Literal>),
    /// An input object: name and value of its fields.
    Object(Vec<(Arc<str>, Literal)>),
}

impl Literal {
    /// The value as JSON, with values of variables from `variable`; nothing for a variable without
    /// one, which is left out of lists and objects. Names of enums become texts.
    pub fn to_json(&self, variable: &dyn Fn(&str) -> Option<Value>) -> Option<Value> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Variable(name) => return variable(name),
            Self::Text(text) => Value::from(&**text),
            Self::Integer(number) => Value::from(*number),
            Self::Float(number) => Value::from(*number),
            Self::Boolean(is_true) => Value::from(*is_true),
            Self::Enum(name) => Value::from(&**name),
            Self::List(elements) => {
                elements.iter().filter_map(|element| element.to_json(variable)).collect()
            }
            Self::Object(fields) => {
                let fields = fields
                    .iter()
                    .filter_map(|(name, value)| Some((name.to_string(), value.to_json(variable)?)));
                Value::Object(fields.collect())
            }
        })
    }
}
