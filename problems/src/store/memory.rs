//! What a run remembers of documents and keys: what was looked for, tried, taken and refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::object::example;
use crate::http::HttpOutcome;
use crate::trial::Trials;
use crate::word::singulars;

/// Operations of which an object is remembered, and its longest text.
const MOST_OBJECTS: usize = 200;
const LONGEST_OBJECT: usize = 4_000;

/// Memory of documents and keys; part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreMemory {
    pub(super) trials: Trials,
    /// An object that an operation was sent, or answered with, as JSON.
    objects: BTreeMap<String, String>,
}

impl StoreMemory {
    /// Notes what an operation was sent, or else answered with.
    pub(super) fn note_object(&mut self, operation: &str, outcome: &HttpOutcome) {
        if self.objects.len() < MOST_OBJECTS
            && !self.objects.contains_key(operation)
            && let Some(object) = example(outcome)
        {
            let text = object.to_string();
            if text.len() <= LONGEST_OBJECT {
                self.objects.insert(operation.to_owned(), text);
            }
        }
    }

    /// An object of an operation, or else of one that is named as a place is.
    pub(super) fn object(&self, operation: &str, place: &str) -> Option<Value> {
        let own = self.objects.get(operation);
        let words = singulars(place);
        let is_alike = |known: &&String| singulars(known).iter().any(|word| words.contains(word));
        let other = || self.objects.keys().find(is_alike).and_then(|it| self.objects.get(it));
        serde_json::from_str(own.or_else(other)?).ok()
    }
}
