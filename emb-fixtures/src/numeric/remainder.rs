//! Remainder of a division, found without dividing.

use wallace_instrument::white_box;

use crate::error::OperationError;

/// Largest magnitude of either argument; it bounds the number of steps too.
const LIMIT: u32 = 10_000;

/// The remainder of `a / b`, with the sign of `a`; -1 when `b` is 0.
///
/// # Errors
/// When an argument is above 10,000 or below -10,000.
#[white_box]
pub(super) fn remainder(a: i32, b: i32) -> Result<i32, OperationError> {
    if a.unsigned_abs() > LIMIT || b.unsigned_abs() > LIMIT {
        return Err(OperationError::OutsideDomain("a and b must lie in -10000..=10000"));
    }
    if b == 0 {
        return Ok(-1);
    }
    let mut rest = a;
    if a >= 0 {
        if b > 0 {
            while rest >= b {
                rest -= b;
            }
        } else {
            while rest >= -b {
                rest += b;
            }
        }
    } else if b > 0 {
        while rest <= -b {
            rest += b;
        }
    } else {
        while rest <= b {
            rest -= b;
        }
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::remainder;

    #[test]
    fn agrees_with_the_operator() {
        for a in [-10_000, -9_999, -100, -17, -5, -1, 0, 1, 5, 17, 100, 10_000] {
            for b in [-10_000, -17, -6, -5, -1, 1, 3, 5, 6, 17, 10_000] {
                assert_eq!(remainder(a, b), Ok(a % b), "{a} % {b}");
            }
        }
    }

    #[test]
    fn zero_divisor_is_minus_one() {
        assert_eq!(remainder(7, 0), Ok(-1));
        assert_eq!(remainder(0, 0), Ok(-1));
    }

    #[test]
    fn limits_are_inclusive() {
        for (a, b) in [(10_001, 1), (1, -10_001), (i32::MIN, 1), (1, i32::MIN)] {
            assert!(remainder(a, b).is_err(), "{a} {b}");
        }
    }
}
