//! Targets that are not covered: why, the nearest test, and the values that decided.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_engine::{Evaluated, Problem, solution::NearestTest};
use wallace_suite::{
    TestSuite,
    record::{CallRecord, NearTest, OpenReason, OpenTarget, Operands, Place, TargetRecord},
};
use wallace_sut_driver::DecisionValues;

use super::Recording;
use crate::service_family::ServiceFamily;

/// Tests that must have been spent on a target before it counts as more than starved.
const TRIES: u32 = 20;
/// Most nearest tests that a record keeps.
const TESTS: usize = 500;

/// Open targets of a run, while its record is made.
pub(super) struct OpenTargets<'a, P: ServiceFamily> {
    recording: &'a Recording<'a, P>,
    nearest: HashMap<&'a str, &'a NearestTest<<P as Problem>::Action>>,
    tests: Vec<(Arc<Evaluated<<P as Problem>::Action>>, NearTest)>,
}

impl<'a, P: ServiceFamily> OpenTargets<'a, P> {
    pub(super) fn new(recording: &'a Recording<'a, P>) -> Self {
        let nearest = recording.outcome.solution.nearest.iter();
        let nearest = nearest.map(|near| (near.name.as_str(), near)).collect();
        Self { recording, nearest, tests: Vec::new() }
    }

    /// Says of every target of the list that is not covered why it is not.
    pub(super) fn explain(&mut self, targets: &mut [TargetRecord]) {
        for target in targets.iter_mut().filter(|target| !target.is_covered()) {
            target.open = Some(self.open(&target.name, target.score));
        }
        behind(targets);
    }

    /// The nearest tests; those that make the calls of a test of the suite are called like it.
    pub(super) fn into_tests(self, suite: &TestSuite, calls: &[Vec<CallRecord>]) -> Vec<NearTest> {
        let mut tests: Vec<NearTest> = self.tests.into_iter().map(|(_, test)| test).collect();
        for test in &mut tests {
            let sent = |calls: &[CallRecord]| -> Vec<(String, String)> {
                calls.iter().map(|call| (call.path.clone(), call.body.clone())).collect()
            };
            let same = calls.iter().position(|known| sent(known) == sent(&test.calls));
            if let Some(known) = same.and_then(|place| suite.tests.get(place)) {
                test.name.clone_from(&known.name);
            }
        }
        tests
    }

    fn open(&mut self, name: &str, score: f64) -> OpenTarget {
        let insight = &self.recording.outcome.insight;
        let values = insight.values.get(name);
        let near = self.nearest.get(name).copied();
        OpenTarget {
            reason: self.reason(name, score, near, values),
            tried: near.map_or(0, |near| near.tried),
            nearest: near.and_then(|near| self.test(near)),
            operands: values.map(operands),
            behind: None,
        }
    }

    fn reason(
        &self,
        name: &str,
        score: f64,
        near: Option<&NearestTest<<P as Problem>::Action>>,
        values: Option<&DecisionValues>,
    ) -> OpenReason {
        if let Some(why) = self.recording.settings.infeasible.get(name) {
            return OpenReason::Infeasible(why.clone());
        }
        let Some(near) = near.filter(|_| score > 0.0) else { return OpenReason::NeverReached };
        match values {
            Some(values) if !values.has_distance => OpenReason::NoGradient,
            _ if near.tried < TRIES => OpenReason::Starved,
            None if !near.has_improved => OpenReason::NoGradient,
            _ => OpenReason::Stuck,
        }
    }

    /// Position of a test among the nearest ones.
    fn test(&mut self, near: &NearestTest<<P as Problem>::Action>) -> Option<usize> {
        let same = |(test, _): &(Arc<Evaluated<_>>, NearTest)| Arc::ptr_eq(test, &near.evaluated);
        if let Some(place) = self.tests.iter().position(same) {
            return Some(place);
        }
        if self.tests.len() >= TESTS {
            return None;
        }
        let name = format!("near_{}", self.tests.len() + 1);
        let calls = self.recording.calls_of(&near.evaluated);
        self.tests.push((Arc::clone(&near.evaluated), NearTest { name, calls }));
        Some(self.tests.len() - 1)
    }
}

fn operands(values: &DecisionValues) -> Operands {
    Operands {
        left: values.left.clone(),
        relation: values.relation.clone(),
        right: values.right.clone(),
    }
}

/// Decisions that were never reached stand behind another that was: the last one before them in
/// the file which misses a side, or the first after them. Its nearest test and values are what there
/// is to look at.
fn behind(targets: &mut [TargetRecord]) {
    let mut guards: Vec<(Place, String, OpenTarget)> = Vec::new();
    for target in &*targets {
        let is_guard = target.kind.is_decision();
        if let (true, Some(place), Some(open)) = (is_guard, &target.place, &target.open)
            && open.nearest.is_some()
        {
            guards.push((place.clone(), target.name.clone(), open.clone()));
        }
    }
    guards.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    for target in targets {
        let (Some(place), Some(open)) = (&target.place, &mut target.open) else { continue };
        if open.reason != OpenReason::NeverReached {
            continue;
        }
        let end = guards.partition_point(|(known, ..)| known <= place);
        let is_near = |(known, ..): &&(Place, String, OpenTarget)| known.file == place.file;
        let before = guards[..end].last().filter(is_near);
        let guard = before.or_else(|| guards[end..].first().filter(is_near)).or(guards.first());
        if let Some((_, name, known)) = guard {
            open.behind = Some(name.clone());
            open.nearest = known.nearest;
            open.operands.clone_from(&known.operands);
        }
    }
}
