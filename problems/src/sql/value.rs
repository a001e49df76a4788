//! Values of columns: from genes, from constants of statements, to literals.

use serde_json::Value;
use wallace_genes::{Gene, SpecRef, check};

use super::column::{Column, Kind};

/// The value that a gene of a column stands for; `None` where the column is left out.
pub(super) fn of_gene(column: &Column, spec: &SpecRef, gene: Option<&Gene>) -> Option<Value> {
    Some(match spec.graph().value_of(spec.id(), gene?)? {
        Value::String(text) => Value::String(in_sql(column.kind, &text)),
        other => other,
    })
}

/// The gene of a column that stands for a value; `None` where the column cannot hold it.
pub(super) fn to_gene(column: &Column, spec: &SpecRef, value: &Value) -> Option<Gene> {
    let gene = match column.kind {
        Kind::DateTime if !value.is_null() => {
            spec.graph().take(spec.id(), &date_time(&text(value)).into())
        }
        _ => spec.graph().take(spec.id(), value),
    };
    gene.filter(|gene| check(spec, gene).is_ok())
}

/// `2026-11-21`, `2026-11-21 09:00:00.0` and the like as RFC 3339 writes them.
fn date_time(text: &str) -> String {
    let (day, clock) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let clock = clock.trim_end_matches('Z');
    let clock = clock.split_once('.').map_or(clock, |(whole, _)| whole);
    format!("{day}T{clock}Z")
}

/// A text of RFC 3339 as databases read it.
fn in_sql(kind: Kind, text: &str) -> String {
    match kind {
        // Neither fractions nor zones are known to all.
        Kind::DateTime => text.chars().take(19).collect::<String>().replacen('T', " ", 1),
        Kind::Time => text.chars().take(8).collect(),
        // No database takes this character inside a text.
        _ => text.replace('\0', ""),
    }
}

/// A value as a literal of the driver protocol: texts between double quotes, as they are.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::String(text) => format!("\"{text}\""),
        Value::Bool(is_true) => is_true.to_string(),
        other => other.to_string(),
    }
}

/// A value as a literal of SQL.
pub(super) fn sql_literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        other => literal(other),
    }
}

/// A value as a text without quotes.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "NULL".to_owned(),
        other => other.to_string(),
    }
}

/// Whether two values are the same to a database: numbers by value, all else by text.
pub(super) fn is_same(one: &Value, other: &Value) -> bool {
    let (one, other) = (text(one), text(other));
    one == other
        || matches!((one.parse::<f64>(), other.parse::<f64>()), (Ok(one), Ok(other)) if one == other)
}
