//! The databases behind a system: their schema and rows inserted for a test, over the wire.

use super::DriverError;
use crate::sql::{
    SqlColumn, SqlConstraint, SqlForeignKey, SqlInsertions, SqlRow, SqlSchema, SqlTable, SqlValue,
};
use crate::wire::database::{
    ColumnDto, ConstraintDto, DatabaseCommand, EnumeratedTypeDto, InsertionDto, InsertionEntryDto,
    InsertionResultsDto, SqlSchemaDto, TableDto,
};

/// Reads a schema.
pub(super) fn schema(dto: SqlSchemaDto) -> SqlSchema {
    let named = |kind: EnumeratedTypeDto| (kind.name.unwrap_or_default(), kind.values);
    SqlSchema {
        database_type: dto.database_type.unwrap_or_default(),
        name: dto.name.unwrap_or_default(),
        tables: dto.tables.into_iter().map(table).collect(),
        enumerations: dto.enumerated_types.into_iter().map(named).collect(),
        constraints: dto.constraints.into_iter().map(constraint).collect(),
    }
}

fn table(dto: TableDto) -> SqlTable {
    let is_qualified = dto.id.is_some();
    let id = dto.id.unwrap_or(dto.flat);
    let name = id.name.unwrap_or_default();
    // MySQL has catalogues only.
    let group = id.schema.as_ref().or(id.catalog.as_ref()).filter(|_| is_qualified);
    let checks = dto.table_check_expressions.into_iter();
    let foreign_keys = dto.foreign_keys.into_iter().map(|key| SqlForeignKey {
        columns: key.source_columns,
        target_table: key.target_table.unwrap_or_default(),
        target_columns: key.target_columns,
    });
    SqlTable {
        insertion_name: group.map_or_else(|| name.clone(), |group| format!("{group}.{name}")),
        name,
        schema: id.schema,
        catalog: id.catalog,
        columns: dto.columns.into_iter().map(column).collect(),
        primary_key: dto.primary_key_sequence,
        foreign_keys: foreign_keys.collect(),
        checks: checks.filter_map(|check| check.sql_check_expression).collect(),
    }
}

fn column(dto: ColumnDto) -> SqlColumn {
    SqlColumn {
        name: dto.name.unwrap_or_default(),
        sql_type: dto.kind.unwrap_or_default(),
        size: dto.size,
        scale: dto.scale,
        is_primary_key: dto.primary_key,
        is_nullable: dto.nullable,
        is_unique: dto.unique,
        is_auto_increment: dto.auto_increment,
        refers_to_auto_increment: dto.foreign_key_to_auto_increment,
        is_unsigned: dto.is_unsigned,
        dimensions: u8::try_from(dto.number_of_dimensions.max(0)).unwrap_or(u8::MAX),
    }
}

fn constraint(dto: ConstraintDto) -> SqlConstraint {
    let table = dto.table_id.and_then(|id| id.name).or(dto.table_name);
    let asked = dto.constraints;
    SqlConstraint {
        table: table.unwrap_or_default(),
        column: dto.column_name.unwrap_or_default(),
        minimum: asked.min_value,
        maximum: asked.max_value,
        minimum_size: asked.size_min,
        maximum_size: asked.size_max,
        values: asked.enum_values_as_strings,
        pattern: asked.pattern_reg_exp,
        is_not_blank: asked.is_not_blank,
        is_email: asked.is_email,
    }
}

/// The request that inserts `rows`. What drivers stumble over is refused here: a row without a table
/// spoils the next reset, and a reference to a row that is not there fails all rows.
pub(super) fn insertion<'a>(
    rows: &'a [SqlRow],
    schema: Option<&SqlSchema>,
    counter: i64,
) -> Result<DatabaseCommand<'a>, DriverError> {
    examine(rows, schema)?;
    let insertions = rows.iter().map(insertion_of).collect();
    Ok(DatabaseCommand { id_counter: Some(counter), command: None, insertions })
}

/// Refuses rows that a driver would stumble over.
pub(super) fn examine(rows: &[SqlRow], schema: Option<&SqlSchema>) -> Result<(), DriverError> {
    let refused = |reason: String| Err(DriverError::InvalidInsertion { reason });
    let mut known = Vec::new();
    for row in rows {
        let is_table = |table: &SqlTable| {
            [&table.name, &table.insertion_name]
                .iter()
                .any(|it| it.eq_ignore_ascii_case(&row.table))
        };
        let is_unknown = schema.is_some_and(|schema| !schema.tables.iter().any(is_table));
        if row.table.trim().is_empty() || is_unknown {
            return refused(format!("there is no table {:?}", row.table));
        }
        for (_, value) in &row.values {
            if let SqlValue::KeyOf(id) = value
                && !known.contains(id)
            {
                return refused(format!(
                    "a row refers to row {id}, which does not stand before it"
                ));
            }
        }
        known.extend(row.id);
    }
    if rows.is_empty() {
        return refused("there is no row".to_owned());
    }
    Ok(())
}

fn insertion_of(row: &SqlRow) -> InsertionDto<'_> {
    InsertionDto {
        id: row.id,
        target_table: &row.table,
        data: row.values.iter().map(|(name, value)| entry_of(name, value)).collect(),
    }
}

fn entry_of<'a>(name: &'a str, value: &'a SqlValue) -> InsertionEntryDto<'a> {
    let (printable_value, key) = match value {
        SqlValue::Literal(literal) => (Some(literal.as_str()), None),
        SqlValue::KeyOf(id) => (None, Some(*id)),
    };
    InsertionEntryDto {
        variable_name: name,
        printable_value,
        foreign_key_to_previously_generated_row: key,
    }
}

/// Reads the answer to insertions.
pub(super) fn insertions(dto: InsertionResultsDto) -> SqlInsertions {
    let keys = dto.id_mapping.into_iter().filter_map(|(id, key)| Some((id.parse().ok()?, key)));
    SqlInsertions { keys: keys.collect(), is_inserted: dto.execution_results }
}
