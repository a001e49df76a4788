//! Sharpening: the tests of a result are made to notice more than the code they run.
//!
//! The smallest tests that cover the code select one field, stop at the write, and stand anywhere on
//! their side of a condition: a service that answers otherwise passes them. So one test of each
//! operation looks at all plain fields, what was written is read back, and next to each limit both
//! neighbours are kept. Whatever is changed or added has been run, covers what it covered before,
//! and is answered otherwise than what is there already.

mod boundary;
mod neighbour;
mod reading;
mod text_name;
mod widening;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

use wallace_engine::{
    Evaluation, Evaluator, Individual, Problem, Solution, StopSignal, TargetKind, TargetName,
    Wanted, solution::SolutionTest,
};
use wallace_problems::HttpEvaluator;
use wallace_sut_driver::DecisionValues;

use crate::ledger::{Ledger, Purpose};
use crate::service_family::ServiceFamily;
use crate::target_system::TargetSystem;

type CalledBy<P> = <P as Problem>::Action;

/// Status and body of an answer.
type Answer = (u16, String);

/// How far sharpening goes.
pub(crate) struct Limits<'a> {
    /// Most calls, those that run the tests again not counted.
    pub(crate) calls: u64,
    /// Most calls, all of them.
    pub(crate) left: u64,
    /// How often each new or changed test is run again.
    pub(crate) repeats: u32,
    pub(crate) stop: &'a StopSignal,
}

/// Sharpens the tests of a solution, where a driver brings the service back to its first state
/// before each: else it would not be the change that an answer tells of.
pub(crate) fn sharpen<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    solution: &mut Solution<CalledBy<P>>,
    limits: &Limits<'_>,
    ledger: &mut Ledger,
) {
    let has_ended = solution.reason.is_end();
    let Some(driver) = system.evaluator.driver() else { return };
    if !has_ended || limits.calls == 0 {
        return;
    }
    // Drivers of other projects do not keep values: then limits are found by answers alone.
    let keeps_values = driver.keep_operands(true).is_ok();
    let mut sharpening = Sharpening {
        problem: Arc::clone(&system.problem),
        evaluator: &mut system.evaluator,
        stop: limits.stop,
        // Half of what is left runs the tests again.
        limit: limits.calls.min(limits.left / 2),
        most: limits.left,
        calls: 0,
        ledger,
        keeps_values,
        tests: Vec::new(),
        alone: HashMap::new(),
        on_limit: BTreeMap::new(),
    };
    sharpening.load(std::mem::take(&mut solution.tests));
    sharpening.widen();
    sharpening.read_after_writes();
    sharpening.stand_on_limits();
    sharpening.cross_boundaries();
    solution.minimising_calls += sharpening.calls;
    let (tests, repeat_calls) = sharpening.finish(limits.repeats);
    solution.tests = tests;
    solution.repeat_calls += repeat_calls;
    if let Some(driver) = system.evaluator.driver()
        && let Err(error) = driver.keep_operands(false)
    {
        tracing::debug!("the driver goes on keeping values: {error}");
    }
}

/// Tests while they are sharpened.
struct Sharpening<'a, P: ServiceFamily> {
    problem: Arc<P>,
    evaluator: &'a mut HttpEvaluator<P>,
    stop: &'a StopSignal,
    limit: u64,
    most: u64,
    calls: u64,
    ledger: &'a mut Ledger,
    keeps_values: bool,
    tests: Vec<Kept<P>>,
    /// What calls answer in the first state.
    alone: HashMap<CalledBy<P>, Option<Answer>>,
    /// Answers of tests that stand on a limit, by the side of the decision that lies behind it.
    on_limit: BTreeMap<String, BTreeSet<Answer>>,
}

/// A test that will be part of the result.
struct Kept<P: ServiceFamily> {
    individual: Individual<CalledBy<P>>,
    /// What running it gave; none where it could not be run again, and then it stays as it is.
    seen: Option<Seen<P>>,
    /// The test of the search; none for one that was added.
    before: Option<SolutionTest<CalledBy<P>>>,
    is_changed: bool,
}

/// What running a test gave.
struct Seen<P: ServiceFamily> {
    evaluation: Evaluation<CalledBy<P>>,
    covered: BTreeSet<TargetName>,
    values: Vec<DecisionValues>,
}

impl<P: ServiceFamily> Kept<P> {
    /// Whether the test may get another form: not where it shows a fault, which is best shown by
    /// the smallest test, nor where it is flaky.
    fn may_change(&self) -> bool {
        let is_plain = |test: &SolutionTest<CalledBy<P>>| {
            test.flaky.is_empty() && !test.covers.iter().any(is_fault)
        };
        self.seen.is_some() && self.before.as_ref().is_some_and(is_plain)
    }
}

impl<P: ServiceFamily> Seen<P> {
    /// Status and body of the last answer.
    fn answer(&self) -> Option<Answer> {
        self.answer_at(self.evaluation.outcomes.len().checked_sub(1)?)
    }

    fn answer_at(&self, place: usize) -> Option<Answer> {
        let response = self.evaluation.outcomes.get(place)?.response.as_ref().ok()?;
        (!response.is_cut).then(|| (response.status, response.body.clone()))
    }

    fn has_fault(&self) -> bool {
        self.covered.iter().any(is_fault)
    }
}

fn is_fault(target: &TargetName) -> bool {
    target.kind() == TargetKind::Fault
}

impl<P: ServiceFamily> Sharpening<'_, P> {
    fn is_over(&self) -> bool {
        self.calls >= self.limit || self.stop.is_set()
    }

    /// Runs the tests of the search once more, as a measure for what follows.
    fn load(&mut self, tests: Vec<SolutionTest<CalledBy<P>>>) {
        for test in tests {
            let individual = test.evaluated.individual.clone();
            let seen = if self.is_over() { None } else { self.observe(&individual) };
            let covers =
                |seen: &Seen<P>| test.covers.iter().all(|name| seen.covered.contains(name));
            let seen = seen.filter(|seen| test.flaky.is_empty() && covers(seen));
            if let Some(seen) = &seen {
                self.note_limits(seen);
            }
            self.tests.push(Kept { individual, seen, before: Some(test), is_changed: false });
        }
    }

    /// Runs a test; none when not all of its calls were answered.
    fn observe(&mut self, individual: &Individual<CalledBy<P>>) -> Option<Seen<P>> {
        if self.calls + individual.actions().len() as u64 > self.most {
            return None;
        }
        let begin = Instant::now();
        let evaluation = self.evaluator.evaluate(individual, &Wanted::Everything).ok();
        self.calls += evaluation.as_ref().map_or(1, |evaluation| evaluation.calls.max(1));
        let evaluation = evaluation?;
        let (outcomes, time) = (&evaluation.outcomes, begin.elapsed());
        self.ledger.book::<P>(Purpose::Sharpen, individual, outcomes, time);
        let is_whole = evaluation.outcomes.len() == individual.actions().len()
            && evaluation.outcomes.iter().all(|outcome| outcome.response.is_ok());
        if !is_whole {
            return None;
        }
        let values = match self.evaluator.driver() {
            Some(driver) if self.keeps_values => driver.operands().unwrap_or_default(),
            _ => Vec::new(),
        };
        let covered = evaluation.scores.iter().filter(|score| score.score.is_covered());
        let covered = covered.map(|score| score.name.clone()).collect();
        Some(Seen { evaluation, covered, values })
    }

    /// Gives a test another form when that covers what the suite needs the test for, shows no
    /// fault, and lets the calls it had succeed or fail as before.
    fn change(&mut self, place: usize, individual: Individual<CalledBy<P>>, seen: Seen<P>) -> bool {
        let Kept { seen: Some(known), before: Some(test), .. } = &self.tests[place] else {
            return false;
        };
        let results = |seen: &Seen<P>| -> Vec<(bool, bool)> {
            seen.evaluation.outcomes.iter().map(P::result).collect()
        };
        let is_fit = test.covers.iter().all(|name| seen.covered.contains(name))
            && !seen.has_fault()
            && results(&seen).starts_with(&results(known));
        if is_fit {
            let kept = &mut self.tests[place];
            kept.individual = individual;
            kept.seen = Some(seen);
            kept.is_changed = true;
        }
        is_fit
    }

    fn add(&mut self, individual: Individual<CalledBy<P>>, seen: Seen<P>) {
        self.note_limits(&seen);
        self.tests.push(Kept { individual, seen: Some(seen), before: None, is_changed: true });
    }

    /// The tests of the result, and the calls that running the new ones again took. What does not
    /// come again is given up.
    fn finish(mut self, repeats: u32) -> (Vec<SolutionTest<CalledBy<P>>>, u64) {
        let before = self.calls;
        let mut finished = Vec::with_capacity(self.tests.len());
        for kept in std::mem::take(&mut self.tests) {
            let Kept { individual, seen, before, is_changed } = kept;
            let sharpened = seen.filter(|_| is_changed && !self.stop.is_set()).and_then(|seen| {
                let covers = before.as_ref().map_or(&[][..], |test| &test.covers);
                self.repeated(individual, seen, covers, repeats)
            });
            finished.extend(sharpened.or(before));
        }
        let calls = self.calls - before;
        (finished, calls)
    }

    fn repeated(
        &mut self,
        individual: Individual<CalledBy<P>>,
        seen: Seen<P>,
        covers: &[TargetName],
        repeats: u32,
    ) -> Option<SolutionTest<CalledBy<P>>> {
        let mut again = Vec::new();
        for _ in 0..repeats {
            let other = self.observe(&individual)?;
            let is_same = covers.iter().all(|name| other.covered.contains(name))
                && other.answer().map(|answer| answer.0) == seen.answer().map(|answer| answer.0);
            if !is_same {
                return None;
            }
            again.push(other.evaluation.outcomes);
        }
        let calls = seen.evaluation.calls;
        let outcomes = seen.evaluation.outcomes;
        let mut test = SolutionTest::observed(individual, outcomes, calls, again);
        test.covers = covers.to_vec();
        Some(test)
    }
}
