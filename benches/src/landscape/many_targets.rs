//! Ten thousand targets, far more than there are calls to chase each.

use wallace_genes::{IntegerSpec, Rng};

use super::distance::normalised;
use super::number::{Goal, numbers};
use super::problem::Landscape;

const VARIABLES: usize = 100;
const EACH: usize = 100;

/// 10,000 targets: 100 values wanted of each of 100 variables in the range `0..=99,999`, one drawn
/// from each thousand, with the score `1 - norm(distance)`. A call touches 100 of them. Optimum: all.
#[must_use]
pub fn many_targets() -> Landscape {
    let range = IntegerSpec { min: 0, max: 99_999 };
    let mut rng = Rng::new(2, 0);
    let mut goals = Vec::with_capacity(VARIABLES * EACH);
    for variable in 0..VARIABLES {
        for step in 0..EACH {
            let optimum = (1_000 * step + rng.below(1_000)) as i32;
            goals.push(Goal { variable, optimum, score });
        }
    }
    numbers(goals, VARIABLES * EACH, range, 60_000)
}

fn score(distance: f64) -> f64 {
    1.0 - normalised(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn each_of_the_ten_thousand_is_reachable() {
        let landscape = many_targets();
        assert_eq!(landscape.names.len(), 10_000);
        verify(&landscape);
    }
}
