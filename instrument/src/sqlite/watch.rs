//! Seeing what a connection executes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use crate::recorder::lock;
use crate::scope;

/// What was written since the last clean.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Tables in which rows changed, in the case of the schema.
    pub(super) tables: BTreeSet<String>,
    /// Texts of statements that may write where no hook tells of it: whole tables emptied at once,
    /// tables without row numbers. Empty or the names behind `FROM`, `INTO` and `UPDATE`.
    pub(super) named: BTreeSet<String>,
}

impl Written {
    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.named.is_empty()
    }
}

/// Takes the hooks of the connection.
pub(super) fn watch(
    connection: &mut Connection,
    written: &Arc<Mutex<Written>>,
) -> rusqlite::Result<()> {
    let named = Arc::clone(written);
    let note = move |event: TraceEvent<'_>| {
        // What triggers execute is told as a comment.
        if let TraceEvent::Stmt(statement, text) = event
            && !text.starts_with("--")
        {
            if let Some(table) = written_table(text) {
                lock(&named).named.insert(table.to_ascii_lowercase());
            }
            scope::with_any_recorder(|recorder| {
                let text = statement.expanded_sql();
                recorder.note_sql(text.as_deref().unwrap_or(&statement.sql()));
            });
        }
    };
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note))?;
    let tables = Arc::clone(written);
    let change = move |_, _: &str, table: &str, _| {
        let mut written = lock(&tables);
        if !written.tables.contains(table) {
            written.tables.insert(table.to_owned());
        }
        drop(written);
        scope::with_any_recorder(crate::recorder::Recorder::note_sql_change);
    };
    connection.update_hook(Some(change))
}

/// The table that a statement writes by its first words; `None` for one that only reads.
fn written_table(text: &str) -> Option<&str> {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(').filter(|w| !w.is_empty());
    let first = words.next()?;
    let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
    let before = match first {
        word if is(word, "insert") || is(word, "replace") => "into",
        word if is(word, "delete") => "from",
        word if is(word, "update") => {
            let table = words.next()?;
            // `UPDATE OR IGNORE table`
            let table = if is(table, "or") { words.nth(1)? } else { table };
            return Some(bare(table));
        }
        // The statement may be one that writes behind its tables.
        word if is(word, "with") => "into",
        _ => return None,
    };
    words.by_ref().find(|word| is(word, before))?;
    words.next().map(bare)
}

/// A table name without quotes and without that of the database.
fn bare(name: &str) -> &str {
    let name = name.rsplit('.').next().unwrap_or(name);
    name.trim_matches(|c| matches!(c, '"' | '`' | '[' | ']' | ';'))
}

#[cfg(test)]
mod tests {
    use super::written_table;

    #[test]
    fn writers_name_their_tables() {
        for (text, table) in [
            ("DELETE FROM \"news\"; ", Some("news")),
            ("insert or ignore into main.t(a) values (1)", Some("t")),
            ("UPDATE OR REPLACE [t] SET a = 1", Some("t")),
            ("update t set a = 1", Some("t")),
            ("SELECT * FROM t", None),
            ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", Some("t")),
            ("BEGIN", None),
            ("", None),
        ] {
            assert_eq!(written_table(text), table, "{text}");
        }
    }
}
