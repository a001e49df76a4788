//! Measuring one search.

use std::collections::VecDeque;

use wallace_engine::{Budget, Evaluator, Problem, Search, SearchSettings, Wanted};

use crate::statistic::area;

/// What a search reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Covered share of the feasible targets at the end, in `[0, 1]`.
    pub covered: f64,
    /// Mean covered share over the budget, in `[0, 1]`.
    pub area: f64,
    /// Calls, and the covered share after them, wherever it rose.
    pub curve: Vec<(u64, f64)>,
}

/// Runs a search until `calls` are used or all `feasible` targets are covered. Nothing is minimised
/// afterwards.
pub fn run<P: Problem>(
    problem: &P,
    evaluator: &mut dyn Evaluator<P::Action>,
    settings: SearchSettings,
    calls: u64,
    feasible: usize,
) -> Run {
    let mut search = Search::new(problem, settings, Budget::calls(calls));
    let mut open = VecDeque::new();
    let mut curve = Vec::new();
    let mut covered = 0;
    while search.end().is_none() && covered < feasible {
        open.extend(std::iter::from_fn(|| search.propose()));
        let proposal = open.pop_front().expect("there is at least one lineage");
        let result = evaluator.evaluate(&proposal.individual, &Wanted::Everything);
        search.commit(proposal, result).expect("it is the oldest");
        if search.archive().covered() > covered {
            covered = search.archive().covered();
            curve.push((search.statistics().calls, covered as f64));
        }
    }
    let share = 1.0 / feasible as f64;
    let area = area(&curve, calls) * share;
    let curve = curve.into_iter().map(|(calls, covered)| (calls, covered * share)).collect();
    Run { covered: covered as f64 * share, area, curve }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_max::OneMax;

    #[test]
    fn a_run_ends_when_all_is_covered_or_the_budget_is_used() {
        let problem = OneMax::new(5);
        let measure =
            |calls| run(&problem, &mut *problem.evaluator(), SearchSettings::default(), calls, 5);
        assert_eq!(measure(5_000).covered, 1.0);
        assert!(measure(5_000).area > 0.9);
        assert!(measure(3).covered < 1.0);
    }
}
