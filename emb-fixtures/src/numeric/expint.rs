//! Exponential integral `E_n(x)`, the integral of `exp(-xt) / t^n` over `t >= 1`.
//!
//! Abramowitz & Stegun: the continued fraction 5.1.22 in its faster even form, evaluated by the
//! modified method of Lentz, for `x > 1`; the series 5.1.12 otherwise.

use libm::{exp, log};
use wallace_instrument::white_box;

use crate::error::OperationError;

const MAXIMUM_STEPS: i32 = 100;
const PRECISION: f64 = 1e-12;
/// Euler's constant.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;
/// Stands for the infinite start value of Lentz's method.
const NEARLY_INFINITE: f64 = 1e300;

/// E of order `n` at `x`.
///
/// # Errors
/// When `n` or `x` is negative, when the integral diverges (`x = 0` with `n` 0 or 1), and when
/// 100 steps do not settle.
#[white_box]
pub(super) fn expint(n: i32, x: f64) -> Result<f64, OperationError> {
    if n < 0 || x < 0.0 || (x == 0.0 && (n == 0 || n == 1)) {
        return Err(OperationError::OutsideDomain(
            "n and x must not be negative, and x must not be 0 for n = 0 and n = 1",
        ));
    }
    if n == 0 {
        return Ok(exp(-x) / x);
    }
    let order_below = f64::from(n) - 1.0;
    if x == 0.0 {
        return Ok(1.0 / order_below);
    }
    if x > 1.0 { continued_fraction(order_below, x) } else { series(n, x) }
}

/// For `x > 1`.
#[white_box]
fn continued_fraction(order_below: f64, x: f64) -> Result<f64, OperationError> {
    let mut b = x + order_below + 1.0;
    let mut c = NEARLY_INFINITE;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..=MAXIMUM_STEPS {
        let step = f64::from(step);
        let a = -step * (order_below + step);
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < PRECISION {
            return Ok(fraction * exp(-x));
        }
    }
    Err(OperationError::NotConverged(MAXIMUM_STEPS))
}

/// For `0 < x <= 1`.
#[white_box]
fn series(n: i32, x: f64) -> Result<f64, OperationError> {
    let mut sum = if n == 1 { -log(x) - EULER_GAMMA } else { 1.0 / (f64::from(n) - 1.0) };
    let mut power = 1.0;
    for step in 1..=MAXIMUM_STEPS {
        power *= -x / f64::from(step);
        let term = if step == n - 1 {
            power * (digamma(n) - log(x))
        } else {
            -power / (f64::from(step) - f64::from(n) + 1.0)
        };
        sum += term;
        if term.abs() < sum.abs() * PRECISION {
            return Ok(sum);
        }
    }
    Err(OperationError::NotConverged(MAXIMUM_STEPS))
}

/// Digamma of a positive integer: a partial sum of the harmonic series (6.3.2).
fn digamma(n: i32) -> f64 {
    (1..n).map(|k| 1.0 / f64::from(k)).sum::<f64>() - EULER_GAMMA
}

#[cfg(test)]
mod tests {
    use super::expint;

    /// Values of `scipy.special.expn`, which agree with Abramowitz & Stegun, tables 5.1 and 5.4.
    #[test]
    fn agrees_with_the_tables() {
        for (n, x, expected) in [
            (0, 1.0, 0.36787944117144233),
            (0, 0.5, 1.2130613194252668),
            (1, 0.5, 0.5597735947761608),
            (1, 1.0, 0.2193839343955205),
            (1, 2.0, 0.048900510708061146),
            (2, 0.0, 1.0),
            (2, 0.5, 0.3266438623245532),
            (2, 1.0, 0.14849550677592194),
            (2, 2.0, 0.03753426182049047),
            (3, 0.0, 0.5),
            (3, 0.3, 0.30004182656401435),
            (3, 2.0, 0.03013337979781591),
            (4, 1.0, 0.08606249132456073),
            (10, 1.0, 0.03639399403141639),
            (10, 5.0, 0.0004691048076578119),
            (20, 0.01, 0.05207895417933515),
            (1, 10.0, 4.156968929685325e-06),
            (5, 0.9, 0.07963464149755389),
        ] {
            let actual = expint(n, x).unwrap();
            let error = (actual / expected - 1.0).abs();
            assert!(error < 1e-10, "E{n}({x}) = {actual}, not {expected}");
        }
    }

    #[test]
    fn outside_the_domain() {
        for (n, x) in [(-1, 1.0), (1, -0.1), (0, 0.0), (1, 0.0), (i32::MIN, 1.0)] {
            assert!(expint(n, x).is_err(), "E{n}({x})");
        }
    }

    #[test]
    fn extreme_arguments_give_an_answer() {
        for n in [0, 1, 2, 100, 101, 102, i32::MAX] {
            for x in [1e-300, 1e-9, 0.5, 1.0, 1.000001, 700.0, 1e300, f64::MAX] {
                let answer = expint(n, x);
                assert!(answer.is_ok_and(|value| value >= 0.0), "E{n}({x})");
            }
        }
    }
}
