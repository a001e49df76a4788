//! From the condition of a statement to what rows must hold for it to be true.
//!
//! One way of many is read off: of alternatives one is drawn, of an inequality the value next to
//! the bound is taken. What cannot be read asks for nothing.

use serde_json::Value;
use sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments};
use sqlparser::ast::{UnaryOperator, Value as SqlValue};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use wallace_genes::Rng;

use super::constraint::flipped;
use super::statement::{Source, projection};
use super::table::SqlTables;

/// Table of the statement and column.
pub(super) type Place = (usize, usize);

/// What must hold of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Demand {
    /// The column has this value; null is one.
    Is(Place, Value),
    /// The column has another value than these, and is not null.
    Not(Place, Vec<Value>),
    /// Two columns have the same value.
    Same(Place, Place),
}

/// Reads an expression that stands alone.
pub(super) fn parse_expression(text: &str) -> Option<Expr> {
    Parser::new(&GenericDialect {}).try_with_sql(text).ok()?.parse_expr().ok()
}

/// What a statement asks of rows; tables of its sub-queries are added to those of the source.
pub(super) fn demands(source: &mut Source<'_>, known: &SqlTables, rng: &mut Rng) -> Vec<Demand> {
    let mut demands = Vec::new();
    let mut next = 0;
    // Sub-queries add conditions while others are read.
    while let Some(condition) = source.conditions.get(next).copied() {
        next += 1;
        Reader { source, known, rng, demands: &mut demands }.read(condition, true);
        if next > 100 {
            break;
        }
    }
    demands
}

struct Reader<'a, 'b> {
    source: &'a mut Source<'b>,
    known: &'a SqlTables,
    rng: &'a mut Rng,
    demands: &'a mut Vec<Demand>,
}

impl<'b> Reader<'_, 'b> {
    fn read(&mut self, condition: &'b Expr, is_wanted: bool) {
        match condition {
            Expr::Nested(inner) => self.read(inner, is_wanted),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => self.read(expr, !is_wanted),
            Expr::BinaryOp { left, op: op @ (BinaryOperator::And | BinaryOperator::Or), right } => {
                if (*op == BinaryOperator::And) == is_wanted {
                    self.read(left, is_wanted);
                    self.read(right, is_wanted);
                } else {
                    let side = if self.rng.chance(0.5) { left } else { right };
                    self.read(side, is_wanted);
                }
            }
            Expr::BinaryOp { left, op, right } => self.compare(left, op, right, is_wanted),
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                let is_null = matches!(condition, Expr::IsNull(_)) == is_wanted;
                let Some(place) = self.place(inner) else { return };
                self.demands.push(if is_null {
                    Demand::Is(place, Value::Null)
                } else {
                    Demand::Not(place, Vec::new())
                });
            }
            Expr::IsTrue(inner) | Expr::IsNotFalse(inner) => self.read(inner, is_wanted),
            Expr::IsFalse(inner) | Expr::IsNotTrue(inner) => self.read(inner, !is_wanted),
            Expr::Between { expr, negated, low, high } => {
                let (bound, op) = if is_wanted != *negated {
                    (low, BinaryOperator::GtEq)
                } else if self.rng.chance(0.5) {
                    (low, BinaryOperator::Lt)
                } else {
                    (high, BinaryOperator::Gt)
                };
                self.compare(expr, &op, bound, true);
            }
            Expr::InList { expr, list, negated } => {
                let Some(place) = self.place(expr) else { return };
                let values: Vec<Value> = list.iter().filter_map(constant).collect();
                if is_wanted == *negated {
                    self.demands.push(Demand::Not(place, values));
                } else if let Some(value) = self.rng.pick(&values) {
                    self.demands.push(Demand::Is(place, value.clone()));
                }
            }
            Expr::InSubquery { expr, subquery, negated } if is_wanted != *negated => {
                self.source.add_query(subquery, self.known);
                let own = self.place(expr);
                let other = projection(subquery).and_then(|value| self.place(value));
                if let (Some(own), Some(other)) = (own, other) {
                    self.demands.push(Demand::Same(own, other));
                }
            }
            Expr::Exists { subquery, negated } if is_wanted != *negated => {
                self.source.add_query(subquery, self.known);
            }
            Expr::Like { negated, expr, pattern, escape_char, .. }
            | Expr::ILike { negated, expr, pattern, escape_char, .. }
                if is_wanted != *negated =>
            {
                let escape = escape_char.as_ref().and_then(|escape| match escape {
                    SqlValue::SingleQuotedString(text) => text.chars().next(),
                    _ => None,
                });
                if let (Some(place), Some(Value::String(pattern))) =
                    (self.place(expr), constant(pattern))
                {
                    self.demands.push(Demand::Is(place, Value::String(matching(&pattern, escape))));
                }
            }
            // A truth value by itself.
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                if let Some(place) = self.place(condition) {
                    self.demands.push(Demand::Is(place, Value::Bool(is_wanted)));
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr, is_wanted: bool) {
        let op = if is_wanted { Some(op.clone()) } else { negated(op) };
        let Some(op) = op else { return };
        if let (Some(one), Some(other)) = (self.place(left), self.place(right)) {
            if op == BinaryOperator::Eq && one != other {
                self.demands.push(Demand::Same(one, other));
            }
            return;
        }
        if let (Some((place, case)), Some(value)) = (self.cased(left), constant(right)) {
            self.against(place, &op, &case.applied(value));
        } else if let (Some(value), Some((place, case))) = (constant(left), self.cased(right))
            && let Some(op) = flipped(&op)
        {
            self.against(place, &op, &case.applied(value));
        }
    }

    fn against(&mut self, place: Place, op: &BinaryOperator, value: &Value) {
        self.demands.push(match op {
            BinaryOperator::Eq | BinaryOperator::GtEq | BinaryOperator::LtEq => {
                Demand::Is(place, value.clone())
            }
            BinaryOperator::NotEq => Demand::Not(place, vec![value.clone()]),
            BinaryOperator::Gt => Demand::Is(place, beside(value, true)),
            BinaryOperator::Lt => Demand::Is(place, beside(value, false)),
            _ => return,
        });
    }

    fn place(&self, expression: &Expr) -> Option<Place> {
        self.source.column(expression, self.known)
    }

    /// A column, or one in lower or upper case.
    fn cased(&self, expression: &Expr) -> Option<(Place, Case)> {
        if let Some(place) = self.place(expression) {
            return Some((place, Case::AsItIs));
        }
        let Expr::Function(function) = expression else { return None };
        let FunctionArguments::List(list) = &function.args else { return None };
        let [FunctionArg::Unnamed(FunctionArgExpr::Expr(inner)), ..] = &list.args[..] else {
            return None;
        };
        match function.name.to_string().to_ascii_lowercase().as_str() {
            "lower" | "lcase" | "trim" | "coalesce" | "ifnull" | "nvl" | "date" | "upper"
            | "ucase" => Some((self.place(inner)?, Case::AsItIs)),
            "length" | "char_length" => Some((self.place(inner)?, Case::Length)),
            _ => None,
        }
    }
}

/// What a comparison does with a column before it compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// Nothing, or what leaves the constant as it is.
    AsItIs,
    /// It counts the characters.
    Length,
}

impl Case {
    fn applied(self, value: Value) -> Value {
        match (self, value.as_u64()) {
            (Self::Length, Some(length)) => {
                Value::String("a".repeat(usize::try_from(length.min(255)).unwrap_or(0)))
            }
            _ => value,
        }
    }
}

fn negated(op: &BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::Eq => BinaryOperator::NotEq,
        BinaryOperator::NotEq => BinaryOperator::Eq,
        BinaryOperator::Lt => BinaryOperator::GtEq,
        BinaryOperator::LtEq => BinaryOperator::Gt,
        BinaryOperator::Gt => BinaryOperator::LtEq,
        BinaryOperator::GtEq => BinaryOperator::Lt,
        _ => return None,
    })
}

/// The value of an expression without columns.
pub(super) fn constant(expression: &Expr) -> Option<Value> {
    match expression {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => constant(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match constant(expr)? {
            Value::Number(number) => serde_json::from_str(&format!("-{number}")).ok(),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => constant(expr),
        Expr::TypedString(typed) => scalar(&typed.value.value),
        Expr::Value(value) => scalar(&value.value),
        _ => None,
    }
}

fn scalar(value: &SqlValue) -> Option<Value> {
    Some(match value {
        SqlValue::Number(number, _) => serde_json::from_str(number).ok()?,
        SqlValue::SingleQuotedString(text)
        | SqlValue::DoubleQuotedString(text)
        | SqlValue::NationalStringLiteral(text)
        | SqlValue::EscapedStringLiteral(text) => Value::String(text.clone()),
        SqlValue::Boolean(is_true) => Value::Bool(*is_true),
        SqlValue::Null => Value::Null,
        _ => return None,
    })
}

/// A value just above or below: of numbers, of texts, of days.
fn beside(value: &Value, is_above: bool) -> Value {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) if is_above => Value::from(number.saturating_add(1)),
            Some(number) => Value::from(number.saturating_sub(1)),
            None => {
                let step = if is_above { 1.0 } else { -1.0 };
                Value::from(number.as_f64().unwrap_or(0.0) + step)
            }
        },
        Value::String(text) => Value::String(beside_text(text, is_above)),
        other => other.clone(),
    }
}

fn beside_text(text: &str, is_above: bool) -> String {
    let year = text.get(..4).filter(|_| text.as_bytes().get(4) == Some(&b'-'));
    if let Some(year) = year.and_then(|year| year.parse::<u32>().ok()) {
        let other = if is_above { year + 1 } else { year.saturating_sub(1) };
        return format!("{other:04}{}", &text[4..]);
    }
    if is_above {
        return format!("{text}a");
    }
    let mut shorter = text.to_owned();
    shorter.pop();
    shorter
}

/// A text that a pattern of `LIKE` matches.
fn matching(pattern: &str, escape: Option<char>) -> String {
    let mut text = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            _ if Some(character) == escape => text.extend(characters.next()),
            '\\' if escape.is_none() => text.extend(characters.next()),
            '%' => {}
            '_' => text.push('a'),
            other => text.push(other),
        }
    }
    text
}
