//! SQL of services on `sqlx`.
//!
//! `sqlx` lets nobody see what its connections execute, so the service hands its executors over:
//! `.fetch_one(recorded(&pool))` instead of `.fetch_one(&pool)`. Distances, rows and cleaning are
//! done through another connection to the same database.

use std::future::ready;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt, TryStreamExt};
use sqlx::error::BoxDynError;
use sqlx::sqlite::{
    SqliteArguments, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo,
};
use sqlx::{
    Arguments, AssertSqlSafe, Connection, Describe, Either, Error, Execute, Executor, Row, SqlStr,
    Sqlite, SqliteConnection,
};
use tokio::sync::Mutex;

use super::SqliteDatabase;
use super::token::{Kind, Tokens};
use super::watch::Written;
use crate::recorder::Recorder;
use crate::scope;

/// A database of its own that says how values are written in SQL.
static SCRATCH: Mutex<Option<SqliteConnection>> = Mutex::const_new(None);

/// An executor of `sqlx` whose statements an engine sees; [`recorded`] makes one.
#[derive(Debug)]
pub struct RecordedExecutor<E> {
    executor: E,
}

/// Lets an engine see what is executed: give it `&pool`, `&mut connection` or `&mut *transaction`.
/// Without an engine that asks for SQL, statements go straight through.
///
/// ```
/// use wallace_instrument::recorded;
///
/// async fn pets(pool: &sqlx::SqlitePool, age: i64) -> sqlx::Result<Vec<(String,)>> {
///     let query = sqlx::query_as("SELECT name FROM pet WHERE age > ?").bind(age);
///     query.fetch_all(recorded(pool)).await
/// }
/// ```
///
/// The driver's own connection goes to the same file, and is told of the pool's:
///
/// ```no_run
/// use std::sync::{Arc, Mutex};
/// use sqlx::sqlite::SqlitePoolOptions;
/// use wallace_instrument::SqliteDatabase;
///
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// let own = rusqlite::Connection::open("pets.db")?;
/// let database = SqliteDatabase::new(Arc::new(Mutex::new(own)))?;
/// let watched = database.clone();
/// let options = SqlitePoolOptions::new().after_connect(move |connection, _| {
///     let database = watched.clone();
///     Box::pin(async move { database.watch_sqlx(connection).await })
/// });
/// let pool = options.connect("sqlite:pets.db").await?;
/// # Ok(())
/// # }
/// ```
///
/// The tables must be there before the driver's connection is made: what it finds is the start
/// that it brings back.
pub fn recorded<E>(executor: E) -> RecordedExecutor<E> {
    RecordedExecutor { executor }
}

impl SqliteDatabase {
    /// Sees which tables a connection of `sqlx` to the same database writes. Statements are seen
    /// through [`recorded`].
    ///
    /// # Errors
    /// What `sqlx` says when the connection is closed.
    pub async fn watch_sqlx(&self, connection: &mut SqliteConnection) -> sqlx::Result<()> {
        let written = Arc::clone(&self.written);
        let mut handle = connection.lock_handle().await?;
        handle.set_update_hook(move |change| Written::add(&written, change.table));
        Ok(())
    }
}

impl<'c, E: Executor<'c, Database = Sqlite> + 'c> Executor<'c> for RecordedExecutor<E> {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, Q>(
        self,
        query: Q,
    ) -> BoxStream<'e, Result<Either<SqliteQueryResult, SqliteRow>, Error>>
    where
        'c: 'e,
        Q: 'q + Execute<'q, Sqlite>,
    {
        let executor = self.executor;
        if !is_wanted() {
            return executor.fetch_many(query);
        }
        let query = match Taken::of(query) {
            Ok(query) => query,
            Err(error) => return stream::once(ready(Err(error))).boxed(),
        };
        let executed = query.clone().tell().map(move |is_writing| {
            executor.fetch_many(query).inspect_ok(move |step| {
                // Reading tells the number of the last writing.
                if matches!(step, Either::Left(done) if is_writing && done.rows_affected() > 0) {
                    note_change();
                }
            })
        });
        executed.flatten_stream().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, Q>(
        self,
        query: Q,
    ) -> BoxFuture<'e, Result<Option<SqliteRow>, Error>>
    where
        'c: 'e,
        Q: 'q + Execute<'q, Sqlite>,
    {
        let executor = self.executor;
        if !is_wanted() {
            return executor.fetch_optional(query);
        }
        let query = match Taken::of(query) {
            Ok(query) => query,
            Err(error) => return ready(Err(error)).boxed(),
        };
        let executed = query.clone().tell().then(move |is_writing| {
            executor.fetch_optional(query).inspect(move |found| {
                // `RETURNING` gives the rows that were written.
                if is_writing && matches!(found, Ok(Some(_))) {
                    note_change();
                }
            })
        });
        executed.boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, Result<SqliteStatement, Error>>
    where
        'c: 'e,
    {
        self.executor.prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, Result<Describe<Sqlite>, Error>>
    where
        'c: 'e,
    {
        self.executor.describe(sql)
    }
}

/// Whether an engine wants to see the SQL of the running code.
fn is_wanted() -> bool {
    let mut is_wanted = false;
    if crate::state::is_recording() {
        scope::with_any_recorder(|recorder| is_wanted = recorder.keeps_sql());
    }
    is_wanted
}

fn note_change() {
    scope::with_any_recorder(Recorder::note_sql_change);
}

/// A query that was taken apart.
#[derive(Clone)]
struct Taken {
    sql: SqlStr,
    arguments: Option<SqliteArguments>,
    is_persistent: bool,
}

impl Taken {
    fn of<'q>(mut query: impl Execute<'q, Sqlite>) -> Result<Self, Error> {
        let arguments = query.take_arguments().map_err(Error::Encode)?;
        let is_persistent = query.persistent();
        Ok(Self { sql: query.sql(), arguments, is_persistent })
    }

    /// Tells the recorder of the statements. Returns whether any of them writes.
    async fn tell(self) -> bool {
        let literals = literals(self.arguments.unwrap_or_default()).await.unwrap_or_default();
        let statements = statements(self.sql.as_str(), &literals);
        for statement in &statements {
            scope::with_any_recorder(|recorder| recorder.note_sql(statement));
        }
        statements.iter().any(|statement| is_writing(statement))
    }
}

impl<'q> Execute<'q, Sqlite> for Taken {
    fn sql(self) -> SqlStr {
        self.sql
    }

    fn statement(&self) -> Option<&SqliteStatement> {
        None
    }

    fn take_arguments(&mut self) -> Result<Option<SqliteArguments>, BoxDynError> {
        Ok(self.arguments.take())
    }

    fn persistent(&self) -> bool {
        self.is_persistent
    }
}

/// The values as SQL writes them.
async fn literals(arguments: SqliteArguments) -> Result<Vec<String>, Error> {
    let count = arguments.len();
    if count == 0 {
        return Ok(Vec::new());
    }
    let columns: Vec<String> = (1..=count).map(|place| format!("quote(?{place})")).collect();
    let query = AssertSqlSafe(format!("SELECT {}", columns.join(", ")));
    let mut scratch = SCRATCH.lock().await;
    let connection = match &mut *scratch {
        Some(connection) => connection,
        none => none.insert(SqliteConnection::connect("sqlite::memory:").await?),
    };
    let row = sqlx::query_with(query, arguments).fetch_one(connection).await?;
    (0..count).map(|place| row.try_get(place)).collect()
}

/// The statements of a text, with the values in the places of parameters, which are counted as
/// `sqlx` does. One without a value is null, as it is to SQLite.
fn statements(text: &str, literals: &[String]) -> Vec<String> {
    let mut statements = vec![String::with_capacity(text.len())];
    let mut counted = 0;
    for (kind, piece) in Tokens::of(text) {
        let Some(statement) = statements.last_mut() else { break };
        match (kind, piece) {
            (Kind::Parameter, _) => {
                let place = piece[1..].parse().unwrap_or_else(|_| {
                    counted += 1;
                    counted
                });
                let literal = usize::checked_sub(place, 1).and_then(|place| literals.get(place));
                statement.push_str(literal.map_or("NULL", String::as_str));
            }
            (Kind::Other, ";") => statements.push(String::new()),
            _ => statement.push_str(piece),
        }
    }
    statements.retain(|statement| !statement.trim().is_empty());
    statements
}

fn is_writing(statement: &str) -> bool {
    let words = Tokens::of(statement).filter(|(kind, _)| *kind == Kind::Word);
    let mut words = words.map(|(_, word)| word.to_ascii_lowercase());
    match words.next().as_deref() {
        Some("insert" | "update" | "delete" | "replace") => true,
        Some("with") => words.any(|word| matches!(&*word, "insert" | "update" | "delete")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_the_places_of_parameters() {
        let literals = ["1".to_owned(), "'a?b'".to_owned()];
        let of = |text: &str| statements(text, &literals);
        assert_eq!(of("SELECT ?, '?', ? -- ?"), ["SELECT 1, '?', 'a?b' -- ?"]);
        assert_eq!(of("SELECT $2, ?1, ?3"), ["SELECT 'a?b', 1, NULL"]);
        assert_eq!(
            of("UPDATE t SET a = ?; SELECT ';', ?;"),
            ["UPDATE t SET a = 1", " SELECT ';', 'a?b'"]
        );
        assert!(of(" ").is_empty());
    }

    #[test]
    fn writers_are_known_by_their_words() {
        assert!(is_writing(" insert into t values (1)"));
        assert!(is_writing("WITH x AS (SELECT 1) DELETE FROM t"));
        assert!(!is_writing("SELECT replace(a, 'delete', b) FROM t"));
        assert!(!is_writing("WITH x AS (SELECT 1) SELECT 'insert' FROM x"));
    }
}
