//! Tests that choose one name: where a service takes a name once, each gets one of its own.
//!
//! In the run another test took away what the first had made, and both went well. In a suite, whichever
//! comes later is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wallace_engine::solution::SolutionTest;
use wallace_engine::{Action, Evaluated, Individual, Problem, Solution, search::Cause};
use wallace_genes::{Gene, GenePath};
use wallace_problems::HttpProblem;

use super::Proof;
use super::repeat::{chooses, refused_changes};
use super::twice::other_name;
use crate::fresh::{is_covered, run_once, size};
use crate::ledger::Purpose;
use crate::made_name::MadeNames;
use crate::service_family::ServiceFamily;
use crate::tally::Tally;
use crate::target_system::TargetSystem;

/// Most names that are tried for one that another test chose.
const MOST_NAMES: usize = 100;

type CalledBy<P> = <P as Problem>::Action;
type Names = BTreeSet<String>;

/// Gives tests other names, and runs them with these, where an earlier test chose the same, and once for
/// each operation that takes a name once: perhaps it takes one whatever it says. A test that does not
/// cover the same with another name stays as it is.
pub(crate) fn tell_apart<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    solution: &mut Solution<CalledBy<P>>,
    tally: &mut Tally,
    proof: &Proof<'_>,
) {
    let problem = Arc::clone(&system.problem);
    let most = system.count.get().saturating_add(proof.left);
    let mut taken = Names::new();
    let mut tried = BTreeSet::new();
    for test in &mut solution.tests {
        let names = names(&*problem, &tally.made, &test.evaluated);
        let operations = test.evaluated.individual.actions().iter();
        let once = operations.map(|(_, action)| problem.operation(action));
        let mut is_new = false;
        for operation in once.filter(|operation| tally.made.takes_once(operation)) {
            is_new |= tried.insert(operation.to_owned());
        }
        let others = if is_new { &names } else { &taken };
        let renamed = renamed(&test.evaluated.individual, &names, others, &tally.made)
            .filter(|other| system.count.get() + size(other) <= most && !proof.stop.is_set());
        if let Some(other) = renamed {
            solution.repeat_calls += rename(system, test, other, tally);
        }
        taken.extend(self::names(&*problem, &tally.made, &test.evaluated));
    }
}

/// Runs a test with other names, and puts it in the place of the test if it covers the same. Returns its
/// calls.
fn rename<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    test: &mut SolutionTest<CalledBy<P>>,
    other: Individual<CalledBy<P>>,
    tally: &mut Tally,
) -> u64 {
    let purpose = Purpose::Test(Cause::Repeat);
    let (calls, outcomes, scores) = run_once(system, &other, (&mut tally.ledger, purpose));
    if test.covers.iter().all(|name| is_covered(name, &scores)) {
        let covers = std::mem::take(&mut test.covers);
        *test = SolutionTest::observed(other, outcomes, calls, Vec::new());
        test.covers = covers;
        return calls;
    }
    let problem = &*system.problem;
    for action in refused_changes(problem, &test.evaluated, &outcomes) {
        // Another name did not help.
        if chooses(&tally.made, action) {
            tally.made.note_sole(problem, action);
        }
    }
    calls
}

/// The names that a test chooses where the service takes each once.
fn names<P: ServiceFamily>(problem: &P, made: &MadeNames, test: &Evaluated<CalledBy<P>>) -> Names {
    let mut names = Names::new();
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let is_choice = problem.went_well(outcome)
            && !HttpProblem::is_read(problem, &**action)
            && made.takes_once(problem.operation(action));
        if is_choice {
            action.gene().visit_texts(&mut |_, text| {
                if made.has_chosen(&text.text) {
                    names.insert(text.text.to_string());
                }
            });
        }
    }
    names
}

/// The test with other names in the place of those that are taken, wherever it says them; none where no
/// name is.
fn renamed<A: Action>(
    test: &Individual<A>,
    names: &Names,
    taken: &Names,
    made: &MadeNames,
) -> Option<Individual<A>> {
    let is_free =
        |name: &String| !taken.contains(name) && !names.contains(name) && !made.has_chosen(name);
    let free = |name: &String| {
        let others = std::iter::successors(Some(other_name(name)), |it| Some(other_name(it)));
        Some((name.clone(), others.take(MOST_NAMES).find(is_free)?))
    };
    let others: BTreeMap<String, String> = names.intersection(taken).filter_map(free).collect();
    if others.is_empty() {
        return None;
    }
    let mut renamed = test.clone();
    for place in 0..test.actions().len() {
        let mut said: Vec<(GenePath, &String)> = Vec::new();
        test.actions()[place].1.gene().visit_texts(&mut |path, text| {
            said.extend(others.get(&*text.text).map(|other| (path.clone(), other)));
        });
        for (path, other) in said {
            *path.find_mut(renamed.action_mut(place).gene_mut())? = Gene::text(other.clone());
        }
    }
    Some(renamed)
}
