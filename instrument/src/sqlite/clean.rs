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
    /// Tables that this one refers to, in lower case.
    parents: BTreeSet<String>,
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
            self.restore_tables(connection, &touched)?;
        }
        self.counters = counters(connection)?;
        Ok(())
    }

    /// References stay checked where that is no hindrance: switching the checks on and off makes
    /// SQLite prepare every statement of the service anew.
    fn restore_tables(
        &self,
        connection: &Connection,
        touched: &[(&String, &Table)],
    ) -> rusqlite::Result<()> {
        if !has_triggers(connection)?
            && let Some(order) = self.order(touched)
            && restore_all(connection, &order).is_ok()
        {
            return Ok(());
        }
        unchecked(connection, || restore_all(connection, touched))
    }

    /// The tables, those first that refer to others; `None` where deleting all of their rows could
    /// be refused, or reach rows of other tables.
    fn order<'a>(
        &self,
        touched: &[(&'a String, &'a Table)],
    ) -> Option<Vec<(&'a String, &'a Table)>> {
        let mut left = touched.to_vec();
        let mut order = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_free = |(name, _): &(&String, &Table)| {
                let name = name.to_ascii_lowercase();
                let mut children =
                    self.tables.iter().filter(|(_, table)| table.parents.contains(&name));
                children.all(|(child, table)| {
                    let is_done = order.iter().any(|(done, _): &(&String, _)| *done == child);
                    let is_left = left.iter().any(|(other, _)| *other == child);
                    is_done || (!is_left && matches!(table.rows, Rows::None))
                })
            };
            let next = left.iter().position(is_free)?;
            order.push(left.swap_remove(next));
        }
        Some(order)
    }
}

fn counters(connection: &Connection) -> rusqlite::Result<Counters> {
    let others = "PRAGMA main.data_version";
    let others = connection.prepare_cached(others)?.query_row([], |row| row.get(0))?;
    Ok((connection.total_changes(), others))
}

fn has_triggers(connection: &Connection) -> rusqlite::Result<bool> {
    let triggers = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' \
                    UNION ALL SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger')";
    connection.prepare_cached(triggers)?.query_row([], |row| row.get(0))
}

/// Runs a function while references are not checked and triggers do nothing.
fn unchecked(
    connection: &Connection,
    run: impl FnOnce() -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let keys = "PRAGMA foreign_keys";
    let checks: bool = connection.query_row(keys, [], |row| row.get(0))?;
    let trigger = DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER;
    let triggers = connection.db_config(trigger)?;
    connection.execute_batch("PRAGMA foreign_keys = OFF")?;
    connection.set_db_config(trigger, false)?;
    let done = run();
    connection.set_db_config(trigger, triggers)?;
    if checks {
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
    }
    done
}

/// Empties the tables and fills them again, the last ones first; all of it or nothing.
fn restore_all(connection: &Connection, tables: &[(&String, &Table)]) -> rusqlite::Result<()> {
    let execute = |text| connection.prepare_cached(text)?.execute([]);
    execute("BEGIN")?;
    let done = tables.iter().try_for_each(|(name, table)| table.empty(connection, name));
    let mut filled = tables.iter().rev();
    let done =
        done.and_then(|()| filled.try_for_each(|(name, table)| table.fill(connection, name)));
    let done = done.and_then(|()| restore_sequences(connection, tables));
    execute(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    done
}

impl Table {
    fn take(connection: &Connection, name: &str) -> rusqlite::Result<Self> {
        let own = quoted(name);
        let columns = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
        let columns = texts(connection, columns, name)?;
        let parents = "SELECT lower(\"table\") FROM pragma_foreign_key_list(?1)";
        let parents = texts(connection, parents, name)?.into_iter().collect();
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
        Ok(Self { columns, parents, has_numbers, rows, sequence })
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

    /// Deletes the rows that are not as they were.
    fn empty(&self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        let own = quoted(name);
        match self.rows {
            Rows::Left => {}
            Rows::UpTo(last) => {
                let delete = format!("DELETE FROM main.{own} WHERE rowid > ?1");
                connection.prepare_cached(&delete)?.execute([last])?;
            }
            Rows::None | Rows::Copied => {
                connection.prepare_cached(&format!("DELETE FROM main.{own}"))?.execute([])?;
            }
        }
        Ok(())
    }

    /// Inserts the rows of the start.
    fn fill(&self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        if matches!(self.rows, Rows::Copied) {
            let (own, columns) = (quoted(name), self.columns());
            let insert = format!(
                "INSERT INTO main.{own} ({columns}) SELECT {columns} FROM wallace_seed.{own}"
            );
            connection.prepare_cached(&insert)?.execute([])?;
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
