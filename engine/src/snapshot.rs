//! Snapshots: all that evolves in a search, as one value that serialises.
//!
//! A snapshot is taken between two commits and costs pointers, not copies: it shares the tests with
//! the running search, so that another thread can write it down while the search goes on. A search
//! restored from it goes on as if it had never stopped (search-mio.md 14.6, design D10).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{Dormant, History};

use crate::action::Action;
use crate::adaptation::Adaptation;
use crate::archive::Archive;
use crate::attribution::Unattributed;
use crate::baseline::Baseline;
use crate::budget::Budget;
use crate::commit::Streak;
use crate::evaluated::{Evaluated, Worth};
use crate::event::Statistics;
use crate::follow_up::FollowUps;
use crate::individual::Individual;
use crate::lineage::{Lineage, Operator, Proposal};
use crate::population::Population;
use crate::problem::{Learnt, Problem};
use crate::search::Search;
use crate::settings::SearchSettings;
use crate::suspicion::Watch;
use crate::target::{TargetId, TargetName};

/// The state of a search between two commits.
///
/// Serialises with any format of serde that describes itself, such as JSON or MessagePack. It
/// carries no checksum: whoever writes files adds one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "M: Serialize",
    deserialize = "M: serde::de::DeserializeOwned + Default"
))]
pub struct Snapshot<A: Action, M> {
    version: u32,
    problem: u64,
    settings: SearchSettings,
    targets: Vec<TargetName>,
    tests: Vec<Arc<Evaluated<A>>>,
    populations: Vec<KeptPopulation>,
    covered: Vec<TargetId>,
    current: Option<TargetId>,
    learnt: Learnt<M>,
    lineages: Vec<Option<KeptLineage>>,
    seeds: VecDeque<Individual<A>>,
    initial: Option<u64>,
    follow_ups: FollowUps<A>,
    unattributed: Unattributed<A>,
    adaptation: Adaptation,
    baseline: Option<Baseline<A>>,
    open: VecDeque<Proposal<A>>,
    proposed: u64,
    statistics: Statistics,
    streak: Streak,
    watch: Watch,
}

/// A population; its tests by the numbers of their evaluations.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptPopulation {
    members: Vec<u64>,
    counter: u32,
    last: Option<u32>,
}

/// A lineage; its test by the number of its evaluation.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptLineage {
    target: TargetId,
    current: u64,
    rounds: u32,
    dormant: Dormant,
    history: History,
    operator: Operator,
    neutral: u32,
}

/// Why a search cannot go on from a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// It was made by another version of the engine.
    #[error("the state has version {found}, and this version goes on from {expected} only")]
    OtherVersion {
        /// Version of the snapshot.
        found: u32,
        /// Version of this engine.
        expected: u32,
    },
    /// It is about another problem, or about the same one before it was changed.
    #[error("the state belongs to another problem, or to the service before its schema changed")]
    OtherProblem,
    /// The seed differs.
    #[error("the state is that of a search with seed {found}, and not {given}")]
    OtherSeed {
        /// Seed of the snapshot.
        found: u64,
        /// Seed of the settings.
        given: u64,
    },
    /// Some other setting differs.
    #[error("the state is that of a search with other settings")]
    OtherSettings,
    /// Its parts do not fit together.
    #[error("the state is damaged: {0}")]
    Damaged(&'static str),
}

impl<A: Action, M> Snapshot<A, M> {
    /// Version of the state; a search goes on from states of its own version only, since another
    /// one would go on differently.
    pub const VERSION: u32 = 3;

    /// Settings of the search.
    #[must_use]
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Counters of the search.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Number of covered targets.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    fn check(&self, problem: u64, settings: &SearchSettings) -> Result<(), RestoreError> {
        if self.version != Self::VERSION {
            let expected = Self::VERSION;
            return Err(RestoreError::OtherVersion { found: self.version, expected });
        }
        if self.problem != problem {
            return Err(RestoreError::OtherProblem);
        }
        if self.settings.seed != settings.seed {
            let (found, given) = (self.settings.seed, settings.seed);
            return Err(RestoreError::OtherSeed { found, given });
        }
        if self.settings != *settings {
            return Err(RestoreError::OtherSettings);
        }
        self.check_numbers()
    }

    /// Checks that every number leads somewhere. What a checksum lets pass was not changed by
    /// accident, and must still not bring a search down.
    fn check_numbers(&self) -> Result<(), RestoreError> {
        let damaged = |is_fine: bool, what: &'static str| {
            if is_fine { Ok(()) } else { Err(RestoreError::Damaged(what)) }
        };
        let is_target = |target: TargetId| target.index() < self.targets.len();
        let distinct: HashSet<&TargetName> = self.targets.iter().collect();
        damaged(distinct.len() == self.targets.len(), "a target is there twice")?;
        damaged(self.populations.len() == self.targets.len(), "populations are missing")?;
        let tests = self.tests.iter().chain(self.unattributed.tests());
        let mut fitness = tests.flat_map(|test| &test.fitness);
        damaged(fitness.all(|reach| is_target(reach.target)), "a test reaches no known target")?;
        let targets = self.covered.iter().chain(&self.current);
        let picked = self.lineages.iter().flatten().map(|lineage| lineage.target);
        damaged(
            targets.copied().chain(picked).all(is_target),
            "a number stands for no known target",
        )?;
        let lineages = self.settings.lineages.clamp(1, SearchSettings::MOST_LINEAGES) as usize;
        damaged(
            self.lineages.len() == lineages && self.open.len() <= lineages,
            "lineages are missing",
        )?;
        let first = self.statistics.evaluations;
        let has_order = (first..).zip(&self.open).all(|(number, open)| open.number == number);
        let is_all = first.checked_add(self.open.len() as u64) == Some(self.proposed);
        damaged(has_order && is_all, "open tests are missing")
    }
}

impl<'a, P: Problem> Search<'a, P> {
    /// The state of the search now, between two commits.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<P::Action, P::Memory> {
        // Written out, so that what is added to a search is either kept or left out on purpose.
        let Self {
            problem,
            settings,
            genes: _,
            budget: _,
            archive,
            learnt,
            lineages,
            seeds,
            initial,
            follow_ups,
            unattributed,
            adaptation,
            baseline,
            open,
            again: _,
            proposed,
            statistics,
            streak,
            watch,
            keeper: _,
            sources: _,
            observers: _,
        } = self;
        let mut tests = Tests::default();
        let populations =
            archive.populations.iter().map(|population| tests.population(population)).collect();
        let lineages = lineages
            .iter()
            .map(|lineage| lineage.as_ref().map(|lineage| tests.lineage(lineage)))
            .collect();
        Snapshot {
            version: Snapshot::<P::Action, P::Memory>::VERSION,
            problem: problem.fingerprint(),
            settings: settings.clone(),
            targets: archive.index.names().to_vec(),
            tests: tests.list,
            populations,
            covered: archive.covered.clone(),
            current: archive.queue.current,
            learnt: learnt.clone(),
            lineages,
            seeds: seeds.clone(),
            initial: *initial,
            follow_ups: follow_ups.clone(),
            unattributed: unattributed.clone(),
            adaptation: adaptation.clone(),
            baseline: baseline.clone(),
            open: open.clone(),
            proposed: *proposed,
            statistics: *statistics,
            streak: *streak,
            watch: watch.clone(),
        }
    }

    /// The search that a snapshot was taken of, to go on from there: with the same budget, equal to
    /// never having stopped. Another budget is allowed, and the search goes on as that one asks.
    ///
    /// Observers and target sources are added anew, the same ones in the same order.
    ///
    /// # Errors
    /// When the snapshot is that of another problem, of other settings, or damaged.
    pub fn restore(
        problem: &'a P,
        settings: SearchSettings,
        budget: Budget,
        snapshot: Snapshot<P::Action, P::Memory>,
    ) -> Result<Self, RestoreError> {
        snapshot.check(problem.fingerprint(), &settings)?;
        let tests = shared(snapshot.tests);
        let archive =
            archive(snapshot.targets, snapshot.populations, snapshot.covered, &tests, &settings)?;
        let mut search = Self::new(problem, settings, budget);
        search.archive = archive;
        search.archive.queue.current = snapshot.current;
        search.learnt = snapshot.learnt;
        for (slot, kept) in search.lineages.iter_mut().zip(snapshot.lineages) {
            *slot = kept.map(|kept| kept.lineage(&tests)).transpose()?;
        }
        search.seeds = snapshot.seeds;
        search.initial = snapshot.initial;
        search.follow_ups = snapshot.follow_ups;
        search.unattributed = snapshot.unattributed;
        search.adaptation = snapshot.adaptation;
        search.baseline = snapshot.baseline;
        search.again = snapshot.open.len();
        search.open = snapshot.open;
        search.proposed = snapshot.proposed;
        search.statistics = snapshot.statistics;
        search.streak = snapshot.streak;
        search.watch = snapshot.watch;
        Ok(search)
    }
}

/// The tests that a snapshot refers to, each once.
struct Tests<A: Action> {
    list: Vec<Arc<Evaluated<A>>>,
    seen: HashSet<u64>,
}

impl<A: Action> Default for Tests<A> {
    fn default() -> Self {
        Self { list: Vec::new(), seen: HashSet::new() }
    }
}

impl<A: Action> Tests<A> {
    fn number(&mut self, test: &Arc<Evaluated<A>>) -> u64 {
        if self.seen.insert(test.evaluation) {
            self.list.push(Arc::clone(test));
        }
        test.evaluation
    }

    fn population(&mut self, population: &Population<A>) -> KeptPopulation {
        let members = population.members().iter().map(|(_, test)| self.number(test)).collect();
        KeptPopulation { members, counter: population.counter, last: population.last }
    }

    fn lineage(&mut self, lineage: &Lineage<A>) -> KeptLineage {
        let Lineage { target, current, rounds, dormant, history, operator, neutral } = lineage;
        KeptLineage {
            target: *target,
            current: self.number(current),
            rounds: *rounds,
            dormant: dormant.clone(),
            history: history.clone(),
            operator: *operator,
            neutral: *neutral,
        }
    }
}

type ByNumber<A> = HashMap<u64, Arc<Evaluated<A>>>;

const NO_TEST: RestoreError = RestoreError::Damaged("a test is missing");

/// The tests by number. Equal actions become one again, as they were before they were written.
fn shared<A: Action>(tests: Vec<Arc<Evaluated<A>>>) -> ByNumber<A> {
    let mut actions: HashSet<Arc<A>> = HashSet::new();
    let mut share = |action: &mut Arc<A>| match actions.get(action) {
        Some(known) => *action = Arc::clone(known),
        None => {
            actions.insert(Arc::clone(action));
        }
    };
    let mut by_number = ByNumber::with_capacity(tests.len());
    for mut test in tests {
        Individual::for_actions(&mut Arc::make_mut(&mut test).individual, &mut share);
        by_number.insert(test.evaluation, test);
    }
    by_number
}

impl KeptLineage {
    fn lineage<A: Action>(self, tests: &ByNumber<A>) -> Result<Lineage<A>, RestoreError> {
        let current = Arc::clone(tests.get(&self.current).ok_or(NO_TEST)?);
        let Self { target, rounds, dormant, history, operator, neutral, .. } = self;
        Ok(Lineage { target, current, rounds, dormant, history, operator, neutral })
    }
}

fn archive<A: Action>(
    targets: Vec<TargetName>,
    populations: Vec<KeptPopulation>,
    covered: Vec<TargetId>,
    tests: &ByNumber<A>,
    settings: &SearchSettings,
) -> Result<Archive<A>, RestoreError> {
    let mut archive = Archive { covered, ..Archive::default() };
    for (name, kept) in targets.into_iter().zip(populations) {
        let target = archive.intern(&name);
        let member = |number: &u64| -> Result<(Worth, Arc<Evaluated<A>>), RestoreError> {
            let test = tests.get(number).ok_or(NO_TEST)?;
            let worth = test.worth(target);
            let worth = worth.ok_or(RestoreError::Damaged("a test does not reach its target"))?;
            Ok((worth, Arc::clone(test)))
        };
        let members = kept.members.iter().map(member).collect::<Result<Vec<_>, _>>()?;
        let population = Population::restored(members, kept.counter, kept.last);
        archive.queue.update(target, &population, settings);
        archive.populations[target.index()] = population;
    }
    if archive.covered.iter().any(|target| !archive.is_covered(*target)) {
        return Err(RestoreError::Damaged("a covered target has no test"));
    }
    Ok(archive)
}
