//! Tests that stand alone: what the search came by that needs nothing which other tests left.
//!
//! The archive keeps the smallest test of each target. In a service that nothing resets that is often one
//! which is about what an earlier test made, and it fails on a fresh start. So the smallest test that
//! makes what it needs is kept beside it, and takes its place in the result.

mod apart;
mod repeat;
mod replace;
mod twice;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_engine::{Action, Evaluated, Problem, TargetName, archive::Archive};
use wallace_problems::HttpOutcome;

use crate::made_name::MadeNames;
use crate::service_family::ServiceFamily;

pub(crate) use apart::tell_apart;
pub(crate) use repeat::leave_out_repeats;
pub(crate) use replace::{Proof, replace_leaning};

/// The smallest test of each covered target that stood alone when it was run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct AloneTests<A: Action> {
    /// By the number of their evaluation.
    tests: BTreeMap<u64, Arc<Evaluated<A>>>,
    best: BTreeMap<TargetName, u64>,
}

impl<A: Action> Default for AloneTests<A> {
    fn default() -> Self {
        Self { tests: BTreeMap::new(), best: BTreeMap::new() }
    }
}

impl<A: Action<Outcome = HttpOutcome>> AloneTests<A> {
    /// Keeps a test for those of its targets of which it is the best that stands alone.
    pub(crate) fn note<P: ServiceFamily + Problem<Action = A>>(
        &mut self,
        problem: &P,
        made: &MadeNames,
        test: &Evaluated<A>,
        archive: &Archive<A>,
    ) {
        let covered = test.fitness.iter().filter(|reach| reach.score.is_covered());
        let is_better = |name: &TargetName, target| {
            let known =
                self.best.get(name).and_then(|number| self.tests.get(number)?.fitness_on(target));
            known.is_none_or(|known| {
                test.fitness_on(target).is_some_and(|it| it.is_better_than(&known))
            })
        };
        let led: Vec<TargetName> = covered
            .filter_map(|reach| Some((archive.name(reach.target)?, reach.target)))
            .filter(|(name, target)| is_better(name, *target))
            .map(|(name, _)| name.clone())
            .collect();
        if led.is_empty() || made.lean(problem, test, None).is_some() {
            return;
        }
        self.tests.insert(test.evaluation, Arc::new(test.clone()));
        self.best.extend(led.into_iter().map(|name| (name, test.evaluation)));
        let used: HashSet<u64> = self.best.values().copied().collect();
        self.tests.retain(|number, _| used.contains(number));
    }

    /// The test that covers most of these targets, and which of them.
    fn cover_most(&self, open: &[TargetName]) -> Option<(&Arc<Evaluated<A>>, Vec<TargetName>)> {
        let mut covered: BTreeMap<u64, Vec<TargetName>> = BTreeMap::new();
        for name in open {
            if let Some(number) = self.best.get(name) {
                covered.entry(*number).or_default().push(name.clone());
            }
        }
        let (number, names) = covered.into_iter().max_by_key(|(_, names)| names.len())?;
        Some((self.tests.get(&number)?, names))
    }
}
