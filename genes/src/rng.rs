//! The one source of chance.
//!
//! Every random decision of a run comes from an [`Rng`] made from the run's seed and the number of
//! the evaluation it serves, so that a decision never depends on what other evaluations drew, on
//! the number of workers, or on the platform: ChaCha8 is specified bit for bit, integers are drawn
//! with fixed width, and transcendental functions come from `libm`.
//!
//! It speaks the traits of the `rand` crates, so that what is written for them draws from it, and it can
//! begin where a generator of yours stands:
//!
//! ```
//! use rand::seq::SliceRandom;
//! use rand::{Rng as _, SeedableRng};
//!
//! let mut theirs = rand::rngs::StdRng::seed_from_u64(7);
//! let mut ours = wallace_genes::Rng::from_rng(&mut theirs);
//! let mut order = [1, 2, 3, 4, 5];
//! order.shuffle(&mut ours);
//! assert!(ours.random_range(1..=6) <= 6);
//! ```

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A deterministic random generator (ChaCha with 8 rounds).
#[derive(Debug, Clone)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The generator of evaluation `evaluation` in the run with seed `seed`.
    #[must_use]
    pub fn new(seed: u64, evaluation: u64) -> Self {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&evaluation.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..bound`.
    ///
    /// The bias of multiply-and-shift is below `bound / 2^32` and accepted for its speed.
    ///
    /// # Panics
    /// In debug builds, when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0, "an empty range has nothing to draw");
        let wide = u64::from(self.0.next_u32()) * bound as u64;
        (wide >> 32) as usize
    }

    /// Uniform in `low..=high`; `low` when the range is empty.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let span = high.wrapping_sub(low) as u64;
        let offset = if span == u64::MAX {
            self.bits()
        } else {
            ((u128::from(self.bits()) * (u128::from(span) + 1)) >> 64) as u64
        };
        low.wrapping_add(offset as i64)
    }

    /// True with the given probability; probabilities outside `[0, 1]` count as the nearest bound.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        (f64::from(self.0.next_u32()) / 4_294_967_296.0) < probability
    }

    /// Uniform in `[0, 1)`, with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Standard normal, by the Box-Muller transform.
    pub fn gaussian(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(2.0 * core::f64::consts::PI * self.unit())
    }

    /// A uniform element, or nothing when there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }

    /// An index drawn with the given weights (at least 0); nothing when their sum is 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            return None;
        }
        let mut rest = self.unit() * sum;
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return Some(index);
            }
            rest -= weight;
        }
        weights.iter().rposition(|weight| *weight > 0.0)
    }
}

impl RngCore for Rng {
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

impl SeedableRng for Rng {
    type Seed = [u8; 32];

    fn from_seed(seed: Self::Seed) -> Self {
        Self(ChaCha8Rng::from_seed(seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_and_evaluation_give_the_same_numbers() {
        let draw = |seed, evaluation| {
            let mut rng = Rng::new(seed, evaluation);
            (rng.bits(), rng.below(1000), rng.between(-5, 5))
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn the_stream_is_pinned() {
        // First block of ChaCha8 for the key made of seed 42 and evaluation 7. If it changes, no
        // earlier run can be repeated.
        assert_eq!(Rng::new(42, 7).bits(), PINNED);
    }

    const PINNED: u64 = 7_838_003_479_062_968_374;

    #[test]
    fn what_the_traits_draw_is_the_same_stream() {
        let (mut ours, mut theirs) = (Rng::new(42, 7), Rng::new(42, 7));
        assert_eq!(theirs.next_u64(), PINNED);
        assert_eq!((ours.bits(), ours.bits()), (PINNED, theirs.next_u64()));
        let mut bytes = [0; 8];
        Rng::from_seed([7; 32]).fill_bytes(&mut bytes);
        assert_eq!(u64::from_le_bytes(bytes), Rng::from_seed([7; 32]).bits());
    }

    #[test]
    fn ranges_are_closed_and_reached() {
        let mut rng = Rng::new(3, 0);
        let mut seen = [false; 4];
        for _ in 0..200 {
            seen[(rng.between(-1, 2) + 1) as usize] = true;
        }
        assert_eq!(seen, [true; 4]);
        assert_eq!(rng.between(5, 5), 5);
        let _ = rng.between(i64::MIN, i64::MAX);
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut rng = Rng::new(3, 1);
        for _ in 0..100 {
            assert_eq!(rng.weighted(&[0.0, 2.0, 0.0]), Some(1));
        }
        assert_eq!(rng.weighted(&[0.0]), None);
    }
}
