//! What is noted of the action that runs: tainted texts, names that were asked for, SQL.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use wallace_sut_driver::{RecordedAction, StringUse, database::DatabaseActivity};

use super::Recorder;
use crate::database::ExecutedSql;
use crate::state::lock;
use crate::taint::LONGEST_VALUE;

/// Uses of tainted texts that are kept per action: more tell an engine nothing new.
const MAXIMUM_STRING_USES: usize = 200;
/// Names of headers and parameters that are kept per action.
const MAXIMUM_NAMES: usize = 100;
/// Longest such name.
const LONGEST_NAME: usize = 200;
/// SQL statements that are kept per action, and characters of each.
const MOST_SQL: usize = 200;
const LONGEST_SQL: usize = 10_000;

impl Recorder {
    /// Keeps the uses of tainted texts that `find` sees, given the announced inputs.
    pub(crate) fn note_uses(&self, find: impl Fn(&[String]) -> Vec<StringUse>) {
        let uses = if self.has_inputs.load(Ordering::Relaxed) {
            find(&self.inputs.read().unwrap_or_else(PoisonError::into_inner))
        } else {
            find(&[])
        };
        if uses.is_empty() {
            return;
        }
        let mut actions = lock(&self.actions);
        let Some(action) = actions.entries.last_mut() else {
            return;
        };
        for use_ in uses {
            let known = &mut action.string_uses;
            let is_short = use_.value.as_ref().is_none_or(|value| value.len() <= LONGEST_VALUE);
            if is_short && known.len() < MAXIMUM_STRING_USES && !known.contains(&use_) {
                known.push(use_);
            }
        }
    }

    /// Notes that the code asked for a header.
    pub(crate) fn note_header(&self, name: &str) {
        self.note_name(name, |action| &mut action.headers);
    }

    /// Notes that the code asked for a query parameter.
    pub(crate) fn note_query_parameter(&self, name: &str) {
        self.note_name(name, |action| &mut action.query_parameters);
    }

    fn note_name(&self, name: &str, list: fn(&mut RecordedAction) -> &mut Vec<String>) {
        let mut actions = lock(&self.actions);
        let Some(names) = actions.entries.last_mut().map(list) else { return };
        let is_new = names.len() < MAXIMUM_NAMES && !names.iter().any(|known| known == name);
        if is_new && name.len() <= LONGEST_NAME {
            names.push(name.to_owned());
        }
    }

    /// Notes that the code executed an SQL statement, whose parameters are filled in. Of one action
    /// the first 200 are kept, and 10,000 characters of each.
    pub fn note_sql(&self, text: &str) {
        if !self.keeps_sql() {
            return;
        }
        let mut actions = lock(&self.actions);
        if actions.sql.len() < MOST_SQL {
            let text = text.chars().take(LONGEST_SQL).collect();
            actions.sql.push(ExecutedSql { text, has_changed: false });
        }
    }

    /// Whether an engine wants the SQL; what is noted otherwise is forgotten at once.
    #[must_use]
    pub fn keeps_sql(&self) -> bool {
        self.keeps_sql.load(Ordering::Relaxed)
    }

    pub(crate) fn set_keeps_sql(&self, is_on: bool) {
        self.keeps_sql.store(is_on, Ordering::Relaxed);
    }

    /// Notes that the last statement changed a row.
    pub fn note_sql_change(&self) {
        if let Some(last) = lock(&self.actions).sql.last_mut() {
            last.has_changed = true;
        }
    }

    pub(crate) fn take_sql(&self) -> Vec<ExecutedSql> {
        std::mem::take(&mut lock(&self.actions).sql)
    }

    pub(crate) fn set_activity(&self, activity: DatabaseActivity) {
        if let Some(action) = lock(&self.actions).entries.last_mut() {
            action.database = Some(Box::new(activity));
        }
    }
}
