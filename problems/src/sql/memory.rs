//! What a run remembers of a database: which rows it took, and how often rows were tried.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wallace_genes::TemplateId;

use super::guess::Guess;
use crate::trial::Trials;

/// Memory of rows; part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SqlMemory {
    /// What was tried: for statements whose condition no row met, constants left out, and in which
    /// tables, in lower case.
    #[serde(default)]
    pub(super) trials: Trials,
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

/// Calls without a statement after which none is waited for. Soon: what the first calls of each
/// operation lack is followed at once.
const SILENT: u32 = 5;
impl SqlMemory {
    /// Whether rows of a table are worth trying.
    pub(super) fn trusts(&self, table: &str) -> bool {
        self.trials.trusts(&table.to_ascii_lowercase())
    }

    /// Whether a table refuses more rows than it takes: something unknown is asked of its columns,
    /// so that those that may be null are left so.
    pub(super) fn is_difficult(&self, table: &str) -> bool {
        self.trials.is_difficult(&table.to_ascii_lowercase())
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
}
