//! Tests that are not written: those that would fail on a fresh start, and those that tell secrets.

use std::collections::{BTreeMap, BTreeSet};

use wallace_engine::{Action, Problem, TargetKind, solution::SolutionTest};
use wallace_problems::HttpOutcome;
use wallace_problems::auth::Secrets;
use wallace_suite::TestCase;

use crate::made_name::Lean;
use crate::outcome::Outcome;
use crate::service_family::ServiceFamily;
use crate::target_system::TargetSystem;

/// Tests of one cause that are written.
const MOST_OF_CAUSE: usize = 3;

/// Leaves out the tests that only pass after others, where no driver resets the service; but not one
/// that perhaps does so and shows a fault which no other test shows. Returns how many.
pub(crate) fn leave_out_made<P: ServiceFamily>(
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    lowered: &mut [Option<TestCase>],
) -> usize {
    if system.info.is_some() {
        return 0;
    }
    let tests = || outcome.solution.tests.iter();
    let causes = |test: &SolutionTest<<P as Problem>::Action>| -> Vec<String> {
        let covers = test.covers.iter();
        covers.filter_map(|name| outcome.faults.cause(name)).map(str::to_owned).collect()
    };
    let was_started_anew = outcome.stands.iter().any(|it| it.holds().is_some());
    let leans = tests().zip(&*lowered).enumerate().map(|(place, (test, case))| {
        let lean = |case| outcome.made.lean(&*system.problem, &test.evaluated, Some(case));
        // What fresh starts showed counts more than what names let expect.
        match outcome.holds(place) {
            Some(stands) => (!stands).then_some(Lean::Surely),
            // For want of calls nobody knows.
            None if was_started_anew => Some(Lean::Surely),
            None if is_for_a_while(test) => Some(Lean::Surely),
            None if ends_badly(test) => Some(Lean::Perhaps),
            None => case.as_ref().and_then(lean),
        }
    });
    let mut leans: Vec<Option<Lean>> = leans.collect();
    let mut taken = BTreeSet::new();
    let free = tests().zip(&mut leans).filter(|(_, lean)| lean.is_none() && !was_started_anew);
    for (test, lean) in free {
        let mut sole = outcome.made.sole(&*system.problem, &test.evaluated);
        if !sole.is_disjoint(&taken) {
            *lean = Some(Lean::Perhaps);
        }
        taken.append(&mut sole);
    }
    let alone = tests().zip(&leans).filter(|(_, lean)| lean.is_none()).map(|(test, _)| test);
    let mut shown: BTreeSet<String> = alone.flat_map(causes).collect();
    let mut count = 0;
    for ((test, case), lean) in tests().zip(lowered).zip(&leans) {
        let Some(lean) = lean else { continue };
        let causes = causes(test);
        if *lean == Lean::Surely || causes.iter().all(|cause| shown.contains(cause)) {
            *case = None;
            // What fresh starts showed, or had no calls for, is told by them.
            count += usize::from(!was_started_anew);
        }
        shown.extend(causes);
    }
    count
}

/// Whether a test met an error of the service beside the faults that it shows: as likely as not it is
/// what earlier calls did to the service.
fn ends_badly<A: Action<Outcome = HttpOutcome>>(test: &SolutionTest<A>) -> bool {
    let is_error = |outcome: &HttpOutcome| outcome.status().is_some_and(|status| status >= 500);
    let shows_fault = test.covers.iter().any(|target| target.kind() == TargetKind::Fault);
    !shows_fault && test.evaluated.outcomes.iter().any(is_error)
}

/// Whether a service under load told a test to come again later (RFC 9110, 15.6.4).
fn is_for_a_while<A: Action<Outcome = HttpOutcome>>(test: &SolutionTest<A>) -> bool {
    test.evaluated.outcomes.iter().any(|outcome| outcome.status() == Some(503))
}

/// Leaves out the tests that send a secret as a value, and what is expected of answers that hold one.
/// Returns how many.
pub(crate) fn leave_out_secret<P: ServiceFamily>(
    system: &TargetSystem<P>,
    lowered: &mut [Option<TestCase>],
) -> usize {
    let finders: Vec<_> = system.secrets().iter().map(Secrets::finder).collect();
    let is_secret = |text: &str| finders.iter().any(|is_secret| is_secret(text));
    let before = lowered.iter().flatten().count();
    for case in &mut *lowered {
        *case = case.take().and_then(|mut case| case.hide(&is_secret).then_some(case));
    }
    before - lowered.iter().flatten().count()
}

/// Leaves out the tests of causes that enough others show, where nothing but these is covered by them: one
/// who mends a cause mends it for all. Returns how many.
pub(crate) fn leave_out_again<P: ServiceFamily>(
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    lowered: &mut [Option<TestCase>],
) -> usize {
    if system.info.is_some() {
        return 0;
    }
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = 0;
    for (test, case) in outcome.solution.tests.iter().zip(lowered) {
        let causes = test.covers.iter().map(|target| outcome.faults.cause(target));
        let causes: Vec<Option<&str>> = causes.collect();
        let is_told = |cause: &Option<&str>| {
            cause.is_some_and(|cause| shown.get(cause).is_some_and(|it| *it >= MOST_OF_CAUSE))
        };
        if case.is_none() {
            continue;
        }
        if !causes.is_empty() && causes.iter().all(is_told) {
            *case = None;
            count += 1;
            continue;
        }
        for cause in causes.into_iter().flatten() {
            *shown.entry(cause).or_default() += 1;
        }
    }
    count
}

/// Leaves out the tests with a call that is left alone since it takes a login away, or that takes away
/// what nothing makes again, unless fresh starts showed that others do well beside them. Returns how many.
pub(crate) fn leave_out_ending<P: ServiceFamily>(
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    lowered: &mut [Option<TestCase>],
) -> usize {
    let problem = &*system.problem;
    let is_forbidden = |test: &SolutionTest<<P as Problem>::Action>| {
        let mut calls = test.evaluated.individual.actions().iter().zip(&test.evaluated.outcomes);
        calls.any(|((_, action), outcome)| {
            let makers = problem.makers(action).filter(|_| system.info.is_none());
            // At another time of the run it may have been gone already.
            if makers.is_some_and(|it| system.guard.has_taken(problem.operation(action), &it)) {
                return true;
            }
            let request = outcome.request(problem, action);
            let touch = problem.touch(action, &request);
            system.guard.leaves_alone(problem.operation(action), &request, touch.as_ref())
        })
    };
    let mut count = 0;
    for (place, (test, case)) in outcome.solution.tests.iter().zip(lowered).enumerate() {
        if case.is_some() && outcome.holds(place) != Some(true) && is_forbidden(test) {
            *case = None;
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use wallace_engine::Individual;
    use wallace_genes::{Gene, TemplateId};
    use wallace_problems::HttpResponse;
    use wallace_problems::rest::RestAction;

    use super::*;

    #[test]
    fn what_is_to_come_again_later_is_not_expected() {
        let test = |statuses: &[u16]| {
            let call = |_| RestAction::new(TemplateId(0), Gene::Constant);
            let answer = |status: &u16| {
                HttpOutcome::new(Ok(HttpResponse { status: *status, ..HttpResponse::default() }))
            };
            let outcomes = statuses.iter().map(answer).collect();
            SolutionTest::observed(Individual::new(statuses.iter().map(call)), outcomes, 2, vec![])
        };
        assert!(is_for_a_while(&test(&[201, 503])) && is_for_a_while(&test(&[503, 200])));
        assert!(!is_for_a_while(&test(&[201, 500])));
    }
}
