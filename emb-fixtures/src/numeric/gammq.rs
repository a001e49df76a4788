//! Incomplete gamma function `Q(a, x)`, the upper tail, normalised.
//!
//! Abramowitz & Stegun: the series 6.5.29 below `x = a + 1`, the continued fraction 6.5.31 in
//! its even form by the modified method of Lentz above; both of them settle quickly on their
//! own side and slowly on the other.

use libm::{exp, log};
use std::f64::consts::TAU;
use wallace_instrument::white_box;

use crate::error::OperationError;

const MAXIMUM_STEPS: i32 = 100;
const PRECISION: f64 = 3e-13;
/// Stands for the infinite start value of Lentz's method.
const NEARLY_INFINITE: f64 = 1e300;

/// Q of parameter `a` at `x`.
///
/// # Errors
/// When `x` is negative or `a` is not positive, and when 100 steps do not settle (a large `a`
/// with `x` near it).
#[white_box]
pub(super) fn gammq(a: f64, x: f64) -> Result<f64, OperationError> {
    if x < 0.0 || a <= 0.0 {
        return Err(OperationError::OutsideDomain("x must not be negative and a must be positive"));
    }
    if x < a + 1.0 { Ok(1.0 - lower_by_series(a, x)?) } else { upper_by_fraction(a, x) }
}

/// The lower tail `P(a, x)`.
#[white_box]
fn lower_by_series(a: f64, x: f64) -> Result<f64, OperationError> {
    if x == 0.0 {
        return Ok(0.0);
    }
    let mut denominator = a;
    let mut term = 1.0 / a;
    let mut sum = term;
    for _ in 0..MAXIMUM_STEPS {
        denominator += 1.0;
        term *= x / denominator;
        sum += term;
        if term < sum * PRECISION {
            return Ok(sum * scale(a, x));
        }
    }
    Err(OperationError::NotConverged(MAXIMUM_STEPS))
}

/// The upper tail `Q(a, x)`.
#[white_box]
fn upper_by_fraction(a: f64, x: f64) -> Result<f64, OperationError> {
    let mut b = x + 1.0 - a;
    let mut c = NEARLY_INFINITE;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..=MAXIMUM_STEPS {
        let step = f64::from(step);
        let numerator = step * (a - step);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < PRECISION {
            return Ok(fraction * scale(a, x));
        }
    }
    Err(OperationError::NotConverged(MAXIMUM_STEPS))
}

/// The factor `x^a exp(-x) / gamma(a)` of both forms.
fn scale(a: f64, x: f64) -> f64 {
    exp(a * log(x) - x - log_gamma(a))
}

/// Logarithm of the gamma function for `a > 0`, by the approximation of Lanczos (1964) with the
/// coefficients that Godfrey computed for g = 7.
fn log_gamma(a: f64) -> f64 {
    let mut series = LANCZOS[0];
    let mut position = a;
    for coefficient in &LANCZOS[1..] {
        position += 1.0;
        series += coefficient / position;
    }
    let base = a + 7.5;
    (a + 0.5) * log(base) - base + log(TAU) / 2.0 + log(series) - log(a)
}

const LANCZOS: [f64; 9] = [
    0.999_999_999_999_809_9,
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

#[cfg(test)]
mod tests {
    use super::{gammq, log_gamma};

    /// Values of `scipy.special.gammaincc`.
    #[test]
    fn agrees_with_the_tables() {
        for (a, x, expected) in [
            (0.5, 0.25, 0.47950012218695337),
            (0.5, 1.0, 0.15729920705028105),
            (0.5, 4.0, 0.004677734981047276),
            (1.0, 1.0, 0.36787944117144245),
            (1.0, 3.0, 0.04978706836786395),
            (2.0, 1.0, 0.7357588823428847),
            (2.0, 5.0, 0.04042768199451279),
            (3.5, 2.0, 0.779777408475716),
            (3.5, 8.0, 0.02511636074685276),
            (10.0, 5.0, 0.9681719426937951),
            (10.0, 15.0, 0.06985366069940986),
            (0.1, 0.05, 0.22446136454896942),
            (0.1, 2.0, 0.005673823979811535),
            (50.0, 45.0, 0.7531979655998298),
            (50.0, 60.0, 0.08440668109369177),
            (1.0, 0.0, 1.0),
        ] {
            let actual = gammq(a, x).unwrap();
            let difference = (actual - expected).abs();
            assert!(difference < 1e-11, "Q({a}, {x}) = {actual}, not {expected}");
        }
    }

    /// Values of `scipy.special.gammaln`.
    #[test]
    fn logarithm_of_gamma() {
        for (a, expected) in [
            (0.1, 2.252712651734206),
            (0.5, 0.5723649429247),
            (1.0, 0.0),
            (1.5, -0.12078223763524526),
            (2.5, 0.2846828704729192),
            (10.0, 12.801827480081469),
            (100.5, 361.43554046777757),
        ] {
            let actual = log_gamma(a);
            assert!((actual - expected).abs() < 1e-11, "log gamma {a}: {actual}");
        }
    }

    #[test]
    fn outside_the_domain_or_too_slow() {
        for (a, x) in [(1.0, -0.5), (0.0, 1.0), (-2.0, 1.0), (1e6, 1e6), (1e6, 1e6 + 2.0)] {
            assert!(gammq(a, x).is_err(), "Q({a}, {x})");
        }
    }
}
