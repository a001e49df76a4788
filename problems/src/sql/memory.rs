//! What a run remembers of a database: which rows it took, and how often rows were tried.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

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
}

/// How a table takes rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableMemory {
    pub(super) accepted: u32,
    pub(super) refused: u32,
}

/// Refused rows and statements that are remembered.
const MOST: usize = 20_000;
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

    pub(super) fn has_end(&self, end: &str) -> bool {
        self.ends.len() >= MOST || self.ends.contains(end)
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
