//! Texts of a request with places that are filled in when the test runs.

use serde::{Deserialize, Serialize};

/// A text that is sent: literal parts, and parts known only when the test runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestText {
    /// The parts in order.
    pub parts: Vec<TextPart>,
}

/// One part of a [`RequestText`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPart {
    /// Text as it is.
    Literal(String),
    /// A value captured from an earlier answer of the same test.
    Captured {
        /// Name given by the [`Capture`](crate::Capture).
        variable: String,
        /// How the value is written.
        form: CapturedForm,
    },
    /// A secret, read from an environment variable and never written into a file.
    Environment {
        /// Name of the environment variable.
        variable: String,
    },
}

/// How a captured value is written into a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CapturedForm {
    /// As JSON: strings quoted and escaped. GraphQL literals of scalars look the same.
    Json,
    /// Strings without quotes: headers, names of enum values.
    Plain,
    /// Without quotes and percent-encoded: a segment of a path, or a value in a query.
    PathSegment,
}

impl RequestText {
    /// The literal parts, without what is filled in.
    #[must_use]
    pub fn literal_text(&self) -> String {
        let literals = self.parts.iter().filter_map(|part| match part {
            TextPart::Literal(text) => Some(text.as_str()),
            TextPart::Captured { .. } | TextPart::Environment { .. } => None,
        });
        literals.collect()
    }
}

impl From<&str> for RequestText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for RequestText {
    fn from(text: String) -> Self {
        Self { parts: vec![TextPart::Literal(text)] }
    }
}
