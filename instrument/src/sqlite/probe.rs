//! From a statement to a question for SQLite: how near does any row come to the condition?
//!
//! The condition becomes an expression of its distance. Negations go inwards, so that only single
//! comparisons are measured; a conjunction is the mean of its parts, a disjunction the smallest.
//! Each comparison is first asked for as it is, so that types, collations and nulls are SQLite's
//! own: `CASE WHEN a = b THEN 0 ELSE wallace_distance('=', a, b) END`. What has no distance of its
//! own is 0 or 1. Joins of the inner kind become products whose conditions count with the others.

use sqlparser::ast::{
    BinaryOperator, Delete, Expr, FromTable, JoinConstraint, JoinOperator, Query, Select,
    SelectItem, SetExpr, Statement, TableWithJoins, UnaryOperator,
};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

/// Rows that are looked at for one statement.
pub(super) const MOST_ROWS: u32 = 10_000;

/// A statement that can be asked about.
#[derive(Debug)]
pub(super) struct Probe {
    /// Gives the least distance and the number of rows that were looked at.
    pub(super) distance: String,
    /// Gives whether a row meets the condition, whatever their number.
    pub(super) exact: String,
}

/// The statement of a text; `None` when it is none, or more than one.
pub(super) fn parse(text: &str) -> Option<Statement> {
    let mut statements = Parser::parse_sql(&SQLiteDialect {}, text).ok()?;
    let statement = statements.pop()?;
    statements.is_empty().then_some(statement)
}

/// The questions about a statement; none for one without rows to choose from. Several selections
/// that are joined by `UNION` and the like have one each.
pub(super) fn probes(statement: &Statement) -> Vec<Probe> {
    match statement {
        Statement::Query(query) => {
            let with = query.with.as_ref().map_or(String::new(), |with| format!("{with} "));
            let mut probes = Vec::new();
            in_body(&query.body, &with, &mut probes);
            probes
        }
        Statement::Update { table, from: None, selection, .. } => {
            vec![probe("", std::slice::from_ref(table), selection.as_ref())]
        }
        Statement::Delete(Delete { from, selection, using: None, .. }) => {
            let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = from;
            vec![probe("", from, selection.as_ref())]
        }
        _ => Vec::new(),
    }
}

fn in_body(body: &SetExpr, with: &str, probes: &mut Vec<Probe>) {
    match body {
        SetExpr::Select(select) if !select.from.is_empty() => {
            probes.push(probe(with, &select.from, select.selection.as_ref()));
        }
        SetExpr::Query(query) => in_body(&query.body, with, probes),
        SetExpr::SetOperation { left, right, .. } => {
            in_body(left, with, probes);
            in_body(right, with, probes);
        }
        _ => {}
    }
}

fn probe(with: &str, from: &[TableWithJoins], selection: Option<&Expr>) -> Probe {
    let source = Source::of(from, selection);
    let (rows, distance) = (&source.rows, source.distance());
    let plain: Vec<String> = from.iter().map(ToString::to_string).collect();
    let plain = plain.join(", ");
    let condition = selection.map_or(String::new(), |selection| format!(" WHERE {selection}"));
    Probe {
        distance: format!(
            "{with}SELECT min(distance), count(*) FROM \
             (SELECT {distance} AS distance FROM {rows} LIMIT {MOST_ROWS})"
        ),
        exact: format!("{with}SELECT EXISTS (SELECT 1 FROM {plain}{condition})"),
    }
}

/// What rows are chosen from, and what is asked of them.
struct Source<'a> {
    rows: String,
    conditions: Vec<&'a Expr>,
}

impl<'a> Source<'a> {
    fn of(from: &'a [TableWithJoins], selection: Option<&'a Expr>) -> Self {
        let mut conditions = Vec::new();
        let rows: Vec<String> =
            from.iter().map(|tables| product(tables, &mut conditions)).collect();
        conditions.extend(selection);
        Self { rows: rows.join(", "), conditions }
    }

    fn distance(&self) -> String {
        let parts: Vec<String> = self.conditions.iter().map(|part| distance(part, true)).collect();
        mean(parts)
    }
}

/// The tables of one item of `FROM` without the conditions of its joins; as it is where a join is
/// of another kind.
fn product<'a>(tables: &'a TableWithJoins, conditions: &mut Vec<&'a Expr>) -> String {
    let mut product = tables.relation.to_string();
    let mut found = Vec::new();
    for join in &tables.joins {
        match &join.join_operator {
            JoinOperator::Join(JoinConstraint::On(condition))
            | JoinOperator::Inner(JoinConstraint::On(condition))
            | JoinOperator::CrossJoin(JoinConstraint::On(condition)) => found.push(condition),
            JoinOperator::Join(JoinConstraint::None)
            | JoinOperator::Inner(JoinConstraint::None)
            | JoinOperator::CrossJoin(JoinConstraint::None) => {}
            _ => return tables.to_string(),
        }
        product.push_str(" CROSS JOIN ");
        product.push_str(&join.relation.to_string());
    }
    conditions.extend(found);
    product
}

/// The mean of distances; 0 of none.
fn mean(parts: Vec<String>) -> String {
    match parts.len() {
        0 => "0.0".to_owned(),
        1 => parts.into_iter().next().unwrap_or_default(),
        count => format!("(({}) / {count}.0)", parts.join(" + ")),
    }
}

fn least(parts: Vec<String>) -> String {
    match parts.len() {
        0 => "1.0".to_owned(),
        // With one argument it would be the aggregate.
        1 => parts.into_iter().next().unwrap_or_default(),
        _ => format!("min({})", parts.join(", ")),
    }
}

/// 0 where SQLite says that the condition is so, and otherwise as said, never 0.
fn unless(is_wanted: bool, condition: &dyn std::fmt::Display, otherwise: &str) -> String {
    let not = if is_wanted { "" } else { "NOT " };
    format!("CASE WHEN {not}({condition}) THEN 0.0 ELSE max(1e-9, {otherwise}) END")
}

/// The expression of the distance of a condition to being true, or false where that is wanted.
fn distance(condition: &Expr, is_wanted: bool) -> String {
    match condition {
        Expr::Nested(inner) => distance(inner, is_wanted),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => distance(expr, !is_wanted),
        Expr::BinaryOp { op, .. } if matches!(op, BinaryOperator::And | BinaryOperator::Or) => {
            let mut parts = Vec::new();
            flatten(condition, op, &mut parts);
            let parts = parts.into_iter().map(|part| distance(part, is_wanted)).collect();
            if (*op == BinaryOperator::And) == is_wanted { mean(parts) } else { least(parts) }
        }
        Expr::BinaryOp { left, op, right } => match operator(op, is_wanted) {
            Some(operator) => compared(left, operator, right),
            None => unless(is_wanted, condition, "1.0"),
        },
        Expr::Between { expr, negated, low, high } => {
            let is_inside = is_wanted != *negated;
            let (low_operator, high_operator) = if is_inside { (">=", "<=") } else { ("<", ">") };
            let parts =
                vec![compared(expr, low_operator, low), compared(expr, high_operator, high)];
            if is_inside { mean(parts) } else { least(parts) }
        }
        Expr::InList { expr, list, negated } => {
            let is_inside = is_wanted != *negated;
            let operator = if is_inside { "=" } else { "<>" };
            let parts: Vec<String> =
                list.iter().map(|element| compared(expr, operator, element)).collect();
            let parts = if is_inside { least(parts) } else { mean(parts) };
            unless(is_wanted, condition, &parts)
        }
        Expr::InSubquery { expr, subquery, negated } if is_wanted != *negated => {
            let otherwise = in_query(subquery, Some(expr)).unwrap_or_else(|| "1.0".to_owned());
            unless(is_wanted, condition, &otherwise)
        }
        Expr::Exists { subquery, negated } if is_wanted != *negated => {
            let otherwise = in_query(subquery, None).unwrap_or_else(|| "1.0".to_owned());
            unless(is_wanted, condition, &otherwise)
        }
        Expr::Like { negated, expr, pattern, escape_char, any: false } if is_wanted != *negated => {
            let escape = escape_char.as_ref().map_or("NULL".to_owned(), ToString::to_string);
            unless(is_wanted, condition, &format!("wallace_like({expr}, {pattern}, {escape})"))
        }
        _ => unless(is_wanted, condition, "1.0"),
    }
}

/// The parts of nested conditions of one kind.
fn flatten<'a>(condition: &'a Expr, wanted: &BinaryOperator, parts: &mut Vec<&'a Expr>) {
    match condition {
        Expr::Nested(inner) => flatten(inner, wanted, parts),
        Expr::BinaryOp { left, op, right } if op == wanted => {
            flatten(left, wanted, parts);
            flatten(right, wanted, parts);
        }
        _ => parts.push(condition),
    }
}

/// The operator that is to hold; `None` for one that compares nothing.
fn operator(operator: &BinaryOperator, is_wanted: bool) -> Option<&'static str> {
    let (so, not_so) = match operator {
        BinaryOperator::Eq => ("=", "<>"),
        BinaryOperator::NotEq => ("<>", "="),
        BinaryOperator::Lt => ("<", ">="),
        BinaryOperator::LtEq => ("<=", ">"),
        BinaryOperator::Gt => (">", "<="),
        BinaryOperator::GtEq => (">=", "<"),
        _ => return None,
    };
    Some(if is_wanted { so } else { not_so })
}

fn compared(left: &Expr, operator: &str, right: &Expr) -> String {
    format!(
        "CASE WHEN ({left} {operator} {right}) THEN 0.0 \
         ELSE wallace_distance('{operator}', {left}, {right}) END"
    )
}

/// The least distance of a row of a sub-query, to be equal to something where that is asked.
fn in_query(query: &Query, equal: Option<&Expr>) -> Option<String> {
    let SetExpr::Select(select) = &*query.body else { return None };
    let Select { from, selection, projection, .. } = &**select;
    if query.with.is_some() || from.is_empty() {
        return None;
    }
    let source = Source::of(from, selection.as_ref());
    let mut parts: Vec<String> =
        source.conditions.iter().map(|part| distance(part, true)).collect();
    if let Some(equal) = equal {
        let [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] =
            &projection[..]
        else {
            return None;
        };
        parts.push(compared(equal, "=", value));
    }
    let (rows, distance) = (&source.rows, mean(parts));
    Some(format!(
        "coalesce((SELECT min(inner_distance) FROM \
         (SELECT {distance} AS inner_distance FROM {rows} LIMIT {MOST_ROWS})), 1.0)"
    ))
}
