//! The Friedman test: do several configurations differ over the same blocks?

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::rank::{ranks, tie_sum};

/// The result of a Friedman test.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// The statistic with correction for ties.
    pub chi_square: f64,
    /// Probability of so large a statistic by chance, from chi square with k - 1 degrees of freedom.
    pub p: f64,
    /// Mean rank of each configuration; 1 is the lowest value.
    pub mean_ranks: Vec<f64>,
}

/// Compares k configurations by their values in n blocks: `blocks[i][j]` is the value of
/// configuration j in block i (a system, or a system and a seed). `None` with less than three
/// configurations, no block, blocks of different sizes, values that are no number, or when all
/// values of every block are equal.
#[must_use]
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Friedman> {
    let size = blocks.first()?.len();
    let is_usable = |block: &Vec<f64>| block.len() == size && !block.iter().any(|v| v.is_nan());
    if size < 3 || !blocks.iter().all(is_usable) {
        return None;
    }
    let (n, k) = (blocks.len() as f64, size as f64);
    let mut sums = vec![0.0; size];
    for block in blocks {
        for (sum, rank) in sums.iter_mut().zip(ranks(block)) {
            *sum += rank;
        }
    }
    let ties: f64 = blocks.iter().map(|block| tie_sum(block)).sum();
    let correction = 1.0 - ties / (k * (k * k - 1.0) * n);
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let uncorrected = 12.0 / (k * n * (k + 1.0)) * squares - 3.0 * n * (k + 1.0);
    if correction <= 0.0 {
        return None;
    }
    let chi_square = uncorrected / correction;
    let p = ChiSquared::new(k - 1.0).ok()?.sf(chi_square.max(0.0));
    Some(Friedman { chi_square, p, mean_ranks: sums.iter().map(|sum| sum / n).collect() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn values_by_hand() {
        // Always the same order of three in four blocks: chi square is n (k - 1) = 8.
        let blocks: Vec<Vec<f64>> = (0..4).map(|i| vec![f64::from(i), 5.0, 9.0]).collect();
        let test = friedman(&blocks).unwrap();
        assert!((test.chi_square - 8.0).abs() < 1e-12);
        assert!((test.p - (-4.0_f64).exp()).abs() < 1e-12);
        assert_eq!(test.mean_ranks, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn what_cannot_be_compared_is_none() {
        assert_eq!(friedman(&[]), None);
        assert_eq!(friedman(&[vec![1.0, 2.0]]), None);
        assert_eq!(friedman(&[vec![1.0, 1.0, 1.0]]), None);
        assert_eq!(friedman(&[vec![1.0, 2.0, 3.0], vec![1.0]]), None);
    }
}
