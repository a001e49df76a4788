//! Databases behind a system: their schema, what a test did to them, and rows that a test begins with.

pub use crate::activity::{
    DatabaseActivity, DatabaseDistance, MongoCollection, RedisCommand, SqlStatement,
};
#[cfg(feature = "client")]
pub use crate::client::SqlSummary;
pub use crate::sql::{
    SqlColumn, SqlConstraint, SqlForeignKey, SqlInsertions, SqlRow, SqlSchema, SqlTable, SqlValue,
};
pub use crate::store::{MongoDocument, RedisKey};
