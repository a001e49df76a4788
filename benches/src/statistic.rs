//! Statistics of campaigns, for samples that are known to hold values.

use wallace_campaign::statistic;
pub use wallace_campaign::statistic::{area, holm};

/// Vargha-Delaney effect size: the probability that a value of `one` is larger than a value of
/// `other`, ties counting half. 0.5 is no difference, 1 means always.
///
/// # Panics
/// When a sample is empty.
#[must_use]
pub fn a12(one: &[f64], other: &[f64]) -> f64 {
    compared(one, other).a12
}

/// Bounds of the 95 % confidence interval of [`a12`].
///
/// # Panics
/// When a sample is empty.
#[must_use]
pub fn a12_interval(one: &[f64], other: &[f64]) -> (f64, f64) {
    let interval = statistic::bootstrap(one, other, 12, a12).expect("the samples hold values");
    (interval.low, interval.high)
}

/// Two-sided p-value of the Mann-Whitney U test.
///
/// # Panics
/// When a sample is empty.
#[must_use]
pub fn mann_whitney(one: &[f64], other: &[f64]) -> f64 {
    compared(one, other).p
}

fn compared(one: &[f64], other: &[f64]) -> statistic::MannWhitney {
    statistic::mann_whitney(one, other).expect("the samples hold values")
}

/// The value in the middle; the mean of the two in the middle when there are two.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    statistic::Spread::of(values).expect("the sample holds values").median
}
