//! What came of what tests began with: how often something was looked for in vain, tried, taken and
//! refused. Rows, documents and keys are remembered alike.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Rounds in which something is added to the beginning of one test.
pub(crate) const MOST_ROUNDS: u8 = 3;
/// Times that something was looked for in vain by an operation, each followed at once.
pub(crate) const MOST_SEEN: u32 = 6;
/// Probability that a mutation tries something for what was looked for in vain; falls with every four
/// tries that did not help.
const AGAIN: f64 = 0.15;
/// Entries of each kind that are remembered.
const MOST: usize = 20_000;
/// Texts that are remembered of a column or member.
const MOST_TEXTS: usize = 20;
/// Refusals in a row after which a place that never took anything is left alone.
const PATIENCE: u32 = 12;

/// What was tried; part of the memory of rows, and of that of documents and keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trials {
    /// How often something was looked for in vain, by operation and what it is known by.
    seen: BTreeMap<String, u32>,
    /// How often that was so although something was inserted.
    tries: BTreeMap<String, u32>,
    /// By table, collection or command.
    places: BTreeMap<String, Place>,
    /// Insertions that were refused, by their hash.
    refused: BTreeSet<u64>,
    /// At which ends of what they take columns and members were, with which operation.
    ends: BTreeSet<String>,
    /// What the service compares texts of a column or member with.
    texts: BTreeMap<String, BTreeSet<String>>,
}

/// How a place takes insertions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    accepted: u32,
    refused: u32,
}

/// Probability of another try behind so many that did not help.
pub(crate) fn probability(tries: u32) -> f64 {
    AGAIN / f64::from(1 + tries / 4)
}

impl Trials {
    /// Times that something was looked for in vain, and that an insertion did not help.
    pub(crate) fn of(&self, known: &str) -> (u32, u32) {
        let count = |counts: &BTreeMap<String, u32>| counts.get(known).copied().unwrap_or(0);
        (count(&self.seen), count(&self.tries))
    }

    /// Whether anything was ever looked for in vain.
    pub(crate) fn has_seen(&self) -> bool {
        !self.seen.is_empty()
    }

    pub(crate) fn count_miss(&mut self, known: &str, was_tried: bool) {
        for (counts, is_meant) in [(&mut self.tries, was_tried), (&mut self.seen, true)] {
            if is_meant && (counts.len() < MOST || counts.contains_key(known)) {
                let count = counts.entry(known.to_owned()).or_default();
                *count = count.saturating_add(1);
            }
        }
    }

    /// Whether a place is worth another insertion.
    pub(crate) fn trusts(&self, place: &str) -> bool {
        let known = self.place(place);
        known.accepted > 0 || known.refused < PATIENCE
    }

    /// Whether a place refuses more than it takes.
    pub(crate) fn is_difficult(&self, place: &str) -> bool {
        let known = self.place(place);
        known.refused > known.accepted
    }

    fn place(&self, place: &str) -> Place {
        self.places.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn is_refused(&self, insertion: u64) -> bool {
        self.refused.contains(&insertion)
    }

    pub(crate) fn count_insertion(&mut self, place: String, insertion: u64, is_taken: bool) {
        if self.places.len() < MOST || self.places.contains_key(&place) {
            let known = self.places.entry(place).or_default();
            let count = if is_taken { &mut known.accepted } else { &mut known.refused };
            *count = count.saturating_add(1);
        }
        if !is_taken && self.refused.len() < MOST {
            self.refused.insert(insertion);
        }
    }

    pub(crate) fn has_end(&self, end: &str) -> bool {
        self.ends.len() >= MOST || self.ends.contains(end)
    }

    pub(crate) fn note_end(&mut self, end: String) {
        if self.ends.len() < MOST {
            self.ends.insert(end);
        }
    }

    pub(crate) fn note_text(&mut self, member: String, text: String) {
        if self.texts.len() < MOST || self.texts.contains_key(&member) {
            let texts = self.texts.entry(member).or_default();
            if texts.len() < MOST_TEXTS {
                texts.insert(text);
            }
        }
    }

    /// The texts with which those of a column or member are compared.
    pub(crate) fn texts(&self, member: &str) -> impl Iterator<Item = &str> {
        self.texts.get(member).into_iter().flatten().map(String::as_str)
    }
}
