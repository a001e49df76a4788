//! From a finished search to its solution: tests are chosen, made smaller, and run again.

use std::sync::Arc;

use wallace_genes::Rng;

use crate::budget::StopReason;
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::operator::cause::Cause;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::problem::evaluator::{Evaluation, EvaluationError, Wanted};
use crate::search::Search;
use crate::search::event::SearchEvent;
use crate::solution::cover::cover;
use crate::solution::shrink::Shrinker;
use crate::solution::{FlakyTarget, NearestTest, Solution, SolutionTest, TargetResult};
use crate::target::{TargetId, TargetKind, TargetName};
use crate::worker::bench::Bench;
use crate::worker::outcome::caught;

/// The evaluation whose stream of chance shuffles the tests that are run again; no search gets
/// there.
const SHUFFLE: u64 = u64::MAX;

impl<P: Problem> Search<'_, P> {
    /// Chooses tests by set cover, makes each smaller within a share of the budget, and runs each
    /// again to see what comes again (docs/reference/search.md#minimising).
    ///
    /// All of it is the same with any number of workers: candidates of different tests do not
    /// depend on each other, and are evaluated in rounds of one for each test.
    pub(crate) fn into_solution(
        mut self,
        reason: StopReason,
        bench: &mut Bench<'_, P::Action>,
    ) -> Solution<P::Action> {
        self.take_in_unattributed();
        let mut finish = Finish { ticket: self.agenda.proposed, ..Finish::default() };
        let alone = |target: TargetId| {
            let name = self.archive.name(target);
            name.is_some_and(|name| caught(|| self.problem.stands_alone(name)).unwrap_or(false))
        };
        let are_apart = caught(|| self.problem.keeps_apart()).unwrap_or(false);
        for (test, targets) in cover(&self.archive, alone, are_apart) {
            finish.are_alone.push(targets.iter().all(|target| alone(*target)));
            finish.seen.push(vec![1; targets.len()]);
            finish.repeats.push(Vec::new());
            finish.shrinkers.push(Shrinker::new(test, targets));
        }
        let is_usable = !matches!(reason, StopReason::Unreachable(_) | StopReason::Broken(_));
        let broken = is_usable.then(|| {
            let finished = caught(|| {
                self.shrink(&mut finish, bench);
                self.repeat(&mut finish, bench);
            });
            finished.err().map(StopReason::Broken)
        });
        self.solution(broken.flatten().unwrap_or(reason), finish)
    }

    fn solution(&self, reason: StopReason, finish: Finish<P::Action>) -> Solution<P::Action> {
        let Finish { shrinkers, seen, repeats, minimising_calls, repeat_calls, .. } = finish;
        let tests = shrinkers.into_iter().zip(seen).zip(repeats);
        let tests = tests.map(|((shrinker, seen), repeats)| {
            let runs = 1 + repeats.len() as u32;
            let flaky = shrinker.targets.iter().zip(seen).filter(|(_, seen)| *seen < runs);
            let flaky = flaky.filter_map(|(target, seen)| {
                Some(FlakyTarget { name: self.archive.name(*target)?.clone(), seen })
            });
            SolutionTest {
                flaky: flaky.collect(),
                covers: self.names(&shrinker.targets),
                evaluated: shrinker.test,
                runs,
                repeats,
            }
        });
        let tests = tests.collect();
        let reached = self.archive.targets().filter_map(|(target, fitness, _)| {
            let name = self.archive.name(target)?.clone();
            Some(TargetResult { name, score: fitness.score })
        });
        let mut targets: Vec<TargetResult> = reached.collect();
        targets.sort_by(|one, other| one.name.cmp(&other.name));
        let (statistics, nearest) = (self.progress.statistics, self.nearest());
        Solution { tests, targets, nearest, statistics, minimising_calls, repeat_calls, reason }
    }

    /// The tests that came nearest to open targets.
    fn nearest(&self) -> Vec<NearestTest<P::Action>> {
        let open = self.archive.targets().filter(|(_, fitness, _)| !fitness.score.is_covered());
        let mut nearest: Vec<NearestTest<P::Action>> = open
            .filter_map(|(target, _, test)| {
                let population = &self.archive.populations[target.index()];
                Some(NearestTest {
                    name: self.archive.name(target)?.clone(),
                    evaluated: Arc::clone(test),
                    tried: population.effort.counter,
                    has_improved: population.effort.last.is_some(),
                })
            })
            .collect();
        nearest.sort_by(|one, other| one.name.cmp(&other.name));
        nearest
    }

    fn names(&self, targets: &[TargetId]) -> Vec<TargetName> {
        targets.iter().filter_map(|target| self.archive.name(*target).cloned()).collect()
    }

    /// Makes the tests smaller: fewer actions in all of them first, which saves most, then fewer
    /// and simpler genes, of those first that somebody will read, until nothing changes or the share of
    /// the budget is used.
    fn shrink(&mut self, finish: &mut Finish<P::Action>, bench: &mut Bench<'_, P::Action>) {
        let calls = self.progress.statistics.calls;
        let limit = (calls as f64 * self.settings.minimise_share) as u64;
        // To see what comes again is worth more.
        let limit = limit.min(self.budget.left(calls) / 3);
        for pass in [Pass::Actions, Pass::AloneGenes, Pass::Genes] {
            while finish.minimising_calls < limit && !self.budget.stop.is_set() {
                let rest = limit - finish.minimising_calls;
                if self.shrink_round(finish, bench, pass, rest) == 0 {
                    break;
                }
                let done = finish.shrinkers.iter().filter(|shrinker| shrinker.is_done()).count();
                let (of, calls) = (finish.shrinkers.len(), finish.minimising_calls);
                self.notify(|_| SearchEvent::Minimised { done, of, calls });
            }
        }
    }

    /// Tries one smaller form of each test, as far as the `rest` of the calls goes; returns how
    /// many.
    fn shrink_round(
        &mut self,
        finish: &mut Finish<P::Action>,
        bench: &mut Bench<'_, P::Action>,
        pass: Pass,
        rest: u64,
    ) -> usize {
        let mut round = Vec::new();
        let mut planned = 0;
        let count = finish.shrinkers.len();
        for step in 0..count {
            // Goes on behind the test at which the last round ended.
            let place = (finish.turn + step) % count;
            let shrinker = &mut finish.shrinkers[place];
            if planned >= rest {
                finish.turn = place;
                break;
            }
            if pass == Pass::AloneGenes && !finish.are_alone[place] {
                continue;
            }
            // A smaller test may still fit.
            if self.budget.total.is_some() && planned + shrinker.test.calls > rest {
                continue;
            }
            let candidate = shrinker.next(self.problem, &self.settings, pass == Pass::Actions);
            let Some(candidate) = candidate else { continue };
            planned += shrinker.test.calls.max(1);
            let wanted = Wanted::These(self.names(&shrinker.targets));
            bench.submit(finish.ticket, &candidate, wanted);
            round.push((place, finish.ticket, candidate));
            finish.ticket += 1;
        }
        let tried = round.len();
        for (place, ticket, candidate) in round {
            if let Ok(evaluation) = bench.take(ticket) {
                // A test that calls nothing costs something too, or there would be no end.
                finish.minimising_calls += evaluation.calls.max(1);
                let evaluated = self.scored(ticket, candidate, evaluation);
                let (test, cause) = (&evaluated, Cause::Minimise);
                self.notify(|_| SearchEvent::Ran { test, cause });
                finish.shrinkers[place].settle(evaluated, self.problem, &self.settings);
            } else {
                finish.minimising_calls += 1;
            }
        }
        tried
    }

    /// Runs every test again, in another order each time, and counts which of its targets come
    /// again.
    fn repeat(&mut self, finish: &mut Finish<P::Action>, bench: &mut Bench<'_, P::Action>) {
        let mut rng = Rng::new(self.settings.seed, SHUFFLE);
        let count = finish.shrinkers.len();
        for run in 0..self.settings.repeats {
            if self.budget.stop.is_set() {
                return;
            }
            let mut order: Vec<usize> = (0..count).collect();
            for last in (1..count).rev() {
                order.swap(last, rng.below(last + 1));
            }
            self.first_those_with_faults(finish, &mut order);
            let first = finish.ticket;
            for place in &order {
                let shrinker = &finish.shrinkers[*place];
                let wanted = Wanted::These(self.names(&shrinker.targets));
                bench.submit(finish.ticket, &shrinker.test.individual, wanted);
                finish.ticket += 1;
            }
            for (place, ticket) in order.into_iter().zip(first..) {
                match bench.take(ticket) {
                    Err(EvaluationError::Unreachable(_)) => return bench.forget(finish.ticket),
                    result => self.note(finish, place, result),
                }
            }
            self.notify(|_| SearchEvent::Repeated { tests: count, run: run + 2 });
        }
    }

    /// Leaves as many tests as there are calls left for, where the budget has a total: those that show
    /// a fault first, since whoever reads of one wants to see it again.
    fn first_those_with_faults(&self, finish: &Finish<P::Action>, order: &mut Vec<usize>) {
        if self.budget.total.is_none() {
            return;
        }
        let is_fault = |target: &TargetId| {
            self.archive.name(*target).is_some_and(|name| name.kind() == TargetKind::Fault)
        };
        order.sort_by_key(|place| !finish.shrinkers[*place].targets.iter().any(is_fault));
        let used = finish.minimising_calls + finish.repeat_calls;
        // Something is left for whoever goes on with the tests.
        let mut left = self.budget.left(self.progress.statistics.calls + used) / 2;
        order.retain(|place| {
            let calls = finish.shrinkers[*place].test.calls;
            let fits = calls <= left;
            left -= if fits { calls } else { 0 };
            fits
        });
    }

    fn note(
        &mut self,
        finish: &mut Finish<P::Action>,
        place: usize,
        result: Result<Evaluation<P::Action>, EvaluationError>,
    ) {
        let shrinker = &finish.shrinkers[place];
        // A test that could not be run again did not reach its targets again.
        let Ok(evaluation) = result else { return finish.repeats[place].push(Vec::new()) };
        finish.repeat_calls += evaluation.calls;
        let (number, individual): (u64, Individual<P::Action>) =
            (shrinker.test.evaluation, shrinker.test.individual.clone());
        let again = self.scored(number, individual, evaluation);
        let (test, cause) = (&again, Cause::Repeat);
        self.notify(|_| SearchEvent::Ran { test, cause });
        for (target, seen) in shrinker.targets.iter().zip(&mut finish.seen[place]) {
            let is_covered = again.reach(*target).is_some_and(|reach| reach.score.is_covered());
            *seen += u32::from(is_covered);
        }
        let Evaluated { outcomes, .. } = again;
        finish.repeats[place].push(outcomes);
    }
}

/// What is made smaller.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// The actions of all tests.
    Actions,
    /// The genes of tests that are kept for targets that stand alone: what shows a fault is read.
    AloneGenes,
    /// The genes of all tests.
    Genes,
}

/// The tests of a solution while they are worked on; one entry for each in every list.
struct Finish<A: Action> {
    shrinkers: Vec<Shrinker<A>>,
    /// Whether the test is kept for targets that stand alone.
    are_alone: Vec<bool>,
    /// How often each target of the test was covered, its first run included.
    seen: Vec<Vec<u32>>,
    /// Outcomes of each further run.
    repeats: Vec<Vec<Vec<A::Outcome>>>,
    minimising_calls: u64,
    repeat_calls: u64,
    ticket: u64,
    turn: usize,
}

impl<A: Action> Default for Finish<A> {
    fn default() -> Self {
        Self {
            shrinkers: Vec::new(),
            are_alone: Vec::new(),
            seen: Vec::new(),
            repeats: Vec::new(),
            minimising_calls: 0,
            repeat_calls: 0,
            ticket: 0,
            turn: 0,
        }
    }
}
