//! What the schema and the code ask of a column, besides its type.

use serde_json::Value;
use sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};
use wallace_sut_driver::database::SqlConstraint;

use super::condition::{constant, parse_expression};

/// The values that a column may hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Domain {
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    /// The only ones; empty where there are others.
    pub(super) values: Vec<Value>,
    pub(super) minimum_length: Option<u32>,
    pub(super) maximum_length: Option<u32>,
    /// Pattern of the texts.
    pub(super) pattern: Option<String>,
    pub(super) is_email: bool,
}

impl Domain {
    fn at_least(&mut self, minimum: f64) {
        self.minimum = Some(self.minimum.map_or(minimum, |known| known.max(minimum)));
    }

    fn at_most(&mut self, maximum: f64) {
        self.maximum = Some(self.maximum.map_or(maximum, |known| known.min(maximum)));
    }

    /// Takes in what annotations in the code say.
    pub(super) fn add(&mut self, asked: &SqlConstraint) {
        let length = |size: i64| u32::try_from(size).ok();
        asked.minimum.into_iter().for_each(|minimum| self.at_least(minimum as f64));
        asked.maximum.into_iter().for_each(|maximum| self.at_most(maximum as f64));
        self.minimum_length = asked.minimum_size.and_then(length).or(self.minimum_length);
        self.maximum_length = asked.maximum_size.and_then(length).or(self.maximum_length);
        if asked.is_not_blank {
            self.minimum_length = Some(self.minimum_length.unwrap_or(1).max(1));
        }
        self.values.extend(asked.values.iter().map(|value| Value::String(value.clone())));
        self.pattern = asked.pattern.clone().or(self.pattern.take());
        self.is_email |= asked.is_email;
    }
}

/// Gives the domain of the column of a name to a change of it.
pub(super) type Find<'a> = dyn FnMut(&str, &mut dyn FnMut(&mut Domain)) + 'a;

/// Takes in the condition that all rows of a table meet; `find` gives the domain of a column. What
/// concerns several columns is left out.
pub(super) fn add_check(check: &str, find: &mut Find<'_>) {
    if let Some(expression) = parse_expression(check) {
        add(&expression, find);
    }
}

fn add(check: &Expr, find: &mut Find<'_>) {
    match check {
        Expr::Nested(inner) => add(inner, find),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            add(left, find);
            add(right, find);
        }
        // Where null is allowed, the other side says what else is.
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => match (&**left, &**right) {
            (Expr::IsNull(_), other) | (other, Expr::IsNull(_)) => add(other, find),
            _ => add_alternatives(check, find),
        },
        Expr::BinaryOp { left, op, right } => {
            if let Some(value) = constant(right) {
                compare(left, op, &value, find);
            } else if let Some(value) = constant(left)
                && let Some(op) = flipped(op)
            {
                compare(right, &op, &value, find);
            }
        }
        Expr::Between { expr, negated: false, low, high } => {
            for (op, bound) in [(BinaryOperator::GtEq, low), (BinaryOperator::LtEq, high)] {
                if let Some(value) = constant(bound) {
                    compare(expr, &op, &value, find);
                }
            }
        }
        Expr::InList { expr, list, negated: false } => {
            let values: Vec<Value> = list.iter().filter_map(constant).collect();
            only(expr, &values, find);
        }
        Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
            let values: Vec<Value> = elements(right).iter().filter_map(constant).collect();
            only(left, &values, find);
        }
        _ => {}
    }
}

/// `a = 'x' OR a = 'y'` is a list of values.
fn add_alternatives(check: &Expr, find: &mut Find<'_>) {
    fn collect<'a>(expression: &'a Expr, parts: &mut Vec<(&'a Expr, Value)>) -> bool {
        match expression {
            Expr::Nested(inner) => collect(inner, parts),
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                collect(left, parts) && collect(right, parts)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                constant(right).is_some_and(|value| {
                    parts.push((left, value));
                    true
                })
            }
            _ => false,
        }
    }
    let mut parts = Vec::new();
    if collect(check, &mut parts)
        && let Some((first, _)) = parts.first()
        && parts.iter().all(|(other, _)| other == first)
    {
        let values: Vec<Value> = parts.iter().map(|(_, value)| value.clone()).collect();
        only(first, &values, find);
    }
}

/// The elements of `ARRAY['a', 'b']`, cast to some type or not.
fn elements(list: &Expr) -> &[Expr] {
    match list {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => elements(inner),
        Expr::Array(array) => &array.elem,
        _ => &[],
    }
}

fn only(column: &Expr, values: &[Value], find: &mut Find<'_>) {
    if let Some(name) = name(column) {
        find(&name, &mut |domain| domain.values = values.to_vec());
    }
}

fn compare(left: &Expr, op: &BinaryOperator, value: &Value, find: &mut Find<'_>) {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        _ => None,
    };
    if let Some(name) = name(left) {
        find(&name, &mut |domain| match (op, number) {
            (BinaryOperator::GtEq, Some(number)) => domain.at_least(number),
            (BinaryOperator::Gt, Some(number)) => domain.at_least(number + 1.0),
            (BinaryOperator::LtEq, Some(number)) => domain.at_most(number),
            (BinaryOperator::Lt, Some(number)) => domain.at_most(number - 1.0),
            (BinaryOperator::Eq, _) => domain.values = vec![value.clone()],
            (BinaryOperator::NotEq, None) if value == "" => domain.minimum_length = Some(1),
            _ => {}
        });
    } else if let Some(name) = length_of(left)
        && let Some(length) = number
    {
        let length = length.clamp(0.0, 10_000.0) as u32;
        find(&name, &mut |domain| {
            let (low, high) = match op {
                BinaryOperator::GtEq => (Some(length), None),
                BinaryOperator::Gt => (Some(length + 1), None),
                BinaryOperator::LtEq => (None, Some(length)),
                BinaryOperator::Lt => (None, Some(length.saturating_sub(1))),
                BinaryOperator::Eq => (Some(length), Some(length)),
                _ => (None, None),
            };
            domain.minimum_length = low.or(domain.minimum_length);
            domain.maximum_length = high.or(domain.maximum_length);
        });
    }
}

pub(super) fn flipped(op: &BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::Lt => BinaryOperator::Gt,
        BinaryOperator::LtEq => BinaryOperator::GtEq,
        BinaryOperator::Gt => BinaryOperator::Lt,
        BinaryOperator::GtEq => BinaryOperator::LtEq,
        BinaryOperator::Eq | BinaryOperator::NotEq => op.clone(),
        _ => return None,
    })
}

/// The name of a column that stands alone, or is cast.
fn name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => name(inner),
        Expr::Identifier(name) => Some(name.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()),
        _ => None,
    }
}

/// The column whose length is asked for.
fn length_of(expression: &Expr) -> Option<String> {
    let Expr::Function(function) = expression else { return None };
    let called = function.name.to_string().to_ascii_lowercase();
    if !matches!(called.as_str(), "length" | "char_length" | "character_length" | "len") {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    match &list.args[..] {
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner))] => name(inner),
        _ => None,
    }
}
