//! Ranking tests by many objectives: preference criterion, non-dominated fronts, crowding.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::archive::Archive;
use crate::individual::action::Action;
use crate::problem::evaluated::{Evaluated, Reach};
use crate::target::TargetId;

/// Scores of a test on the objectives: the targets that are open, in ascending order.
pub(super) fn objectives<A: Action>(
    test: &Evaluated<A>,
    archive: &Archive<A>,
) -> Vec<(TargetId, f64)> {
    let is_open = |reach: &&Reach| !archive.is_covered(reach.target);
    test.fitness.iter().filter(is_open).map(|reach| (reach.target, reach.score.get())).collect()
}

/// Fronts of tests, best first, each with the positions of its tests. The first holds for every
/// open target a test with the best score, the shorter of two equal ones (the preference criterion
/// of MOSA); the others are non-dominated fronts of the rest.
pub(super) fn fronts<A: Action>(
    tests: &[Arc<Evaluated<A>>],
    archive: &Archive<A>,
    enough: usize,
) -> Vec<Vec<usize>> {
    let scores: Vec<Vec<(TargetId, f64)>> =
        tests.iter().map(|test| objectives(test, archive)).collect();
    let preferred = preferred(tests, &scores);
    let mut rest: Vec<usize> =
        (0..tests.len()).filter(|test| preferred.binary_search(test).is_err()).collect();
    let mut sorted = preferred.len();
    let mut fronts = vec![preferred];
    // What does not survive needs no order.
    while !rest.is_empty() && sorted < enough {
        let (front, dominated): (Vec<usize>, Vec<usize>) = rest.iter().partition(|test| {
            !rest.iter().any(|other| dominates(&scores[*other], &scores[**test]))
        });
        rest = dominated;
        sorted += front.len();
        fronts.push(front);
    }
    fronts.push(rest);
    fronts
}

fn preferred<A: Action>(
    tests: &[Arc<Evaluated<A>>],
    scores: &[Vec<(TargetId, f64)>],
) -> Vec<usize> {
    let length = |test: usize| (tests[test].individual.size(), tests[test].individual.length());
    let mut best: BTreeMap<TargetId, (f64, usize)> = BTreeMap::new();
    for (test, own) in scores.iter().enumerate() {
        for (target, score) in own {
            let known = best.entry(*target).or_insert((*score, test));
            let is_shorter = *score == known.0 && length(test) < length(known.1);
            if *score > known.0 || is_shorter {
                *known = (*score, test);
            }
        }
    }
    let mut preferred: Vec<usize> = best.into_values().map(|(_, test)| test).collect();
    preferred.sort_unstable();
    preferred.dedup();
    preferred
}

/// Whether one test is at least as good on every objective, and better on one.
fn dominates(one: &[(TargetId, f64)], other: &[(TargetId, f64)]) -> bool {
    let mut is_better = false;
    let (mut left, mut right) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => return is_better,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => return false,
            (Some((one, _)), Some((other, _))) => one.cmp(other),
        };
        match order {
            Ordering::Less => {
                left.next();
                is_better = true;
            }
            Ordering::Greater => return false,
            Ordering::Equal => {
                let (one, other) = (left.next().map(|x| x.1), right.next().map(|x| x.1));
                if one < other {
                    return false;
                }
                is_better |= one > other;
            }
        }
    }
}

/// Crowding of the tests of a front: on how many open targets each is the best of the front or
/// without a better one, less crowded first. (EvoSuite's implementation of MOSA assigns the largest
/// distance by sub-vector dominance; with thousands of objectives most of which a test does not
/// touch, extremes on single objectives are what keeps a front diverse.)
pub(super) fn crowding<A: Action>(
    front: &[usize],
    tests: &[Arc<Evaluated<A>>],
    archive: &Archive<A>,
) -> Vec<f64> {
    let mut by_target: BTreeMap<TargetId, Vec<(f64, usize)>> = BTreeMap::new();
    for (place, test) in front.iter().enumerate() {
        for (target, score) in objectives(&tests[*test], archive) {
            by_target.entry(target).or_default().push((score, place));
        }
    }
    let mut distances = vec![0.0; front.len()];
    for scores in by_target.values_mut() {
        scores.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let last = scores.len() - 1;
        let span = scores[last].0 - scores[0].0;
        for index in 0..scores.len() {
            let place = scores[index].1;
            // The best of an objective has no neighbour above; those below are as in NSGA-II.
            let gap = match index {
                _ if index == last => 1.0,
                0 => 0.0,
                _ if span > 0.0 => (scores[index + 1].0 - scores[index - 1].0) / span,
                _ => 0.0,
            };
            distances[place] += gap;
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individual::Individual;
    use crate::settings::SearchSettings;
    use crate::target::Score;
    use crate::testing::Step;

    fn test(size: usize, scores: &[(u32, f64)]) -> Arc<Evaluated<Step>> {
        let reach = |(target, score): &(u32, f64)| Reach {
            target: TargetId(*target),
            score: Score::new(*score),
            secondary: 0.0,
            action: None,
        };
        let fitness = scores.iter().map(reach).collect();
        let individual = Individual::new((0..size).map(|_| Step::integer(0)));
        Arc::new(Evaluated::new(individual, fitness, Vec::new(), 0, 1, true))
    }

    fn archive(tests: &[Arc<Evaluated<Step>>]) -> Archive<Step> {
        let mut archive = Archive::default();
        for target in 0..4 {
            archive.intern(&format!("{target}").into());
        }
        for test in tests {
            archive.add(test, 10, &SearchSettings::default());
        }
        archive
    }

    #[test]
    fn the_best_of_each_target_comes_first_then_what_is_not_dominated() {
        let tests = [
            test(1, &[(0, 0.2), (1, 0.2)]),
            test(1, &[(0, 0.9)]),
            test(3, &[(1, 0.9)]),
            test(2, &[(1, 0.9)]),
            test(1, &[(0, 0.1), (1, 0.1)]),
        ];
        let archive = archive(&tests);
        // The shorter of the two best tests of target 1 is preferred.
        let fronts = fronts(&tests, &archive, 5);
        assert_eq!(fronts[..3], [vec![1, 3], vec![0, 2], vec![4]]);
    }

    #[test]
    fn covered_targets_are_no_objectives() {
        let tests = [test(1, &[(0, 1.0), (1, 0.3)]), test(1, &[(0, 0.5), (1, 0.4)])];
        assert_eq!(objectives(&tests[0], &archive(&tests)), [(TargetId(1), 0.3)]);
    }

    #[test]
    fn dominance_is_strict_and_counts_what_was_not_reached_as_zero() {
        let scores = |pairs: &[(u32, f64)]| -> Vec<(TargetId, f64)> {
            pairs.iter().map(|(target, score)| (TargetId(*target), *score)).collect()
        };
        let (one, more) = (scores(&[(1, 0.5)]), scores(&[(1, 0.5), (2, 0.1)]));
        assert!(dominates(&more, &one) && !dominates(&one, &more) && !dominates(&one, &one));
        assert!(!dominates(&scores(&[(1, 0.9)]), &scores(&[(0, 0.1), (1, 0.2)])));
    }

    #[test]
    fn the_best_of_a_target_is_least_crowded() {
        let tests = [test(1, &[(0, 0.2)]), test(1, &[(0, 0.9)]), test(1, &[(0, 0.3)])];
        let distances = crowding(&[0, 1, 2], &tests, &archive(&tests));
        assert!(distances[1] >= distances[2] && distances[2] > distances[0], "{distances:?}");
    }
}
