//! Truthness: how true and how false a condition was.
//!
//! Formulas and constants are those of the EvoMaster family (classes `TruthnessUtils` and
//! `DistanceHelper` of its instrumentation), so that scores of Rust and JVM systems compare.

use crate::observation::Number;

/// Score of a side whose predicate met an absent value, or an empty one.
pub(crate) const ABSENT: f64 = 0.05;
/// Lowest score of a side whose predicate met a value.
pub(crate) const BASE: f64 = 0.1;
/// Score of the missed side of a plain truth value: the distance is 1.
pub(crate) const FLAG: f64 = 0.5;
/// Distance between two texts per character that one of them has too many.
pub(crate) const CHARACTER: f64 = 65_536.0;

/// Scores of the two sides of one evaluated condition, each in `(0, 1]`; one of them is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truthness {
    /// Score of the side that is reached when the condition is true.
    pub when_true: f64,
    /// Score of the side that is reached when the condition is false.
    pub when_false: f64,
}

impl Truthness {
    /// The side of `outcome` is covered, the other has the score `opposite`.
    ///
    /// `opposite` is kept strictly between 0 and 1: a condition that was evaluated is nearer to
    /// both its sides than one that was not, and rounding must not cover what was not reached.
    #[inline]
    pub(crate) fn new(outcome: bool, opposite: f64) -> Self {
        let opposite = opposite.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON);
        let (when_true, when_false) = if outcome { (1.0, opposite) } else { (opposite, 1.0) };
        Self { when_true, when_false }
    }
}

/// `1 / (1 + distance)`: 1 at distance 0, falling without end.
#[inline]
pub(crate) fn closeness(distance: f64) -> f64 {
    1.0 / (1.0 + distance)
}

/// As [`closeness`], from 1 down to `base`.
pub(crate) fn closeness_above(base: f64, distance: f64) -> f64 {
    base + (1.0 - base) * closeness(distance)
}

/// Score of the missed side of `<`, `<=`, `>` or `>=` on values `distance` apart.
///
/// The 1.1 keeps it below 1 at distance 0, where one step is still missing.
#[inline]
pub(crate) fn order_closeness(distance: f64) -> f64 {
    1.0 / (1.1 + distance)
}

/// Absolute difference; `f64::MAX` when it overflows or an operand is not finite.
#[inline]
pub(crate) fn difference(left: Number, right: Number) -> f64 {
    let difference = match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => magnitude(left.abs_diff(right)),
        (left, right) => (float(left) - float(right)).abs(),
    };
    if difference.is_finite() { difference } else { f64::MAX }
}

#[inline]
#[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
fn magnitude(difference: u128) -> f64 {
    // Conversion of signed 64 bits is one instruction, and nearly all differences are small.
    i64::try_from(difference).map_or_else(|_| large_magnitude(difference), |small| small as f64)
}

/// The conversion from 128 bits is a library call. Where it is not out of sight, the compiler makes one
/// of both conversions, and that is this one.
#[cold]
#[inline(never)]
#[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
fn large_magnitude(difference: u128) -> f64 {
    difference as f64
}

#[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
fn float(number: Number) -> f64 {
    match number {
        Number::Integer(integer) => integer as f64,
        Number::Float(float) => float,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missed_side_is_strictly_between_zero_and_one() {
        for opposite in [0.0, 1.0, -3.0, 7.0, closeness(f64::MAX), closeness(1e-30)] {
            let scores = Truthness::new(false, opposite);
            assert!(scores.when_true > 0.0 && scores.when_true < 1.0, "{scores:?}");
            assert_eq!(Truthness::new(true, opposite).when_false, scores.when_true);
        }
    }

    #[test]
    fn differences_are_finite() {
        let integer = Number::Integer;
        assert_eq!(difference(integer(-3), integer(4)), 7.0);
        assert_eq!(difference(integer(i128::MIN), integer(i128::MAX)), 2f64.powi(128));
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(difference(Number::Float(odd), integer(1)), f64::MAX);
        }
        assert_eq!(difference(Number::Float(f64::MAX), Number::Float(f64::MIN)), f64::MAX);
    }
}
