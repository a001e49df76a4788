//! Distribution function of Fisher's F.
//!
//! With `w = m x / n` and `y = w / (1 + w)` the probability is the regularised incomplete beta
//! function `I_y(m/2, n/2)` (Abramowitz & Stegun 26.6.2). Both parameters climb in whole steps
//! from 1/2 or 1, where closed forms exist, by the recurrences
//! `I(a, b+1) = I(a, b) + t/b` and `I(a+1, b) = I(a, b) - t/a` with `t = y^a (1-y)^b / B(a, b)`
//! (26.5.16).

use libm::{atan, sqrt};
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI};
use wallace_instrument::white_box;

use crate::error::OperationError;

/// Largest number of degrees of freedom.
const LIMIT: i32 = 1000;

/// Probability that an F variable with `m` and `n` degrees of freedom is at most `x`.
///
/// Degrees of freedom below 1 and a negative `x` are not refused; what they give means nothing.
///
/// # Errors
/// When `m` or `n` is above 1,000.
#[white_box]
pub(super) fn fisher(m: i32, n: i32, x: f64) -> Result<f64, OperationError> {
    if m > LIMIT || n > LIMIT {
        return Err(OperationError::OutsideDomain("m and n must not exceed 1000"));
    }
    let ratio = x * f64::from(m) / f64::from(n);
    let (mut probability, mut term) = start(m, n, ratio);
    let (y, z) = (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
    let (mut a, mut b) = (start_parameter(m), start_parameter(n));
    while b < f64::from(n) / 2.0 {
        probability += term / b;
        term *= z * (a + b) / b;
        b += 1.0;
    }
    while a < f64::from(m) / 2.0 {
        probability -= term / a;
        term *= y * (a + b) / a;
        a += 1.0;
    }
    Ok(clamp(probability))
}

/// Closed forms of `I_y` and of the term `t` where each parameter is 1/2 (odd) or 1 (even).
#[white_box]
fn start(m: i32, n: i32, ratio: f64) -> (f64, f64) {
    let (y, z) = (ratio / (1.0 + ratio), 1.0 / (1.0 + ratio));
    if m % 2 != 0 {
        if n % 2 != 0 {
            (FRAC_2_PI * atan(sqrt(ratio)), FRAC_1_PI * sqrt(y * z))
        } else {
            (sqrt(y), sqrt(y) * z / 2.0)
        }
    } else if n % 2 != 0 {
        (1.0 - sqrt(z), y * sqrt(z) / 2.0)
    } else {
        (y, y * z)
    }
}

/// Half of the smallest degrees of freedom with the parity of `degrees`.
#[white_box]
fn start_parameter(degrees: i32) -> f64 {
    if degrees % 2 == 0 { 1.0 } else { 0.5 }
}

/// A negative `x` leads outside of what a probability can be.
#[white_box]
fn clamp(probability: f64) -> f64 {
    if probability < 0.0 {
        return 0.0;
    }
    if probability > 1.0 {
        return 1.0;
    }
    probability
}

#[cfg(test)]
mod tests {
    use super::fisher;

    /// Values of `scipy.stats.f.cdf`; the 0.95 points are those of Abramowitz & Stegun, table 26.9.
    #[test]
    fn agrees_with_the_tables() {
        for (m, n, x, expected) in [
            (1, 1, 1.0, 0.5),
            (1, 1, 161.4, 0.9499926518604357),
            (1, 1, 0.3, 0.3190057200399771),
            (2, 2, 1.0, 0.5),
            (2, 2, 19.0, 0.95),
            (3, 5, 5.41, 0.9500092950699685),
            (4, 6, 2.5, 0.848388671875),
            (1, 10, 4.96, 0.9499123494335321),
            (10, 1, 241.9, 0.9500018835726505),
            (5, 1, 0.5, 0.2164372292696857),
            (5, 3, 2.2, 0.725596897301324),
            (6, 7, 1.3, 0.6338473834862894),
            (7, 6, 1.3, 0.6174784897095627),
            (1, 2, 3.0, 0.7745966692414834),
            (2, 1, 3.0, 0.6220355269907728),
            (120, 60, 1.2, 0.7821484244496805),
            (999, 1000, 1.05, 0.779655374045284),
            (1000, 999, 0.98, 0.3747565497679397),
        ] {
            let actual = fisher(m, n, x).unwrap();
            let difference = (actual - expected).abs();
            assert!(difference < 1e-10, "F({m}, {n}, {x}) = {actual}");
        }
    }

    #[test]
    fn too_many_degrees_of_freedom() {
        assert!(fisher(1001, 1, 1.0).is_err());
        assert!(fisher(1, 1001, 1.0).is_err());
        assert!(fisher(1000, 1000, 1.0).is_ok());
    }

    #[test]
    fn negative_values_are_clamped() {
        assert_eq!(fisher(2, 2, -0.5), Ok(0.0));
        assert_eq!(fisher(2, 2, -2.0), Ok(1.0));
    }

    #[test]
    fn senseless_degrees_end_too() {
        for m in [i32::MIN, -1, 0] {
            for n in [i32::MIN, -1, 0, 7] {
                assert!(fisher(m, n, 1.5).is_ok(), "{m} {n}");
            }
        }
    }
}
