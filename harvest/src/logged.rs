//! What a log says about one operation, before anything is known of it.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

/// An operation as production sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedOperation {
    /// The document.
    pub document: Arc<str>,
    /// Which operation of the document is meant.
    pub operation_name: Option<String>,
    /// Values of its variables: a JSON object. Nothing where the source does not know them.
    pub variables: Option<Value>,
    /// Who sent it: a client's name, or the file it came from.
    pub consumer: String,
    /// How often it was sent.
    pub times: u64,
    /// The answer, where the source recorded it.
    pub answer: Option<RecordedAnswer>,
    /// Where it was read.
    pub origin: Origin,
}

/// The answer to a logged operation.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAnswer {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
}

/// Where something was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: Arc<str>,
    /// Line from 1, or number of the entry where the file has no lines of its own.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file, self.line)
    }
}

/// Something that was read and could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Where.
    pub origin: Origin,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Rejected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.origin, self.reason)
    }
}

/// What was read from a source.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The operations, in the order of the source.
    pub operations: Vec<LoggedOperation>,
    /// What could not be used, in the order of the source.
    pub rejected: Vec<Rejected>,
}

impl Reading {
    /// Adds what was read from another source.
    pub fn extend(&mut self, other: Self) {
        self.operations.extend(other.operations);
        self.rejected.extend(other.rejected);
    }

    /// Whether nothing was found that is, or was meant as, an operation.
    pub(crate) fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.rejected.is_empty()
    }

    pub(crate) fn reject(&mut self, origin: Origin, reason: impl Into<String>) {
        self.rejected.push(Rejected { origin, reason: reason.into() });
    }
}
