//! Seeing what a connection executes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use crate::recorder::Recorder;
use crate::scope;
use crate::state::lock;

/// Tables in which rows changed since the last clean, in the case of the schema.
#[derive(Debug, Default)]
pub(super) struct Written(pub(super) BTreeSet<String>);

impl Written {
    pub(super) fn add(written: &Mutex<Self>, table: &str) {
        let mut written = lock(written);
        if !written.0.contains(table) {
            written.0.insert(table.to_owned());
        }
    }
}

/// Takes the hooks of the connection.
pub(super) fn watch(
    connection: &Connection,
    written: &Arc<Mutex<Written>>,
) -> rusqlite::Result<()> {
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note_statement));
    let written = Arc::clone(written);
    let change = move |_, _: &str, table: &str, _| {
        Written::add(&written, table);
        scope::with_any_recorder(Recorder::note_sql_change);
    };
    connection.update_hook(Some(change))
}

fn note_statement(event: TraceEvent<'_>) {
    // What triggers execute is told as a comment.
    if let TraceEvent::Stmt(statement, text) = event
        && !text.starts_with("--")
    {
        scope::with_any_recorder(|recorder| {
            if recorder.keeps_sql() {
                let text = statement.expanded_sql();
                recorder.note_sql(text.as_deref().unwrap_or(&statement.sql()));
            }
        });
    }
}
