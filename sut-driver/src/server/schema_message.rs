//! The SQL schema in the answer of `infoSUT`, with exactly the fields of the protocol's release.

use crate::json::to_json;
use crate::sql::{SqlColumn, SqlForeignKey, SqlSchema, SqlTable};

/// A list that this driver always leaves empty.
type EmptyList = [u8; 0];

pub(super) struct SqlSchemaMessage {
    database_type: String,
    name: String,
    tables: Vec<Table>,
    // The misspelling is that of the protocol.
    enumerated_types: Vec<EnumeratedType>,
    employ_smart_db_clean: bool,
    composite_types: EmptyList,
    extra_constraint_dtos: EmptyList,
}

struct EnumeratedType {
    name: String,
    values: Vec<String>,
}

struct Table {
    id: TableId,
    columns: Vec<Column>,
    foreign_keys: Vec<ForeignKey>,
    primary_key_sequence: Vec<String>,
    table_check_expressions: Vec<Check>,
}

struct TableId {
    schema: Option<String>,
    catalog: Option<String>,
    name: String,
}

#[expect(clippy::struct_excessive_bools, reason = "the protocol has them")]
struct Column {
    table: String,
    name: String,
    r#type: String,
    size: i64,
    primary_key: bool,
    nullable: bool,
    unique: bool,
    auto_increment: bool,
    foreign_key_to_auto_increment: bool,
    is_unsigned: bool,
    is_enumerated_type: bool,
    is_composite_type: bool,
    scale: Option<i64>,
    number_of_dimensions: u8,
}

struct ForeignKey {
    source_columns: Vec<String>,
    target_table: String,
    target_columns: Vec<String>,
}

struct Check {
    sql_check_expression: String,
}

to_json! {
    SqlSchemaMessage {
        database_type: "databaseType", name: "name", tables: "tables",
        enumerated_types: "enumeraredTypes", employ_smart_db_clean: "employSmartDbClean",
        composite_types: "compositeTypes", extra_constraint_dtos: "extraConstraintDtos",
    }
    EnumeratedType { name: "name", values: "values" }
    Table {
        id: "id", columns: "columns", foreign_keys: "foreignKeys",
        primary_key_sequence: "primaryKeySequence",
        table_check_expressions: "tableCheckExpressions",
    }
    TableId { schema: "schema", catalog: "catalog", name: "name" }
    Column {
        table: "table", name: "name", r#type: "type", size: "size", primary_key: "primaryKey",
        nullable: "nullable", unique: "unique", auto_increment: "autoIncrement",
        foreign_key_to_auto_increment: "foreignKeyToAutoIncrement", is_unsigned: "isUnsigned",
        is_enumerated_type: "isEnumeratedType", is_composite_type: "isCompositeType",
        scale: "scale", number_of_dimensions: "numberOfDimensions",
    }
    ForeignKey {
        source_columns: "sourceColumns", target_table: "targetTable",
        target_columns: "targetColumns",
    }
    Check { sql_check_expression: "sqlCheckExpression" }
}

impl From<SqlSchema> for SqlSchemaMessage {
    fn from(schema: SqlSchema) -> Self {
        let named = |(name, values)| EnumeratedType { name, values };
        Self {
            database_type: schema.database_type,
            name: schema.name,
            tables: schema.tables.into_iter().map(table).collect(),
            enumerated_types: schema.enumerations.into_iter().map(named).collect(),
            employ_smart_db_clean: true,
            composite_types: [],
            extra_constraint_dtos: [],
        }
    }
}

fn table(table: SqlTable) -> Table {
    let columns = table.columns.into_iter().map(|one| column(&table.name, one)).collect();
    let check = |sql_check_expression| Check { sql_check_expression };
    Table {
        columns,
        foreign_keys: table.foreign_keys.into_iter().map(foreign_key).collect(),
        primary_key_sequence: table.primary_key,
        table_check_expressions: table.checks.into_iter().map(check).collect(),
        id: TableId { schema: table.schema, catalog: table.catalog, name: table.name },
    }
}

fn column(table: &str, column: SqlColumn) -> Column {
    Column {
        table: table.to_owned(),
        name: column.name,
        r#type: column.sql_type,
        size: column.size,
        primary_key: column.is_primary_key,
        nullable: column.is_nullable,
        unique: column.is_unique,
        auto_increment: column.is_auto_increment,
        foreign_key_to_auto_increment: column.refers_to_auto_increment,
        is_unsigned: column.is_unsigned,
        is_enumerated_type: false,
        is_composite_type: false,
        scale: column.scale,
        number_of_dimensions: 0,
    }
}

fn foreign_key(key: SqlForeignKey) -> ForeignKey {
    ForeignKey {
        source_columns: key.columns,
        target_table: key.target_table,
        target_columns: key.target_columns,
    }
}
