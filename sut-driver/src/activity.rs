//! What an action did with databases, in full.

use std::collections::BTreeMap;

/// What an action did with databases. Lists are in the order of the driver.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatabaseActivity {
    /// Distances of conditions to a matching row or document.
    pub distances: Vec<DatabaseDistance>,
    /// SQL statements, the first thousand.
    pub statements: Vec<SqlStatement>,
    /// SQL statements that the driver could not read.
    pub unread_statements: usize,
    /// Columns that were read, by table; `*` stands for all.
    pub queried: BTreeMap<String, Vec<String>>,
    /// Columns that were changed, by table.
    pub updated: BTreeMap<String, Vec<String>>,
    /// Columns that were inserted, by table.
    pub inserted: BTreeMap<String, Vec<String>>,
    /// Columns of conditions that matched nothing, by table: what rows would help.
    pub failed_conditions: BTreeMap<String, Vec<String>>,
    /// Tables from which rows were deleted.
    pub deleted: Vec<String>,
    /// Mongo collections that were found empty.
    pub empty_collections: Vec<MongoCollection>,
    /// Redis commands that found nothing.
    pub failed_redis_commands: Vec<RedisCommand>,
}

/// A distance of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct DatabaseDistance {
    /// Kind of database: `SQL`, `MONGO` and others.
    pub kind: String,
    /// The statement, or what stands for it.
    pub statement: String,
    /// Distance, 0 when a row matches; `None` where there is no row or it cannot be computed.
    pub distance: Option<f64>,
}

/// An SQL statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlStatement {
    /// Its text.
    pub command: String,
    /// How long it took.
    pub milliseconds: u64,
    /// Whether the database refused it.
    pub has_failed: bool,
}

/// A Mongo collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MongoCollection {
    /// Database.
    pub database: String,
    /// Collection.
    pub collection: String,
    /// Type or schema of its documents, as the driver writes it.
    pub document_type: String,
}

/// A Redis command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisCommand {
    /// Its name.
    pub command: String,
    /// Keys.
    pub keys: Vec<String>,
    /// Pattern of keys.
    pub pattern: Option<String>,
    /// Field of a hash.
    pub field: Option<String>,
}
