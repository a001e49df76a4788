//! What a check found.

use serde::{Deserialize, Serialize};

/// A property that does not hold, with the query that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Which property: `A (status)`, `B (schema)`, `C (errors)`, `echo`, `inverse relation`,
    /// `recorded answer`, or the name of a user's own.
    pub oracle: String,
    /// Code of the fault.
    pub code: u16,
    /// What tells it from others of the same oracle.
    pub context: String,
    /// Queries sent until it was seen, this one included; 0 when a saved one showed it.
    pub queries: usize,
    /// The query that showed it first.
    pub original: String,
    /// The smallest one found that fails for the same reason.
    pub shrunk: String,
    /// Fields of the smallest one.
    pub size: usize,
    /// Replays that shrinking took.
    pub replays: usize,
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// What does not hold, in the order of discovery.
    pub failures: Vec<Failure>,
    /// Queries sent, probes included, replays not.
    pub queries: usize,
    /// Covered tuples.
    pub covered: usize,
    /// Tuples of the schema.
    pub tuples: usize,
}

/// Failures as text to save, one a line.
#[must_use]
pub fn saved(failures: &[Failure]) -> String {
    let line = |failure: &Failure| serde_json::to_string(failure).expect("texts are always JSON");
    failures.iter().map(|failure| line(failure) + "\n").collect()
}

/// Reads what [`saved`] wrote; lines that are something else are passed over.
#[must_use]
pub fn read_saved(text: &str) -> Vec<Failure> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
