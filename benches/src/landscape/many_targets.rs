//! Ten thousand targets, far more than there are calls to chase each.

use wallace_genes::{Rng, spec::IntegerSpec};

use super::distance::normalised;
use super::number::{Goal, numbers};
use super::problem::Landscape;

const VARIABLES: usize = 100;
const EACH: usize = 100;
const RANGE: IntegerSpec = IntegerSpec { min: 0, max: 99_999 };

/// 10,000 targets: 100 values wanted of each of 100 variables in the range `0..=99,999`, one drawn
/// from each thousand, with the score `1 - norm(distance)`. A call touches 100 of them. Optimum: all.
#[must_use]
pub fn many_targets() -> Landscape {
    numbers(goals(VARIABLES, score), VARIABLES * EACH, RANGE, 60_000)
}

/// The same for any number of variables, in tests of one call, with scores that end below 1: all
/// targets that were reached stay open, which is the most that a search can have to do. Optimum:
/// none.
#[must_use]
pub fn open_targets(variables: usize) -> Landscape {
    let landscape = numbers(goals(variables, |distance| 0.9 * score(distance)), 0, RANGE, 60_000);
    Landscape { most_steps: 1, ..landscape }
}

fn goals(variables: usize, score: fn(f64) -> f64) -> Vec<Goal> {
    let mut rng = Rng::new(2, 0);
    let mut goals = Vec::with_capacity(variables * EACH);
    for variable in 0..variables {
        for step in 0..EACH {
            let optimum = (1_000 * step + rng.below(1_000)) as i32;
            goals.push(Goal { variable, optimum, score });
        }
    }
    goals
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
    #[test]
    fn none_of_the_open_ones_is() {
        for variables in [1, 3] {
            let landscape = open_targets(variables);
            assert_eq!(landscape.names.len(), variables * EACH);
            verify(&landscape);
        }
    }
}
