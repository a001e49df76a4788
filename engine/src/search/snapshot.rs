//! Snapshots: all that evolves in a search, as one value that serialises.
//!
//! A snapshot is taken between two commits and costs pointers, not copies: it shares the tests with
//! the running search, so that another thread can write it down while the search goes on. A search
//! restored from it goes on as if it had never stopped (docs/reference/search.md#state).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::archive::Archive;
use crate::archive::population::{Effort, Population};
use crate::baseline::Baseline;
use crate::budget::{Budget, Statistics};
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::operator::helper::Helpers;
use crate::problem::evaluated::{Evaluated, Fitness};
use crate::problem::{Learnt, Problem};
use crate::search::Search;
use crate::search::adaptation::Adaptation;
use crate::search::agenda::Agenda;
use crate::search::lineage::{Lineage, LineageState, Lineages};
use crate::search::progress::Progress;
use crate::settings::SearchSettings;
use crate::target::kind::About;
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
    /// Names, which are all that is written of them, and what each is about.
    targets: Vec<(TargetName, About)>,
    tests: Vec<Arc<Evaluated<A>>>,
    /// Populations, and lineages below; their tests by the numbers of their evaluations.
    populations: Vec<(Vec<u64>, Effort)>,
    covered: Vec<TargetId>,
    current: Option<TargetId>,
    learnt: Learnt<M>,
    adaptation: Adaptation,
    agenda: Agenda<A>,
    lineages: Vec<Option<(u64, LineageState)>>,
    helpers: Helpers<A>,
    baseline: Option<Baseline<A>>,
    progress: Progress,
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
    pub const VERSION: u32 = 5;

    /// Settings of the search.
    #[must_use]
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Counters of the search.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.progress.statistics
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
        let open = &self.agenda.open;
        let is_target = |target: TargetId| target.index() < self.targets.len();
        let distinct: HashSet<&str> = self.targets.iter().map(|(name, _)| name.as_str()).collect();
        damaged(distinct.len() == self.targets.len(), "a target is there twice")?;
        damaged(self.populations.len() == self.targets.len(), "populations are missing")?;
        let tests = self.tests.iter().chain(self.agenda.unattributed.tests());
        let mut fitness = tests.flat_map(|test| &test.fitness);
        damaged(fitness.all(|reach| is_target(reach.target)), "a test reaches no known target")?;
        let targets = self.covered.iter().chain(&self.current);
        let picked = self.lineages.iter().flatten().map(|(_, state)| state.target);
        damaged(
            targets.copied().chain(picked).all(is_target),
            "a number stands for no known target",
        )?;
        let lineages = self.settings.lineages.clamp(1, SearchSettings::MOST_LINEAGES) as usize;
        damaged(self.lineages.len() == lineages && open.len() <= lineages, "lineages are missing")?;
        let first = self.progress.statistics.evaluations;
        let has_order = (first..).zip(open).all(|(number, open)| open.number == number);
        let is_all = first.checked_add(open.len() as u64) == Some(self.agenda.proposed);
        damaged(has_order && is_all, "open tests are missing")
    }
}

impl<'a, P: Problem> Search<'a, P> {
    /// The state of the search now, between two commits.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<P::Action, P::Memory> {
        let names = self.archive.index.names().iter();
        let mut tests = Tests::default();
        let populations = self.archive.populations.iter();
        let populations = populations.map(|population| {
            let members = population.members().iter().map(|(_, test)| tests.number(test));
            (members.collect(), population.effort)
        });
        let populations = populations.collect();
        let slots = self.lineages.0.iter();
        let lineages = slots.map(|slot| {
            let lineage = slot.as_ref()?;
            Some((tests.number(&lineage.current), lineage.state.clone()))
        });
        let lineages = lineages.collect();
        Snapshot {
            version: Snapshot::<P::Action, P::Memory>::VERSION,
            problem: self.problem.fingerprint(),
            settings: self.settings.clone(),
            targets: names.map(|name| (name.clone(), name.about().clone())).collect(),
            populations,
            covered: self.archive.covered.clone(),
            current: self.archive.queue.current,
            learnt: self.learnt.clone(),
            adaptation: self.adaptation.clone(),
            agenda: self.agenda.clone(),
            lineages,
            helpers: self.helpers.clone(),
            tests: tests.list,
            baseline: self.baseline.clone(),
            progress: self.progress.clone(),
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
        let mut archive =
            archive(snapshot.targets, snapshot.populations, snapshot.covered, &tests, &settings)?;
        archive.queue.current = snapshot.current;
        let lineage = |(test, state)| -> Result<Lineage<P::Action>, RestoreError> {
            Ok(Lineage { current: Arc::clone(tests.get(&test).ok_or(NO_TEST)?), state })
        };
        let lineages = snapshot.lineages.into_iter().map(|slot| slot.map(lineage).transpose());
        let lineages = Lineages(lineages.collect::<Result<_, _>>()?);
        Ok(Self {
            archive,
            learnt: snapshot.learnt,
            adaptation: snapshot.adaptation,
            agenda: snapshot.agenda.restored(),
            lineages,
            helpers: snapshot.helpers,
            baseline: snapshot.baseline,
            progress: snapshot.progress,
            ..Self::new(problem, settings, budget)
        })
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

fn archive<A: Action>(
    targets: Vec<(TargetName, About)>,
    populations: Vec<(Vec<u64>, Effort)>,
    covered: Vec<TargetId>,
    tests: &ByNumber<A>,
    settings: &SearchSettings,
) -> Result<Archive<A>, RestoreError> {
    let mut archive = Archive { covered, ..Archive::default() };
    for ((name, about), (members, effort)) in targets.into_iter().zip(populations) {
        let target = archive.intern(&TargetName::of(name.as_str(), about));
        let member = |number: &u64| -> Result<(Fitness, Arc<Evaluated<A>>), RestoreError> {
            let test = tests.get(number).ok_or(NO_TEST)?;
            let fitness = test.fitness_on(target);
            let fitness =
                fitness.ok_or(RestoreError::Damaged("a test does not reach its target"))?;
            Ok((fitness, Arc::clone(test)))
        };
        let members = members.iter().map(member).collect::<Result<Vec<_>, _>>()?;
        let population = Population::restored(members, effort);
        archive.queue.update(target, &population, settings);
        archive.populations[target.index()] = population;
    }
    if archive.covered.iter().any(|target| !archive.is_covered(*target)) {
        return Err(RestoreError::Damaged("a covered target has no test"));
    }
    Ok(archive)
}
