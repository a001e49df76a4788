//! What calls of a run were made for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Parts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// What is read before the search.
    Before,
    /// The search.
    Search,
    /// What becomes of its tests.
    After,
    /// What no test asked for: logins, calls sent again, calls whose result was lost.
    Beside,
}

/// Calls of one operation that were made for one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerRow {
    /// The part of the run.
    pub phase: Phase,
    /// What they were made for, in a word or two.
    pub cause: String,
    /// The operation; empty where it is none, or not known.
    pub operation: String,
    /// How many went out.
    pub calls: u64,
    /// Targets that they covered first.
    pub covered: u64,
    /// Times that they came nearer to an open target than any call before.
    pub improved: u64,
    /// Seconds of the run that they took, resets and answers of the driver included.
    pub seconds: f64,
}

impl LedgerRow {
    /// The sums of rows that have the same key, by key.
    pub fn sums<'a, K: Ord>(
        rows: &'a [Self],
        key: impl Fn(&'a Self) -> K,
    ) -> BTreeMap<K, LedgerSum> {
        let mut sums: BTreeMap<K, LedgerSum> = BTreeMap::new();
        for row in rows {
            let sum = sums.entry(key(row)).or_default();
            sum.calls += row.calls;
            sum.covered += row.covered;
            sum.improved += row.improved;
            sum.seconds += row.seconds;
        }
        sums
    }
}

/// What several rows have in all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LedgerSum {
    /// Calls.
    pub calls: u64,
    /// Targets covered first.
    pub covered: u64,
    /// Times that they came nearer to an open target.
    pub improved: u64,
    /// Seconds.
    pub seconds: f64,
}
