//! The database behind a system, as the driver sees it.

use wallace_sut_driver::database::{
    DatabaseActivity, MongoDocument, RedisKey, SqlInsertions, SqlRow, SqlSchema,
};

/// A statement that the system executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutedSql {
    /// Its text, with the values in the places of parameters.
    pub text: String,
    /// Whether it changed a row.
    pub has_changed: bool,
}

/// Gives the driver access to an SQL database of the system: `SqliteDatabase` is one, with the
/// feature `sqlite`; for others, implement this and tell the recorder of each statement with
/// [`Recorder::note_sql`](crate::Recorder::note_sql).
///
/// Nothing of this is called while a request of a test is under way.
pub trait SqlDatabase: Send + Sync {
    /// Its schema, as it is now.
    fn schema(&self) -> SqlSchema;
    /// What statements were about, and how far their conditions are from being true of a row.
    fn activity(&self, statements: &[ExecutedSql]) -> DatabaseActivity;
    /// Inserts rows one by one; a refused one does not hold up the others.
    fn insert(&self, rows: &[SqlRow]) -> SqlInsertions;
    /// Executes a statement and gives its rows as texts, nulls as `NULL`.
    ///
    /// # Errors
    /// What the database says against the statement.
    fn query(&self, statement: &str) -> Result<Vec<Vec<String>>, String>;
    /// Brings back the rows of the start, in the tables that were written since.
    ///
    /// # Errors
    /// What the database says when it cannot.
    fn clean(&self) -> Result<(), String>;
}

/// Gives the driver access to where the system keeps documents, keys, or both.
///
/// Nothing of this is called while a request of a test is under way.
pub trait DocumentStore: Send + Sync {
    /// What was looked for since the last call of this, and not found.
    fn activity(&self) -> DatabaseActivity;
    /// Inserts documents, see [`SutController::insert_documents`](crate::SutController::insert_documents).
    ///
    /// # Errors
    /// When it keeps none, which is the default.
    fn insert_documents(&self, _documents: &[MongoDocument]) -> Result<Vec<bool>, String> {
        Err("No active database connection".to_owned())
    }
    /// Puts values under keys, see [`SutController::insert_keys`](crate::SutController::insert_keys).
    ///
    /// # Errors
    /// When it keeps none, which is the default.
    fn insert_keys(&self, _keys: &[RedisKey]) -> Result<Vec<bool>, String> {
        Err("No active Redis connection".to_owned())
    }
    /// Brings back what was there at the start.
    ///
    /// # Errors
    /// Why it cannot.
    fn clean(&self) -> Result<(), String>;
}
