//! Attribution on demand: which action reached what is asked for only where it matters.
//!
//! Drivers of other languages take longer to be told of each action than the action takes. So a
//! test may be run with only its scores asked for, and again, in full, when those say that it is
//! better for some target than any test before. What that costs is a second run of such tests; it
//! counts as calls like any other.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::algorithm::{Algorithm, Attribution};
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::operator::cause::Cause;
use crate::problem::Problem;
use crate::problem::evaluated::{Evaluated, Reach};
use crate::problem::evaluator::Wanted;
use crate::search::Search;
use crate::search::lineage::{Origin, Proposal};

/// Tests that wait for their second run, oldest first: at most one for each lineage.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Unattributed<A: Action>(VecDeque<(Arc<Evaluated<A>>, Origin, Cause)>);

impl<A: Action> Default for Unattributed<A> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<A: Action> Unattributed<A> {
    pub(crate) fn add(&mut self, test: Arc<Evaluated<A>>, origin: Origin, cause: Cause) {
        self.0.push_back((test, origin, cause));
    }

    /// The test that was evaluation `number`, if it waits.
    fn take(&mut self, number: u64) -> Option<(Individual<A>, Origin, Cause)> {
        self.0.front().filter(|(test, ..)| test.evaluation == number)?;
        let (test, origin, cause) = self.0.pop_front()?;
        Some((test.individual.clone(), origin, cause))
    }

    /// Whatever still waits.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Arc<Evaluated<A>>> + '_ {
        self.0.drain(..).map(|(test, ..)| test)
    }

    /// The tests that wait.
    pub(crate) fn tests(&self) -> impl Iterator<Item = &Arc<Evaluated<A>>> {
        self.0.iter().map(|(test, ..)| test)
    }
}

impl<P: Problem> Search<'_, P> {
    /// What is asked for a test that is run for the first time.
    pub(crate) fn wanted(&self, individual: &Individual<P::Action>) -> Wanted {
        let is_scored_first = self.settings.attribution == Attribution::OnDemand
            && self.settings.algorithm == Algorithm::Mio
            && individual.actions().len() > 1;
        if is_scored_first { Wanted::Scores } else { Wanted::Everything }
    }

    /// Takes in, as they are, the tests whose second run does not come any more.
    pub(crate) fn take_in_unattributed(&mut self) {
        for test in self.agenda.unattributed.drain() {
            self.archive.add(&test, 1, &self.settings);
        }
    }

    /// The second run that proposal `number` is for: of the test that was committed right before
    /// it, so that its lineage finds everything as it left it.
    pub(crate) fn again_in_full(&mut self, number: u64) -> Option<Proposal<P::Action>> {
        let committed = number.checked_sub(self.lineages.count() as u64)?;
        let (individual, origin, cause) = self.agenda.unattributed.take(committed)?;
        Some(Proposal { number, individual, origin, cause, wanted: Wanted::Everything })
    }
}

/// Takes the actions over from the test that a mutant was made of, where it still has them.
pub(crate) fn inherit<A: Action>(
    fitness: &mut [Reach],
    individual: &Individual<A>,
    parent: &Evaluated<A>,
) {
    for reach in fitness.iter_mut().filter(|reach| reach.action.is_none()) {
        let action = parent.reach(reach.target).and_then(|known| known.action);
        reach.action = action.filter(|action| individual.position(*action).is_some());
    }
}
