//! Lineages: successive mutations of one picked test.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{
    Dormant,
    history::{History, Outcome},
};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::operator::Operator;
use crate::operator::cause::Cause;
use crate::problem::evaluated::Evaluated;
use crate::problem::evaluator::Wanted;
use crate::settings::SearchSettings;
use crate::target::TargetId;

/// The lineages of a search; each makes one test at a time.
#[derive(Debug)]
pub(super) struct Lineages<A: Action>(pub(super) Vec<Option<Lineage<A>>>);

impl<A: Action> Lineages<A> {
    pub(super) fn new(count: u32) -> Self {
        let count = count.clamp(1, SearchSettings::MOST_LINEAGES) as usize;
        Self(vec![None; count])
    }

    /// Their number.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The lineage of an evaluation.
    pub(super) fn of(&mut self, number: u64) -> &mut Option<Lineage<A>> {
        let place = number % self.0.len() as u64;
        &mut self.0[place as usize]
    }
}

/// One picking: a target, the test that is mutated for it, and how many mutations remain.
#[derive(Debug, Clone)]
pub(super) struct Lineage<A: Action> {
    pub(super) current: Arc<Evaluated<A>>,
    pub(super) state: LineageState,
}

/// All of a lineage but its test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LineageState {
    pub(super) target: TargetId,
    pub(super) rounds: u32,
    /// What was switched off in it.
    pub(super) dormant: Dormant,
    /// What its changes did so far.
    pub(super) history: History,
    /// What made the test that is being evaluated.
    pub(super) operator: Operator,
    neutral: u32,
}

impl<A: Action> Lineage<A> {
    pub(super) fn new(target: TargetId, current: Arc<Evaluated<A>>, rounds: u32) -> Self {
        let (dormant, history) = (Dormant::default(), History::default());
        let operator = Operator::default();
        let state = LineageState { target, rounds, dormant, history, operator, neutral: 0 };
        Self { current, state }
    }

    /// Decides whether the mutant is mutated next (docs/reference/search.md#acceptance): it is when
    /// it is not worse on the target, or when it served another one. After too many equal mutants
    /// in a row the lineage returns to the best test of its target.
    pub(super) fn accept(
        &mut self,
        mutant: &Arc<Evaluated<A>>,
        is_progress: bool,
        best: Option<&Arc<Evaluated<A>>>,
        patience: u32,
    ) {
        let target = self.state.target;
        let order = match (mutant.fitness_on(target), self.current.fitness_on(target)) {
            (Some(new), Some(old)) => Some(new.order(&old)),
            // Not asked for is unknown and not 0 (docs/reference/search.md#unknown-is-not-zero), so
            // it decides nothing.
            (None, _) if !mutant.is_complete => None,
            (None, _) => Some(std::cmp::Ordering::Less),
            (Some(_), None) => Some(std::cmp::Ordering::Greater),
        };
        self.state.history.report(order.map_or(Outcome::Unknown, Outcome::of));
        match order {
            Some(std::cmp::Ordering::Less) if !is_progress => return,
            Some(std::cmp::Ordering::Equal) => self.state.neutral += 1,
            _ => self.state.neutral = 0,
        }
        self.current = Arc::clone(mutant);
        if self.state.neutral > patience
            && let Some(best) = best
        {
            self.current = Arc::clone(best);
            self.state.neutral = 0;
        }
    }
}

/// Where a proposed test came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Sampled, or one of the problem's own to begin with.
    Sampled,
    /// Made by a baseline.
    Bred,
    /// Mutated on the way to a target.
    Mutated {
        /// The target.
        target: TargetId,
    },
}

/// A test to be evaluated.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Proposal<A: Action> {
    /// Number of the evaluation, from 0.
    pub number: u64,
    /// The test.
    pub individual: Individual<A>,
    /// Where it came from.
    pub origin: Origin,
    /// What it is run for.
    pub cause: Cause,
    /// What its evaluation should report.
    pub wanted: Wanted,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::evaluated::Reach;
    use crate::target::Score;
    use crate::testing::Step;

    const TARGET: TargetId = TargetId(0);

    /// A test with a score on the target; `None` does not reach it, or was not asked.
    fn test(value: i32, score: Option<f64>, is_complete: bool) -> Arc<Evaluated<Step>> {
        let reach = |score| Reach {
            target: TARGET,
            score: Score::new(score),
            secondary: 0.0,
            action: None,
        };
        let fitness = score.map(reach).into_iter().collect();
        let individual = Individual::new([Step::integer(value)]);
        Arc::new(Evaluated::new(individual, fitness, Vec::new(), 0, 1, is_complete))
    }

    fn lineage() -> Lineage<Step> {
        Lineage::new(TARGET, test(0, Some(0.5), true), 10)
    }

    #[test]
    fn unknown_is_not_zero() {
        // Not reached, and everything was asked for: worse. Not asked for: nobody knows.
        for (is_complete, is_accepted) in [(true, false), (false, true)] {
            let mut lineage = lineage();
            let mutant = test(1, None, is_complete);
            lineage.accept(&mutant, false, None, 20);
            assert_eq!(Arc::ptr_eq(&lineage.current, &mutant), is_accepted);
        }
    }

    #[test]
    fn equal_mutants_are_accepted_until_there_were_too_many() {
        let best = test(9, Some(0.5), true);
        let mut lineage = lineage();
        for value in 1..=3 {
            let mutant = test(value, Some(0.5), true);
            lineage.accept(&mutant, false, Some(&best), 3);
            assert!(Arc::ptr_eq(&lineage.current, &mutant), "{value} drifts");
        }
        lineage.accept(&test(4, Some(0.5), true), false, Some(&best), 3);
        assert!(Arc::ptr_eq(&lineage.current, &best), "drift is bounded");
    }

    #[test]
    fn worse_mutants_are_accepted_only_when_they_served_another_target() {
        for serves_another in [false, true] {
            let mut lineage = lineage();
            let mutant = test(1, Some(0.4), true);
            lineage.accept(&mutant, serves_another, None, 20);
            assert_eq!(Arc::ptr_eq(&lineage.current, &mutant), serves_another);
        }
    }
}
