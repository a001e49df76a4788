//! Commands to the database behind the system.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::reply;
use super::run::read;
use super::state::Driver;
use crate::json::{Members, Value, to_json};
use crate::sql::{SqlInsertions, SqlRow, SqlValue};

/// What a body of `POST /databaseCommand` says.
struct Command {
    id_counter: Option<i64>,
    command: Option<String>,
    /// `None` for an explicit null.
    insertions: Option<Vec<SqlRow>>,
}

impl Command {
    fn read(value: Value) -> Result<Self, String> {
        let mut members = Members::of(value, &["idCounter", "command", "insertions"])?;
        let rows = |list: Value| list.into_list(row);
        Ok(Self {
            id_counter: members.take("idCounter", Value::into_integer)?,
            command: members.take("command", Value::into_text)?,
            insertions: members.take_or("insertions", Some(Vec::new()), rows)?,
        })
    }
}

/// A row without a table has an empty one.
fn row(value: Value) -> Result<SqlRow, String> {
    let mut members = Members::of(value, &["id", "targetTable", "data"])?;
    let values = |list: Value| list.into_list(entry);
    Ok(SqlRow {
        id: members.take("id", Value::into_integer)?,
        table: members.take("targetTable", Value::into_text)?.unwrap_or_default(),
        values: members.take("data", values)?.unwrap_or_default(),
    })
}

fn entry(value: Value) -> Result<(String, SqlValue), String> {
    const KEY: &str = "foreignKeyToPreviouslyGeneratedRow";
    let mut members = Members::of(value, &["variableName", "printableValue", KEY])?;
    let name = members.take("variableName", Value::into_text)?.unwrap_or_default();
    let literal = members.take("printableValue", Value::into_text)?;
    let value = match (literal, members.take(KEY, Value::into_integer)?) {
        (None, Some(id)) => SqlValue::KeyOf(id),
        (literal, _) => SqlValue::Literal(literal.unwrap_or_else(|| "NULL".to_owned())),
    };
    Ok((name, value))
}

struct Insertions {
    id_mapping: std::collections::BTreeMap<String, i64>,
    execution_results: Vec<bool>,
}

struct Rows {
    rows: Vec<Row>,
}

struct Row {
    column_data: Vec<String>,
}

to_json! {
    Insertions { id_mapping: "idMapping", execution_results: "executionResults" }
    Rows { rows: "rows" }
    Row { column_data: "columnData" }
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
    let command = match read(&headers, &body, Command::read) {
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
        (None, false) => insert(&driver, command.id_counter, &insertions),
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
fn insert(driver: &Driver, counter: Option<i64>, rows: &[SqlRow]) -> Response {
    if rows.iter().any(|row| row.table.is_empty()) {
        return refused("Insertion with no target table");
    }
    if let Some(counter) = counter {
        let mut memory = driver.memory();
        if memory.insertions.is_some_and(|last| counter <= last) {
            return reply::done();
        }
        memory.insertions = Some(counter);
    }
    if let Some(reason) = dangling(rows) {
        return refused(&reason);
    }
    match driver.controller.insert_rows(rows) {
        Ok(SqlInsertions { keys, is_inserted }) => reply::data(&Insertions {
            id_mapping: keys.into_iter().map(|(id, key)| (id.to_string(), key)).collect(),
            execution_results: is_inserted,
        }),
        Err(message) => refused(&message),
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
