//! (1+1) EA for one target at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::breeding::Breeding;
use crate::archive::Archive;
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;
use crate::target::TargetId;

/// The target that is worked on, and the tests under evaluation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct OnePlusOne<A: Action> {
    current: Option<Climb<A>>,
    /// The last target that was worked on.
    last: Option<TargetId>,
    /// For what each open test was made, oldest first; `None` when it was sampled.
    open: VecDeque<Option<TargetId>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
struct Climb<A: Action> {
    target: TargetId,
    parent: Arc<Evaluated<A>>,
    /// Used share of the budget at which the target is left.
    end: f64,
}

impl<A: Action> Default for OnePlusOne<A> {
    fn default() -> Self {
        Self { current: None, last: None, open: VecDeque::new() }
    }
}

impl<A: Action> OnePlusOne<A> {
    pub(crate) fn propose<P: Problem<Action = A>>(
        &mut self,
        breeding: &mut Breeding<'_, P>,
    ) -> Individual<A> {
        let is_done = |climb: &Climb<A>| {
            breeding.used >= climb.end || breeding.archive.is_covered(climb.target)
        };
        if self.current.as_ref().is_none_or(is_done) {
            self.current = next(self.last, breeding.archive, breeding.used);
        }
        self.last = self.current.as_ref().map(|climb| climb.target).or(self.last);
        self.open.push_back(self.current.as_ref().map(|climb| climb.target));
        match &self.current {
            Some(climb) => breeding.mutant(&climb.parent.individual),
            None => breeding.sample(),
        }
    }

    pub(crate) fn commit(&mut self, test: Option<&Arc<Evaluated<A>>>) {
        let made_for = self.open.pop_front().flatten();
        let (Some(test), Some(climb)) = (test, &mut self.current) else { return };
        let is_better = match (test.fitness_on(climb.target), climb.parent.fitness_on(climb.target))
        {
            (Some(new), Some(old)) => new.order(&old) != std::cmp::Ordering::Less,
            (new, None) => new.is_some(),
            (None, Some(_)) => false,
        };
        if made_for == Some(climb.target) && is_better {
            climb.parent = Arc::clone(test);
        }
    }
}

/// The open target after `last` in order of discovery, around the end, with its share of the
/// budget that is left.
fn next<A: Action>(last: Option<TargetId>, archive: &Archive<A>, used: f64) -> Option<Climb<A>> {
    let is_open = |fitness: &crate::problem::evaluated::Fitness| !fitness.score.is_covered();
    let open = || archive.targets().filter(|(_, fitness, _)| is_open(fitness));
    let count = open().count();
    let (target, _, parent) =
        open().find(|(target, _, _)| Some(*target) > last).or_else(|| open().next())?;
    let end = used + (1.0 - used) / count as f64;
    Some(Climb { target, parent: Arc::clone(parent), end })
}
