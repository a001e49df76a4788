//! What a run remembers of documents and keys: what was looked for, tried, taken and refused.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::object::example;
use crate::http::HttpOutcome;
use crate::word::singulars;

/// Entries of each kind that are remembered.
const MOST: usize = 20_000;
/// Texts that are remembered of a member.
const MOST_TEXTS: usize = 20;
/// Operations of which an object is remembered, and its longest text.
const MOST_OBJECTS: usize = 200;
const LONGEST_OBJECT: usize = 4_000;
/// Refusals after which a place that never took anything is left alone.
const PATIENCE: u32 = 12;

/// Memory of documents and keys; part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreMemory {
    /// How often something was looked for in vain, by operation and place.
    pub(super) seen: BTreeMap<String, u32>,
    /// How often that was so although something was inserted.
    pub(super) tries: BTreeMap<String, u32>,
    /// Insertions taken and refused, by collection and command.
    places: BTreeMap<String, (u32, u32)>,
    /// Insertions that were refused, by their hash.
    refused: BTreeSet<u64>,
    /// At which ends members were, with which operation.
    ends: BTreeSet<String>,
    /// What the service compares texts of members with, by place and member.
    texts: BTreeMap<String, BTreeSet<String>>,
    /// An object that an operation was sent, or answered with, as JSON.
    objects: BTreeMap<String, String>,
}

impl StoreMemory {
    /// Whether a driver ever told of anything that was not found.
    pub(super) fn is_told(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Whether a place is worth another insertion.
    pub(super) fn trusts(&self, place: &str) -> bool {
        let (taken, refused) = self.places.get(place).copied().unwrap_or_default();
        taken > 0 || refused < PATIENCE
    }

    pub(super) fn is_refused(&self, insertion: u64) -> bool {
        self.refused.contains(&insertion)
    }

    pub(super) fn count_insertion(&mut self, place: String, insertion: u64, is_taken: bool) {
        if self.places.len() < MOST || self.places.contains_key(&place) {
            let known = self.places.entry(place).or_default();
            let count = if is_taken { &mut known.0 } else { &mut known.1 };
            *count = count.saturating_add(1);
        }
        if !is_taken && self.refused.len() < MOST {
            self.refused.insert(insertion);
        }
    }

    pub(super) fn count_miss(&mut self, known: &str, was_tried: bool) {
        for (counts, is_meant) in [(&mut self.tries, was_tried), (&mut self.seen, true)] {
            if is_meant && (counts.len() < MOST || counts.contains_key(known)) {
                let count = counts.entry(known.to_owned()).or_default();
                *count = count.saturating_add(1);
            }
        }
    }

    pub(super) fn has_end(&self, end: &str) -> bool {
        self.ends.len() >= MOST || self.ends.contains(end)
    }

    pub(super) fn note_end(&mut self, end: String) {
        if self.ends.len() < MOST {
            self.ends.insert(end);
        }
    }

    pub(super) fn note_text(&mut self, member: String, text: String) {
        if self.texts.len() < MOST || self.texts.contains_key(&member) {
            let texts = self.texts.entry(member).or_default();
            if texts.len() < MOST_TEXTS {
                texts.insert(text);
            }
        }
    }

    /// The texts with which those of a member are compared.
    pub(super) fn texts(&self, member: &str) -> impl Iterator<Item = &str> {
        self.texts.get(member).into_iter().flatten().map(String::as_str)
    }

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
