//! Scores of `==`, `!=`, `<`, `<=`, `>` and `>=`.

use crate::observation::{Number, Observation};
use crate::text;
use crate::truthness::{
    ABSENT, BASE, FLAG, Truthness, closeness, closeness_above, difference, order_closeness,
};

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`, `<=`, `>` or `>=`: the distance to the other side is the same for all four.
    Order,
}

/// Scores of a comparison that gave `outcome`.
///
/// Differs from the family in one point: where `a == b` holds for numbers, the family gives the
/// other side 0 as if it had not been reached; here it gets the score of distance 1, the
/// nearest value that is not equal.
#[must_use]
pub fn comparison(
    operator: Operator,
    outcome: bool,
    left: Observation<'_>,
    right: Observation<'_>,
) -> Truthness {
    let opposite = match operator {
        Operator::Equal => equality(outcome, left, right),
        Operator::NotEqual => equality(!outcome, left, right),
        Operator::Order => order(left, right),
    };
    Truthness::new(outcome, opposite)
}

/// The same of two numbers. Written into the code that compares, where their types are known:
/// most comparisons in loops are of numbers.
#[inline]
pub(crate) fn comparison_of_numbers(
    operator: Operator,
    outcome: bool,
    left: Number,
    right: Number,
) -> Truthness {
    let opposite = match operator {
        Operator::Equal => equality_of_numbers(outcome, left, right),
        Operator::NotEqual => equality_of_numbers(!outcome, left, right),
        Operator::Order => order_of_numbers(left, right),
    };
    Truthness::new(outcome, opposite)
}

/// Score of the side that was missed by a test for equality.
fn equality(is_equal: bool, left: Observation<'_>, right: Observation<'_>) -> f64 {
    match (left, right) {
        (Observation::Boolean(_), Observation::Boolean(_)) => FLAG,
        (Observation::Text(left), Observation::Text(right)) if !is_equal => {
            text::equality(left, right)
        }
        (Observation::Length(left), Observation::Length(right)) if !is_equal => {
            closeness_above(BASE, text::count(left.abs_diff(right)))
        }
        (Observation::Absent, _) | (_, Observation::Absent) if !is_equal => ABSENT,
        (left, right) => match (left.number(), right.number()) {
            (Some(left), Some(right)) => equality_of_numbers(is_equal, left, right),
            _ => BASE,
        },
    }
}

#[inline]
fn equality_of_numbers(is_equal: bool, left: Number, right: Number) -> f64 {
    closeness(if is_equal { 1.0 } else { difference(left, right) })
}

/// Score of the side that was missed by a test for order.
fn order(left: Observation<'_>, right: Observation<'_>) -> f64 {
    match (left, right) {
        (Observation::Boolean(left), Observation::Boolean(right)) => {
            order_closeness(f64::from(u8::from(left != right)))
        }
        (Observation::Text(left), Observation::Text(right)) => {
            order_closeness(text::order(left, right))
        }
        (Observation::Length(left), Observation::Length(right)) => {
            order_closeness(text::count(left.abs_diff(right)))
        }
        (Observation::Absent, _) | (_, Observation::Absent) => ABSENT,
        (left, right) => match (left.number(), right.number()) {
            (Some(left), Some(right)) => order_of_numbers(left, right),
            _ => BASE,
        },
    }
}

#[inline]
fn order_of_numbers(left: Number, right: Number) -> f64 {
    order_closeness(difference(left, right))
}
