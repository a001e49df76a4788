//! What a test expects of an answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that must hold of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expectation {
    /// The HTTP status.
    Status(u16),
    /// The media type in lower case, without parameters.
    MediaType(String),
    /// There is a header of this name, in lower case, and something in it.
    Header(String),
    /// The entries of `errors` of a GraphQL answer: as many as here, in any order, since
    /// fields are resolved side by side.
    Errors(Vec<ExpectedError>),
    /// The JSON value at a pointer (RFC 6901; the empty pointer is the whole body).
    Json {
        /// Where.
        pointer: String,
        /// What must be there.
        shape: Shape,
    },
    /// There is a value at this JSON pointer; it may be null.
    Present(String),
    /// There is no value at this JSON pointer.
    Absent(String),
    /// The whole body as text.
    Text(String),
    /// The body has no bytes.
    EmptyBody,
    /// The service ends the connection without an answer, and still listens. Nothing else can be
    /// expected beside it.
    NoAnswer,
}

impl Expectation {
    /// The value at the pointer equals this one.
    #[must_use]
    pub fn json_equals(pointer: &str, value: &Value) -> Self {
        Self::Json { pointer: pointer.to_owned(), shape: Shape::from(value) }
    }

    /// The value at the pointer is of this kind.
    #[must_use]
    pub fn json_kind(pointer: &str, kind: JsonKind) -> Self {
        Self::Json { pointer: pointer.to_owned(), shape: Shape::Kind(kind) }
    }

    /// The value at the pointer is a list of this length.
    #[must_use]
    pub fn list_length(pointer: &str, length: usize) -> Self {
        Self::Json { pointer: pointer.to_owned(), shape: Shape::List { length, first: Vec::new() } }
    }
}

/// One entry of `errors`; what is `None` is not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedError {
    /// The response path: a list of names and indices.
    pub path: Option<Value>,
    /// The message.
    pub message: Option<String>,
    /// `extensions.code`.
    pub code: Option<String>,
}

/// What a JSON value must look like: the value itself where it is stable, otherwise only
/// its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Nothing is known.
    Anything,
    /// Only the kind is known.
    Kind(JsonKind),
    /// Null, or a scalar that equals this one. Numbers are equal when they are written
    /// alike: 1 is not 1.0, and floats are compared to the last bit.
    Exactly(Value),
    /// The value that an earlier step captured under this name.
    Captured(String),
    /// An object of exactly these keys.
    Object(BTreeMap<String, Shape>),
    /// A list of this length; `first` describes its first elements, perhaps not all.
    List {
        /// Number of elements.
        length: usize,
        /// The first of them.
        first: Vec<Shape>,
    },
    /// Any value but null.
    NonNull,
    /// Null, or a value of this shape.
    Nullable(Box<Shape>),
    /// A list of any length whose elements all have this shape.
    Each(Box<Shape>),
    /// One of these texts.
    OneOf(Vec<String>),
    /// An object with these keys, and perhaps others.
    Including(BTreeMap<String, Shape>),
    /// An object whose shape depends on the type that it names.
    ByType {
        /// The key whose text is the type.
        key: String,
        /// The shape of each type; no other type may be named.
        types: BTreeMap<String, Shape>,
    },
}

impl From<&Value> for Shape {
    /// The shape that only this value has.
    fn from(value: &Value) -> Self {
        match value {
            Value::Array(elements) => {
                let first: Vec<Self> = elements.iter().map(Self::from).collect();
                Self::List { length: first.len(), first }
            }
            Value::Object(fields) => Self::Object(
                fields.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect(),
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Self::Exactly(value.clone())
            }
        }
    }
}

/// The kinds of JSON values. Null is its only value and needs no kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonKind {
    /// True or false.
    Boolean,
    /// Any number.
    Number,
    /// Any number without fraction.
    Integer,
    /// Any text.
    String,
    /// Any list.
    List,
    /// Any object.
    Object,
}

impl JsonKind {
    /// The function of support libraries that takes any value of the kind.
    pub(crate) fn matcher(self) -> &'static str {
        match self {
            Self::Boolean => "any_boolean",
            Self::Number => "any_number",
            Self::Integer => "any_integer",
            Self::String => "any_string",
            Self::List => "any_list",
            Self::Object => "any_object",
        }
    }

    /// The kind of a value; `None` for null.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(_) => Some(Self::Boolean),
            Value::Number(_) => Some(Self::Number),
            Value::String(_) => Some(Self::String),
            Value::Array(_) => Some(Self::List),
            Value::Object(_) => Some(Self::Object),
        }
    }
}
