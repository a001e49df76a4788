//! Needle with gradient: one value in the whole range of an integer.

use wallace_genes::spec::IntegerSpec;

use super::distance::normalised;
use super::number::{numbers, one_each};
use super::problem::Landscape;

/// Ten targets, each wanting one of the 2^32 values of a variable of its own; the score is
/// `1 - norm(distance)`, the branch distance of an equality. Optimum: all ten.
#[must_use]
pub fn needle() -> Landscape {
    let range = IntegerSpec::default();
    numbers(one_each(10, range, score), 10, range, 200_000)
}

fn score(distance: f64) -> f64 {
    1.0 - normalised(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable_and_nearer_is_better() {
        verify(&needle());
        assert_eq!(score(0.0), 1.0);
        assert!(score(1e9) > 0.0 && score(7.0) > score(8.0));
    }
}
