//! Rows that the driver inserts, and look-ups.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params_from_iter};
use wallace_sut_driver::database::{SqlInsertions, SqlRow, SqlSchema, SqlValue};

use super::constant::Template;
use super::known::Known;
use super::quoted;

/// Inserts rows one by one.
pub(super) fn insert(connection: &Connection, known: &mut Known, rows: &[SqlRow]) -> SqlInsertions {
    let mut done = SqlInsertions::default();
    let schema = known.schema(connection).unwrap_or_default();
    for row in rows {
        let inserted = insert_one(connection, &schema, row, &done);
        let key = inserted.as_ref().ok().copied().flatten().or_else(|| {
            let keys = row.values.iter().filter_map(|(_, value)| match value {
                SqlValue::KeyOf(id) => done.keys.get(id).copied(),
                SqlValue::Literal(_) => None,
            });
            keys.into_iter().next().filter(|_| inserted.is_ok())
        });
        if let (Some(id), Some(key)) = (row.id, key) {
            done.keys.insert(id, key);
        }
        done.is_inserted.push(inserted.is_ok());
    }
    done
}

/// Inserts a row; gives the key that SQLite made, if it made one.
fn insert_one(
    connection: &Connection,
    schema: &SqlSchema,
    row: &SqlRow,
    done: &SqlInsertions,
) -> rusqlite::Result<Option<i64>> {
    let table = row.table.rsplit('.').next().unwrap_or(&row.table);
    let columns: Vec<String> = row.values.iter().map(|(name, _)| quoted(name)).collect();
    let mut values = Vec::with_capacity(columns.len());
    for (_, value) in &row.values {
        values.push(match value {
            SqlValue::Literal(literal) => literal_of(literal),
            SqlValue::KeyOf(id) => match done.keys.get(id) {
                Some(key) => key.to_string(),
                None => return Err(rusqlite::Error::QueryReturnedNoRows),
            },
        });
    }
    let insert = if columns.is_empty() {
        format!("INSERT INTO {} DEFAULT VALUES", quoted(table))
    } else {
        let (columns, values) = (columns.join(", "), values.join(", "));
        format!("INSERT INTO {} ({columns}) VALUES ({values})", quoted(table))
    };
    execute(connection, &insert)?;
    let table = schema.tables.iter().find(|known| known.name.eq_ignore_ascii_case(table));
    let is_counted =
        table.is_some_and(|table| table.columns.iter().any(|column| column.is_auto_increment));
    Ok(is_counted.then(|| connection.last_insert_rowid()))
}

/// Executes an insertion, prepared once for all rows of the same columns.
fn execute(connection: &Connection, insert: &str) -> rusqlite::Result<usize> {
    match Template::of(insert) {
        Some(Template { text, values }) => {
            connection.prepare_cached(&text)?.execute(params_from_iter(values))
        }
        None => connection.execute(insert, []),
    }
}

/// A literal of the protocol as one of SQL: texts come between double quotes.
fn literal_of(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.map_or_else(
        || literal.to_owned(),
        |text| {
            format!("'{}'", text.replace("SINGLE_APOSTROPHE_PLACEHOLDER", "'").replace('\'', "''"))
        },
    )
}

/// Most rows of a look-up.
const MOST_ROWS: usize = 10_000;

pub(super) fn query(
    connection: &Connection,
    statement: &str,
) -> rusqlite::Result<Vec<Vec<String>>> {
    if statement.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut prepared = connection.prepare(statement)?;
    let columns = prepared.column_count();
    let mut found = prepared.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        if rows.len() == MOST_ROWS {
            break;
        }
        let cells = (0..columns).map(|column| row.get_ref(column).map(text));
        rows.push(cells.collect::<rusqlite::Result<_>>()?);
    }
    Ok(rows)
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
