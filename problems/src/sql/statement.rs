//! Statements as a driver tells them.

use sqlparser::ast::{
    Delete, Expr, FromTable, JoinConstraint, JoinOperator, Query, SelectItem, SetExpr, Statement,
    TableFactor, TableWithJoins,
};
use sqlparser::dialect::{Dialect, GenericDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;

use super::table::SqlTables;

/// The statement of a text, in whatever dialect reads it.
pub(super) fn parse(text: &str) -> Option<Statement> {
    let dialects: [&dyn Dialect; 4] =
        [&GenericDialect {}, &PostgreSqlDialect {}, &MySqlDialect {}, &SQLiteDialect {}];
    dialects
        .into_iter()
        .find_map(|dialect| Parser::parse_sql(dialect, text).ok()?.into_iter().next())
}

/// The text without its constants: the same for all executions of one statement of the code.
pub(super) fn skeleton(text: &str) -> String {
    let mut skeleton = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_inside_name = skeleton.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        match character {
            '\'' => {
                // A quote inside is doubled, which reads as two texts.
                characters.by_ref().find(|other| *other == '\'');
                skeleton.push('?');
            }
            '0'..='9' if !is_inside_name => {
                while characters.next_if(|other| other.is_ascii_digit() || *other == '.').is_some()
                {
                }
                skeleton.push('?');
            }
            '-' if characters.peek().is_some_and(char::is_ascii_digit) => {}
            other => skeleton.push(other),
        }
    }
    while skeleton.contains("??") {
        skeleton = skeleton.replace("??", "?");
    }
    skeleton
}

/// The tables that a statement looks into, and what it asks of them.
#[derive(Debug, Default)]
pub(super) struct Source<'a> {
    /// Names by which the tables are called, in lower case, with their positions.
    pub(super) tables: Vec<(String, usize)>,
    pub(super) conditions: Vec<&'a Expr>,
}

impl<'a> Source<'a> {
    pub(super) fn of(statement: &'a Statement, known: &SqlTables) -> Self {
        let mut source = Self::default();
        match statement {
            Statement::Query(query) => source.add_query(query, known),
            Statement::Update { table, selection, .. } => {
                source.add_from(std::slice::from_ref(table), known);
                source.conditions.extend(selection);
            }
            Statement::Delete(Delete { from, selection, .. }) => {
                let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = from;
                source.add_from(from, known);
                source.conditions.extend(selection);
            }
            _ => {}
        }
        source
    }

    /// Adds the tables of a query and what it asks of them.
    pub(super) fn add_query(&mut self, query: &'a Query, known: &SqlTables) {
        let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
        ctes.for_each(|cte| self.add_body(&cte.query.body, known));
        self.add_body(&query.body, known);
    }

    fn add_body(&mut self, body: &'a SetExpr, known: &SqlTables) {
        match body {
            SetExpr::Select(select) => {
                self.add_from(&select.from, known);
                self.conditions.extend(&select.selection);
            }
            SetExpr::Query(query) => self.add_query(query, known),
            // One side is enough.
            SetExpr::SetOperation { left, .. } => self.add_body(left, known),
            _ => {}
        }
    }

    fn add_from(&mut self, from: &'a [TableWithJoins], known: &SqlTables) {
        for tables in from {
            self.add_factor(&tables.relation, known);
            for join in &tables.joins {
                self.add_factor(&join.relation, known);
                match &join.join_operator {
                    JoinOperator::Join(JoinConstraint::On(condition))
                    | JoinOperator::Inner(JoinConstraint::On(condition))
                    | JoinOperator::Left(JoinConstraint::On(condition))
                    | JoinOperator::LeftOuter(JoinConstraint::On(condition))
                    | JoinOperator::CrossJoin(JoinConstraint::On(condition)) => {
                        self.conditions.push(condition);
                    }
                    _ => {}
                }
            }
        }
    }

    fn add_factor(&mut self, factor: &'a TableFactor, known: &SqlTables) {
        match factor {
            TableFactor::Table { name, alias, .. } => {
                if let Some(place) = known.find(&name.to_string().replace(['"', '`', '[', ']'], ""))
                {
                    let called = alias.as_ref().map_or_else(
                        || known.tables[place].name.clone(),
                        |alias| alias.name.value.clone(),
                    );
                    self.tables.push((called.to_ascii_lowercase(), place));
                }
            }
            TableFactor::Derived { subquery, .. } => self.add_query(subquery, known),
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.add_from(std::slice::from_ref(table_with_joins), known);
            }
            _ => {}
        }
    }

    /// Table (position among those of the statement) and column that an expression names.
    pub(super) fn column(&self, expression: &Expr, known: &SqlTables) -> Option<(usize, usize)> {
        match expression {
            Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => self.column(inner, known),
            Expr::Identifier(name) => {
                let mut tables = self.tables.iter().enumerate().rev();
                tables.find_map(|(place, (_, table))| {
                    Some((place, known.tables[*table].column(&name.value)?))
                })
            }
            Expr::CompoundIdentifier(parts) => {
                let [.., table, column] = &parts[..] else { return None };
                let called = table.value.to_ascii_lowercase();
                let place = self.tables.iter().rposition(|(name, _)| *name == called)?;
                Some((place, known.tables[self.tables[place].1].column(&column.value)?))
            }
            _ => None,
        }
    }
}

/// What a sub-query of one column selects.
pub(super) fn projection(query: &Query) -> Option<&Expr> {
    let SetExpr::Select(select) = &*query.body else { return None };
    match &select.projection[..] {
        [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] => {
            Some(value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::skeleton;

    #[test]
    fn skeletons_are_the_same_whatever_the_constants() {
        let one = skeleton("SELECT a1 FROM t2 WHERE x = 'it''s' AND y > -3.5 AND z IN (1, 2)");
        assert_eq!(one, skeleton("SELECT a1 FROM t2 WHERE x = '' AND y > 70 AND z IN (9, 44)"));
        assert_eq!(one, "SELECT a1 FROM t2 WHERE x = ? AND y > ? AND z IN (?, ?)");
        assert_ne!(one, skeleton("SELECT a1 FROM t3 WHERE x = 'it' AND y > 3 AND z IN (1, 2)"));
    }
}
