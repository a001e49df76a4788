//! One sample in a few numbers.

use wallace_genes::Rng;

/// Resamples of a bootstrap interval.
const RESAMPLES: u32 = 2_000;

/// Location and spread of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Number of values.
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Smallest value.
    pub least: f64,
    /// Value a quarter from below.
    pub lower_quartile: f64,
    /// Value in the middle.
    pub median: f64,
    /// Value a quarter from above.
    pub upper_quartile: f64,
    /// Largest value.
    pub greatest: f64,
}

impl Spread {
    /// Of these values; `None` when there is none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            count: sorted.len(),
            mean: mean(&sorted)?,
            least: *sorted.first()?,
            lower_quartile: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            upper_quartile: quantile(&sorted, 0.75)?,
            greatest: *sorted.last()?,
        })
    }
}

/// Arithmetic mean; `None` without values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value below which a share in `[0, 1]` of the ascending values lies, interpolated linearly
/// between neighbours (Hyndman and Fan's type 7, NumPy's default); `None` without values.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64))
}

/// An interval that a value lies in with 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// 95 % percentile bootstrap interval of `measure` over two samples, each drawn anew with
/// replacement 2,000 times (Efron and Tibshirani 1993, chapter 13). The same seed gives the same
/// interval. `None` when a sample is empty.
#[must_use]
pub fn bootstrap(
    one: &[f64],
    other: &[f64],
    seed: u64,
    measure: impl Fn(&[f64], &[f64]) -> f64,
) -> Option<Interval> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let mut rng = Rng::new(seed, 0);
    let mut measures: Vec<f64> = (0..RESAMPLES)
        .map(|_| measure(&resample(one, &mut rng), &resample(other, &mut rng)))
        .collect();
    measures.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&measures, 0.025)?, high: quantile(&measures, 0.975)? })
}

fn resample(values: &[f64], rng: &mut Rng) -> Vec<f64> {
    values.iter().map(|_| values[rng.below(values.len())]).collect()
}

/// Mean height of a step curve over `0..end`, its points (position, height) in ascending order of
/// position; the height before the first point is 0.
#[must_use]
pub fn area(curve: &[(u64, f64)], end: u64) -> f64 {
    let mut sum = 0.0;
    let (mut position, mut height) = (0, 0.0);
    for (next, higher) in curve {
        let next = (*next).min(end).max(position);
        sum += (next - position) as f64 * height;
        (position, height) = (next, *higher);
    }
    (sum + (end - position) as f64 * height) / end.max(1) as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quartiles_by_hand() {
        let spread = Spread::of(&[4.0, 1.0, 3.0, 2.0]).unwrap();
        let quartiles = (spread.lower_quartile, spread.median, spread.upper_quartile);
        assert_eq!(quartiles, (1.75, 2.5, 3.25));
        assert_eq!((spread.least, spread.greatest, spread.mean), (1.0, 4.0, 2.5));
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn intervals_hold_the_measure_and_repeat() {
        let one: Vec<f64> = (0..30).map(f64::from).collect();
        let other: Vec<f64> = (0..30).map(|i| f64::from(i) + 10.0).collect();
        let difference = |a: &[f64], b: &[f64]| mean(b).unwrap() - mean(a).unwrap();
        let interval = bootstrap(&one, &other, 1, difference).unwrap();
        assert!(interval.low < 10.0 && 10.0 < interval.high, "{interval:?}");
        assert!(interval.low > 4.0 && interval.high < 16.0, "{interval:?}");
        assert_eq!(bootstrap(&one, &other, 1, difference).unwrap(), interval);
    }

    #[test]
    fn areas_by_hand() {
        assert_eq!(area(&[(0, 2.0), (5, 4.0)], 10), 3.0);
        assert_eq!(area(&[(5, 4.0), (20, 9.0)], 10), 2.0);
        assert_eq!(area(&[], 0), 0.0);
    }
}
