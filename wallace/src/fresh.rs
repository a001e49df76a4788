//! The tests of a result are run again on a service that was started anew.
//!
//! Without a driver nothing takes back what tests leave behind: what passes during a run may pass only
//! then. What a fresh start answers otherwise is not expected, and a test that does not come to the
//! same statuses there is not written, nor is one for which no calls were left. A test may lean on
//! another one that is written, or be in its way: so every second start has the order of the one before
//! turned round, and each two were run in both orders. What was left out is not run again, since nobody
//! will run it before the others.

mod written;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wallace_engine::{
    Action, Evaluator, Individual, Problem, Solution, StopSignal, TargetKind, TargetName,
    TargetScore, Wanted, solution::SolutionTest,
};
use wallace_genes::{Rng, TemplateId};
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest};

use crate::error::RunError;
use crate::ledger::{Ledger, Purpose};
use crate::service_family::ServiceFamily;
use crate::tally::Tally;
use crate::target_system::{ServiceProcess, TargetSystem};

/// How often the service is started anew for each test, where there are calls for that.
const STARTS: u64 = 2;
/// How often at most, while some test is answered otherwise each time.
const MOST_STARTS: u64 = 4;

/// Longest wait for a service that answers to be set up.
const SET_UP: Duration = Duration::from_secs(5);
/// Time between two looks whether it is.
const LOOK: Duration = Duration::from_millis(200);
/// Reads by which that is seen: some need no login, others are about what is not there.
const MOST_READS: usize = 8;

/// How a test did on fresh starts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stand {
    /// Starts on which it was run.
    starts: u64,
    /// Those on which it was answered with other statuses, or showed a fault no more.
    failed: u64,
}

impl Stand {
    /// Whether it was answered with the same statuses on every fresh start; `None` where there was no
    /// time or no budget to find out.
    pub(crate) fn holds(self) -> Option<bool> {
        (self.starts > 0).then_some(self.failed == 0)
    }
}

/// How the tests of a solution did, by their position.
pub(crate) type Stands = Vec<Stand>;

/// What was checked on fresh starts, and what was not.
pub(crate) fn told(stands: &Stands) -> Option<String> {
    let count = |is_it: &dyn Fn(&Stand) -> bool| stands.iter().filter(|it| is_it(it)).count();
    let (none, failed) = (count(&|it| it.starts == 0), count(&|it| it.failed > 0));
    let starts = stands.iter().map(|it| it.starts).max()?;
    if starts == 0 {
        let told =
            "no test was run again on a fresh start: neither calls (--calls) nor time were left";
        return Some(told.to_owned());
    }
    let mut told = format!(
        "{} of {} tests were run again on up to {starts} fresh starts: {failed} were answered otherwise \
         there and are not written",
        stands.len() - none,
        stands.len(),
    );
    if none > 0 {
        told += &format!("; nor are {none} for which no calls (--calls) or no time were left");
    }
    Some(told)
}

/// Runs the tests of a solution at these places again on fresh starts, with at most `left` calls. Where a
/// start fails, `stands` tells of those before it.
pub(crate) fn run_fresh<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    service: &ServiceProcess,
    solution: &mut Solution<<P as Problem>::Action>,
    tally: &mut Tally,
    (mut order, left): (Vec<usize>, u64),
    (seed, stop): (u64, &StopSignal),
    stands: &mut Stands,
) -> Result<(), RunError> {
    stands.resize(solution.tests.len(), Stand::default());
    let most = system.count.get().saturating_add(left);
    let mut reads = reads(&*system.problem, &solution.tests);
    // Starts in a row without a test that was answered otherwise.
    let mut quiet = 0;
    for start in 0..MOST_STARTS {
        let round: u64 =
            order.iter().map(|it| size(&solution.tests[*it].evaluated.individual)).sum();
        // What is written is run as well, which notices more.
        let fits = system.count.get() + round * (1 + written::STARTS) <= most;
        let is_enough = start >= STARTS && (quiet >= 1 || !fits);
        if is_enough || order.is_empty() || stop.is_set() || system.count.get() >= most {
            break;
        }
        start_anew(system, service, &mut reads, stop)?;
        match start % 2 {
            1 => order.reverse(),
            _ => sort(&*system.problem, &solution.tests, &mut order, &mut Rng::new(seed, start)),
        }
        for &place in &order {
            let test = &mut solution.tests[place];
            if stop.is_set() || system.count.get() + size(&test.evaluated.individual) > most {
                return Ok(());
            }
            let (calls, outcomes, scores) = run_once(
                system,
                &test.evaluated.individual,
                (&mut tally.ledger, Purpose::FreshStart),
            );
            solution.repeat_calls += calls;
            let result = |outcome| (HttpOutcome::status(outcome), P::result(outcome));
            // One that ends the service leaves nothing for those after it.
            let is_same = !service.has_ended()
                && shows_faults(test, &scores)
                && test.evaluated.outcomes.iter().map(result).eq(outcomes.iter().map(result));
            stands[place].starts += 1;
            stands[place].failed += u64::from(!is_same);
            test.count_run(|name| is_covered(name, &scores));
            if start == 0 && is_same {
                take(test, outcomes);
            } else {
                test.repeats.push(outcomes);
            }
        }
        let before = order.len();
        order.retain(|place| stands[*place].failed == 0);
        quiet = if order.len() == before { quiet + 1 } else { 0 };
    }
    let service = (service, &mut reads);
    written::run_written(system, service, solution, tally, most, (seed, stop), stands)
}

/// A read that went well, by whom.
type Read = (Option<usize>, Arc<HttpRequest>);

/// Reads of single calls that went well: a service that was set up answers them so.
fn reads<P: ServiceFamily>(
    problem: &P,
    tests: &[SolutionTest<<P as Problem>::Action>],
) -> Vec<Read> {
    let single = tests.iter().filter_map(|test| {
        let [(_, action)] = test.evaluated.individual.actions() else { return None };
        let outcome = test.evaluated.outcomes.first()?;
        let is_wanted = HttpProblem::is_read(problem, &**action) && problem.went_well(outcome);
        is_wanted.then(|| (problem.caller(action), outcome.request(problem, action)))
    });
    single.take(MOST_READS).collect()
}

/// Starts the service again. It may listen before what sets it up has ended, so the `reads` must go well,
/// as long as there is patience; those that never do are not asked again.
fn start_anew<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    service: &ServiceProcess,
    reads: &mut Vec<Read>,
    stop: &StopSignal,
) -> Result<(), RunError> {
    service.start_anew()?;
    let begun = system.evaluator.begin_anew();
    begun.map_err(|_| RunError::NoAnswer(system.base_url.clone()))?;
    let begin = Instant::now();
    let mut waiting = reads.clone();
    loop {
        waiting.retain(|(user, request)| {
            let outcome = system.evaluator.ask(*user, request);
            !outcome.is_ok_and(|outcome| system.problem.went_well(&outcome))
        });
        if waiting.is_empty() || stop.is_set() || begin.elapsed() > SET_UP {
            break;
        }
        std::thread::sleep(LOOK);
    }
    reads.retain(|read| !waiting.contains(read));
    Ok(())
}

/// Runs a test once more: calls, outcomes, and what it covered.
pub(crate) fn run_once<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    individual: &Individual<<P as Problem>::Action>,
    (ledger, purpose): (&mut Ledger, Purpose),
) -> (u64, Vec<HttpOutcome>, Vec<TargetScore>) {
    let begin = Instant::now();
    let (calls, outcomes, scores) = match system.evaluator.evaluate(individual, &Wanted::Everything)
    {
        Ok(evaluation) => (evaluation.calls, evaluation.outcomes, evaluation.scores),
        Err(error) => {
            tracing::debug!("a test could not be run again: {error}");
            (size(individual), Vec::new(), Vec::new())
        }
    };
    ledger.book::<P>(purpose, individual, &outcomes, begin.elapsed());
    (calls, outcomes, scores)
}

/// Lets a test be what it was on the first fresh start: what it takes from a list then is there also when
/// others have added to it. What it was before still says what differs.
fn take<A: Action>(test: &mut SolutionTest<A>, outcomes: Vec<A::Outcome>) {
    let before = std::mem::replace(&mut Arc::make_mut(&mut test.evaluated).outcomes, outcomes);
    test.repeats.push(before);
}

/// Calls of a test.
pub(crate) fn size<A: Action>(individual: &Individual<A>) -> u64 {
    individual.actions().len() as u64
}

/// Whether a run showed all faults that the test is kept for.
fn shows_faults<A: Action>(test: &SolutionTest<A>, scores: &[TargetScore]) -> bool {
    let mut faults = test.covers.iter().filter(|name| name.kind() == TargetKind::Fault);
    faults.all(|fault| is_covered(fault, scores))
}

/// Whether a run covered a target.
pub(crate) fn is_covered(name: &TargetName, scores: &[TargetScore]) -> bool {
    scores.iter().any(|it| it.name == *name && it.score.is_covered())
}

/// The places of the tests that are run on fresh starts with `left` calls: as many as go on the usual
/// number of starts. The first of each cause of a fault come first, then the first of each operation, then
/// the second of these.
pub(crate) fn affordable<'a, A: Action>(
    tests: &'a [SolutionTest<A>],
    cause: &dyn Fn(&'a TargetName) -> Option<&'a str>,
    left: u64,
) -> Vec<usize> {
    let mut known: HashMap<TemplateId, usize> = HashMap::new();
    let mut shown: HashMap<&str, usize> = HashMap::new();
    let mut places: Vec<(usize, bool, usize, u64)> = Vec::with_capacity(tests.len());
    for (place, test) in tests.iter().enumerate() {
        let next = |count: &mut usize| std::mem::replace(count, *count + 1);
        let causes: BTreeSet<&str> = test.covers.iter().filter_map(cause).collect();
        let again = causes.iter().map(|cause| next(shown.entry(cause).or_default())).min();
        let last = test.evaluated.individual.actions().last();
        let rank = last.map_or(0, |(_, action)| next(known.entry(action.template()).or_default()));
        let size = size(&test.evaluated.individual);
        // What shows nothing else is not written beside enough that show the same.
        let is_all = test.covers.iter().all(|name| name.kind() == TargetKind::Fault);
        let rank = again.map_or(rank, |again| if is_all { again } else { again.min(rank) });
        places.push((rank, again.is_none(), place, size));
    }
    places.sort_unstable();
    let mut calls = left / (STARTS + written::STARTS);
    let chosen = places.into_iter().filter(|(_, _, _, size)| {
        let fits = *size <= calls;
        calls -= if fits { *size } else { 0 };
        fits
    });
    chosen.map(|(_, _, place, _)| place).collect()
}

/// Puts tests into any order in which those that change nothing come first, then those that take what
/// a read lists: what others have made is not there yet.
fn sort<P: ServiceFamily>(
    problem: &P,
    tests: &[SolutionTest<<P as Problem>::Action>],
    order: &mut Vec<usize>,
    rng: &mut Rng,
) {
    let is_read = |action: &<P as Problem>::Action| HttpProblem::is_read(problem, action);
    let class = |test: &SolutionTest<<P as Problem>::Action>| {
        let individual = &test.evaluated.individual;
        let mut calls = individual.actions().iter().zip(&test.evaluated.outcomes);
        let changes =
            calls.any(|((_, action), outcome)| !is_read(action) && problem.went_well(outcome));
        let leans = individual.bindings().iter().any(|binding| {
            let source = individual.position(binding.source.action());
            source.is_some_and(|place| is_read(&individual.actions()[place].1))
        });
        match (changes, leans) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        }
    };
    let keys = order.iter().map(|place| (class(&tests[*place]), rng.bits(), *place));
    let mut keys: Vec<(u8, u64, usize)> = keys.collect();
    keys.sort_unstable();
    *order = keys.into_iter().map(|(_, _, place)| place).collect();
}

#[cfg(test)]
mod tests {
    use wallace_engine::target::About;
    use wallace_genes::Gene;
    use wallace_problems::rest::RestAction;

    use super::*;

    #[test]
    fn one_cause_at_many_operations_leaves_calls_for_the_others() {
        let test = |template: u32, name: &str, kind: TargetKind| {
            let call = RestAction::new(TemplateId(template), Gene::Constant);
            let about = About { kind, ..About::default() };
            let mut test =
                SolutionTest::observed(Individual::new([call]), Vec::new(), 1, Vec::new());
            test.covers.push(TargetName::of(name.to_owned(), about));
            test
        };
        let fault = |template, name| test(template, name, TargetKind::Fault);
        let tests = [
            fault(0, "a"),
            fault(1, "a"),
            fault(2, "b"),
            test(3, "c", TargetKind::Success),
            test(3, "d", TargetKind::Success),
        ];
        let cause = |name: &TargetName| -> Option<&str> {
            (name.kind() == TargetKind::Fault).then(|| if name.as_str() == "b" { "b" } else { "a" })
        };
        let chosen = |calls: u64| affordable(&tests, &cause, calls * (STARTS + written::STARTS));
        assert_eq!(chosen(3), [0, 2, 3]);
        assert_eq!(chosen(5), [0, 2, 3, 1, 4]);
    }
}
