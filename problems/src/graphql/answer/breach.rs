//! Breaches: where an answer contradicts the schema.

/// How a value contradicts the schema, or the selection that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Breach {
    /// Null where the schema says non-null.
    Null,
    /// No list where the schema says list, or the reverse; no object; a scalar of another kind.
    Kind {
        /// What the schema says, as GraphQL writes the type.
        expected: String,
        /// The kind of value that came.
        found: &'static str,
    },
    /// A name that the enum does not declare.
    Enum(String),
    /// A type that cannot stand here.
    Typename(String),
    /// A field that was selected is not there.
    Missing,
    /// A field that was not selected is there.
    Unknown(String),
}

impl Breach {
    /// The fault code.
    pub(crate) fn code(&self) -> u16 {
        match self {
            Self::Null => 971,
            Self::Kind { .. } => 972,
            Self::Enum(_) | Self::Typename(_) => 973,
            Self::Missing | Self::Unknown(_) => 974,
        }
    }

    /// What is wrong, in a few words that do not change with the data.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Null => "null at a non-null position".to_owned(),
            Self::Kind { expected, found } => format!("{found} where {expected} is declared"),
            Self::Enum(name) => format!("undeclared enum value {}", shortened(name)),
            Self::Typename(name) => format!("impossible type {}", shortened(name)),
            Self::Missing => "a selected key is missing".to_owned(),
            Self::Unknown(key) => format!("unasked key {}", shortened(key)),
        }
    }
}

/// At most 60 characters of a text that the service made up.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
