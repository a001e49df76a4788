//! Values of columns: from genes, from constants of statements, to literals.

use serde_json::Value;
use wallace_genes::{Gene, PathStep, SpecRef, check};

use super::column::{Column, Kind};

/// The value that a gene of a column stands for; `None` where the column is left out.
pub(super) fn of_gene(column: &Column, spec: &SpecRef, gene: Option<&Gene>) -> Option<Value> {
    Some(match spec.graph().value_of(spec.id(), gene?)? {
        Value::String(text) => Value::String(in_sql(column.kind, &text)),
        list @ Value::Array(_) => Value::String(list_text(column.kind, &list)),
        other => other,
    })
}

/// A list as PostgreSQL reads it in a text: `{1,2}`, `{"a","b"}`, `{{1},{2}}`.
fn list_text(kind: Kind, value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let texts: Vec<String> = elements.iter().map(|it| list_text(kind, it)).collect();
            format!("{{{}}}", texts.join(","))
        }
        Value::String(text) => {
            let text = in_sql(kind, text).replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{text}\"")
        }
        other => text(other),
    }
}

/// The gene of a column that stands for a value; `None` where the column cannot hold it.
pub(super) fn to_gene(column: &Column, spec: &SpecRef, value: &Value) -> Option<Gene> {
    let value = match column.kind {
        _ if value.is_null() => Value::Null,
        Kind::DateTime => date_time(&text(value)).into(),
        _ => value.clone(),
    };
    let graph = spec.graph();
    // What a list is compared with is one of its elements.
    let depth = if value.is_null() { 0 } else { column.dimensions };
    let element = |id, _| Some(graph.below(id, PathStep::Element(0))?.1);
    let gene = graph.take((0..depth).try_fold(spec.id(), element)?, &value);
    let gene = (0..depth).fold(gene, |gene, _| gene.map(|gene| Gene::Array(vec![gene])));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;
    use wallace_genes::{GeneSettings, SpecBuilder, simplest};
    use wallace_sut_driver::database::SqlColumn;

    use super::*;

    fn column(sql_type: &str, dimensions: u8) -> (Column, SpecRef) {
        let told = SqlColumn { sql_type: sql_type.to_owned(), dimensions, ..SqlColumn::default() };
        let told = SqlColumn { size: 40, ..told };
        let column = Column::new(&told, false, Vec::new());
        let mut builder = SpecBuilder::new();
        let id = column.spec(&mut builder);
        let spec = SpecRef::new(builder.build(), id);
        (column, spec)
    }

    #[test]
    fn lists_are_written_as_the_database_reads_them() {
        for (sql_type, dimensions, value, expected) in [
            ("_varchar", 1, json!("a\"b\\c"), r#"{"a\"b\\c"}"#),
            ("_int4", 1, json!(7), "{7}"),
            ("_bool", 0, json!(true), "{true}"),
            ("integer[]", 0, json!(7), "{7}"),
            ("INT4", 2, json!(7), "{{7}}"),
            ("_timestamp", 1, json!("2026-11-21 09:00:00"), r#"{"2026-11-21 09:00:00"}"#),
            (
                "_uuid",
                1,
                json!("6f1d2b8e-0c55-4f0e-9f3a-111111111111"),
                r#"{"6f1d2b8e-0c55-4f0e-9f3a-111111111111"}"#,
            ),
        ] {
            let (column, spec) = column(sql_type, dimensions);
            let gene = to_gene(&column, &spec, &value).unwrap();
            let text = of_gene(&column, &spec, Some(&gene));
            assert_eq!(text, Some(json!(expected)), "{sql_type}");
            let simplest = simplest(&spec, &GeneSettings::default());
            assert!(
                of_gene(&column, &spec, Some(&simplest))
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .starts_with('{')
            );
        }
        let (column, spec) = column("varchar", 0);
        let gene = to_gene(&column, &spec, &json!("a")).unwrap();
        assert_eq!(of_gene(&column, &spec, Some(&gene)), Some(json!("a")));
    }
}
