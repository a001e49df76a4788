//! What there is to know of a statement, whatever its constants.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sqlparser::ast::{
    AssignmentTarget, Delete, Expr, FromTable, ObjectName, Query, Select, SetExpr, Statement,
    TableFactor, TableObject, TableWithJoins, Visit, Visitor,
};
use wallace_sut_driver::database::{DatabaseActivity, SqlSchema};

use super::probe::{Probe, probes};

/// A statement that was seen through.
#[derive(Debug)]
pub(super) struct Plan {
    /// Whether it has a condition on tables of the schema.
    pub(super) is_asking: bool,
    /// The questions that give its distance.
    pub(super) probes: Vec<Probe>,
    /// What it does to which tables.
    does: DatabaseActivity,
    /// What would have to be in which table, if no row meets the condition.
    missing: BTreeMap<String, Vec<String>>,
}

impl Plan {
    pub(super) fn of(statement: &Statement, schema: &SqlSchema) -> Self {
        let names = Names::of(statement, schema);
        let (mut does, mut missing) = (DatabaseActivity::default(), BTreeMap::new());
        names.note(statement, &mut does);
        names.note_conditions(&mut missing);
        Self {
            is_asking: !matches!(statement, Statement::Insert(_)) && !names.tables.is_empty(),
            probes: probes(statement),
            does,
            missing,
        }
    }

    /// Adds what the statement does to which tables.
    pub(super) fn tell(&self, activity: &mut DatabaseActivity) {
        let Self { does, .. } = self;
        for (told, own) in [
            (&mut activity.queried, &does.queried),
            (&mut activity.inserted, &does.inserted),
            (&mut activity.updated, &does.updated),
        ] {
            own.iter().for_each(|(table, columns)| add(told, table, columns.iter().cloned()));
        }
        for table in &does.deleted {
            if !activity.deleted.contains(table) {
                activity.deleted.push(table.clone());
                activity.deleted.sort();
            }
        }
    }

    /// Adds what would have to be in which table.
    pub(super) fn tell_missing(&self, activity: &mut DatabaseActivity) {
        for (table, columns) in &self.missing {
            add(&mut activity.failed_conditions, table, columns.iter().cloned());
        }
    }
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
    fn note_conditions(&self, missing: &mut BTreeMap<String, Vec<String>>) {
        for table in &self.tables {
            add(missing, table, []);
        }
        for (qualifier, column) in &self.conditions {
            if let Some(table) = self.table_of(qualifier.as_deref(), column) {
                add(missing, table, [column.clone()]);
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
