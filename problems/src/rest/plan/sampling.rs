//! Which kind of test comes next, and what it is about.

use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, TemplateId};

use crate::rest::action::{RestAction, Twist, Violation};
use crate::rest::learn::rule_key;
use crate::rest::problem::{RestMemory, RestProblem};

/// Share of sampled tests that are one call without preparation.
const SINGLE: f64 = 0.15;
/// Share of sampled tests whose last call breaks a documented rule.
const INVALID: f64 = 0.2;
/// Share of sampled tests that are made for the check that was tried least.
const CHECKED: f64 = 0.75;
/// Share of sampled tests that are made for a check, and of those that break a rule, where a driver
/// tells what calls reach.
const CHECKED_INSIDE: f64 = 0.05;
const INVALID_INSIDE: f64 = 0.1;
/// Share of sampled tests whose last call has a boundary value.
const BOUNDARY: f64 = 0.05;
/// Probability that a test sends a verb that is not documented.
const OTHER_VERB: f64 = 0.04;
/// Rules of which the one that was broken least is chosen.
const DRAWN_RULES: usize = 5;
/// How much more often an operation is chosen that never worked, while it was called less than
/// `MOST_FAILED` times.
const NEVER_WORKED: f64 = 3.0;
const MOST_FAILED: u32 = 150;

impl RestProblem {
    pub(in crate::rest) fn sample_plan(
        &self,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        if !draw.rng.chance(self.tests.smart_sampling) {
            return self.random_test(learnt, draw);
        }
        if !self.is_white_box
            && self.max_size > 1
            && draw.rng.chance(CHECKED)
            && let Some(mut plan) = self.least_tried_check(learnt, draw)
        {
            self.clean(&mut plan, learnt, draw);
            return plan;
        }
        let id = self.chosen(learnt, draw);
        if self.max_size == 1 || draw.rng.chance(SINGLE) {
            return Individual::new([self.call(id, learnt, draw)]);
        }
        if self.is_white_box
            && draw.rng.chance(CHECKED_INSIDE)
            && let Some(plan) = self.any_check(id, learnt, draw)
        {
            return plan;
        }
        // Without a driver they are among the checks.
        if self.is_white_box
            && !self.other_verbs.is_empty()
            && draw.rng.chance(OTHER_VERB)
            && let Some(plan) =
                self.at_other_verb(draw.rng.below(self.other_verbs.len()), learnt, draw)
        {
            return plan;
        }
        if draw.rng.chance(BOUNDARY)
            && let Some(plan) =
                self.at_boundary(draw.rng.below(self.boundaries.len().max(1)), learnt, draw)
        {
            return plan;
        }
        let mut plan = self.plan(id, learnt, draw);
        let invalid = if self.is_white_box { INVALID_INSIDE } else { INVALID };
        if self.oracles.wants(102) && draw.rng.chance(invalid) {
            self.break_last(&mut plan, learnt, draw);
        }
        self.clean(&mut plan, learnt, draw);
        plan
    }

    /// Random calls without any connection (search-mio.md 3).
    fn random_test(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> Individual<RestAction> {
        let size = 1 + draw.rng.below(self.max_size);
        let calls: Vec<RestAction> = (0..size)
            .map(|_| {
                let id = self.callable[draw.rng.below(self.callable.len())];
                self.call(id, learnt, draw)
            })
            .collect();
        Individual::new(calls)
    }

    /// The operation that a test is about. Those that need or read much have more code behind them,
    /// but not more rules that can be broken; and what never worked shows nothing.
    fn chosen(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> TemplateId {
        let weight = |id: &TemplateId| {
            if self.is_white_box {
                return self.involved(*id, learnt);
            }
            let is_failing = learnt.memory.record.get(id).is_some_and(|record| {
                record.fruitful == 0 && (1..MOST_FAILED).contains(&record.calls)
            });
            if is_failing { NEVER_WORKED } else { 1.0 }
        };
        let weights: Vec<f64> = self.callable.iter().map(weight).collect();
        self.callable[draw.rng.weighted(&weights).unwrap_or(0)]
    }

    /// Makes the last call break a rule: of a few, the one that was broken least so far.
    pub(in crate::rest) fn break_last(
        &self,
        plan: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        let place = plan.actions().len() - 1;
        let action = &plan.actions()[place].1;
        let tried = learnt.memory.violations.get(&action.template);
        let drawn: Vec<Violation> = (0..DRAWN_RULES)
            .filter_map(|_| self.templates.violation(action.template, &action.gene, &mut draw.rng))
            .collect();
        let times = |violation: &Violation| {
            tried.and_then(|tried| tried.get(&rule_key(violation))).copied().unwrap_or(0)
        };
        let Some(violation) = drawn.into_iter().min_by_key(times) else { return false };
        plan.action_mut(place).twist = Some(Box::new(Twist::Violation(violation)));
        true
    }
}
