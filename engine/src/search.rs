//! The search: its state, and what can be seen of it from outside.
//!
//! How the next test comes about is in `propose`, what becomes of its result in `commit`.

pub(crate) mod adaptation;
pub(crate) mod agenda;
pub(crate) mod attribution;
pub(crate) mod commit;
pub(crate) mod event;
mod finish;
pub(crate) mod lineage;
mod progress;
pub(crate) mod propose;
mod run;
pub(crate) mod schedule;
pub(crate) mod share;
pub(crate) mod snapshot;
pub(crate) mod stagnation;
pub(crate) mod suspicion;

use std::sync::Arc;

use wallace_genes::{GeneSettings, Specialisation};

use crate::archive::Archive;
use crate::baseline::Baseline;
use crate::budget::{Budget, Statistics, StopReason, Usage};
use crate::individual::Individual;
use crate::individual::action::Action;
pub use crate::operator::cause::Cause;
use crate::operator::helper::Helpers;
use crate::problem::evaluator::TargetSource;
use crate::problem::fit::{Fit, fit};
use crate::problem::{Learnt, Problem};
use crate::settings::SearchSettings;
use crate::worker::outcome::caught;
pub use agenda::OutOfOrder;
pub use lineage::{Origin, Proposal};
pub use schedule::Schedule;
pub use snapshot::{RestoreError, Snapshot};
pub use suspicion::Suspicion;

use adaptation::Adaptation;
use agenda::Agenda;
use event::{Observer, SearchEvent};
use lineage::Lineages;
use progress::Progress;

/// A running search.
///
/// [`Search::run`](crate::Search::run) drives it to its end; [`Search::propose`] and
/// [`Search::commit`] let a caller drive it step by step.
pub struct Search<'a, P: Problem> {
    problem: &'a P,
    settings: SearchSettings,
    genes: Arc<GeneSettings>,
    budget: Budget,
    archive: Archive<P::Action>,
    learnt: Learnt<P::Memory>,
    adaptation: Adaptation,
    agenda: Agenda<P::Action>,
    lineages: Lineages<P::Action>,
    helpers: Helpers<P::Action>,
    /// The state of the algorithm when it is not MIO.
    baseline: Option<Baseline<P::Action>>,
    progress: Progress,
    /// Is shown the search after each commit.
    keeper: Option<Keeper<'a, P>>,
    sources: Vec<Box<dyn TargetSource<P::Action> + 'a>>,
    observers: Vec<&'a mut dyn Observer<P::Action>>,
}

/// What is shown the search between commits.
type Keeper<'a, P> = Box<dyn FnMut(&Search<'a, P>) + 'a>;

impl<P: Problem> std::fmt::Debug for Search<'_, P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Search")
            .field("settings", &self.settings)
            .field("budget", &self.budget)
            .field("statistics", &self.progress.statistics)
            .finish_non_exhaustive()
    }
}

impl<'a, P: Problem> Search<'a, P> {
    /// A search that has not begun.
    pub fn new(problem: &'a P, settings: SearchSettings, budget: Budget) -> Self {
        Self {
            problem,
            genes: Arc::new(settings.genes.clone()),
            baseline: Baseline::of(settings.algorithm),
            lineages: Lineages::new(settings.lineages),
            helpers: Helpers::default(),
            settings,
            budget,
            archive: Archive::default(),
            learnt: Learnt::default(),
            adaptation: Adaptation::default(),
            agenda: Agenda::default(),
            progress: Progress::default(),
            keeper: None,
            sources: Vec::new(),
            observers: Vec::new(),
        }
    }

    /// Adds targets of the user's own.
    pub fn add_targets(&mut self, source: Box<dyn TargetSource<P::Action> + 'a>) {
        self.sources.push(source);
    }

    /// Adds an observer.
    pub fn observe(&mut self, observer: &'a mut dyn Observer<P::Action>) {
        self.observers.push(observer);
    }

    /// Adds a test of an earlier run, to be evaluated before all others in the order in which they
    /// are added. Genes that do not fit the problem any more are repaired; a test that cannot be
    /// repaired, because the problem has no such template say, is not added. Tells which of these
    /// it was.
    pub fn seed(&mut self, mut test: Individual<P::Action>) -> Fit {
        // The template may be none of this problem, and what it does then is its own affair.
        let fitted = caught(|| fit(self.problem, &mut test, &self.genes)).unwrap_or(Fit::Lost);
        if fitted != Fit::Lost {
            self.agenda.seeds.push_back(test);
        }
        fitted
    }

    /// Learns the texts of a test that others have sent as constants of their positions, so that
    /// they are tried there and elsewhere in combination with other values.
    pub fn learn_texts(&mut self, test: &Individual<P::Action>) {
        for (_, action) in test.actions() {
            let template = action.template();
            action.gene().visit_texts(&mut |path, string| {
                let constant = Specialisation::Constant(string.text.as_ref().into());
                self.learnt.knowledge.learn(template, path, constant);
            });
        }
    }

    /// Shows the search to `keeper` after each commit, and when it is stopped in a test: the moments to
    /// take a [`Snapshot`]. A later keeper replaces an earlier one.
    pub fn keep_with(&mut self, keeper: impl FnMut(&Self) + 'a) {
        self.keeper = Some(Box::new(keeper));
    }

    /// The archive.
    #[must_use]
    pub fn archive(&self) -> &Archive<P::Action> {
        &self.archive
    }

    /// What was learnt.
    #[must_use]
    pub fn learnt(&self) -> &Learnt<P::Memory> {
        &self.learnt
    }

    /// Counters.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.progress.statistics
    }

    /// Whether another test may be proposed before the oldest open one is committed.
    #[must_use]
    pub fn may_propose(&self) -> bool {
        let calls = self.progress.statistics.calls;
        let left = self.budget.calls.map_or(u64::MAX, |most| most.saturating_sub(calls));
        self.agenda.has_room(self.lineages.count(), left)
    }

    /// Why the search must end now, if it must.
    #[must_use]
    pub fn end(&self) -> Option<StopReason> {
        if self.budget.stop.is_set() {
            return Some(StopReason::Interrupted);
        }
        if self.used() >= 1.0 {
            return Some(StopReason::BudgetUsed);
        }
        self.budget.is_idle(self.progress.last, self.usage()).then_some(StopReason::Idle)
    }

    fn usage(&self) -> Usage {
        let Statistics { calls, evaluations, .. } = self.progress.statistics;
        self.budget.usage(calls, evaluations)
    }

    /// Used share of the budget, in `[0, 1]`.
    #[must_use]
    pub fn used(&self) -> f64 {
        self.budget.used(self.progress.statistics.calls, self.progress.statistics.evaluations)
    }

    fn notify<'e>(
        &'e mut self,
        event: impl FnOnce(&'e Archive<P::Action>) -> SearchEvent<'e, P::Action>,
    ) {
        let event = event(&self.archive);
        for observer in &mut self.observers {
            observer.notify(&event);
        }
    }
}
