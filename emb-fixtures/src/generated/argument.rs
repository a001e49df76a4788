//! What operations take.

use serde_json::{Map, Value, json};

use super::chance::Chance;

/// Type of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// 32 bits, signed.
    Integer,
    Float,
    Boolean,
    Text,
    /// One of some words.
    Word(Vec<String>),
    Integers,
    Object(Vec<(String, Kind)>),
}

impl Kind {
    /// A random type; objects only where `depth` allows it.
    fn random(chance: &mut Chance, depth: usize) -> Self {
        match chance.below(if depth > 0 { 12 } else { 10 }) {
            0..=2 => Self::Integer,
            3 | 4 => Self::Text,
            5 | 6 => Self::Float,
            7 => Self::Boolean,
            8 => Self::Word((0..2 + chance.below(4)).map(|_| chance.word(3, 8)).collect()),
            9 => Self::Integers,
            _ => Self::members(chance, 1 + depth, depth - 1),
        }
    }

    /// An object of `count` members or one more.
    pub(super) fn members(chance: &mut Chance, count: usize, depth: usize) -> Self {
        let names =
            (0..count + chance.below(2)).map(|number| format!("{}{number}", chance.word(2, 5)));
        let names: Vec<String> = names.collect();
        Self::Object(names.into_iter().map(|name| (name, Self::random(chance, depth))).collect())
    }

    /// A random value.
    pub(super) fn sample(&self, chance: &mut Chance) -> Value {
        match self {
            Self::Integer => json!(chance.integer()),
            Self::Float => json!(chance.float()),
            Self::Boolean => json!(chance.percent(50)),
            Self::Text => json!(chance.word(0, 8)),
            Self::Word(words) => json!(chance.pick(words)),
            Self::Integers => (0..chance.below(5)).map(|_| json!(chance.integer())).collect(),
            Self::Object(members) => {
                let sample = |(name, kind): &(String, Self)| (name.clone(), kind.sample(chance));
                Value::Object(members.iter().map(sample).collect::<Map<_, _>>())
            }
        }
    }

    /// Whether a value is of this type.
    pub(super) fn admits(&self, value: &Value) -> bool {
        let is_small = |value: &Value| value.as_i64().is_some_and(|i| i32::try_from(i).is_ok());
        match self {
            Self::Integer => is_small(value),
            Self::Float => value.as_f64().is_some(),
            Self::Boolean => value.is_boolean(),
            Self::Text => value.is_string(),
            Self::Word(words) => words.iter().any(|word| value == word),
            Self::Integers => value.as_array().is_some_and(|items| items.iter().all(is_small)),
            Self::Object(members) => members
                .iter()
                .all(|(name, kind)| value.get(name).is_some_and(|value| kind.admits(value))),
        }
    }

    /// Its schema in the description.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Integer => json!({ "type": "integer", "format": "int32" }),
            Self::Float => json!({ "type": "number", "format": "double" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Text => json!({ "type": "string" }),
            Self::Word(words) => json!({ "type": "string", "enum": words }),
            Self::Integers => {
                json!({ "type": "array", "items": { "type": "integer", "format": "int32" } })
            }
            Self::Object(members) => {
                let names: Vec<&String> = members.iter().map(|(name, _)| name).collect();
                let schemas = members.iter().map(|(name, kind)| (name.clone(), kind.schema()));
                let properties: Map<_, _> = schemas.collect();
                json!({ "type": "object", "properties": properties, "required": names })
            }
        }
    }

    /// All arguments that are no objects, as JSON pointers (RFC 6901).
    pub(super) fn leaves(&self, pointer: &str) -> Vec<(String, Self)> {
        match self {
            Self::Object(members) => {
                let inner =
                    |(name, kind): &(String, Self)| kind.leaves(&format!("{pointer}/{name}"));
                members.iter().flat_map(inner).collect()
            }
            kind => vec![(pointer.to_owned(), kind.clone())],
        }
    }
}
