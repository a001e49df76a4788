//! Databases on the wire: their schema, commands to them, and what the system did with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::lenient::{Text, null_as_default};

/// Schema of an SQL database.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SqlSchemaDto {
    pub(crate) database_type: Option<String>,
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) tables: Vec<TableDto>,
    // The misspelling is that of the protocol.
    #[serde(rename = "enumeraredTypes", deserialize_with = "null_as_default")]
    pub(crate) enumerated_types: Vec<EnumeratedTypeDto>,
    #[serde(rename = "extraConstraintDtos", deserialize_with = "null_as_default")]
    pub(crate) constraints: Vec<ConstraintDto>,
}

/// One table. Releases before 5.0 have no `id`, those before 3.4 only the name.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TableDto {
    pub(crate) id: Option<TableIdDto>,
    #[serde(flatten)]
    pub(crate) flat: TableIdDto,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) columns: Vec<ColumnDto>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) foreign_keys: Vec<ForeignKeyDto>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) primary_key_sequence: Vec<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) table_check_expressions: Vec<CheckDto>,
}

/// A condition that all rows of a table meet.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct CheckDto {
    pub(crate) sql_check_expression: Option<String>,
}

/// What identifies a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TableIdDto {
    pub(crate) schema: Option<String>,
    pub(crate) catalog: Option<String>,
    pub(crate) name: Option<String>,
}

/// One column.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ColumnDto {
    pub(crate) name: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) size: i64,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) primary_key: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) nullable: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) unique: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) auto_increment: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) foreign_key_to_auto_increment: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) is_unsigned: bool,
    pub(crate) scale: Option<i64>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) number_of_dimensions: i64,
}

/// One foreign key.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ForeignKeyDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) source_columns: Vec<String>,
    pub(crate) target_table: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) target_columns: Vec<String>,
}

/// One enumerated type.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EnumeratedTypeDto {
    pub(crate) name: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) values: Vec<String>,
}

/// What the code of the system asks of a column, besides the schema.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ConstraintDto {
    pub(crate) table_id: Option<TableIdDto>,
    pub(crate) table_name: Option<String>,
    pub(crate) column_name: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) constraints: ElementConstraintsDto,
}

/// The part of a constraint that this client understands.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ElementConstraintsDto {
    pub(crate) min_value: Option<i64>,
    pub(crate) max_value: Option<i64>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) enum_values_as_strings: Vec<String>,
    pub(crate) pattern_reg_exp: Option<String>,
    pub(crate) size_min: Option<i64>,
    pub(crate) size_max: Option<i64>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) is_not_blank: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) is_email: bool,
}

/// Body of `POST /databaseCommand`. Exactly one of the command and the insertions is there, and
/// the insertions are never null: the drivers iterate over them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DatabaseCommand<'a> {
    pub(crate) id_counter: Option<i64>,
    pub(crate) command: Option<&'a str>,
    pub(crate) insertions: Vec<InsertionDto<'a>>,
}

/// One row to insert.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsertionDto<'a> {
    pub(crate) id: Option<i64>,
    pub(crate) target_table: &'a str,
    pub(crate) data: Vec<InsertionEntryDto<'a>>,
}

/// One value of such a row.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsertionEntryDto<'a> {
    pub(crate) variable_name: &'a str,
    pub(crate) printable_value: Option<&'a str>,
    pub(crate) foreign_key_to_previously_generated_row: Option<i64>,
}

/// Answer to insertions.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct InsertionResultsDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) id_mapping: BTreeMap<String, i64>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) execution_results: Vec<bool>,
}

/// Answer to a command.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct QueryResultDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) rows: Vec<QueryRowDto>,
}

/// One row of such an answer.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct QueryRowDto {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) column_data: Vec<String>,
}

/// SQL work of one action.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SqlExecutions<'a> {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) number_of_sql_commands: i64,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) sql_parse_failure_count: i64,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) queried_data: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) updated_data: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) inserted_data: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) failed_where: BTreeMap<String, Vec<String>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) deleted_data: Vec<String>,
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) sql_execution_log_dto_list: Vec<SqlStatementDto<'a>>,
}

/// One statement.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SqlStatementDto<'a> {
    // The second name is that of releases before 3.3.
    #[serde(borrow, alias = "command")]
    pub(crate) sql_command: Option<Text<'a>>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) execution_time: i64,
    // The misspelling is that of the protocol.
    #[serde(rename = "threwSqlExeception", deserialize_with = "null_as_default")]
    pub(crate) has_failed: bool,
}

/// Mongo work of one action.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MongoExecutions<'a> {
    #[serde(borrow, deserialize_with = "null_as_default")]
    pub(crate) failed_queries: Vec<MongoQueryDto<'a>>,
}

/// A query that found its collection empty.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MongoQueryDto<'a> {
    #[serde(borrow)]
    pub(crate) database: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) collection: Option<Text<'a>>,
    /// A text, or a schema as an object.
    #[serde(borrow)]
    pub(crate) documents_type: Option<&'a RawValue>,
}

/// Redis work of one action.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RedisExecutions {
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) failed_commands: Vec<RedisCommandDto>,
}

/// A command that found nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RedisCommandDto {
    pub(crate) command: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub(crate) keys: Vec<String>,
    /// Only in releases before 6.1.
    pub(crate) key: Option<String>,
    pub(crate) pattern: Option<String>,
    pub(crate) field: Option<String>,
}
