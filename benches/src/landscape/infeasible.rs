//! Targets that cannot be covered, among some that can.

use wallace_genes::spec::IntegerSpec;

use super::distance::normalised;
use super::number::{Goal, numbers, one_each};
use super::problem::Landscape;

const FEASIBLE: usize = 20;

/// Twenty feasible targets, each wanting one value of `0..=10,000` of a variable of its own, with
/// the score `1 - norm(distance)`. With `is_mixed` the same variables carry 80 infeasible targets
/// more: half with a gradient that ends below 1, half with the same score everywhere. Optimum: all
/// twenty, with and without the others.
#[must_use]
pub fn infeasible(is_mixed: bool) -> Landscape {
    let range = IntegerSpec { min: 0, max: 10_000 };
    let mut goals = one_each(FEASIBLE, range, score);
    if is_mixed {
        let scores: [fn(f64) -> f64; 4] = [flat, rising, flat, rising];
        for (round, score) in scores.into_iter().enumerate() {
            goals.extend((0..FEASIBLE).map(|variable| Goal {
                variable,
                optimum: ((variable * 7_919 + round * 31_337) % 10_000) as i32,
                score,
            }));
        }
    }
    numbers(goals, FEASIBLE, range, 30_000)
}

fn score(distance: f64) -> f64 {
    1.0 - normalised(distance)
}

fn rising(distance: f64) -> f64 {
    0.9 * score(distance)
}

fn flat(_distance: f64) -> f64 {
    0.5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable_with_and_without_the_infeasible() {
        verify(&infeasible(false));
        verify(&infeasible(true));
        let (alone, mixed) = (infeasible(false), infeasible(true));
        assert_eq!((alone.names.len(), mixed.names.len()), (20, 100));
        for target in 0..FEASIBLE {
            assert_eq!(alone.program.witness(target), mixed.program.witness(target));
        }
        assert!(rising(0.0) < 1.0 && flat(0.0) < 1.0);
    }
}
