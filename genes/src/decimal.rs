//! Exact decimal numbers of any size.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, Sign};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// An exact decimal number: an integer divided by a power of ten. Written without trailing zeros,
/// so that equal numbers are equal values. Serialises as text.
///
/// ```
/// use wallace_genes::decimal::Decimal;
///
/// let price: Decimal = "1.50e2".parse().unwrap();
/// assert_eq!(price, Decimal::from(150));
/// assert!("-0.001".parse::<Decimal>().unwrap() < Decimal::from(0));
/// assert_eq!("18446744073709551616.250".parse::<Decimal>().unwrap().to_string(), "18446744073709551616.25");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    unscaled: BigInt,
    /// Digits after the point; 0 or the last one is not 0.
    scale: u32,
}

/// Why a text is no [`Decimal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// Not digits with at most one point and one exponent.
    #[error("not a decimal number")]
    Malformed,
    /// More digits before or after the point than [`Decimal::DIGITS`].
    #[error("more than {} digits", Decimal::DIGITS)]
    TooLong,
}

impl Decimal {
    /// Most digits before and after the point of a number that is read.
    pub const DIGITS: u32 = 1_000;

    /// `unscaled` divided by 10 to the power of `scale`.
    pub(crate) fn new(unscaled: BigInt, scale: u32) -> Self {
        let (mut unscaled, mut scale) = (unscaled, scale);
        let ten = BigInt::from(10);
        while scale > 0 && (&unscaled % &ten).sign() == Sign::NoSign {
            unscaled /= &ten;
            scale -= 1;
        }
        Self { unscaled, scale }
    }

    /// Digits after the point.
    #[must_use]
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Whether the number is an integer.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.scale == 0
    }

    /// Whether the number is below 0.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.unscaled.sign() == Sign::Minus
    }

    /// The integer, when it is one of 64 bits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        if self.is_whole() { i64::try_from(&self.unscaled).ok() } else { None }
    }

    /// The nearest finite double.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let number: f64 = self.to_string().parse().unwrap_or(0.0);
        number.clamp(f64::MIN, f64::MAX)
    }

    /// The shortest decimal that reads back as the double; 0 for what is not finite.
    #[must_use]
    pub fn from_f64(number: f64) -> Self {
        format!("{number:?}").parse().unwrap_or_default()
    }

    pub(crate) fn magnitude(&self) -> (u64, Vec<u64>) {
        let digits = self.unscaled.magnitude().to_u64_digits();
        (u64::from(self.scale), digits)
    }

    /// The number in units of `10^-scale`, which must hold it exactly.
    fn at_scale(&self, scale: u32) -> BigInt {
        &self.unscaled * power_of_ten(scale - self.scale)
    }

    fn aligned(&self, other: &Self) -> (BigInt, BigInt, u32) {
        let scale = self.scale.max(other.scale);
        (self.at_scale(scale), other.at_scale(scale), scale)
    }

    /// How many whole times `step` goes into the number, rounded down, and whether exactly.
    pub(crate) fn divided(&self, step: &Self) -> (BigInt, bool) {
        let (number, step, _) = self.aligned(step);
        let (mut quotient, remainder) = (&number / &step, &number % &step);
        let is_exact = remainder.sign() == Sign::NoSign;
        if !is_exact && (remainder.sign() == Sign::Minus) != (step.sign() == Sign::Minus) {
            quotient -= 1;
        }
        (quotient, is_exact)
    }

    pub(crate) fn times(&self, factor: &BigInt) -> Self {
        Self::new(&self.unscaled * factor, self.scale)
    }

    /// The smallest positive number that both go into.
    pub(crate) fn common_multiple(&self, other: &Self) -> Self {
        let (one, two, scale) = self.aligned(other);
        let (mut a, mut b) = (one.clone(), two.clone());
        while b.sign() != Sign::NoSign {
            (a, b) = (b.clone(), a % b);
        }
        Self::new(BigInt::from((one / a * two).magnitude().clone()), scale)
    }
}

pub(crate) fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self { unscaled: BigInt::from(number), scale: 0 }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two, _) = self.aligned(other);
        one.cmp(&two)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.unscaled.magnitude().to_string();
        let scale = self.scale as usize;
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if scale > 0 { "." } else { "" };
        write!(formatter, "{sign}{whole}{point}{fraction}")
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => {
                (number, exponent.parse::<i64>().map_err(|_| DecimalError::Malformed)?)
            }
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let unsigned = whole.strip_prefix(['-', '+']).unwrap_or(whole);
        let mut digits = unsigned.bytes().chain(fraction.bytes());
        if unsigned.len() + fraction.len() == 0 || !digits.all(|digit| digit.is_ascii_digit()) {
            return Err(DecimalError::Malformed);
        }
        let most = i64::from(Self::DIGITS);
        let before = exponent.saturating_add(unsigned.len() as i64);
        let after = (fraction.len() as i64).saturating_sub(exponent);
        if before > most || after > most || unsigned.len() as i64 > most {
            return Err(DecimalError::TooLong);
        }
        let unscaled: BigInt =
            format!("{whole}{fraction}").parse().map_err(|_| DecimalError::Malformed)?;
        Ok(match u32::try_from(after) {
            Ok(scale) => Self::new(unscaled, scale),
            Err(_) => Self::new(unscaled * power_of_ten(after.unsigned_abs() as u32), 0),
        })
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_written_without_needless_zeros() {
        for (text, written) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("+7", "7"),
            ("1.50", "1.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.05", "-0.05"),
            ("12e3", "12000"),
            ("12E-3", "0.012"),
            ("123456789012345678901234567890.1", "123456789012345678901234567890.1"),
        ] {
            assert_eq!(decimal(text).to_string(), written, "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "1e", "e5", "0x1", "1_0", "--1", "1e2e3"] {
            assert_eq!(text.parse::<Decimal>(), Err(DecimalError::Malformed), "{text}");
        }
        assert_eq!("1e1001".parse::<Decimal>(), Err(DecimalError::TooLong));
        assert_eq!("1e-1001".parse::<Decimal>(), Err(DecimalError::TooLong));
        for text in ["1e9223372036854775807", "1e-9223372036854775808", "0e9223372036854775807"] {
            assert_eq!(text.parse::<Decimal>(), Err(DecimalError::TooLong), "{text}");
        }
    }

    #[test]
    fn order_and_division_are_exact() {
        assert!(decimal("0.1") < decimal("0.11") && decimal("-2") < decimal("-1.999"));
        let (quotient, is_exact) = decimal("0.3").divided(&decimal("0.1"));
        assert_eq!((quotient, is_exact), (BigInt::from(3), true));
        let (quotient, is_exact) = decimal("-0.25").divided(&decimal("0.1"));
        assert_eq!((quotient, is_exact), (BigInt::from(-3), false));
        assert_eq!(decimal("0.75").common_multiple(&decimal("0.5")), decimal("1.5"));
        assert_eq!(decimal("1e3").to_f64(), 1000.0);
        assert_eq!(Decimal::from_f64(0.1), decimal("0.1"));
        assert_eq!(decimal("9223372036854775807").to_i64(), Some(i64::MAX));
        assert_eq!(decimal("9223372036854775808").to_i64(), None);
    }
}
