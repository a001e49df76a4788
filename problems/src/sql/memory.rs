//! What a run remembers of a database: which rows it took, and how often rows were tried.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wallace_genes::TemplateId;

use super::guess::Guess;

/// Memory of rows; part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SqlMemory {
    /// By table, in lower case.
    pub(super) tables: BTreeMap<String, TableMemory>,
    /// How often rows were tried for a statement whose condition no row met, constants left out.
    pub(super) tries: BTreeMap<String, u32>,
    /// How often such a statement was seen to find no row.
    pub(super) seen: BTreeMap<String, u32>,
    /// Rows that were refused, by their hash.
    pub(super) refused: BTreeSet<u64>,
    /// At which ends of which columns there were rows, with which operation.
    #[serde(default)]
    ends: BTreeSet<String>,
    /// What the service compares texts of columns with, by table and column.
    #[serde(default)]
    texts: BTreeMap<String, BTreeSet<String>>,
    /// Calls of which no statement was told, as long as none was of any.
    #[serde(default)]
    silent: u32,
    #[serde(default)]
    is_told: bool,
    /// How rows of guessed tables did, by operation.
    #[serde(default)]
    guesses: BTreeMap<TemplateId, GuessMemory>,
}

/// How rows of tables did for an operation, by position of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct GuessMemory {
    /// Calls that lacked something all the same.
    tries: BTreeMap<usize, u32>,
    /// Calls that lacked nothing.
    opened: BTreeMap<usize, u32>,
}

/// How a table takes rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableMemory {
    pub(super) accepted: u32,
    pub(super) refused: u32,
}

/// Refused rows and statements that are remembered.
const MOST: usize = 20_000;
/// Texts that are remembered of a column.
const MOST_TEXTS: usize = 20;
/// Calls without a statement after which none is waited for. Soon: what the first calls of each
/// operation lack is followed at once.
const SILENT: u32 = 5;
/// Refusals in a row after which a table that never took a row is left alone.
const PATIENCE: u32 = 12;

impl SqlMemory {
    /// Whether rows of a table are worth trying.
    pub(super) fn trusts(&self, table: &str) -> bool {
        let known = self.tables.get(&table.to_ascii_lowercase()).copied().unwrap_or_default();
        known.accepted > 0 || known.refused < PATIENCE
    }

    /// Whether a table refuses more rows than it takes: something unknown is asked of its columns,
    /// so that those that may be null are left so.
    pub(super) fn is_difficult(&self, table: &str) -> bool {
        let known = self.tables.get(&table.to_ascii_lowercase()).copied().unwrap_or_default();
        known.refused > known.accepted
    }

    pub(super) fn count_miss(&mut self, statement: String) {
        if self.seen.len() < MOST || self.seen.contains_key(&statement) {
            let seen = self.seen.entry(statement).or_default();
            *seen = seen.saturating_add(1);
        }
    }

    pub(super) fn count_try(&mut self, statement: String) {
        if self.tries.len() < MOST || self.tries.contains_key(&statement) {
            *self.tries.entry(statement).or_default() += 1;
        }
    }

    pub(super) fn count_call(&mut self, is_told: bool) {
        self.is_told |= is_told;
        self.silent = self.silent.saturating_add(1);
    }

    /// Whether the driver tells no statements, so that they have to be guessed.
    pub(super) fn has_to_guess(&self) -> bool {
        !self.is_told && self.silent >= SILENT
    }

    /// Notes what an operation answered where rows of a table were there.
    pub(super) fn count_guess(&mut self, operation: TemplateId, table: usize, is_opened: bool) {
        let known = self.guesses.entry(operation).or_default();
        let counts = if is_opened { &mut known.opened } else { &mut known.tries };
        let count = counts.entry(table).or_default();
        *count = count.saturating_add(1);
    }

    /// The guesses in the order in which they are worth a try, and how often some were tried in
    /// vain: those on tables that opened the operation before alone, or else the least tried first.
    pub(super) fn likeliest(
        &self,
        operation: TemplateId,
        mut guesses: Vec<Guess>,
    ) -> (Vec<Guess>, u32) {
        let Some(known) = self.guesses.get(&operation) else { return (guesses, 0) };
        let opened = |guess: &Guess| known.opened.get(&guess.table).copied().unwrap_or(0);
        if guesses.iter().any(|guess| opened(guess) > 0) {
            guesses.retain(|guess| opened(guess) > 0);
            guesses.sort_by_key(|guess| std::cmp::Reverse(opened(guess)));
        } else {
            guesses.sort_by_key(|guess| known.tries.get(&guess.table).copied().unwrap_or(0));
        }
        (guesses, known.tries.values().sum())
    }

    pub(super) fn has_end(&self, end: &str) -> bool {
        self.ends.len() >= MOST || self.ends.contains(end)
    }

    pub(super) fn note_text(&mut self, column: String, text: String) {
        let texts = self.texts.entry(column).or_default();
        if texts.len() < MOST_TEXTS {
            texts.insert(text);
        }
    }

    /// The texts with which those of a column are compared.
    pub(super) fn texts(&self, column: &str) -> impl Iterator<Item = &str> {
        self.texts.get(column).into_iter().flatten().map(String::as_str)
    }

    pub(super) fn note_end(&mut self, end: String) {
        if self.ends.len() < MOST {
            self.ends.insert(end);
        }
    }

    pub(super) fn count_row(&mut self, table: &str, row: u64, is_inserted: bool) {
        let known = self.tables.entry(table.to_ascii_lowercase()).or_default();
        if is_inserted {
            known.accepted = known.accepted.saturating_add(1);
        } else {
            known.refused = known.refused.saturating_add(1);
            if self.refused.len() < MOST {
                self.refused.insert(row);
            }
        }
    }
}
