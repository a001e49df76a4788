//! SQL of services on SQLite: what they execute, how near its conditions come to a row, and rows
//! for tests.
//!
//! The database itself is the judge. A condition is rewritten into an expression that gives its
//! distance ([`probe`]), and SQLite evaluates it over the rows that are there: joins, sub-queries,
//! collations and types mean exactly what they mean to the service, rows are never held in
//! memory, and the distance is 0 exactly where SQLite finds the condition true.

mod activity;
mod clean;
mod constant;
mod distance;
mod known;
mod plan;
mod probe;
#[cfg(feature = "sqlx")]
mod recorded;
mod row;
mod schema;
mod token;
mod watch;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use wallace_sut_driver::database::{DatabaseActivity, SqlInsertions, SqlRow, SqlSchema};

use crate::database::{ExecutedSql, SqlDatabase};
use crate::scope::unrecorded;
use crate::state::lock;
use clean::Seed;
use known::Known;
use watch::Written;

#[cfg(feature = "sqlx")]
pub use recorded::{RecordedExecutor, recorded};

/// Statements that stay prepared: those of the service, and what is asked about them.
const MOST_PREPARED: usize = 256;

/// The SQLite database of a system.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use rusqlite::Connection;
/// use wallace_instrument::{Driver, ProblemInfo, SqliteDatabase};
///
/// let connection = Connection::open_in_memory()?;
/// connection.execute_batch("CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")?;
/// let connection = Arc::new(Mutex::new(connection));
/// let database = SqliteDatabase::new(Arc::clone(&connection))?;
/// // The service uses the same connection; further ones are given to `SqliteDatabase::watch`.
/// let driver = Driver::new("pets", ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() })
///     .database(database);
/// # Ok::<(), rusqlite::Error>(())
/// ```
///
/// It takes SQLite's trace and update hooks of the connections, attaches a database in memory to
/// the first one, called `wallace_seed`, and lets that one keep more prepared statements.
#[derive(Clone)]
pub struct SqliteDatabase {
    connection: Arc<Mutex<Connection>>,
    written: Arc<Mutex<Written>>,
    seed: Arc<Mutex<Seed>>,
    known: Arc<Mutex<Known>>,
}

impl SqliteDatabase {
    /// The database of a connection. The rows that are in it now are those that
    /// [`clean`](Self::clean) brings back.
    ///
    /// # Errors
    /// What SQLite says against looking at the schema or copying the rows.
    pub fn new(connection: Arc<Mutex<Connection>>) -> rusqlite::Result<Self> {
        let written = Arc::default();
        let seed = {
            let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            unrecorded(|| {
                distance::register(&connection)?;
                connection.set_prepared_statement_cache_capacity(MOST_PREPARED);
                let seed = Seed::take(&connection)?;
                watch::watch(&connection, &written)?;
                Ok::<_, rusqlite::Error>(seed)
            })?
        };
        Ok(Self { connection, written, seed: Arc::new(Mutex::new(seed)), known: Arc::default() })
    }

    /// Sees what another connection to the same database executes.
    ///
    /// # Errors
    /// What SQLite says against its hooks.
    pub fn watch(&self, connection: &Connection) -> rusqlite::Result<()> {
        watch::watch(connection, &self.written)
    }

    /// Brings back the rows of the start in the tables that were written since the last time, and
    /// the numbers that SQLite gives next. All other tables are left alone.
    ///
    /// Tables of more than 100,000 rows at the start lose the rows that came later, and keep what
    /// was changed or deleted.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn clean(&self) -> rusqlite::Result<()> {
        let written = std::mem::take(&mut *lock(&self.written));
        let result = self.with(|connection| lock(&self.seed).restore(connection, &written.0));
        // What was just written is no change, and what could not be restored is one still.
        let after = if result.is_ok() { Written::default() } else { written };
        *lock(&self.written) = after;
        result
    }

    /// The distance of the condition of a statement to being true of a row: 0 exactly when a row
    /// meets it, otherwise positive and below 1; the nearer, the smaller. A statement without
    /// condition has distance 0 where there is a row.
    ///
    /// `None` where there is no row, or the statement cannot be read.
    #[must_use]
    pub fn distance(&self, statement: &str) -> Option<f64> {
        self.with_known(|connection, known| activity::distance_of(connection, known, statement))
    }

    /// As [`Self::with`], with what is remembered of the database.
    fn with_known<T>(&self, run: impl FnOnce(&Connection, &mut Known) -> T) -> T {
        self.with(|connection| run(connection, &mut lock(&self.known)))
    }

    /// Runs a function on the connection; none of it is work of the system.
    fn with<T>(&self, run: impl FnOnce(&Connection) -> T) -> T {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        unrecorded(|| run(&connection))
    }
}

impl SqlDatabase for SqliteDatabase {
    fn schema(&self) -> SqlSchema {
        let schema = self.with_known(|connection, known| known.schema(connection));
        schema.map(|schema| SqlSchema::clone(&schema)).unwrap_or_default()
    }

    fn activity(&self, statements: &[ExecutedSql]) -> DatabaseActivity {
        self.with_known(|connection, known| activity::activity(connection, known, statements))
    }

    fn insert(&self, rows: &[SqlRow]) -> SqlInsertions {
        self.with_known(|connection, known| row::insert(connection, known, rows))
    }

    fn query(&self, statement: &str) -> Result<Vec<Vec<String>>, String> {
        self.with(|connection| row::query(connection, statement)).map_err(|error| error.to_string())
    }

    fn clean(&self) -> Result<(), String> {
        Self::clean(self).map_err(|error| error.to_string())
    }
}

impl fmt::Debug for SqliteDatabase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SqliteDatabase").finish_non_exhaustive()
    }
}

/// A name between double quotes.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
