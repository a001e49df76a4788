//! Cleaning between tests: only what was written, back to the rows of the start.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::quoted;
use super::watch::Written;

/// Rows of a table that are copied at most. Of larger tables, rows that came later are deleted,
/// and those that were changed or deleted stay so.
const MOST_COPIED: i64 = 100_000;

/// A table at the start.
#[derive(Debug)]
struct Table {
    /// Columns that hold values of their own.
    columns: Vec<String>,
    /// Tables that this one refers to, in lower case.
    parents: BTreeSet<String>,
    rows: Rows,
    /// What was given last by `AUTOINCREMENT`.
    sequence: Option<i64>,
}

#[derive(Debug)]
enum Rows {
    None,
    Copied,
    /// Too many; none of them has a larger row number.
    UpTo(i64),
}

/// The rows of the start.
#[derive(Debug)]
pub(super) struct Seed {
    tables: BTreeMap<String, Table>,
}

impl Seed {
    /// Remembers the rows that are there.
    pub(super) fn take(connection: &Connection) -> rusqlite::Result<Self> {
        let mut tables = BTreeMap::new();
        connection.execute_batch("ATTACH ':memory:' AS wallace_seed")?;
        for name in super::schema::table_names(connection)? {
            let table = Table::take(connection, &name)?;
            tables.insert(name, table);
        }
        Ok(Self { tables })
    }

    /// Brings the rows back in the written tables and those that refer to them.
    pub(super) fn restore(
        &self,
        connection: &Connection,
        written: &Written,
    ) -> rusqlite::Result<()> {
        let touched = self.touched(written);
        let keys = "PRAGMA foreign_keys";
        let checks: bool = connection.query_row(keys, [], |row| row.get(0))?;
        let trigger = DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER;
        let triggers = connection.db_config(trigger)?;
        connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN")?;
        connection.set_db_config(trigger, false)?;
        let done = touched.iter().try_for_each(|(name, table)| table.restore(connection, name));
        connection.set_db_config(trigger, triggers)?;
        connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        if checks {
            connection.execute_batch("PRAGMA foreign_keys = ON")?;
        }
        done
    }

    fn touched(&self, written: &Written) -> BTreeMap<&String, &Table> {
        let lower = written.tables.iter().map(|table| table.to_ascii_lowercase());
        let mut names: BTreeSet<String> = lower.chain(written.named.iter().cloned()).collect();
        loop {
            let refers = |table: &Table| table.parents.iter().any(|parent| names.contains(parent));
            let more = self.tables.iter().filter(|(_, table)| refers(table));
            let more: Vec<String> = more
                .map(|(name, _)| name.to_ascii_lowercase())
                .filter(|name| !names.contains(name))
                .collect();
            if more.is_empty() {
                break;
            }
            names.extend(more);
        }
        let is_touched = |name: &String| names.contains(&name.to_ascii_lowercase());
        self.tables.iter().filter(|(name, _)| is_touched(name)).collect()
    }
}

impl Table {
    fn take(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let own = quoted(name);
        let columns = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
        let columns = texts(connection, columns, name)?;
        let parents = "SELECT lower(\"table\") FROM pragma_foreign_key_list(?1)";
        let parents = texts(connection, parents, name)?.into_iter().collect();
        let count = format!("SELECT count(*) FROM (SELECT 1 FROM {own} LIMIT {})", MOST_COPIED + 1);
        let rows = match connection.query_row(&count, [], |row| row.get::<_, i64>(0))? {
            0 => Rows::None,
            count if count > MOST_COPIED => {
                let last = format!("SELECT max(rowid) FROM {own}");
                Rows::UpTo(connection.query_row(&last, [], |row| row.get(0)).unwrap_or(i64::MAX))
            }
            _ => {
                connection.execute_batch(&format!(
                    "CREATE TABLE wallace_seed.{own} AS SELECT * FROM main.{own}"
                ))?;
                Rows::Copied
            }
        };
        // There is no such table unless some table counts up.
        let sequence = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
        let sequence = connection.query_row(sequence, [name], |row| row.get(0)).ok();
        Ok(Self { columns, parents, rows, sequence })
    }

    fn restore(&self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        let own = quoted(name);
        match self.rows {
            Rows::UpTo(last) => {
                connection.execute(&format!("DELETE FROM main.{own} WHERE rowid > ?1"), [last])?;
            }
            Rows::None => {
                connection.execute(&format!("DELETE FROM main.{own}"), [])?;
            }
            Rows::Copied => {
                connection.execute(&format!("DELETE FROM main.{own}"), [])?;
                let columns: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
                let columns = columns.join(", ");
                let insert = format!(
                    "INSERT INTO main.{own} ({columns}) SELECT {columns} FROM wallace_seed.{own}"
                );
                connection.execute(&insert, [])?;
            }
        }
        let has_sequence: bool = connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence')",
            [],
            |row| row.get(0),
        )?;
        if has_sequence {
            connection.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [name])?;
            if let Some(sequence) = self.sequence {
                let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
                connection.execute(insert, (name, sequence))?;
            }
        }
        Ok(())
    }
}

fn texts(connection: &Connection, query: &str, name: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(query)?;
    let texts = statement.query_map([name], |row| row.get(0))?;
    texts.collect()
}
