//! Adaptation: what the search learns about itself while it runs.

use serde::{Deserialize, Serialize};

use crate::archive::{Added, Archive};
use crate::individual::action::Action;
use crate::individual::difference::{Change, changes, has_same_structure};
use crate::operator::Operator;
use crate::operator::cause::Cause;
use crate::operator::hint::Hints;
use crate::operator::hint::suggest::suggest;
use crate::operator::impact::Impact;
use crate::problem::evaluated::{Evaluated, Reach};
use crate::search::share::Shares;
use crate::search::stagnation::Stagnation;
use crate::target::TargetId;

/// Impact, hints, yields, shares and stagnation; part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Adaptation {
    pub(crate) impact: Impact,
    pub(crate) hints: Hints,
    pub(crate) yields: Yields,
    pub(crate) shares: Shares,
    pub(crate) stagnation: Stagnation,
}

impl Adaptation {
    /// Learns from a mutant that was made from `parent` on the way to `target`. Called after the
    /// mutant was offered to the archive.
    pub(crate) fn learn<A: Action>(
        &mut self,
        target: TargetId,
        operator: Operator,
        parent: &Evaluated<A>,
        mutant: &Evaluated<A>,
        added: &Added,
        archive: &Archive<A>,
    ) {
        let score = |test: &Evaluated<A>| test.reach(target).map_or(0.0, |reach| reach.score.get());
        let (before, after) = (score(parent), score(mutant));
        match operator {
            Operator::Structure | Operator::Rows => {
                self.impact.of_mut(target).structure.count(after > before || added.is_progress());
            }
            Operator::Hint => self.impact.of_mut(target).hints.count(after > before),
            Operator::TrimmedHint => {
                self.impact.of_mut(target).hints.count(after > before);
                self.impact.count_trim(target, after >= before);
            }
            Operator::Trim => self.impact.count_trim(target, after >= before),
            Operator::Splice => {
                self.impact.splice.count(after > before || added.is_progress());
            }
            Operator::Values => {}
        }
        // The one action of a test cut down is compared with the same one in the whole.
        let is_comparable = operator == Operator::TrimmedHint
            || has_same_structure(&parent.individual, &mutant.individual);
        if is_comparable {
            let changes = changes(&parent.individual, &mutant.individual);
            self.impact.count(target, &changes, before != after);
            self.infer(&changes, parent, mutant, archive);
        }
        for covered in &added.covered {
            self.impact.forget(*covered);
            self.hints.forget(*covered);
        }
    }

    /// Notes what the changes say about every open target that both tests reached.
    fn infer<A: Action>(
        &mut self,
        changes: &[Change<'_>],
        parent: &Evaluated<A>,
        mutant: &Evaluated<A>,
        archive: &Archive<A>,
    ) {
        // With many changes at once nothing fits any more.
        const CHANGES: usize = 8;
        if changes.is_empty() || changes.len() > CHANGES {
            return;
        }
        let is_alone = changes.len() == 1;
        let mut suggested = Vec::new();
        for (before, after) in common(&parent.fitness, &mutant.fitness) {
            let is_open = !after.score.is_covered() && !archive.is_covered(after.target);
            if !is_open || before.score == after.score {
                continue;
            }
            for change in changes {
                suggest(change, before.score, after.score, is_alone, &mut suggested);
            }
            self.hints.add(after.target, &mut suggested);
        }
    }
}

/// The targets that both tests reached; both lists are in ascending order.
fn common<'a>(
    one: &'a [Reach],
    other: &'a [Reach],
) -> impl Iterator<Item = (&'a Reach, &'a Reach)> {
    let mut rest = other.iter().peekable();
    one.iter().filter_map(move |reach| {
        while rest.next_if(|next| next.target < reach.target).is_some() {}
        rest.next_if(|next| next.target == reach.target).map(|next| (reach, next))
    })
}

/// Targets newly covered for each call, by where the test came from; older tests count less.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Yields {
    sampled: Yield,
    mutated: Yield,
    /// Those of one call, and longer ones.
    followed: [Yield; 2],
}

/// Targets that ten calls are thought to cover before anything is known.
const PRIOR: f64 = 0.1;
/// The same where yields decide: what was tried little is tried more.
const HOPE: f64 = 1.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Yield {
    covered: f64,
    calls: f64,
}

impl Yield {
    /// Half of what was counted is forgotten in about 140 evaluations.
    const MEMORY: f64 = 0.995;
    /// The same in about 280 calls, where yields decide: of two kinds of tests that cover nothing, the
    /// longer ones must not look worse.
    const MEMORY_OF_CALLS: f64 = 0.9975;

    fn count(&mut self, covered: usize, calls: u64, by_yield: bool) {
        let kept = match by_yield {
            true => libm::pow(Self::MEMORY_OF_CALLS, calls as f64),
            false => Self::MEMORY,
        };
        self.covered = self.covered * kept + covered as f64;
        self.calls = self.calls * kept + calls as f64;
    }

    fn rate(self, prior: f64) -> f64 {
        (self.covered + prior) / (self.calls + 10.0)
    }
}

impl Yields {
    /// Counts a test. Where yields decide, the tests that a search begins with are left aside: what
    /// they cover nothing else would.
    pub(crate) fn count(&mut self, cause: Cause, covered: usize, calls: u64, by_yield: bool) {
        let own = match cause {
            Cause::FollowUp if by_yield => &mut self.followed[usize::from(calls > 1)],
            Cause::Seed | Cause::Initial if by_yield => return,
            Cause::Sample | Cause::Plan | Cause::Check => &mut self.sampled,
            Cause::FollowUp | Cause::Seed | Cause::Initial => &mut self.sampled,
            _ => &mut self.mutated,
        };
        own.count(covered, calls, by_yield);
    }

    /// The share of the yield of sampling in that of both, in `[0, 1]`; one half while nothing is
    /// known.
    pub(crate) fn sampling_share(&self, by_yield: bool) -> f64 {
        let worth = |own: Yield| match by_yield {
            true => own.rate(HOPE) * own.rate(HOPE),
            false => own.rate(PRIOR),
        };
        worth(self.sampled) / (worth(self.sampled) + worth(self.mutated))
    }

    /// How far follow-ups of as many calls are worth them, in `(0, 1]`: 1 while they earn as much as what
    /// else earns most, or nothing is known.
    pub(crate) fn worth_of_follow_up(&self, calls: usize) -> f64 {
        let other = self.sampled.rate(HOPE).max(self.mutated.rate(HOPE));
        let ratio = self.followed[usize::from(calls > 1)].rate(HOPE) / other;
        (ratio * ratio).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_follows_its_yield() {
        let share = |sampled, mutated, by_yield| {
            let mut yields = Yields::default();
            for _ in 0..200 {
                yields.count(Cause::Plan, sampled, 1, by_yield);
                yields.count(Cause::Hint, mutated, 1, by_yield);
            }
            yields.sampling_share(by_yield)
        };
        for by_yield in [true, false] {
            assert_eq!(Yields::default().sampling_share(by_yield), 0.5);
            assert!(share(1, 0, by_yield) > 0.95 && share(0, 1, by_yield) < 0.05);
        }
        assert!((share(3, 1, false) - 0.75).abs() < 0.01);
        assert!((share(3, 1, true) - 0.9).abs() < 0.01);
    }

    #[test]
    fn follow_ups_that_cost_many_calls_stand_by_themselves() {
        let mut yields = Yields::default();
        assert_eq!(yields.worth_of_follow_up(1), 1.0);
        for _ in 0..200 {
            yields.count(Cause::Initial, 50, 1, true);
            yields.count(Cause::Hint, 1, 4, true);
            yields.count(Cause::FollowUp, 1, 1, true);
            yields.count(Cause::FollowUp, 0, 9, true);
        }
        assert_eq!(yields.worth_of_follow_up(1), 1.0);
        assert!(yields.worth_of_follow_up(9) < 0.01);
    }

    #[test]
    fn what_was_long_ago_counts_little() {
        let mut yields = Yields::default();
        for _ in 0..500 {
            yields.count(Cause::Plan, 1, 1, true);
        }
        for _ in 0..2_000 {
            yields.count(Cause::Plan, 0, 1, true);
            yields.count(Cause::Hint, 1, 10, true);
        }
        assert!(yields.sampling_share(true) < 0.1);
    }

    #[test]
    fn only_targets_of_both_tests_are_compared() {
        let reach = |target, score| Reach {
            target: TargetId(target),
            score: crate::target::Score::new(score),
            secondary: 0.0,
            action: None,
        };
        let one = [reach(1, 0.1), reach(3, 0.3), reach(4, 0.4)];
        let other = [reach(2, 0.5), reach(3, 0.6), reach(4, 0.7), reach(9, 0.8)];
        let pairs: Vec<(u32, f64)> =
            common(&one, &other).map(|(_, after)| (after.target.0, after.score.get())).collect();
        assert_eq!(pairs, [(3, 0.6), (4, 0.7)]);
    }
}
