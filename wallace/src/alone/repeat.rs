//! Runs of a test that tell of what the run left in the service, and not of the test.
//!
//! The tests of a result are run again at its end. A thing that one makes is there by then, and one that it
//! reads may have been taken away: it would be expected of neither on a fresh start.

use std::sync::Arc;

use wallace_engine::{Action, Evaluated, Problem, Solution};
use wallace_problems::{HttpOutcome, HttpProblem};

use crate::made_name::MadeNames;
use crate::service_family::ServiceFamily;

type CalledBy<P> = <P as Problem>::Action;

/// Leaves those runs out of the tests. The changes that they show to be refused the second time are noted.
pub(crate) fn leave_out_repeats<P: ServiceFamily>(
    problem: &P,
    made: &mut MadeNames,
    solution: &mut Solution<CalledBy<P>>,
) {
    for test in &mut solution.tests {
        let evaluated = Arc::clone(&test.evaluated);
        for again in &test.repeats {
            for action in refused_changes(problem, &evaluated, again) {
                made.note_once(problem.operation(action));
                // There is no name to change.
                if !chooses(made, action) {
                    made.note_sole(problem, action);
                }
            }
        }
        test.repeats.retain(|again| !tells_of_run(problem, made, &evaluated, again));
        test.runs = test.runs.min(1 + test.repeats.len() as u32);
        test.flaky.retain(|flaky| flaky.seen < test.runs);
    }
}

/// Whether a change says a name of what it makes.
pub(super) fn chooses<A: Action>(made: &MadeNames, action: &A) -> bool {
    let mut chooses = false;
    action.gene().visit_texts(&mut |_, text| chooses |= made.has_chosen(&text.text));
    chooses
}

/// Whether a call that went well is refused now since what it makes is there already, or what it is about
/// was taken away by the run.
pub(super) fn tells_of_run<P: ServiceFamily>(
    problem: &P,
    made: &MadeNames,
    test: &Evaluated<CalledBy<P>>,
    again: &[HttpOutcome],
) -> bool {
    refused(problem, test, again).any(|(action, before)| {
        let request = before.request(problem, action);
        let sent = before.sent(action);
        !HttpProblem::is_read(problem, &*sent) || made.has_taken(problem, &sent, &request)
    })
}

/// The changes that went well and are refused now.
pub(super) fn refused_changes<'a, P: ServiceFamily>(
    problem: &'a P,
    test: &'a Evaluated<CalledBy<P>>,
    again: &'a [HttpOutcome],
) -> impl Iterator<Item = &'a CalledBy<P>> {
    let refused = refused(problem, test, again).map(|(action, _)| action);
    refused.filter(|action| !HttpProblem::is_read(problem, action))
}

/// The calls that went well and are refused now, with what they were answered before.
fn refused<'a, P: ServiceFamily>(
    problem: &'a P,
    test: &'a Evaluated<CalledBy<P>>,
    again: &'a [HttpOutcome],
) -> impl Iterator<Item = (&'a CalledBy<P>, &'a HttpOutcome)> {
    let calls = test.individual.actions().iter().zip(&test.outcomes).zip(again);
    calls
        .filter(|((_, before), now)| problem.went_well(before) && !problem.went_well(now))
        .map(|(((_, action), before), _)| (&**action, before))
}
