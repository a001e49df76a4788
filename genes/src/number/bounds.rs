//! Bounds as schemas state them, and the specification that they come to.

use std::cmp::Ordering;

use num_bigint::BigInt;
use thiserror::Error;

use crate::decimal::{Decimal, power_of_ten};
use crate::number::decimal::DecimalSpec;
use crate::spec::{FloatSpec, GeneSpec, IntegerSpec, LongSpec};

/// Digits of a number that has no bound of its own: those of a 128-bit integer.
const DIGITS: u32 = 38;
/// Digits after the point where neither a scale nor a step says how many.
const SCALE: u32 = 6;

/// What a schema says of a number: JSON Schema's `minimum`, `maximum`, their exclusive forms and
/// `multipleOf`; SQL's precision and scale. What is not said is `None` or false.
///
/// ```
/// use wallace_genes::decimal::Decimal;
/// use wallace_genes::spec::{GeneSpec, IntegerSpec, NumberBounds};
///
/// let percent = NumberBounds {
///     min: Some(Decimal::from(0)),
///     max: Some(Decimal::from(100)),
///     is_min_exclusive: true,
///     ..NumberBounds::default()
/// };
/// assert_eq!(percent.integer(), Ok(GeneSpec::Integer(IntegerSpec { min: 1, max: 100 })));
/// let quarter = NumberBounds { multiple_of: "0.25".parse().ok(), ..percent };
/// assert!(matches!(quarter.decimal(), Ok(GeneSpec::Decimal(_))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberBounds {
    /// Smallest value.
    pub min: Option<Decimal>,
    /// Largest value.
    pub max: Option<Decimal>,
    /// Whether `min` itself is too small.
    pub is_min_exclusive: bool,
    /// Whether `max` itself is too large.
    pub is_max_exclusive: bool,
    /// The number is an integer times this one; its sign does not matter, and 0 counts as unsaid.
    pub multiple_of: Option<Decimal>,
    /// Most significant digits.
    pub precision: Option<u32>,
    /// Most digits after the point.
    pub scale: Option<u32>,
}

/// The bounds leave no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the bounds leave no number")]
pub struct EmptyRange;

impl NumberBounds {
    /// The integers inside the bounds, by the narrowest kind that holds them: [`GeneSpec::Integer`]
    /// (32 bits), [`GeneSpec::Long`] (64 bits) or [`GeneSpec::Decimal`].
    ///
    /// # Errors
    /// [`EmptyRange`] when there is none.
    pub fn integer(&self) -> Result<GeneSpec, EmptyRange> {
        let spec = self.on_grid(Some(0))?;
        let (Some(min), Some(max)) = (spec.min().to_i64(), spec.max().to_i64()) else {
            return Ok(spec.into());
        };
        if *spec.step() != Decimal::from(1) {
            return Ok(spec.into());
        }
        Ok(match (i32::try_from(min), i32::try_from(max)) {
            (Ok(min), Ok(max)) => GeneSpec::Integer(IntegerSpec { min, max }),
            _ => GeneSpec::Long(LongSpec { min, max }),
        })
    }

    /// The decimals inside the bounds, exact ones. Where neither a scale nor a step is given they
    /// have 6 digits after the point, or as many as the bounds have.
    ///
    /// # Errors
    /// [`EmptyRange`] when there is none.
    pub fn decimal(&self) -> Result<GeneSpec, EmptyRange> {
        self.on_grid(self.scale).map(GeneSpec::from)
    }

    /// The doubles inside the bounds; decimals when a step, a precision or a scale is given, since
    /// doubles cannot keep to one.
    ///
    /// # Errors
    /// [`EmptyRange`] when there is none.
    pub fn float(&self) -> Result<GeneSpec, EmptyRange> {
        if self.step_given().is_some() || self.precision.is_some() || self.scale.is_some() {
            return self.decimal();
        }
        let mut min = self.min.as_ref().map_or(f64::MIN, Decimal::to_f64);
        let mut max = self.max.as_ref().map_or(f64::MAX, Decimal::to_f64);
        let is_outside =
            |double: f64, bound: &Option<Decimal>, is_exclusive: bool, side: Ordering| {
                let order = bound.as_ref().map(|bound| Decimal::from_f64(double).cmp(bound));
                order == Some(side) || (is_exclusive && order == Some(Ordering::Equal))
            };
        if is_outside(min, &self.min, self.is_min_exclusive, Ordering::Less) {
            min = min.next_up();
        }
        if is_outside(max, &self.max, self.is_max_exclusive, Ordering::Greater) {
            max = max.next_down();
        }
        let is_valid = min <= max && min.is_finite() && max.is_finite();
        if is_valid { Ok(GeneSpec::Float(FloatSpec { min, max })) } else { Err(EmptyRange) }
    }

    fn step_given(&self) -> Option<Decimal> {
        let given = self.multiple_of.clone().filter(|step| *step != Decimal::default())?;
        Some(if given.is_negative() { given.times(&BigInt::from(-1)) } else { given })
    }

    /// The multiples of a step inside the bounds. A precision of `p` digits with a scale of `s`
    /// leaves `p - s` digits before the point, as in SQL.
    fn on_grid(&self, scale: Option<u32>) -> Result<DecimalSpec, EmptyRange> {
        let digits = |bound: &Option<Decimal>| bound.as_ref().map_or(0, Decimal::scale);
        let unit = |scale: u32| Decimal::new(BigInt::from(1), scale.min(Decimal::DIGITS));
        let step = match (self.step_given(), scale) {
            (Some(step), Some(scale)) => step.common_multiple(&unit(scale)),
            (Some(step), None) => step,
            (None, Some(scale)) => unit(scale),
            (None, None) => unit(SCALE.max(digits(&self.min)).max(digits(&self.max))),
        };
        let before = match self.precision {
            Some(precision) => precision.saturating_sub(step.scale()),
            None => DIGITS,
        };
        let most = Decimal::new(power_of_ten(before.min(Decimal::DIGITS)), 0);
        let (mut high, is_exact) = most.divided(&step);
        if is_exact {
            high -= 1;
        }
        let mut low = -high.clone();
        if let Some(min) = &self.min {
            let (floor, is_exact) = min.divided(&step);
            let first = if is_exact && !self.is_min_exclusive { floor } else { floor + 1 };
            // Bounds of its own may lie beyond the usual digits.
            low = if self.precision.is_some() { low.max(first) } else { first };
        }
        if let Some(max) = &self.max {
            let (floor, is_exact) = max.divided(&step);
            let last = if is_exact && self.is_max_exclusive { floor - 1 } else { floor };
            high = if self.precision.is_some() { high.min(last) } else { last };
        }
        self.widened(step, low, high)
    }

    /// Bounds on one side only leave as many numbers on the other as are usual.
    fn widened(&self, step: Decimal, low: BigInt, high: BigInt) -> Result<DecimalSpec, EmptyRange> {
        let (mut low, mut high) = (low, high);
        if low > high && self.precision.is_none() {
            match (&self.min, &self.max) {
                (Some(_), None) => high = &low + power_of_ten(DIGITS),
                (None, Some(_)) => low = &high - power_of_ten(DIGITS),
                _ => {}
            }
        }
        DecimalSpec::new(step, low, high).ok_or(EmptyRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<Decimal> {
        text.parse().ok()
    }

    fn range(spec: &GeneSpec) -> String {
        match spec {
            GeneSpec::Decimal(spec) => format!("{}..{} by {}", spec.min(), spec.max(), spec.step()),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn integers_take_the_narrowest_kind() {
        let between = |min: &str, max: &str| {
            let bounds =
                NumberBounds { min: number(min), max: number(max), ..NumberBounds::default() };
            bounds.integer().unwrap()
        };
        assert_eq!(between("-128", "127"), GeneSpec::Integer(IntegerSpec { min: -128, max: 127 }));
        assert_eq!(
            between("-9223372036854775808", "9223372036854775807"),
            GeneSpec::Long(LongSpec::default())
        );
        assert_eq!(range(&between("0", "18446744073709551615")), "0..18446744073709551615 by 1");
    }

    #[test]
    fn bounds_are_met_exactly() {
        let bounds = NumberBounds {
            min: number("0.5"),
            max: number("7"),
            is_max_exclusive: true,
            ..NumberBounds::default()
        };
        assert_eq!(bounds.integer(), Ok(GeneSpec::Integer(IntegerSpec { min: 1, max: 6 })));
        let stepped = NumberBounds { multiple_of: number("-3.5"), ..bounds.clone() };
        assert_eq!(stepped.decimal().map(|spec| range(&spec)), Ok("3.5..3.5 by 3.5".to_owned()));
        assert_eq!(stepped.integer(), Err(EmptyRange), "only 7 is whole, and it is excluded");
        let scaled = NumberBounds { scale: Some(2), ..bounds.clone() };
        assert_eq!(scaled.decimal().map(|spec| range(&spec)), Ok("0.5..6.99 by 0.01".to_owned()));
        let sql = NumberBounds { precision: Some(5), scale: Some(2), ..NumberBounds::default() };
        assert_eq!(
            sql.decimal().map(|spec| range(&spec)),
            Ok("-999.99..999.99 by 0.01".to_owned())
        );
        let far = NumberBounds { min: number("1e50"), ..NumberBounds::default() };
        assert!(far.integer().is_ok() && far.decimal().is_ok());
        let none = NumberBounds { min: number("2"), max: number("1"), ..NumberBounds::default() };
        assert_eq!((none.integer(), none.float()), (Err(EmptyRange), Err(EmptyRange)));
    }

    #[test]
    fn exclusive_floats_stop_just_inside() {
        let bounds = NumberBounds {
            min: number("0"),
            max: number("1"),
            is_min_exclusive: true,
            is_max_exclusive: true,
            ..NumberBounds::default()
        };
        let Ok(GeneSpec::Float(spec)) = bounds.float() else { panic!("no float") };
        assert!(spec.min > 0.0 && spec.min < 1e-300);
        assert!(spec.max < 1.0 && spec.max > 0.999_999);
    }
}
