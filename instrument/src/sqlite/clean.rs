//! Cleaning between tests: only what was written, back to the rows of the start.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::quoted;

/// Rows of a table that are copied at most. Of larger tables, rows that came later are deleted,
/// and those that were changed or deleted stay so.
const MOST_COPIED: i64 = 100_000;

/// A table at the start.
#[derive(Debug)]
struct Table {
    /// Columns that hold values of their own.
    columns: Vec<String>,
    /// Whether its rows have numbers: otherwise no hook tells of changes.
    has_numbers: bool,
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
    /// Too many, and without numbers: they stay as they are.
    Left,
}

/// SQLite's counters of changes: by this connection, and by others.
type Counters = (u64, i64);

/// The rows of the start.
#[derive(Debug)]
pub(super) struct Seed {
    tables: BTreeMap<String, Table>,
    /// As they were after the last clean.
    counters: Counters,
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
        Ok(Self { tables, counters: counters(connection)? })
    }

    /// Brings the rows back in the tables that hooks told of, and in those that changed without.
    pub(super) fn restore(
        &mut self,
        connection: &Connection,
        written: &BTreeSet<String>,
    ) -> rusqlite::Result<()> {
        if written.is_empty() && counters(connection)? == self.counters {
            return Ok(());
        }
        let mut touched = Vec::new();
        for (name, table) in &self.tables {
            if written.contains(name) || table.has_changed_unseen(connection, name)? {
                touched.push((name, table));
            }
        }
        if !touched.is_empty() {
            restore_tables(connection, &touched)?;
        }
        self.counters = counters(connection)?;
        Ok(())
    }
}

fn counters(connection: &Connection) -> rusqlite::Result<Counters> {
    let others = "PRAGMA main.data_version";
    let others = connection.prepare_cached(others)?.query_row([], |row| row.get(0))?;
    Ok((connection.total_changes(), others))
}

fn restore_tables(connection: &Connection, tables: &[(&String, &Table)]) -> rusqlite::Result<()> {
    let keys = "PRAGMA foreign_keys";
    let checks: bool = connection.query_row(keys, [], |row| row.get(0))?;
    let trigger = DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER;
    let triggers = connection.db_config(trigger)?;
    connection.execute_batch("PRAGMA foreign_keys = OFF; BEGIN")?;
    connection.set_db_config(trigger, false)?;
    let done = tables.iter().try_for_each(|(name, table)| table.restore(connection, name));
    let done = done.and_then(|()| restore_sequences(connection, tables));
    connection.set_db_config(trigger, triggers)?;
    connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    if checks {
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
    }
    done
}

impl Table {
    fn take(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let own = quoted(name);
        let columns = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
        let columns = texts(connection, columns, name)?;
        let has_numbers =
            "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1";
        let has_numbers: bool = connection.query_row(has_numbers, [name], |row| row.get(0))?;
        let count = format!("SELECT count(*) FROM (SELECT 1 FROM {own} LIMIT {})", MOST_COPIED + 1);
        let rows = match connection.query_row(&count, [], |row| row.get::<_, i64>(0))? {
            0 => Rows::None,
            count if count > MOST_COPIED && !has_numbers => Rows::Left,
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
        Ok(Self { columns, has_numbers, rows, sequence })
    }

    /// Whether rows changed of which no hook tells: those without numbers, and all of a table that
    /// was emptied at once.
    fn has_changed_unseen(&self, connection: &Connection, name: &str) -> rusqlite::Result<bool> {
        let own = quoted(name);
        let question = match (&self.rows, self.has_numbers) {
            (Rows::None, true) | (Rows::UpTo(_) | Rows::Left, _) => return Ok(false),
            (Rows::None, false) => format!("SELECT EXISTS (SELECT 1 FROM main.{own})"),
            (Rows::Copied, true) => format!("SELECT NOT EXISTS (SELECT 1 FROM main.{own})"),
            (Rows::Copied, false) => {
                let columns = self.columns();
                let now = format!("SELECT {columns} FROM main.{own}");
                let before = format!("SELECT {columns} FROM wallace_seed.{own}");
                format!("SELECT EXISTS ({now} EXCEPT {before}) OR EXISTS ({before} EXCEPT {now})")
            }
        };
        connection.prepare_cached(&question)?.query_row([], |row| row.get(0))
    }

    /// The names of the columns, for a statement.
    fn columns(&self) -> String {
        let columns: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
        columns.join(", ")
    }

    fn restore(&self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        let own = quoted(name);
        match self.rows {
            Rows::Left => {}
            Rows::UpTo(last) => {
                let delete = format!("DELETE FROM main.{own} WHERE rowid > ?1");
                connection.prepare_cached(&delete)?.execute([last])?;
            }
            Rows::None => {
                connection.prepare_cached(&format!("DELETE FROM main.{own}"))?.execute([])?;
            }
            Rows::Copied => {
                connection.prepare_cached(&format!("DELETE FROM main.{own}"))?.execute([])?;
                let columns = self.columns();
                let insert = format!(
                    "INSERT INTO main.{own} ({columns}) SELECT {columns} FROM wallace_seed.{own}"
                );
                connection.prepare_cached(&insert)?.execute([])?;
            }
        }
        Ok(())
    }
}

/// Lets the numbers that SQLite gives go on where they were at the start.
fn restore_sequences(
    connection: &Connection,
    tables: &[(&String, &Table)],
) -> rusqlite::Result<()> {
    let has_any = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence')";
    let mut has_any = connection.prepare_cached(has_any)?;
    if !has_any.query_row([], |row| row.get(0))? {
        return Ok(());
    }
    let mut delete = connection.prepare_cached("DELETE FROM sqlite_sequence WHERE name = ?1")?;
    let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
    let mut insert = connection.prepare_cached(insert)?;
    for (name, table) in tables {
        delete.execute([name])?;
        if let Some(sequence) = table.sequence {
            insert.execute((name, sequence))?;
        }
    }
    Ok(())
}

fn texts(connection: &Connection, query: &str, name: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached(query)?;
    let texts = statement.query_map([name], |row| row.get(0))?;
    texts.collect()
}
