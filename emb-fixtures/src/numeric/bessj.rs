//! Bessel function of the first kind, of integer order.
//!
//! Above the turning point (`|x| > n`) the recurrence
//! `J(j+1) = (2j/x) J(j) - J(j-1)` (Abramowitz & Stegun 9.1.27) is stable upwards from J0 and J1.
//! Below, it is run downwards from an arbitrary start (Miller's method) and the result is
//! normalised by `1 = J0 + 2 J2 + 2 J4 + ...` (9.1.46).
//!
//! J0 and J1 are rational in `(x/8)^2` up to 8; beyond, they follow the modulus and phase form
//! 9.2.5 with polynomials in `(8/x)^2`. The coefficients interpolate the functions at Chebyshev
//! nodes in 40 digits; the error is below 1e-9.

use libm::{cos, sin, sqrt};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_4};
use wallace_instrument::white_box;

use crate::error::OperationError;

/// Values beyond this are scaled back by it while the recurrence runs downwards.
const HUGE: f64 = 1e10;

/// How far above `n` the downward recurrence starts: `sqrt(40 n)` gives about ten digits.
const ACCURACY: f64 = 40.0;

/// J of order `n` at `x`.
///
/// # Errors
/// When `n` is 2 or less, or above 1,000.
#[white_box]
pub(super) fn bessj(n: i32, x: f64) -> Result<f64, OperationError> {
    if n <= 2 || n > 1000 {
        return Err(OperationError::OutsideDomain("n must lie in 3..=1000"));
    }
    let magnitude = x.abs();
    let value = if magnitude == 0.0 {
        0.0
    } else if magnitude > f64::from(n) {
        upward(n, magnitude)
    } else {
        downward(n, magnitude)
    };
    if x < 0.0 && n % 2 == 1 {
        return Ok(-value);
    }
    Ok(value)
}

/// Recurrence from J0 and J1 up to order `n`, for `x > n`.
#[white_box]
fn upward(n: i32, x: f64) -> f64 {
    let mut lower = bessj0(x);
    let mut current = bessj1(x);
    for order in 1..n {
        let next = f64::from(order) * (2.0 / x) * current - lower;
        lower = current;
        current = next;
    }
    current
}

/// Recurrence from well above `n` down to order 0, for `0 < x <= n`.
#[white_box]
fn downward(n: i32, x: f64) -> f64 {
    let (mut upper, mut current) = (0.0, 1.0);
    let (mut answer, mut sum) = (0.0, 0.0);
    let mut order = first_order(n);
    while order > 0 {
        let next = f64::from(order) * (2.0 / x) * current - upper;
        upper = current;
        current = next;
        order -= 1;
        if current.abs() > HUGE {
            current /= HUGE;
            upper /= HUGE;
            answer /= HUGE;
            sum /= HUGE;
        }
        if order % 2 == 0 {
            sum += current;
        }
        if order == n {
            answer = current;
        }
    }
    // The sum holds J0 once and must hold it once; the even orders above count twice.
    answer / (2.0 * sum - current)
}

/// An even order, far enough above `n` that starting there with any value does not show.
fn first_order(n: i32) -> i32 {
    let distance = sqrt(ACCURACY * f64::from(n)) as i32;
    (n + distance) / 2 * 2 + 2
}

/// J0 for `x >= 0`.
#[white_box]
fn bessj0(x: f64) -> f64 {
    if x < 8.0 {
        let t = (x / 8.0) * (x / 8.0);
        polynomial(&J0_NUMERATOR, t) / polynomial(&J0_DENOMINATOR, t)
    } else {
        let t = (8.0 / x) * (8.0 / x);
        let phase = x - FRAC_PI_4;
        let cosine_part = polynomial(&J0_COSINE, t) * cos(phase);
        let sine_part = polynomial(&J0_SINE, t) * (8.0 / x) * sin(phase);
        sqrt(FRAC_2_PI / x) * (cosine_part - sine_part)
    }
}

/// J1 for `x >= 0`.
#[white_box]
fn bessj1(x: f64) -> f64 {
    if x < 8.0 {
        let t = (x / 8.0) * (x / 8.0);
        x * polynomial(&J1_NUMERATOR, t) / polynomial(&J1_DENOMINATOR, t)
    } else {
        let t = (8.0 / x) * (8.0 / x);
        let phase = x - 3.0 * FRAC_PI_4;
        let cosine_part = polynomial(&J1_COSINE, t) * cos(phase);
        let sine_part = polynomial(&J1_SINE, t) * (8.0 / x) * sin(phase);
        sqrt(FRAC_2_PI / x) * (cosine_part - sine_part)
    }
}

/// Value at `t` of the polynomial with these coefficients, lowest power first.
fn polynomial(coefficients: &[f64], t: f64) -> f64 {
    let add = |value: f64, coefficient: &f64| value * t + coefficient;
    coefficients.iter().rev().fold(0.0, add)
}

const J0_NUMERATOR: [f64; 7] = [
    1.000000000077,
    -15.08775162158,
    49.82207494251,
    -61.95768495017,
    34.76558059095,
    -9.001876996729,
    0.886163119574,
];
const J0_DENOMINATOR: [f64; 6] =
    [1.0, 0.9122484005881, 0.4180482809578, 0.1249881792873, 0.02591426372052, 0.003526066705085];
const J0_COSINE: [f64; 5] = [
    0.9999999999100634,
    -0.0010986282861408776,
    2.7343419181928774e-05,
    -2.070698896644348e-06,
    2.0806120967739855e-07,
];
const J0_SINE: [f64; 5] = [
    -0.015624999950707366,
    0.0001430486636397461,
    -6.910099555373948e-06,
    7.604491326643503e-07,
    -9.267006024649423e-08,
];
const J1_NUMERATOR: [f64; 6] = [
    0.5000000001924,
    -3.490086914909,
    6.851914993208,
    -5.369406835609,
    1.811001751539,
    -0.221783412711,
];
const J1_DENOMINATOR: [f64; 6] =
    [1.0, 1.019826263641, 0.5291029575134, 0.1822221285008, 0.04457098134181, 0.007804872249888];
const J1_COSINE: [f64; 5] = [
    1.0000000001006248,
    0.0018310496237924244,
    -3.516210551544574e-05,
    2.4545714164210036e-06,
    -2.388717932689374e-07,
];
const J1_SINE: [f64; 5] = [
    0.046874999945370456,
    -0.000200268854013008,
    8.44805041418008e-06,
    -8.804700113928449e-07,
    1.0488372650858712e-07,
];

#[cfg(test)]
mod tests {
    use super::{bessj, bessj0, bessj1};

    fn check(actual: f64, expected: f64, what: &str) {
        let difference = (actual - expected).abs();
        assert!(difference < 2e-9, "{what}: {actual} is not {expected}");
    }

    /// Values of `scipy.special.jv`, which agree with Abramowitz & Stegun, table 9.2.
    #[test]
    fn orders_from_three_up() {
        for (n, x, expected) in [
            (3, 0.5, 0.002563729994587244),
            (3, 1.0, 0.019563353982668414),
            (3, 2.5, 0.21660039103911358),
            (3, 5.0, 0.364831230613667),
            (3, 10.0, 0.05837937930518667),
            (4, 5.0, 0.3912323604586482),
            (5, 5.0, 0.26114054612017007),
            (5, 10.0, -0.2340615281867936),
            (6, 7.5, 0.3541405269123786),
            (6, 9.0, 0.2043165176797043),
            (7, 20.0, -0.18422139772059445),
            (10, 10.0, 0.2074861066333589),
            (10, 25.0, -0.07517984394852324),
            (50, 50.0, 0.12140902189761456),
            (100, 100.0, 0.09636667329586157),
            (100, 150.0, -0.015359526118404482),
            (1000, 1000.0, 0.044730672947964054),
            (3, -2.0, -0.12894324947440208),
            (4, -2.0, 0.03399571980756843),
            (3, -10.0, -0.05837937930518667),
        ] {
            let actual = bessj(n, x).unwrap();
            check(actual, expected, &format!("J{n}({x})"));
        }
    }

    #[test]
    fn small_values_keep_their_digits() {
        let actual = bessj(10, 1.0).unwrap();
        let expected = 2.630615123687454e-10;
        assert!((actual / expected - 1.0).abs() < 1e-9, "{actual}");
    }

    /// Abramowitz & Stegun, table 9.1, and `scipy.special.j0` and `j1` on both sides of 8.
    #[test]
    fn orders_zero_and_one() {
        for (x, j0, j1) in [
            (0.0, 1.0, 0.0),
            (1.0, 0.765197686557967, 0.440050585744934),
            (5.0, -0.177596771314338, -0.327579137591465),
            (7.9, 0.1943618448412782, 0.21917939992175126),
            (8.1, 0.14751745404437763, 0.24760776698159287),
            (10.0, -0.245935764451348, 0.043472746168861),
            (15.0, -0.014224472826781, 0.205104038613522),
        ] {
            check(bessj0(x), j0, &format!("J0({x})"));
            check(bessj1(x), j1, &format!("J1({x})"));
        }
    }

    #[test]
    fn order_outside_the_domain() {
        for n in [i32::MIN, -3, 0, 2, 1001, i32::MAX] {
            assert!(bessj(n, 1.0).is_err(), "order {n}");
        }
        assert_eq!(bessj(3, 0.0), Ok(0.0));
    }
}
