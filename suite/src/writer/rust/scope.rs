//! What the source of one file or test has used so far.

use std::collections::{BTreeMap, BTreeSet};

use super::json::JsonSource;
use super::literal;

/// Names that stand for something in every test function or in the support library.
const RESERVED: [&str; 33] = [
    "service",
    "response",
    "document",
    "variables",
    "body",
    "text",
    "json",
    "support",
    "serde_json",
    "tokio",
    "connect",
    "anything",
    "any_boolean",
    "any_list",
    "any_number",
    "any_object",
    "any_string",
    "list_starting_with",
    "any_integer",
    "by_type",
    "each",
    "including",
    "non_null",
    "nullable",
    "one_of",
    "json_text",
    "plain_text",
    "path_segment",
    "environment",
    "expected",
    "main",
    "core",
    "std",
];

/// Whether a name means something else in a generated file.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Collects what a file must import and allow, and the variables of the current test.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Names from the support library.
    pub(super) imports: BTreeSet<&'static str>,
    /// Whether `json!` occurs.
    pub(super) uses_json: bool,
    /// Whether a float literal occurs.
    pub(super) has_floats: bool,
    /// How deep the compiler must follow macros.
    pub(super) recursion: usize,
    variables: BTreeMap<String, String>,
}

impl Scope {
    /// Forgets the variables: a new test begins.
    pub(super) fn start_test(&mut self) {
        self.variables.clear();
    }

    /// Notes that a name of the support library is used.
    pub(super) fn import(&mut self, name: &'static str) {
        self.imports.insert(name);
    }

    /// A call without arguments into the support library.
    pub(super) fn call(&mut self, name: &'static str) -> JsonSource {
        self.import(name);
        JsonSource::Matcher(name)
    }

    /// The identifier of a captured value, if it was captured before.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    /// Gives a captured value its identifier.
    pub(super) fn define(&mut self, name: &str) -> String {
        let known = &self.variables;
        let is_taken = |candidate: &str| {
            is_reserved(candidate) || known.values().any(|other| other == candidate)
        };
        let identifier = literal::identifier(name, is_taken);
        self.variables.insert(name.to_owned(), identifier.clone());
        identifier
    }

    /// A Rust expression of the value, for a place where lines are indented so far.
    pub(super) fn expression(&mut self, source: &JsonSource, indentation: usize) -> String {
        let expression = source.expression(indentation);
        self.uses_json |= !matches!(source, JsonSource::Matcher(_));
        self.recursion = self.recursion.max(source.recursion());
        expression
    }
}
