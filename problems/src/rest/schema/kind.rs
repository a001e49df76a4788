//! Kinds of JSON values.

use serde_json::Value;

/// A kind of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Null.
    Null,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl Kind {
    const ALL: [Self; 7] = [
        Self::Null,
        Self::Boolean,
        Self::Integer,
        Self::Number,
        Self::Text,
        Self::List,
        Self::Object,
    ];

    /// The kind that a schema calls by this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" | "bool" => Self::Boolean,
            "integer" | "int" | "long" => Self::Integer,
            "number" | "float" | "double" => Self::Number,
            "string" => Self::Text,
            "array" => Self::List,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// The kind of a value. A number without a fraction is an integer, however it is written.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) => {
                let is_whole = number.as_f64().is_some_and(|number| number.fract() == 0.0);
                if number.is_i64() || number.is_u64() || is_whole {
                    Self::Integer
                } else {
                    Self::Number
                }
            }
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of kinds; the empty set stands for all, as a schema without `type` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// The set with one more kind.
    #[must_use]
    pub fn with(self, kind: Kind) -> Self {
        Self(self.0 | kind.bit())
    }

    /// Whether kinds are told at all.
    #[must_use]
    pub fn is_told(self) -> bool {
        self.0 != 0
    }

    /// Whether values of the kind are in the set; whole numbers are numbers.
    #[must_use]
    pub fn allows(self, kind: Kind) -> bool {
        let is_number = kind == Kind::Integer && self.0 & Kind::Number.bit() != 0;
        self.0 == 0 || self.0 & kind.bit() != 0 || is_number
    }

    /// Kinds of both sets; `None` when there is none.
    #[must_use]
    pub fn both(self, other: Self) -> Option<Self> {
        if self.0 == 0 || other.0 == 0 {
            return Some(Self(self.0 | other.0));
        }
        let mut both = self.0 & other.0;
        let has_number = |set: Self| set.0 & Kind::Number.bit() != 0;
        let has_integer = |set: Self| set.0 & Kind::Integer.bit() != 0;
        if (has_number(self) && has_integer(other)) || (has_integer(self) && has_number(other)) {
            both |= Kind::Integer.bit();
        }
        (both != 0).then_some(Self(both))
    }

    /// The kinds in the set.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.0 & kind.bit() != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_numbers() {
        let integer = Kinds::default().with(Kind::Integer);
        let number = Kinds::default().with(Kind::Number).with(Kind::Null);
        assert_eq!(integer.both(number), Some(integer));
        assert_eq!(integer.both(Kinds::default()), Some(integer));
        assert_eq!(integer.both(Kinds::default().with(Kind::Text)), None);
        assert!(number.allows(Kind::of(&serde_json::json!(1.0))));
        assert!(!integer.allows(Kind::of(&serde_json::json!(1.5))));
    }
}
