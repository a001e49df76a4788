//! The embedded database of one instance: in memory, seen by drivers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use wallace_instrument::{
    DatabaseActivity, ExecutedSql, SqlDatabase, SqlInsertions, SqlRow, SqlSchema, SqliteDatabase,
};

/// An SQLite database in memory. Copies share it; it ends with the last one.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    connection: Arc<Mutex<Connection>>,
    watched: SqliteDatabase,
}

impl Database {
    /// A database with these tables, filled by `seed`.
    ///
    /// Schemas and seeds are part of the program, so that an error in them is one of the program.
    pub(crate) fn new(schemas: &[&str], seed: &str) -> Self {
        let connection = Connection::open_in_memory().expect("memory can be opened");
        for schema in schemas {
            connection.execute_batch(schema).expect("the schema is correct");
        }
        // Seeds are in any order.
        let seed =
            format!("PRAGMA foreign_keys = OFF; BEGIN; {seed} COMMIT; PRAGMA foreign_keys = ON;");
        connection.execute_batch(&seed).expect("the seed fits the schema");
        let connection = Arc::new(Mutex::new(connection));
        let watched =
            SqliteDatabase::new(Arc::clone(&connection)).expect("SQLite lets itself be watched");
        Self { connection, watched }
    }

    /// Brings all rows, and the ids that are given next, back to those of the start.
    pub(crate) fn reset(&self) -> rusqlite::Result<()> {
        self.watched.clean()
    }

    /// The database as a driver sees it.
    pub(crate) fn watched(&self) -> SqliteDatabase {
        self.watched.clone()
    }

    /// Runs a function inside a transaction: kept when it gives `Ok`, undone when it gives `Err`.
    pub(crate) fn transaction<T, E: From<rusqlite::Error>>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection();
        // Dropping a transaction that was not committed undoes it.
        let transaction = connection.transaction()?;
        let result = run(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }

    /// The connection itself, for reading.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has undone it, so that nothing is half-done.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A database of which a driver knows the schema and nothing that is executed.
pub(crate) struct Silent(pub(crate) SqliteDatabase);

impl SqlDatabase for Silent {
    fn schema(&self) -> SqlSchema {
        SqlDatabase::schema(&self.0)
    }

    fn activity(&self, _statements: &[ExecutedSql]) -> DatabaseActivity {
        DatabaseActivity::default()
    }

    fn insert(&self, rows: &[SqlRow]) -> SqlInsertions {
        SqlDatabase::insert(&self.0, rows)
    }

    fn query(&self, statement: &str) -> Result<Vec<Vec<String>>, String> {
        SqlDatabase::query(&self.0, statement)
    }

    fn clean(&self) -> Result<(), String> {
        SqlDatabase::clean(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Database;

    fn numbers(database: &Database) -> Vec<i64> {
        let connection = database.connection();
        let mut statement = connection.prepare("SELECT id FROM thing ORDER BY id").unwrap();
        let numbers = statement.query_map([], |row| row.get(0)).unwrap();
        numbers.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn reset_brings_rows_and_counters_back() {
        let schema = "CREATE TABLE thing (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);";
        let database = Database::new(&[schema], "INSERT INTO thing (name) VALUES ('a'), ('b');");
        let insert = |database: &Database| {
            database.transaction(|store| store.execute("INSERT INTO thing (name) VALUES ('c')", []))
        };
        insert(&database).unwrap();
        assert_eq!(numbers(&database), [1, 2, 3]);
        database.reset().unwrap();
        insert(&database).unwrap();
        assert_eq!(numbers(&database), [1, 2, 3]);
    }

    #[test]
    fn what_fails_is_undone() {
        let database = Database::new(&["CREATE TABLE thing (id INTEGER PRIMARY KEY);"], "");
        let result: Result<(), rusqlite::Error> = database.transaction(|store| {
            store.execute("INSERT INTO thing VALUES (1)", [])?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(result.is_err());
        assert!(numbers(&database).is_empty());
    }
}
