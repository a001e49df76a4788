//! Tests that need what others left, and what takes their places.

use std::collections::HashSet;
use std::sync::Arc;

use wallace_engine::{
    Evaluated, Problem, Solution, StopSignal, TargetKind, TargetName, search::Cause,
    solution::SolutionTest,
};

use super::AloneTests;
use super::repeat::tells_of_run;
use super::twice::made_twice;
use crate::fresh::{is_covered, run_once, size};
use crate::ledger::Purpose;
use crate::service_family::ServiceFamily;
use crate::tally::Tally;
use crate::target_system::TargetSystem;

type CalledBy<P> = <P as Problem>::Action;

/// What standing alone is proven with.
pub(crate) struct Proof<'a> {
    /// Most calls.
    pub(crate) left: u64,
    /// How often each test is run again.
    pub(crate) repeats: u32,
    pub(crate) stop: &'a StopSignal,
}

/// Puts tests that stand alone into the places of those that need what others left, as far as there are
/// any that cover the same, and do so again.
pub(crate) fn replace_leaning<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    solution: &mut Solution<CalledBy<P>>,
    alone: &AloneTests<CalledBy<P>>,
    tally: &mut Tally,
    proof: &Proof<'_>,
) {
    let problem = Arc::clone(&system.problem);
    let leans =
        |test: &Evaluated<_>, tally: &Tally| tally.made.lean(&*problem, test, None).is_some();
    let (mut tests, leaning): (Vec<_>, Vec<_>) = std::mem::take(&mut solution.tests)
        .into_iter()
        .partition(|it| !leans(&it.evaluated, tally));
    let mut open: Vec<TargetName> = leaning.iter().flat_map(|it| it.covers.clone()).collect();
    let mut replaced: HashSet<TargetName> = HashSet::new();
    let most = system.count.get().saturating_add(proof.left);
    // First what else no test would show: calls may not be left for all.
    let is_alone = |name: &TargetName| alone.best.contains_key(name);
    let shown = show_twice(system, &leaning, |it| !is_alone(it), (tally, solution, most), proof);
    replaced.extend(shown.iter().flat_map(|test| test.covers.iter().cloned()));
    open.retain(|name| !replaced.contains(name));
    tests.extend(shown);
    while let Some((test, names)) = alone.cover_most(&open) {
        open.retain(|name| !names.contains(name));
        let same = |it: &&mut SolutionTest<_>| it.evaluated.individual == test.individual;
        // What was made later may have been there all the time.
        let proven = if leans(test, tally) {
            None
        } else if let Some(same) = tests.iter_mut().find(same) {
            same.covers.extend(names.iter().cloned());
            replaced.extend(names);
            continue;
        } else {
            proven(system, test, names.clone(), (tally, solution, most), proof)
        };
        if let Some(test) = proven {
            replaced.extend(names);
            tests.push(test);
        }
    }
    // Then what none of those could be proven for.
    let is_open = |name: &TargetName| is_alone(name) && !replaced.contains(name);
    let shown = show_twice(system, &leaning, is_open, (tally, solution, most), proof);
    replaced.extend(shown.iter().flat_map(|test| test.covers.iter().cloned()));
    tests.extend(shown);
    tests.extend(leaning.into_iter().filter_map(|mut test| {
        test.covers.retain(|name| !replaced.contains(name));
        test.flaky.retain(|flaky| !replaced.contains(&flaky.name));
        (!test.covers.is_empty()).then_some(test)
    }));
    solution.tests = tests;
}

/// The test as part of a result, once it was run again; none where it did not cover these targets again.
fn proven<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    test: &Arc<Evaluated<CalledBy<P>>>,
    covers: Vec<TargetName>,
    (tally, solution, most): (&mut Tally, &mut Solution<CalledBy<P>>, u64),
    proof: &Proof<'_>,
) -> Option<SolutionTest<CalledBy<P>>> {
    let evaluated = Arc::clone(test);
    let (flaky, repeats) = (Vec::new(), Vec::new());
    let mut proven = SolutionTest { evaluated, covers, flaky, runs: 1, repeats };
    for _ in 0..proof.repeats {
        if proof.stop.is_set() || system.count.get() + size(&test.individual) > most {
            break;
        }
        let purpose = Purpose::Test(Cause::Repeat);
        let (calls, outcomes, scores) =
            run_once(system, &test.individual, (&mut tally.ledger, purpose));
        solution.repeat_calls += calls;
        if tells_of_run(&*system.problem, &tally.made, test, &outcomes) {
            break;
        }
        proven.count_run(|name| is_covered(name, &scores));
        proven.repeats.push(outcomes);
    }
    proven.flaky.is_empty().then_some(proven)
}

/// Tests that show faults of these by a change that they make twice.
fn show_twice<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    leaning: &[SolutionTest<CalledBy<P>>],
    is_open: impl Fn(&TargetName) -> bool,
    (tally, solution, most): (&mut Tally, &mut Solution<CalledBy<P>>, u64),
    proof: &Proof<'_>,
) -> Vec<SolutionTest<CalledBy<P>>> {
    let mut shown: Vec<SolutionTest<CalledBy<P>>> = Vec::new();
    for test in leaning.iter().take_while(|_| !proof.stop.is_set()) {
        let is_shown = |name: &TargetName| shown.iter().any(|it| it.covers.contains(name));
        let faults = test.covers.iter().filter(|it| it.kind() == TargetKind::Fault);
        let faults = faults.filter(|name| is_open(name) && !is_shown(name)).cloned().collect();
        shown.extend(shown_twice(system, test, faults, (tally, solution, most)));
    }
    shown
}

/// A test that shows these faults by a change that it makes twice, if that is how they come.
fn shown_twice<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    test: &SolutionTest<CalledBy<P>>,
    faults: Vec<TargetName>,
    (tally, solution, most): (&mut Tally, &mut Solution<CalledBy<P>>, u64),
) -> Option<SolutionTest<CalledBy<P>>> {
    let problem = Arc::clone(&system.problem);
    let twice = (!faults.is_empty())
        .then(|| made_twice(&*problem, &tally.made, &test.evaluated))
        .flatten()
        .filter(|twice| system.count.get() + size(twice) <= most)?;
    let purpose = Purpose::Test(Cause::Repeat);
    let (calls, outcomes, scores) = run_once(system, &twice, (&mut tally.ledger, purpose));
    solution.repeat_calls += calls;
    let mut test = SolutionTest::observed(twice, outcomes, calls, Vec::new());
    test.covers = faults.into_iter().filter(|fault| is_covered(fault, &scores)).collect();
    let leans = tally.made.lean(&*problem, &test.evaluated, None).is_some();
    (!test.covers.is_empty() && !leans).then_some(test)
}
