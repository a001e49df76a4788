//! Deceptive trap: the gradient leads away from the optimum.

use wallace_genes::spec::IntegerSpec;

use super::number::{numbers, one_each};
use super::problem::Landscape;

const LARGEST: i32 = 1_000;

/// Twenty targets, each wanting one value of `0..=1,000` of a variable of its own. Everywhere but at
/// the optimum the score grows with the distance to it, from 0.1 to at most 0.9. Optimum: all
/// twenty; whoever follows the gradient finds them by accident.
#[must_use]
pub fn trap() -> Landscape {
    let range = IntegerSpec { min: 0, max: LARGEST };
    numbers(one_each(20, range, score), 20, range, 10_000)
}

fn score(distance: f64) -> f64 {
    if distance == 0.0 { 1.0 } else { 0.1 + 0.8 * distance / f64::from(LARGEST) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable_and_farther_is_better() {
        verify(&trap());
        assert_eq!(score(0.0), 1.0);
        assert!(score(1.0) < score(2.0) && score(1_000.0) < 1.0);
    }
}
