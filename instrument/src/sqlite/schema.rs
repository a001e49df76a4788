//! The schema of an SQLite database, in the words of the driver protocol.

use rusqlite::{Connection, OptionalExtension};
use sqlparser::ast::{ColumnOption, CreateTable, Statement, TableConstraint};
use wallace_sut_driver::database::{SqlColumn, SqlForeignKey, SqlSchema, SqlTable};

use super::probe::parse;

/// Longest text of a column without a stated length.
const TEXT_LENGTH: i64 = 255;

/// Names of the tables of the service, in alphabetical order.
pub(super) fn table_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let tables = "SELECT name FROM main.sqlite_schema \
                  WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
                  AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";
    let mut statement = connection.prepare_cached(tables)?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

/// The schema as it is now.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<SqlSchema> {
    let names = table_names(connection)?;
    let tables = names.iter().map(|name| table(connection, name));
    let mut tables = tables.collect::<rusqlite::Result<Vec<SqlTable>>>()?;
    complete(&mut tables);
    Ok(SqlSchema {
        // The protocol knows no SQLite.
        database_type: "OTHER".to_owned(),
        name: "main".to_owned(),
        tables,
        ..SqlSchema::default()
    })
}

/// What can only be said when all tables are known: keys that are referred to by no name, and
/// columns that refer to numbers that SQLite makes.
fn complete(tables: &mut [SqlTable]) {
    let known = tables.to_vec();
    let find = |name: &str| known.iter().find(|table| table.name.eq_ignore_ascii_case(name));
    for table in tables {
        for key in &mut table.foreign_keys {
            let Some(target) = find(&key.target_table) else { continue };
            if key.target_columns.is_empty() {
                key.target_columns.clone_from(&target.primary_key);
            }
            for (column, referred) in key.columns.iter().zip(&key.target_columns) {
                let is_counted = target.columns.iter().any(|other| {
                    other.is_auto_increment && other.name.eq_ignore_ascii_case(referred)
                });
                let own =
                    table.columns.iter_mut().find(|own| own.name.eq_ignore_ascii_case(column));
                if let Some(own) = own {
                    own.refers_to_auto_increment |= is_counted;
                }
            }
        }
    }
}

fn table(connection: &Connection, name: &str) -> rusqlite::Result<SqlTable> {
    let mut keys: Vec<(i64, String)> = Vec::new();
    let mut columns = Vec::new();
    let query = "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_xinfo(?1) \
                 WHERE hidden = 0";
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query([name])?;
    while let Some(row) = rows.next()? {
        let column: SqlColumn = column(row)?;
        if column.is_primary_key {
            keys.push((row.get(4)?, column.name.clone()));
        }
        columns.push(column);
    }
    keys.sort();
    let primary_key: Vec<String> = keys.into_iter().map(|(_, name)| name).collect();
    let unique = unique_columns(connection, name)?;
    for column in &mut columns {
        column.is_unique = unique.contains(&column.name);
        // The row number; the only key that SQLite counts up.
        column.is_auto_increment =
            primary_key == [column.name.clone()] && column.sql_type.eq_ignore_ascii_case("INTEGER");
        // A key of another type may be null in SQLite, which is of use to nobody.
        column.is_nullable &= !column.is_primary_key;
    }
    Ok(SqlTable {
        name: name.to_owned(),
        insertion_name: name.to_owned(),
        checks: checks(connection, name)?,
        foreign_keys: foreign_keys(connection, name)?,
        primary_key,
        columns,
        ..SqlTable::default()
    })
}

fn column(row: &rusqlite::Row<'_>) -> rusqlite::Result<SqlColumn> {
    let declared: String = row.get(1)?;
    let (sql_type, size, scale) = type_of(&declared);
    let not_null: bool = row.get(2)?;
    Ok(SqlColumn {
        name: row.get(0)?,
        sql_type,
        size,
        scale,
        is_primary_key: row.get::<_, i64>(4)? > 0,
        is_nullable: !not_null,
        ..SqlColumn::default()
    })
}

/// `VARCHAR(20)` is a type of 20, `DECIMAL(8, 2)` one with a scale.
fn type_of(declared: &str) -> (String, i64, Option<i64>) {
    let (name, rest) = declared.split_once('(').unwrap_or((declared, ""));
    let name = name.trim().to_ascii_uppercase();
    let mut numbers = rest.trim_end_matches(')').split(',').map(|number| number.trim().parse());
    let size = numbers.next().and_then(Result::ok);
    let scale = numbers.next().and_then(Result::ok);
    let usual = if name.contains("INT") { 19 } else { TEXT_LENGTH };
    (name, size.unwrap_or(usual), scale)
}

/// Columns that alone are unique. The protocol has no word for those that are so together.
fn unique_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT min(column.name) FROM pragma_index_list(?1) AS list \
                 JOIN pragma_index_info(list.name) AS column \
                 WHERE list.\"unique\" = 1 AND list.origin <> 'pk' AND list.partial = 0 \
                 GROUP BY list.name HAVING count(*) = 1";
    let mut statement = connection.prepare_cached(query)?;
    let names = statement.query_map([table], |row| row.get(0))?;
    names.collect()
}

fn foreign_keys(connection: &Connection, table: &str) -> rusqlite::Result<Vec<SqlForeignKey>> {
    let query = "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) \
                 ORDER BY id, seq";
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query([table])?;
    let mut keys: Vec<(i64, SqlForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, target_table): (i64, String) = (row.get(0)?, row.get(1)?);
        let (own, target): (String, Option<String>) = (row.get(2)?, row.get(3)?);
        if keys.last().is_none_or(|(last, _)| *last != id) {
            keys.push((id, SqlForeignKey { target_table, ..SqlForeignKey::default() }));
        }
        if let Some((_, key)) = keys.last_mut() {
            key.columns.push(own);
            key.target_columns.extend(target);
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// The conditions that all rows meet: SQLite knows them only by the text of the table.
fn checks(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?1";
    let text: Option<String> = connection.query_row(query, [table], |row| row.get(0)).optional()?;
    let parsed = text.as_deref().and_then(parse);
    let Some(Statement::CreateTable(CreateTable { columns, constraints, .. })) = parsed else {
        return Ok(Vec::new());
    };
    let own = columns.iter().flat_map(|column| &column.options);
    let own = own.filter_map(|option| match &option.option {
        ColumnOption::Check(check) => Some(check.to_string()),
        _ => None,
    });
    let common = constraints.iter().filter_map(|constraint| match constraint {
        TableConstraint::Check { expr, .. } => Some(expr.to_string()),
        _ => None,
    });
    Ok(own.chain(common).collect())
}
