//! The numerical operations as callers see them, wrong where a behaviour switch says so.
//!
//! This code is not instrumented: with all switches off it only passes arguments and answers on.

use super::{bessj, expint, fisher, gammq, remainder, triangle};
use crate::error::OperationError;
use crate::switch::Switches;

type Answer<T> = Result<T, OperationError>;

/// The six operations of one instance, with its switches.
#[derive(Debug, Clone, Default)]
pub(crate) struct NumericOperations {
    switches: Switches,
}

impl NumericOperations {
    /// The operations, with these switches on.
    pub(crate) fn new(switches: &Switches) -> Self {
        Self { switches: switches.clone() }
    }

    /// The wrong answer of the first switch that is on, of those whose case this is.
    fn wrong<T: Copy>(&self, cases: &[(&str, bool, T)]) -> Option<T> {
        let mut cases = cases.iter().filter(|(_, is_case, _)| *is_case);
        cases.find(|(name, ..)| self.switches.is_on(name)).map(|(_, _, wrong)| *wrong)
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
        let class = triangle::classify(a, b, c);
        let [long_a, long_b, long_c] =
            [(a, b, c), (b, a, c), (c, a, b)].map(|(one, two, three)| {
                a.min(b).min(c) > 0 && i64::from(one) >= i64::from(two) + i64::from(three)
            });
        let wrong = self.wrong(&[
            ("triangle-first-side-unchecked", a <= 0, 1),
            ("triangle-second-side-unchecked", a > 0 && b <= 0, 1),
            ("triangle-third-side-unchecked", a > 0 && b > 0 && c <= 0, 1),
            ("triangle-long-first-accepted", long_a, 1),
            ("triangle-long-second-accepted", long_b, 1),
            ("triangle-long-third-accepted", long_c, 1),
            ("triangle-equilateral-as-isosceles", class == 3, 2),
            ("triangle-first-pair-dropped", class == 2 && a == b, 1),
            ("triangle-second-pair-dropped", class == 2 && b == c, 1),
            ("triangle-last-pair-dropped", class == 2 && a == c, 1),
            ("triangle-scalene-as-isosceles", class == 1, 2),
        ]);
        wrong.unwrap_or(class)
    }

    /// See [`remainder::remainder`].
    pub(crate) fn remainder(&self, a: i32, b: i32) -> Answer<i32> {
        let on = |name| self.switches.is_on(name);
        if on("remainder-limit-excluded") && (a == 10_000 || b == 10_000) {
            return Err(OperationError::OutsideDomain("a and b must lie below 10000"));
        }
        let is_large = |value: i32| value.unsigned_abs() > 10_000;
        let wrong = self.wrong(&[
            ("remainder-large-dividend-as-zero", is_large(a), 0),
            ("remainder-large-divisor-gives-dividend", !is_large(a) && is_large(b), a),
            ("remainder-zero-divisor-gives-zero", !is_large(a) && b == 0, 0),
            ("remainder-smaller-dividend-as-zero", a.unsigned_abs() < b.unsigned_abs(), 0),
        ]);
        if let Some(wrong) = wrong {
            return Ok(wrong);
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
        let wrong = self.wrong(&[
            ("bessj-small-order-gives-one", n < 2, 1.0),
            ("bessj-large-order-gives-zero", n > 1000, 0.0),
            ("bessj-zero-gives-one", (3..=1000).contains(&n) && x == 0.0, 1.0),
        ]);
        if let Some(wrong) = wrong {
            return Ok(wrong);
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
        let is_divergent = x == 0.0 && (n == 0 || n == 1);
        let wrong = self.wrong(&[
            ("expint-negative-argument-gives-zero", n >= 0 && x < 0.0, 0.0),
            ("expint-divergent-gives-zero", is_divergent, 0.0),
        ]);
        if let Some(wrong) = wrong {
            return Ok(wrong);
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
        if n > 0 && x > 0.0 && x <= 1.0 && on("expint-small-argument-scaled") {
            return Ok(value * libm::exp(-x));
        }
        if n == 1 && x > 0.0 && on("expint-order-one-as-two") {
            return expint::expint(2, x);
        }
        Ok(value)
    }

    /// See [`fisher::fisher`].
    pub(crate) fn fisher(&self, m: i32, n: i32, x: f64) -> Answer<f64> {
        let on = |name| self.switches.is_on(name);
        if on("fisher-limit-excluded") && (m == 1000 || n == 1000) {
            return Err(OperationError::OutsideDomain("m and n must lie below 1000"));
        }
        let wrong = self.wrong(&[
            ("fisher-large-first-degrees-as-one", m > 1000, 1.0),
            ("fisher-large-second-degrees-as-one", m <= 1000 && n > 1000, 1.0),
        ]);
        if let Some(wrong) = wrong {
            return Ok(wrong);
        }
        let (m, n) = if on("fisher-degrees-swapped") { (n, m) } else { (m, n) };
        let probability = fisher::fisher(m, n, x)?;
        if probability.is_nan() && on("fisher-undefined-as-zero") {
            return Ok(0.0);
        }
        if probability == 0.0 && on("fisher-impossible-as-half") {
            return Ok(0.5);
        }
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
        if on("gammq-negative-parameter-accepted") && a < 0.0 && x >= 0.0 {
            return Ok(0.0);
        }
        let (a, x) = if on("gammq-arguments-swapped") { (x, a) } else { (a, x) };
        let upper = match gammq::gammq(a, x) {
            Err(OperationError::NotConverged(_)) if on("gammq-unsettled-as-half") => {
                return Ok(0.5);
            }
            answer => answer?,
        };
        if x == 0.0 && on("gammq-zero-argument-as-zero") {
            return Ok(0.0);
        }
        if x >= a + 1.0 && on("gammq-fraction-complemented") {
            return Ok(1.0 - upper);
        }
        if on("gammq-series-not-complemented") && x < a + 1.0 {
            return Ok(1.0 - upper);
        }
        Ok(upper)
    }
}
