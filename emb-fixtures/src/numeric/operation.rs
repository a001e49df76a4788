//! The numerical operations as callers see them, wrong where a behaviour switch says so.
//!
//! This code is not instrumented: with all switches off it only passes arguments and answers on.

use super::{bessj, expint, fisher, gammq, remainder, triangle};
use crate::error::OperationError;
use crate::switch::{Switch, Switches};

type Answer<T> = Result<T, OperationError>;

/// The six operations of one instance, with its switches.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumericOperations {
    switches: Switches,
}

impl NumericOperations {
    /// The operations, with these switches on.
    pub(crate) fn new(switches: Switches) -> Self {
        Self { switches }
    }

    /// See [`triangle::classify`].
    pub(crate) fn triangle_classification(&self, a: i32, b: i32, c: i32) -> i32 {
        let on = |name| self.switches.is_on(name);
        if on("triangle-zero-side-accepted") && a == 0 && b > 0 && c > 0 {
            return 1;
        }
        if on("triangle-flat-accepted") && a > 0 && i64::from(a) + i64::from(b) == i64::from(c) {
            return 1;
        }
        match triangle::classify(a, b, c) {
            3 if on("triangle-equilateral-as-isosceles") => 2,
            2 if on("triangle-last-pair-dropped") && a != b && b != c => 1,
            class => class,
        }
    }

    /// See [`remainder::remainder`].
    pub(crate) fn remainder(&self, a: i32, b: i32) -> Answer<i32> {
        let on = |name| self.switches.is_on(name);
        if on("remainder-limit-excluded") && (a == 10_000 || b == 10_000) {
            return Err(OperationError::OutsideDomain("a and b must lie below 10000"));
        }
        if on("remainder-zero-divisor-gives-zero") && b == 0 {
            return Ok(0);
        }
        let (a, b) = if on("remainder-operands-swapped") { (b, a) } else { (a, b) };
        let rest = remainder::remainder(a, b)?;
        if on("remainder-sign-lost") && b != 0 {
            return Ok(rest.abs());
        }
        if on("remainder-multiple-gives-divisor") && rest == 0 {
            return Ok(b);
        }
        Ok(rest)
    }

    /// See [`bessj::bessj`].
    pub(crate) fn bessj(&self, n: i32, x: f64) -> Answer<f64> {
        let on = |name| self.switches.is_on(name);
        if on("bessj-order-two-accepted") && n == 2 {
            return Ok(0.0);
        }
        if on("bessj-limit-excluded") && n == 1000 {
            return Err(OperationError::OutsideDomain("n must lie below 1000"));
        }
        if on("bessj-zero-gives-one") && n > 2 && x == 0.0 {
            return Ok(1.0);
        }
        let x = if on("bessj-odd-sign-lost") { x.abs() } else { x };
        let is_shifted = on("bessj-order-off-by-one") && n > 2 && n < 1000;
        bessj::bessj(if is_shifted { n + 1 } else { n }, x)
    }

    /// See [`expint::expint`].
    pub(crate) fn expint(&self, n: i32, x: f64) -> Answer<f64> {
        let on = |name| self.switches.is_on(name);
        if on("expint-negative-order-accepted") && n < 0 {
            return Ok(0.0);
        }
        let value = expint::expint(n, x)?;
        if on("expint-order-zero-undivided") && n == 0 {
            return Ok(value * x);
        }
        if on("expint-zero-argument-off-by-one") && x == 0.0 {
            return Ok(1.0 / f64::from(n));
        }
        if on("expint-large-argument-unscaled") && x > 1.0 {
            return Ok(value * libm::exp(x));
        }
        Ok(value)
    }

    /// See [`fisher::fisher`].
    pub(crate) fn fisher(&self, m: i32, n: i32, x: f64) -> Answer<f64> {
        let on = |name| self.switches.is_on(name);
        if on("fisher-limit-excluded") && (m == 1000 || n == 1000) {
            return Err(OperationError::OutsideDomain("m and n must lie below 1000"));
        }
        let (m, n) = if on("fisher-degrees-swapped") { (n, m) } else { (m, n) };
        let probability = fisher::fisher(m, n, x)?;
        if on("fisher-complement") {
            return Ok(1.0 - probability);
        }
        if on("fisher-both-odd-halved") && m % 2 != 0 && n % 2 != 0 {
            return Ok(probability / 2.0);
        }
        Ok(probability)
    }

    /// See [`gammq::gammq`].
    pub(crate) fn gammq(&self, a: f64, x: f64) -> Answer<f64> {
        let on = |name| self.switches.is_on(name);
        if on("gammq-negative-argument-accepted") && x < 0.0 {
            return Ok(1.0);
        }
        if on("gammq-zero-parameter-accepted") && a == 0.0 {
            return Ok(0.0);
        }
        let (a, x) = if on("gammq-arguments-swapped") { (x, a) } else { (a, x) };
        let upper = gammq::gammq(a, x)?;
        if on("gammq-series-not-complemented") && x < a + 1.0 {
            return Ok(1.0 - upper);
        }
        Ok(upper)
    }
}

/// What can be made wrong in the numerical operations.
pub(crate) const SWITCHES: &[Switch] = &[
    Switch::new("triangle-zero-side-accepted", "a = 0 passes as a side of a scalene triangle"),
    Switch::new("triangle-flat-accepted", "a + b = c passes as a scalene triangle"),
    Switch::new("triangle-equilateral-as-isosceles", "three equal sides give 2"),
    Switch::new("triangle-last-pair-dropped", "a = c alone gives scalene"),
    Switch::new("remainder-limit-excluded", "10000 itself is refused"),
    Switch::new("remainder-zero-divisor-gives-zero", "b = 0 gives 0 in place of -1"),
    Switch::new("remainder-operands-swapped", "gives the remainder of b by a"),
    Switch::new("remainder-sign-lost", "negative remainders come out positive"),
    Switch::new("remainder-multiple-gives-divisor", "the last subtraction is left out"),
    Switch::new("bessj-order-two-accepted", "n = 2 gives 0 in place of an error"),
    Switch::new("bessj-limit-excluded", "n = 1000 is refused"),
    Switch::new("bessj-zero-gives-one", "x = 0 gives 1"),
    Switch::new("bessj-odd-sign-lost", "odd orders ignore the sign of x"),
    Switch::new("bessj-order-off-by-one", "gives order n + 1"),
    Switch::new("expint-negative-order-accepted", "n < 0 gives 0 in place of an error"),
    Switch::new("expint-order-zero-undivided", "n = 0 gives exp(-x), not divided by x"),
    Switch::new("expint-zero-argument-off-by-one", "x = 0 gives 1/n in place of 1/(n-1)"),
    Switch::new("expint-large-argument-unscaled", "x > 1 lacks the factor exp(-x)"),
    Switch::new("fisher-limit-excluded", "1000 degrees of freedom are refused"),
    Switch::new("fisher-degrees-swapped", "m and n change places"),
    Switch::new("fisher-complement", "gives the upper tail"),
    Switch::new("fisher-both-odd-halved", "odd m with odd n gives half the probability"),
    Switch::new("gammq-negative-argument-accepted", "x < 0 gives 1 in place of an error"),
    Switch::new("gammq-zero-parameter-accepted", "a = 0 gives 0 in place of an error"),
    Switch::new("gammq-arguments-swapped", "a and x change places"),
    Switch::new("gammq-series-not-complemented", "x < a + 1 gives the lower tail"),
];
