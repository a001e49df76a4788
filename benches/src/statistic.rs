//! Small statistics for comparing runs.

use wallace_genes::Rng;

/// Vargha-Delaney effect size: the probability that a value of `one` is larger than a value of
/// `other`, ties counting half. 0.5 is no difference, 1 means always.
#[must_use]
pub fn a12(one: &[f64], other: &[f64]) -> f64 {
    let wins: f64 = one
        .iter()
        .flat_map(|x| other.iter().map(move |y| (x, y)))
        .map(|(x, y)| match x.partial_cmp(y) {
            Some(std::cmp::Ordering::Greater) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        })
        .sum();
    wins / (one.len() * other.len()) as f64
}

/// Bounds of the 95 % confidence interval of [`a12`]: percentiles of 1,000 bootstrap samples, the
/// same ones always.
#[must_use]
pub fn a12_interval(one: &[f64], other: &[f64]) -> (f64, f64) {
    let mut rng = Rng::new(12, 0);
    let mut sizes: Vec<f64> = (0..1_000)
        .map(|_| {
            let mut again = |values: &[f64]| -> Vec<f64> {
                values.iter().map(|_| values[rng.below(values.len())]).collect()
            };
            a12(&again(one), &again(other))
        })
        .collect();
    sizes.sort_by(f64::total_cmp);
    (sizes[25], sizes[974])
}

/// Two-sided p-value of the Mann-Whitney U test, by the normal approximation with correction for
/// ties and continuity (Mann and Whitney 1947; good from about eight values each on). 1 when all
/// values are equal.
#[must_use]
pub fn mann_whitney(one: &[f64], other: &[f64]) -> f64 {
    let (m, n) = (one.len() as f64, other.len() as f64);
    let mut all: Vec<f64> = one.iter().chain(other).copied().collect();
    all.sort_by(f64::total_cmp);
    let ties: f64 = all
        .chunk_by(|x, y| x == y)
        .map(|equal| equal.len() as f64)
        .map(|count| count * count * count - count)
        .sum();
    let total = m + n;
    let variance = m * n / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = ((a12(one, other) - 0.5) * m * n).abs() - 0.5;
    (2.0 * upper_tail(distance.max(0.0) / variance.sqrt())).min(1.0)
}

/// Probability that a standard normal variable is above `z`, for `z` of at least 0 (Abramowitz and
/// Stegun 26.2.17; the error is below 1e-7).
fn upper_tail(z: f64) -> f64 {
    const TERMS: [f64; 5] =
        [0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    density * TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * t)
}

/// P-values corrected for their number by Holm's method (1979), in the order given.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, place) in order.into_iter().enumerate() {
        let factor = (p_values.len() - rank) as f64;
        largest = largest.max((p_values[place] * factor).min(1.0));
        corrected[place] = largest;
    }
    corrected
}

/// The value in the middle; the mean of the two in the middle when there are two.
///
/// # Panics
/// When there is no value.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Mean height of a step curve over `0..end`, given as (position, height) in ascending position.
#[must_use]
pub fn area(curve: &[(u64, usize)], end: u64) -> f64 {
    let mut sum = 0.0;
    let (mut position, mut height) = (0, 0);
    for (next, higher) in curve {
        let next = (*next).min(end);
        sum += (next - position) as f64 * height as f64;
        (position, height) = (next, *higher);
    }
    sum += (end - position) as f64 * height as f64;
    sum / end as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_difference_by_hand() {
        let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-3, "{value}");
        // U = 4.5 of 25, no two equal but one pair: z = (8 - 0.5) / 4.774.
        near(mann_whitney(&[1.0, 2.0, 3.0, 4.0, 5.0], &[4.0, 6.0, 7.0, 8.0, 9.0]), 0.0210);
        assert_eq!(mann_whitney(&[1.0; 9], &[1.0; 9]), 1.0);
        near(upper_tail(1.959_964), 0.025);
        near(upper_tail(0.0), 0.5);
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        let (low, high) = a12_interval(&[1.0, 2.0, 3.0, 9.0], &[2.0, 3.0, 4.0]);
        let size = a12(&[1.0, 2.0, 3.0, 9.0], &[2.0, 3.0, 4.0]);
        assert!(low < size && size < high);
    }

    #[test]
    fn values_by_hand() {
        assert_eq!(a12(&[2.0, 3.0], &[1.0, 2.0]), 0.875);
        assert_eq!(a12(&[1.0], &[1.0]), 0.5);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(area(&[(0, 2), (5, 4)], 10), 3.0);
        assert_eq!(area(&[(5, 4), (20, 9)], 10), 2.0);
    }
}
