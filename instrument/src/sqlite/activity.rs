//! What the statements of an action were about.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use rusqlite::Connection;
use sqlparser::ast::{
    AssignmentTarget, Delete, Expr, FromTable, ObjectName, Query, Select, SetExpr, Statement,
    TableFactor, TableObject, TableWithJoins, Visit, Visitor,
};
use wallace_sut_driver::{DatabaseActivity, DatabaseDistance, SqlSchema, SqlStatement};

use super::probe::{MOST_ROWS, parse, probes};
use super::schema;
use crate::database::ExecutedSql;

/// Distances that are computed for one action.
const MOST_DISTANCES: usize = 50;

/// Sees through the statements of an action.
pub(super) fn activity(connection: &Connection, statements: &[ExecutedSql]) -> DatabaseActivity {
    let mut activity = DatabaseActivity::default();
    let mut known: Option<SqlSchema> = None;
    for executed in statements {
        activity.statements.push(SqlStatement {
            command: executed.text.clone(),
            milliseconds: 0,
            has_failed: false,
        });
        if is_housekeeping(&executed.text) {
            continue;
        }
        let Some(statement) = parse(&executed.text) else {
            activity.unread_statements += 1;
            continue;
        };
        let schema = known.get_or_insert_with(|| schema::read(connection).unwrap_or_default());
        let names = Names::of(&statement, schema);
        names.note(&statement, &mut activity);
        if matches!(statement, Statement::Insert(_)) || activity.distances.len() >= MOST_DISTANCES {
            continue;
        }
        // What a statement changed, it found.
        let distance =
            if executed.has_changed { Some(0.0) } else { distance(connection, &statement) };
        if names.tables.is_empty() {
            continue;
        }
        if distance != Some(0.0) {
            names.note_conditions(&mut activity);
        }
        activity.distances.push(DatabaseDistance {
            kind: "SQL".to_owned(),
            statement: executed.text.clone(),
            distance,
        });
    }
    activity
}

/// The distance of a text; see [`super::SqliteDatabase::distance`].
pub(super) fn distance_of(connection: &Connection, text: &str) -> Option<f64> {
    distance(connection, &parse(text)?)
}

fn is_housekeeping(text: &str) -> bool {
    let first = text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next();
    let first = first.unwrap_or_default().to_ascii_uppercase();
    let words =
        ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "END", "CREATE", "DROP"];
    words.contains(&first.as_str())
}

/// The least distance of any of the selections.
fn distance(connection: &Connection, statement: &Statement) -> Option<f64> {
    let distances = probes(statement).into_iter().filter_map(|probe| {
        let asked = connection.prepare(&probe.distance).and_then(|mut statement| {
            statement
                .query_row([], |row| Ok((row.get::<_, Option<f64>>(0)?, row.get::<_, u32>(1)?)))
        });
        let exact = || connection.query_row(&probe.exact, [], |row| row.get::<_, bool>(0)).ok();
        match asked {
            // There are more rows than were looked at: the nearest may be among the others.
            Ok((Some(distance), rows)) if rows >= MOST_ROWS && distance > 0.0 => {
                Some(if exact() == Some(true) { 0.0 } else { distance })
            }
            Ok((distance, _)) => distance,
            Err(_) => exact().map(|is_so| if is_so { 0.0 } else { 1.0 - 1e-9 }),
        }
    });
    distances.min_by(f64::total_cmp)
}

/// Tables and columns of a statement.
struct Names<'a> {
    schema: &'a SqlSchema,
    /// Names and aliases of tables, in lower case, with the names as they are written.
    aliases: BTreeMap<String, String>,
    /// Tables that are read, as they are written.
    tables: BTreeSet<String>,
    /// Columns of conditions: table or alias where it is said, and column.
    conditions: Vec<(Option<String>, String)>,
}

impl<'a> Names<'a> {
    fn of(statement: &Statement, schema: &'a SqlSchema) -> Self {
        let mut names = Self {
            schema,
            aliases: BTreeMap::new(),
            tables: BTreeSet::new(),
            conditions: Vec::new(),
        };
        let _ = statement.visit(&mut names);
        if let Statement::Update { selection, .. } | Statement::Delete(Delete { selection, .. }) =
            statement
        {
            names.add_condition(selection.as_ref());
        }
        names
    }

    fn is_known(&self, table: &str) -> bool {
        self.schema.tables.iter().any(|known| known.name.eq_ignore_ascii_case(table))
    }

    fn add_condition(&mut self, condition: Option<&Expr>) {
        let Some(condition) = condition else { return };
        let _ = sqlparser::ast::visit_expressions(condition, |expression| {
            match expression {
                Expr::Identifier(name) => self.conditions.push((None, name.value.clone())),
                Expr::CompoundIdentifier(parts) => {
                    if let [.., table, column] = &parts[..] {
                        self.conditions.push((Some(table.value.clone()), column.value.clone()));
                    }
                }
                _ => {}
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// The table of a column: the one that is named, or the one that has it.
    fn table_of(&self, qualifier: Option<&str>, column: &str) -> Option<&String> {
        if let Some(qualifier) = qualifier {
            return self.aliases.get(&qualifier.to_ascii_lowercase());
        }
        self.tables.iter().find(|name| {
            let table = self.schema.tables.iter().find(|t| t.name.eq_ignore_ascii_case(name));
            table.is_some_and(|table| {
                table.columns.iter().any(|known| known.name.eq_ignore_ascii_case(column))
            })
        })
    }

    fn note(&self, statement: &Statement, activity: &mut DatabaseActivity) {
        match statement {
            Statement::Insert(insert) => {
                if let TableObject::TableName(name) = &insert.table {
                    let columns = insert.columns.iter().map(|column| column.value.clone());
                    add(&mut activity.inserted, &last(name), columns);
                }
            }
            Statement::Update { table, assignments, .. } => {
                let columns = assignments.iter().filter_map(|one| match &one.target {
                    AssignmentTarget::ColumnName(name) => Some(last(name)),
                    AssignmentTarget::Tuple(_) => None,
                });
                if let TableFactor::Table { name, .. } = &table.relation {
                    add(&mut activity.updated, &last(name), columns);
                }
            }
            Statement::Delete(delete) => {
                let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) =
                    &delete.from;
                activity.deleted.extend(from.iter().filter_map(|table| match &table.relation {
                    TableFactor::Table { name, .. } => Some(last(name)),
                    _ => None,
                }));
                activity.deleted.sort();
                activity.deleted.dedup();
            }
            _ => {
                for table in &self.tables {
                    add(&mut activity.queried, table, ["*".to_owned()]);
                }
            }
        }
    }

    /// Notes what would have to be in which table.
    fn note_conditions(&self, activity: &mut DatabaseActivity) {
        for table in &self.tables {
            add(&mut activity.failed_conditions, table, []);
        }
        for (qualifier, column) in &self.conditions {
            if let Some(table) = self.table_of(qualifier.as_deref(), column) {
                add(&mut activity.failed_conditions, table, [column.clone()]);
            }
        }
    }
}

impl Visitor for Names<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, alias, .. } = factor {
            let table = last(name);
            if self.is_known(&table) {
                let alias = alias.as_ref().map_or(&table, |alias| &alias.name.value);
                self.aliases.insert(alias.to_ascii_lowercase(), table.clone());
                self.aliases.entry(table.to_ascii_lowercase()).or_insert_with(|| table.clone());
                self.tables.insert(table);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = &*query.body {
            let Select { selection, from, .. } = &**select;
            self.add_condition(selection.as_ref());
            for condition in from.iter().flat_map(join_conditions) {
                self.add_condition(Some(condition));
            }
        }
        ControlFlow::Continue(())
    }
}

fn join_conditions(tables: &TableWithJoins) -> impl Iterator<Item = &Expr> {
    use sqlparser::ast::{JoinConstraint, JoinOperator};
    tables.joins.iter().filter_map(|join| match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(condition))
        | JoinOperator::Inner(JoinConstraint::On(condition))
        | JoinOperator::Left(JoinConstraint::On(condition))
        | JoinOperator::LeftOuter(JoinConstraint::On(condition)) => Some(condition),
        _ => None,
    })
}

/// The last part of a name, which may be qualified.
fn last(name: &ObjectName) -> String {
    let part = name.0.last().and_then(|part| part.as_ident());
    part.map_or_else(|| name.to_string(), |ident| ident.value.clone())
}

fn add(
    tables: &mut BTreeMap<String, Vec<String>>,
    table: &str,
    columns: impl IntoIterator<Item = String>,
) {
    let known = tables.entry(table.to_owned()).or_default();
    known.extend(columns);
    known.sort();
    known.dedup();
}
