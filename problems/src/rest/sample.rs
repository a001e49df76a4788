//! Which kind of test comes next, and what it is about.

use std::sync::Arc;

use wallace_engine::Individual;
use wallace_genes::{GeneSettings, Sampled, TemplateId, simplest};

use super::action::{Deviation, RestAction, Violation};
use super::boundary::Boundary;
use super::check::Checker;
use super::plan::Planner;

/// Rules of which the one that was broken least is chosen.
const DRAWN_RULES: usize = 5;
/// Calls after which an operation that never worked is chosen as often as others.
const MOST_FAILED: u32 = 150;
/// Most users by whom the first sweep calls every operation.
const SWEEPING_USERS: u16 = 5;

/// Makes new tests.
pub(super) struct Sampler<'p> {
    pub(super) checker: Checker<'p>,
    pub(super) boundaries: &'p [Boundary],
    /// Whether calls that break documented rules are judged.
    pub(super) has_invalid: bool,
}

impl Sampler<'_> {
    /// A test of any kind.
    pub(super) fn sample(&mut self) -> Individual<RestAction> {
        let Self { checker, boundaries, .. } = self;
        let operations = checker.planner.operations;
        let settings = &operations.settings;
        if !checker.planner.chance(settings.smart_sampling) {
            return checker.planner.random_test();
        }
        if !operations.is_white_box
            && operations.max_size > 1
            && checker.planner.chance(settings.checked)
            && let Some(mut plan) = checker.least_tried_check()
        {
            checker.planner.clean(&mut plan);
            checker.planner.draw.sampled = Sampled::Check;
            return plan;
        }
        let id = checker.planner.chosen();
        if operations.max_size == 1 || checker.planner.chance(settings.single) {
            return Individual::new([checker.planner.call(id)]);
        }
        if operations.is_white_box
            && checker.planner.chance(settings.checked)
            && let Some(plan) = checker.any_check(id)
        {
            checker.planner.draw.sampled = Sampled::Check;
            return plan;
        }
        // Without a driver they are among the checks.
        let verbs = if operations.is_white_box { checker.checks.other_verbs.len() } else { 0 };
        if verbs > 0 && checker.planner.chance(settings.other_verb) {
            let number = checker.planner.draw.rng.below(verbs);
            if let Some(plan) = checker.at_other_verb(number) {
                checker.planner.draw.sampled = Sampled::Check;
                return plan;
            }
        }
        checker.planner.draw.sampled = Sampled::Plan;
        if checker.planner.chance(settings.boundary_value) {
            let number = checker.planner.draw.rng.below(boundaries.len().max(1));
            let boundary = boundaries.get(number);
            if let Some(plan) = boundary.and_then(|it| checker.planner.at_boundary(it)) {
                return plan;
            }
        }
        let mut plan = checker.planner.plan(id);
        if self.has_invalid && checker.planner.chance(settings.invalid) {
            checker.planner.break_last(&mut plan);
            checker.planner.draw.sampled = Sampled::Check;
        }
        checker.planner.clean(&mut plan);
        plan
    }

    /// The first sweep. With a driver: each operation by nobody and by each user, plainly by the first
    /// who may be let in; then each once more with all that it may hold, texts tainted so that what they
    /// are compared with is learnt. Without one: each after what it needs, by a user where there are some, twice. Then boundary
    /// values, and verbs that are not documented. Lists are asked for first, and bare.
    pub(super) fn initial(&mut self, number: u64) -> Option<Individual<RestAction>> {
        let planner = &mut self.checker.planner;
        let operations = planner.operations;
        let count = operations.callable.len() as u64;
        let callers = match operations.is_white_box {
            true => 1 + u64::from(operations.users.min(SWEEPING_USERS)),
            false => 1,
        };
        let id = operations.callable[(number % count) as usize];
        match number / count {
            round if round < callers && operations.is_white_box => {
                let caller = round.checked_sub(1).map(|user| user as u16);
                let gene = match round {
                    0 => simplest(&operations.templates.template(id).spec, &planner.draw.settings),
                    // Nobody was let in: the first plain call is that of a user.
                    1 if planner.learnt.memory.caller(id, -1).refused > 0 => planner.plainest(id),
                    _ => planner.sample(id),
                };
                Some(Individual::new([RestAction { caller, ..RestAction::new(id, gene) }]))
            }
            round if round == callers && operations.is_white_box => {
                let usual = (*planner.draw.settings).clone();
                let full = GeneSettings { absent: 0.0, null: 0.0, taint_start: 1.0, ..usual };
                planner.draw.settings = Arc::new(full);
                Some(planner.plan(id))
            }
            round if round <= callers => {
                // What others need comes first, and what takes things away last.
                let id = operations.in_order[(number % count) as usize];
                let operation = operations.get(id);
                // What is there from the start is seen before anything is changed.
                if round == 0 && operation.method.is_safe() && !operation.path.contains('{') {
                    return Some(Individual::new([planner.bare_call(id)]));
                }
                Some(planner.plan_after(id, 0.0))
            }
            _ => {
                let number = (number - (callers + 1) * count) as usize;
                // As many boundary values as operations; the others are left to sampling.
                let all = self.boundaries.len();
                let first = all.min(operations.callable.len());
                let special = match number.checked_sub(first) {
                    None => planner.at_boundary(&self.boundaries[number * all / first]),
                    Some(number) if number >= self.checker.checks.other_verbs.len() => return None,
                    Some(number) => self.checker.at_other_verb(number),
                };
                // What cannot be made does not end the sweep.
                Some(special.unwrap_or_else(|| self.checker.planner.plan(id)))
            }
        }
    }
}

impl Planner<'_> {
    /// Random calls without any connection.
    fn random_test(&mut self) -> Individual<RestAction> {
        let callable = &self.operations.callable;
        let size = 1 + self.draw.rng.below(self.operations.max_size);
        let call = |_| {
            let id = callable[self.draw.rng.below(callable.len())];
            self.call(id)
        };
        Individual::new((0..size).map(call).collect::<Vec<_>>())
    }

    /// The operation that a test is about. Those that need or read much have more code behind them,
    /// but not more rules that can be broken; and what never worked shows nothing.
    fn chosen(&mut self) -> TemplateId {
        let (operations, never_worked) = (self.operations, self.settings().never_worked);
        let weight = |id: &TemplateId| {
            if operations.is_white_box {
                return self.involved(*id);
            }
            let is_failing = self.learnt.memory.record.get(id).is_some_and(|record| {
                record.fruitful == 0 && (1..MOST_FAILED).contains(&record.calls)
            });
            if is_failing { never_worked } else { 1.0 }
        };
        let weights: Vec<f64> = operations.callable.iter().map(weight).collect();
        operations.callable[self.draw.rng.weighted(&weights).unwrap_or(0)]
    }

    /// Makes the last call break a rule: of a few, the one that was broken least so far.
    pub(super) fn break_last(&mut self, plan: &mut Individual<RestAction>) -> bool {
        let place = plan.actions().len() - 1;
        let action = &plan.actions()[place].1;
        let (templates, rng) = (&self.operations.templates, &mut self.draw.rng);
        let drawn: Vec<Violation> = (0..DRAWN_RULES)
            .filter_map(|_| templates.violation(action.template, &action.gene, rng))
            .collect();
        let tried = self.learnt.memory.violations.get(&action.template);
        let times = |violation: &Violation| {
            tried.and_then(|tried| tried.get(&violation.key())).copied().unwrap_or(0)
        };
        let Some(violation) = drawn.into_iter().min_by_key(times) else { return false };
        plan.action_mut(place).deviation = Some(Box::new(Deviation::Violation(violation)));
        true
    }
}
