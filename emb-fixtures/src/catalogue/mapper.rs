//! An object mapper in small: statements as such libraries make them, with aliases, joins,
//! conditions that a missing value turns off, and pages.

use rusqlite::types::{ToSql, Value as Stored, ValueRef};
use rusqlite::{Connection, Row};
use serde_json::{Map, Value};

use super::record::Record;

/// What is looked for.
pub(super) struct Query {
    table: &'static str,
    joins: String,
    conditions: Vec<String>,
    values: Vec<Stored>,
    size: i64,
}

impl Query {
    pub(super) fn of(table: &'static str) -> Self {
        let (joins, conditions, values) = (String::new(), Vec::new(), Vec::new());
        Self { table, joins, conditions, values, size: 50 }
    }

    /// Rows that refer to a row of another table, which is called `t1`.
    pub(super) fn joined(mut self, table: &str, own: &str, other: &str) -> Self {
        self.joins = format!(" inner join \"{table}\" t1 on t0.\"{own}\"=t1.\"{other}\"");
        self
    }

    /// Rows whose column (`t0.name`, or of the joined table `t1.name`) compares so with a value.
    pub(super) fn such(mut self, column: &str, is: &str, value: impl Into<Stored>) -> Self {
        self.values.push(value.into());
        self.conditions.push(format!("({column} {is} ?{})", self.values.len()));
        self
    }

    /// The same for a value that may be missing: then all rows are wanted.
    pub(super) fn filter(
        mut self,
        column: &str,
        is: &str,
        value: Option<impl Into<Stored>>,
    ) -> Self {
        self.values.push(value.map_or(Stored::Null, Into::into));
        let number = self.values.len();
        self.conditions.push(format!("(?{number} is null or {column} {is} ?{number})"));
        self
    }

    /// Those of a page of this size.
    pub(super) fn page(self, size: i64) -> Self {
        Self { size, ..self }
    }

    pub(super) fn all(&self, store: &Connection) -> rusqlite::Result<Vec<Record>> {
        let Self { table, joins, conditions, size, .. } = self;
        let asked = if conditions.is_empty() { "1=1".to_owned() } else { conditions.join(" and ") };
        let statement =
            format!("select t0.* from \"{table}\" t0{joins} where {asked} limit {size} offset 0");
        let mut statement = store.prepare_cached(&statement)?;
        let values: Vec<&dyn ToSql> = self.values.iter().map(|value| value as &dyn ToSql).collect();
        let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let rows = statement.query_map(&values[..], |row| record(row, &names))?;
        rows.collect()
    }

    pub(super) fn first(&self, store: &Connection) -> rusqlite::Result<Option<Record>> {
        Ok(self.all(store)?.into_iter().next())
    }
}

fn record(row: &Row<'_>, names: &[String]) -> rusqlite::Result<Record> {
    let mut members = Map::new();
    for (index, name) in names.iter().enumerate() {
        let value = match row.get_ref(index)? {
            ValueRef::Integer(number) => Value::from(number),
            ValueRef::Real(number) => Value::from(number),
            ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
            ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        };
        members.insert(name.clone(), value);
    }
    Ok(Record(members))
}
