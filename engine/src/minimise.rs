//! Minimising: the smallest set of tests that covers what was covered, and smaller tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::action::Action;
use crate::budget::StopReason;
use crate::evaluated::{Evaluated, Reach};
use crate::evaluator::{Evaluator, Wanted};
use crate::event::SearchEvent;
use crate::problem::Problem;
use crate::run::evaluate;
use crate::search::Search;
use crate::solution::{Solution, SolutionTest, TargetResult};
use crate::target::TargetId;

impl<P: Problem> Search<'_, P> {
    /// Chooses tests by greedy set cover, then shortens each by leaving out actions
    /// (search-mio.md 14.11), within its share of the budget.
    pub(crate) fn into_solution(
        mut self,
        reason: StopReason,
        evaluator: &mut dyn Evaluator<P::Action>,
    ) -> Solution<P::Action> {
        let chosen = cover(&covered_tests(&self));
        let is_reachable = !matches!(reason, StopReason::Unreachable(_));
        let total = chosen.len();
        let limit = (self.statistics.calls as f64 * self.settings.minimise_share) as u64;
        let mut spent = 0;
        let mut tests = Vec::with_capacity(total);
        for (done, (test, targets)) in chosen.into_iter().enumerate() {
            let test = if is_reachable {
                self.shorten(test, &targets, evaluator, limit, &mut spent)
            } else {
                test
            };
            let covers = targets.iter().map(|target| self.archive.name(*target).clone()).collect();
            tests.push(SolutionTest { evaluated: test, covers });
            self.notify(|_| SearchEvent::Minimised { done: done + 1, of: total });
        }
        let mut targets: Vec<TargetResult> = self
            .archive
            .targets()
            .map(|(target, worth, _)| TargetResult {
                name: self.archive.name(target).clone(),
                score: worth.score,
            })
            .collect();
        targets.sort_by(|one, other| one.name.cmp(&other.name));
        let statistics = self.statistics;
        Solution { tests, targets, statistics, minimising_calls: spent, reason }
    }

    /// Leaves out actions, the last first, while the targets stay covered.
    fn shorten(
        &mut self,
        mut test: Arc<Evaluated<P::Action>>,
        targets: &[TargetId],
        evaluator: &mut dyn Evaluator<P::Action>,
        limit: u64,
        spent: &mut u64,
    ) -> Arc<Evaluated<P::Action>> {
        let mut place = test.individual.actions().len();
        while place > 0 && test.individual.actions().len() > 1 && *spent < limit {
            place -= 1;
            if self.budget.stop.is_set() {
                break;
            }
            let mut shorter = test.individual.clone();
            shorter.remove(place);
            let names = targets.iter().map(|target| self.archive.name(*target).clone()).collect();
            let Ok(evaluation) = evaluate(evaluator, &shorter, &Wanted::These(names)) else {
                continue;
            };
            *spent += evaluation.calls;
            let shorter = self.scored(test.evaluation, shorter, evaluation);
            let still_covers = |target: &TargetId| {
                shorter.reach(*target).is_some_and(|reach| reach.score.is_covered())
            };
            if targets.iter().all(still_covers) {
                test = Arc::new(shorter);
            }
        }
        test
    }
}

/// Tests that cover something, each once, in order of evaluation.
fn covered_tests<P: Problem>(search: &Search<'_, P>) -> Vec<Arc<Evaluated<P::Action>>> {
    let mut tests: Vec<Arc<Evaluated<P::Action>>> = search
        .archive
        .targets()
        .filter(|(_, worth, _)| worth.score.is_covered())
        .map(|(_, _, test)| Arc::clone(test))
        .collect();
    tests.sort_by_key(|test| test.evaluation);
    tests.dedup_by_key(|test| test.evaluation);
    tests
}

type Chosen<A> = (Arc<Evaluated<A>>, Vec<TargetId>);

/// Greedy set cover: repeatedly the test that covers most of what is left for each of its actions,
/// so that a long test comes in only where short ones do not do; ties go to the smaller test, then
/// to the earlier one.
fn cover<A: Action>(tests: &[Arc<Evaluated<A>>]) -> Vec<Chosen<A>> {
    let covered = |test: &Evaluated<A>| -> Vec<TargetId> {
        let is_covered = |reach: &&Reach| reach.score.is_covered();
        test.fitness.iter().filter(is_covered).map(|reach| reach.target).collect()
    };
    let sets: Vec<Vec<TargetId>> = tests.iter().map(|test| covered(test)).collect();
    let mut open: BTreeSet<TargetId> = sets.iter().flatten().copied().collect();
    let mut chosen: Vec<Chosen<A>> = Vec::new();
    while !open.is_empty() {
        let gain = |index: usize| sets[index].iter().filter(|target| open.contains(target)).count();
        let key = |index: &usize| {
            let individual = &tests[*index].individual;
            let smaller = std::cmp::Reverse((individual.size(), individual.length(), *index));
            // In thousandths, since integers are the same everywhere.
            (gain(*index) * 1000 / individual.actions().len().max(1), smaller)
        };
        let best = (0..tests.len()).max_by_key(key).expect("an open target has a test");
        let needed: Vec<TargetId> =
            sets[best].iter().filter(|target| open.contains(target)).copied().collect();
        open.retain(|target| !needed.contains(target));
        chosen.push((Arc::clone(&tests[best]), needed));
    }
    chosen
}
