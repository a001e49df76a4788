//! What a run on a REST service remembers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use wallace_genes::TemplateId;

use super::check::Tries;
use super::family::Families;
use super::part::Alternatives;
use super::plan::{Gone, Proven};
use super::template::Pool;
use super::undocumented::Reading;
use crate::http::is_success;
use crate::part::PartRecords;
use crate::sql::SqlMemory;
use crate::store::StoreMemory;

/// What a call costs that got no answer in time, in calls.
const TIMED_OUT: u64 = 20;

/// What a run on a REST service remembers besides what is known of texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RestMemory {
    /// Values that the service answered with.
    pub pool: Pool,
    /// Which values it answered with together.
    #[serde(default)]
    pub families: Families,
    /// Names of things that are not there.
    #[serde(default)]
    pub gone: Gone,
    /// Operations that answered with success, and the users for whom they did; nobody in
    /// particular is -1.
    pub successes: BTreeMap<TemplateId, BTreeSet<i32>>,
    /// What is known of the database.
    #[serde(default)]
    pub sql: SqlMemory,
    /// What is known of documents and keys.
    #[serde(default)]
    pub stores: StoreMemory,
    /// How calls of each operation went.
    pub record: BTreeMap<TemplateId, Record>,
    /// Operations whose answers had an entity tag, and the last one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tagged: BTreeMap<TemplateId, Box<str>>,
    /// Words of refusals that also stand in paths of operations which change something, and how
    /// often each was told: what a refusal speaks of may have to be changed first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<TemplateId, BTreeMap<Box<str>, u32>>,
    /// How often each rule of an operation was broken in a call that the service looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub violations: BTreeMap<TemplateId, BTreeMap<Box<str>, u32>>,
    /// Tables of the database that operations read and fill, where a driver tells.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tables: BTreeMap<TemplateId, TableUse>,
    /// How often operations were put to each check.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub checks: BTreeMap<TemplateId, Vec<Tries>>,
    /// How calls went with what may be left out of them: with each part of each operation, and with
    /// each header.
    #[serde(default)]
    pub parts: PartRecords,
    /// Parts of operations of which refusals said that they exclude each other.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub alternatives: BTreeMap<TemplateId, Vec<Alternatives>>,
    /// Operations that made something and answered without its name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub nameless: BTreeSet<TemplateId>,
    /// How calls of each operation went for each user; nobody in particular is -1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub callers: BTreeMap<TemplateId, BTreeMap<i32, CallerRecord>>,
    /// How calls that may change something went for each user, of all operations together.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub writers: BTreeMap<i32, CallerRecord>,
    /// The last call of each operation that changed something and went well.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub proven: BTreeMap<TemplateId, Proven>,
    /// Operations that were to be called and were not, since what they need could not be made.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unsent: BTreeSet<TemplateId>,
    /// Parameters that operations were seen to ask for although they are not documented.
    pub readings: BTreeMap<TemplateId, Vec<Reading>>,
}

impl RestMemory {
    /// What is remembered of what tests begin with.
    pub(crate) fn beginnings(&self) -> (&SqlMemory, &StoreMemory) {
        (&self.sql, &self.stores)
    }
}

/// How calls of an operation went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Calls.
    pub calls: u32,
    /// Calls that were answered with success, and with something in it where they list things.
    pub fruitful: u32,
    /// Calls that got no answer in time.
    #[serde(default)]
    pub timed_out: u32,
    /// Operations whose calls came before successful ones in the same test, and how often.
    pub before: BTreeMap<TemplateId, u32>,
}

impl Record {
    /// What its calls cost, counted in calls: one that is waited for in vain is worth many others.
    pub(super) fn cost(&self) -> u64 {
        u64::from(self.calls) + TIMED_OUT * u64::from(self.timed_out)
    }

    /// Share of the calls that bore fruit, one half where nothing is known.
    #[must_use]
    pub fn rate(&self) -> f64 {
        (f64::from(self.fruitful) + 1.0) / (f64::from(self.calls) + 2.0)
    }
}

/// How calls by one user went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallerRecord {
    /// Calls that were answered.
    pub calls: u32,
    /// Those that were answered with success.
    pub accepted: u32,
    /// Those that were refused for who called.
    pub refused: u32,
}

impl CallerRecord {
    /// Share of the calls that had success, one half where nothing is known.
    pub(super) fn rate(self) -> f64 {
        (f64::from(self.accepted) + 1.0) / (f64::from(self.calls) + 2.0)
    }

    /// Counts a call by its status.
    pub(super) fn note(&mut self, status: u16) {
        self.calls = self.calls.saturating_add(1);
        self.accepted = self.accepted.saturating_add(u32::from(is_success(status)));
        self.refused = self.refused.saturating_add(u32::from(matches!(status, 401 | 403)));
    }
}

/// What an operation does with the tables of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    /// Tables that some call read.
    pub read: BTreeSet<Box<str>>,
    /// Tables that some successful call wrote.
    pub written: BTreeSet<Box<str>>,
}

impl RestMemory {
    /// How calls of an operation by a user went.
    pub(super) fn caller(&self, id: TemplateId, user: i32) -> CallerRecord {
        self.callers.get(&id).and_then(|users| users.get(&user)).copied().unwrap_or_default()
    }

    /// Whether changes of what an operation reads can be made on a condition: weak tags never match
    /// there (RFC 9110, 13.1.1).
    pub(super) fn has_strong_tag(&self, read: TemplateId) -> bool {
        self.tagged.get(&read).is_some_and(|tag| !tag.starts_with("W/"))
    }
}
