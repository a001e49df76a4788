//! SQL databases behind a system, as both sides of the protocol see them: their schema, and rows
//! inserted for a test.

use std::collections::BTreeMap;

/// Schema of an SQL database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlSchema {
    /// Kind of database, for example `H2` or `POSTGRES`.
    pub database_type: String,
    /// Name of the database.
    pub name: String,
    /// Its tables.
    pub tables: Vec<SqlTable>,
    /// Enumerated types: name and values.
    pub enumerations: Vec<(String, Vec<String>)>,
    /// What the code of the system asks of columns, besides the schema.
    pub constraints: Vec<SqlConstraint>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlTable {
    /// Its own name.
    pub name: String,
    /// Schema, where the driver tells it.
    pub schema: Option<String>,
    /// Catalogue, where the driver tells it.
    pub catalog: Option<String>,
    /// How insertions name the table: drivers since 5.0 want the schema before the name.
    pub insertion_name: String,
    /// Its columns.
    pub columns: Vec<SqlColumn>,
    /// Columns of the primary key, in their order.
    pub primary_key: Vec<String>,
    /// References to other tables.
    pub foreign_keys: Vec<SqlForeignKey>,
    /// Conditions that all rows meet, as SQL.
    pub checks: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent properties")]
pub struct SqlColumn {
    /// Name.
    pub name: String,
    /// Type, in the words of the database.
    pub sql_type: String,
    /// Precision or length.
    pub size: i64,
    /// Digits after the point.
    pub scale: Option<i64>,
    /// Whether it belongs to the primary key.
    pub is_primary_key: bool,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Whether its values are unique.
    pub is_unique: bool,
    /// Whether the database counts it up by itself.
    pub is_auto_increment: bool,
    /// Whether it refers to a column that the database counts up.
    pub refers_to_auto_increment: bool,
    /// Whether it has no sign.
    pub is_unsigned: bool,
    /// How deeply its values are lists, of elements of the type; 0 where they are none.
    pub dimensions: u8,
}

/// A reference to another table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlForeignKey {
    /// Columns that refer.
    pub columns: Vec<String>,
    /// Table referred to.
    pub target_table: String,
    /// Columns referred to; empty before release 5.2.
    pub target_columns: Vec<String>,
}

/// What the code of the system asks of a column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlConstraint {
    /// Table, often in another case than in the schema.
    pub table: String,
    /// Column.
    pub column: String,
    /// Least value.
    pub minimum: Option<i64>,
    /// Greatest value.
    pub maximum: Option<i64>,
    /// Least length.
    pub minimum_size: Option<i64>,
    /// Greatest length.
    pub maximum_size: Option<i64>,
    /// The only values; empty where any is allowed.
    pub values: Vec<String>,
    /// Java regular expression of its texts.
    pub pattern: Option<String>,
    /// Whether a text must not be blank.
    pub is_not_blank: bool,
    /// Whether it is an address of electronic mail.
    pub is_email: bool,
}

/// A row to insert before a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlRow {
    /// By which later rows refer to this one.
    pub id: Option<i64>,
    /// Table, as [`SqlTable::insertion_name`].
    pub table: String,
    /// Values by column.
    pub values: Vec<(String, SqlValue)>,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlValue {
    /// A literal of SQL; texts in *double* quotes, inner single quotes as they are.
    Literal(String),
    /// The key that the database gave to the row of this id, inserted earlier in the same test.
    KeyOf(i64),
}

/// What became of rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SqlInsertions {
    /// Keys that the database gave, by the ids of the rows.
    pub keys: BTreeMap<i64, i64>,
    /// Whether each row was inserted; empty when the driver had the request already.
    pub is_inserted: Vec<bool>,
}
