//! Commands to the database behind the system.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::reply;
use super::run::read;
use super::state::Driver;
use crate::client::{SqlInsertions, SqlRow, SqlValue};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Command {
    #[serde(default)]
    id_counter: Option<i64>,
    #[serde(default)]
    command: Option<String>,
    #[serde(default = "no_insertions")]
    insertions: Option<Vec<Insertion>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Insertion {
    #[serde(default)]
    id: Option<i64>,
    #[serde(default)]
    target_table: Option<String>,
    #[serde(default)]
    data: Option<Vec<Entry>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    variable_name: Option<String>,
    #[serde(default)]
    printable_value: Option<String>,
    #[serde(default)]
    foreign_key_to_previously_generated_row: Option<i64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Insertions {
    id_mapping: std::collections::BTreeMap<String, i64>,
    execution_results: Vec<bool>,
}

#[derive(Serialize)]
struct Rows {
    rows: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    column_data: Vec<String>,
}

// The default stands for a field of that type.
#[allow(clippy::unnecessary_wraps)]
fn no_insertions() -> Option<Vec<Insertion>> {
    Some(Vec::new())
}

/// `POST /databaseCommand`: either any statement, or rows to insert.
pub(super) async fn database_command(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if driver.controller.sql_schema().is_none() {
        return refused(crate::controller::NO_DATABASE);
    }
    let command: Command = match read(&headers, &body) {
        Ok(command) => command,
        Err(refusal) => return *refusal,
    };
    let Some(insertions) = command.insertions else {
        let reason = "Thrown exception: null";
        return reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reason);
    };
    match (command.command, insertions.is_empty()) {
        (None, true) => refused("No input command"),
        (Some(_), false) => refused("Only 1 command can be specified"),
        (Some(statement), true) => execute(&driver, &statement),
        (None, false) => insert(&driver, command.id_counter, insertions),
    }
}

fn refused(reason: &str) -> Response {
    reply::refused(StatusCode::BAD_REQUEST, reason)
}

fn execute(driver: &Driver, statement: &str) -> Response {
    match driver.controller.query_sql(statement) {
        Ok(rows) => {
            let rows = rows.into_iter().map(|column_data| Row { column_data }).collect();
            reply::data(&Rows { rows })
        }
        Err(message) => refused(&format!(
            "Failed to execute database command: Error executing '{statement}': {message}"
        )),
    }
}

/// Inserts the rows, unless the number says that they were inserted before.
fn insert(driver: &Driver, counter: Option<i64>, insertions: Vec<Insertion>) -> Response {
    if insertions.iter().any(|one| one.target_table.as_deref().unwrap_or_default().is_empty()) {
        return refused("Insertion with no target table");
    }
    if let Some(counter) = counter {
        let mut memory = driver.memory();
        if memory.insertions.is_some_and(|last| counter <= last) {
            return reply::done();
        }
        memory.insertions = Some(counter);
    }
    let rows: Vec<SqlRow> = insertions.into_iter().map(row).collect();
    if let Some(reason) = dangling(&rows) {
        return refused(&reason);
    }
    match driver.controller.insert_rows(&rows) {
        Ok(SqlInsertions { keys, is_inserted }) => reply::data(&Insertions {
            id_mapping: keys.into_iter().map(|(id, key)| (id.to_string(), key)).collect(),
            execution_results: is_inserted,
        }),
        Err(message) => refused(&message),
    }
}

fn row(insertion: Insertion) -> SqlRow {
    let value = |entry: Entry| {
        let value = match (entry.printable_value, entry.foreign_key_to_previously_generated_row) {
            (None, Some(id)) => SqlValue::KeyOf(id),
            (literal, _) => SqlValue::Literal(literal.unwrap_or_else(|| "NULL".to_owned())),
        };
        (entry.variable_name.unwrap_or_default(), value)
    };
    SqlRow {
        id: insertion.id,
        table: insertion.target_table.unwrap_or_default(),
        values: insertion.data.unwrap_or_default().into_iter().map(value).collect(),
    }
}

/// The first reference to a row that does not stand before it, in the words of the peers.
fn dangling(rows: &[SqlRow]) -> Option<String> {
    let mut known = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        for (_, value) in &row.values {
            if let SqlValue::KeyOf(id) = value
                && !known.contains(id)
            {
                return Some(format!(
                    "Failed to execute database command: Insertion operation at position {place} \
                     has a foreign key reference to key {id} but that was not processed. \
                     Processed primary keys: {known:?}"
                ));
            }
        }
        known.extend(row.id);
    }
    None
}
