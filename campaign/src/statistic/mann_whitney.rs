//! The Mann-Whitney U test, and the effect size that belongs to it.

use super::rank::{ranks, tie_sum};

/// The exact distribution is used up to this size of the smaller sample, when there are no ties;
/// the rule of SciPy's `method="auto"`.
const EXACT_UP_TO: usize = 8;

/// How likely a difference is by chance, and how large it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the first sample's value is larger, ties counting half.
    pub u1: f64,
    /// Two-sided probability of so large a difference between samples of one distribution, in
    /// `[0, 1]`.
    pub p: f64,
    /// Vargha-Delaney A12 = U1 / (m n): the probability that a value of the first sample is larger
    /// than one of the second, ties counting half, in `[0, 1]`.
    pub a12: f64,
}

/// Compares two samples, two-sided. Without ties, and with at most 8 values in one sample, the
/// probability is exact; else it is the normal approximation with corrections for ties and
/// continuity. `None` when a sample is empty or holds a value that is no number.
#[must_use]
pub fn mann_whitney(one: &[f64], other: &[f64]) -> Option<MannWhitney> {
    let is_exact = one.len().min(other.len()) <= EXACT_UP_TO;
    compare(one, other, is_exact)
}

/// As [`mann_whitney`], with the exact distribution whatever the sizes, unless there are ties. It
/// takes time in m n (m + n): meant for samples of up to some hundred values.
#[must_use]
pub fn mann_whitney_exact(one: &[f64], other: &[f64]) -> Option<MannWhitney> {
    compare(one, other, true)
}

/// As [`mann_whitney`], always with the normal approximation.
#[must_use]
pub fn mann_whitney_asymptotic(one: &[f64], other: &[f64]) -> Option<MannWhitney> {
    compare(one, other, false)
}

fn compare(one: &[f64], other: &[f64], is_exact: bool) -> Option<MannWhitney> {
    let all: Vec<f64> = one.iter().chain(other).copied().collect();
    if one.is_empty() || other.is_empty() || all.iter().any(|value| value.is_nan()) {
        return None;
    }
    let (m, n) = (one.len() as f64, other.len() as f64);
    let rank_sum: f64 = ranks(&all)[..one.len()].iter().sum();
    let u1 = rank_sum - m * (m + 1.0) / 2.0;
    let largest = u1.max(m * n - u1);
    let ties = tie_sum(&all);
    let p = if is_exact && ties == 0.0 {
        exact(one.len(), other.len(), largest as usize)
    } else {
        asymptotic(m, n, largest, ties)
    };
    Some(MannWhitney { u1, p, a12: u1 / (m * n) })
}

/// Twice the probability of a U of at least `largest`: normal approximation (Hollander, Wolfe and
/// Chicken, "Nonparametric Statistical Methods", 4.1).
fn asymptotic(m: f64, n: f64, largest: f64, ties: f64) -> f64 {
    let all = m + n;
    let variance = m * n / 12.0 * ((all + 1.0) - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (largest - m * n / 2.0 - 0.5) / variance.sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2).min(1.0)
}

/// Twice the probability of a U of at least `largest`, by counting all orders of the two samples.
///
/// The number of orders with U = u is the coefficient of q^u in the Gaussian binomial
/// (m + n choose m), built factor by factor: times (1 - q^(n + i)), divided by (1 - q^i). Shares in
/// place of counts keep the numbers within range: each factor pair is divided by its value at q = 1.
fn exact(m: usize, n: usize, largest: usize) -> f64 {
    let size = m * n + 1;
    let mut shares = vec![0.0_f64; size];
    shares[0] = 1.0;
    for i in 1..=m {
        multiply_and_divide(&mut shares, n, i);
    }
    let tail: f64 = shares[largest.min(size - 1)..].iter().sum();
    (2.0 * tail).min(1.0)
}

/// One factor of the distribution: the i-th value of the first sample comes after between 0 and n
/// values of the other, so shares of sums of i - 1 ordered positions become those of i.
fn multiply_and_divide(shares: &mut [f64], n: usize, i: usize) {
    let degree = (i * n).min(shares.len() - 1);
    // times (1 - q^(n+i)), from the highest power down
    for power in (n + i..=degree).rev() {
        shares[power] -= shares[power - n - i];
    }
    // divided by (1 - q^i), from the lowest power up
    for power in i..=degree {
        shares[power] += shares[power - i];
    }
    let total = (n + i) as f64 / i as f64;
    for share in &mut shares[..=degree] {
        *share /= total;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn small_samples_by_hand() {
        // 3 and 3 values: 20 orders, one of which has U = 9, one U = 0.
        let test = mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((test.u1, test.a12), (9.0, 1.0));
        assert!((test.p - 0.1).abs() < 1e-12);
        // Orders with U = 7 or more: 1 + 1 + 2.
        let test = mann_whitney(&[4.0, 5.0, 2.5], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(test.u1, 8.0);
        assert!((test.p - 0.2).abs() < 1e-12);
    }

    #[test]
    fn equal_samples_are_no_difference() {
        let test = mann_whitney(&[1.0; 10], &[1.0; 20]).unwrap();
        assert_eq!((test.a12, test.p), (0.5, 1.0));
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[f64::NAN], &[1.0]), None);
    }

    #[test]
    fn the_exact_distribution_is_symmetric_and_sums_to_one() {
        for (m, n) in [(1_usize, 1_usize), (3, 7), (8, 30), (30, 30)] {
            let middle = (m * n).div_ceil(2);
            assert!((exact(m, n, 0) - 1.0).abs() < 1e-12, "{m} {n}");
            assert!(exact(m, n, m * n) > 0.0, "{m} {n}");
            assert!((exact(m, n, middle) - 1.0).abs() < 0.3, "{m} {n}");
        }
    }
}
