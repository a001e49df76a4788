//! Plateau: steps with flat ground between them.

use wallace_genes::spec::IntegerSpec;

use super::number::{numbers, one_each};
use super::problem::Landscape;

/// Values with equal scores.
const WIDTH: f64 = 50.0;

/// Twenty targets, each wanting one value of `0..=10,000` of a variable of its own. The score is
/// `1 / (1 + s)` with `s` the number of steps of 50 values, rounded up, to the optimum: flat inside
/// a step, and the last step does not show where the optimum is. Optimum: all twenty.
#[must_use]
pub fn plateau() -> Landscape {
    let range = IntegerSpec { min: 0, max: 10_000 };
    numbers(one_each(20, range, score), 20, range, 20_000)
}

fn score(distance: f64) -> f64 {
    1.0 / (1.0 + (distance / WIDTH).ceil())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable_and_steps_are_flat() {
        verify(&plateau());
        assert_eq!(score(0.0), 1.0);
        assert_eq!((score(1.0), score(50.0)), (0.5, 0.5));
        assert!(score(51.0) < 0.5);
    }
}
