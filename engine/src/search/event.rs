//! Events: everything that happens in a search.

use crate::archive::{Added, Archive};
use crate::budget::{Statistics, StopReason};
use crate::individual::action::Action;
use crate::operator::cause::Cause;
use crate::problem::evaluated::Evaluated;
use crate::search::suspicion::Suspicion;

/// Something that happened.
#[derive(Debug)]
#[non_exhaustive]
pub enum SearchEvent<'a, A: Action> {
    /// A test was evaluated and offered to the archive.
    Evaluated {
        /// The test.
        test: &'a Evaluated<A>,
        /// What it was run for.
        cause: Cause,
        /// What it changed.
        added: &'a Added,
        /// The archive after it.
        archive: &'a Archive<A>,
        /// Counters after it.
        statistics: Statistics,
        /// Used share of the budget, in `[0, 1]`.
        used: f64,
    },
    /// A test was run and not offered to the archive: for its scores only, with a second run to
    /// follow, or for the result, to make it smaller and to see what comes again.
    Ran {
        /// The test.
        test: &'a Evaluated<A>,
        /// What it was run for.
        cause: Cause,
    },
    /// A test could not be evaluated.
    Failed {
        /// Number of the evaluation.
        evaluation: u64,
        /// Why.
        reason: &'a str,
    },
    /// Something about the set-up is probably wrong.
    Suspicious {
        /// What.
        suspicion: Suspicion,
    },
    /// Nothing improved for long, so the search explores for a while; or it stopped exploring.
    Stagnated {
        /// Number of the evaluation.
        evaluation: u64,
        /// Whether the phase begins; otherwise it ends.
        begins: bool,
    },
    /// The search ended; what follows is minimising.
    Ended {
        /// Why.
        reason: &'a StopReason,
        /// Counters at the end.
        statistics: Statistics,
    },
    /// Tests of the result were tried in smaller forms, one of each at most.
    Minimised {
        /// Tests that get no smaller any more.
        done: usize,
        /// Tests in all.
        of: usize,
        /// Calls that minimising took so far.
        calls: u64,
    },
    /// The tests of the result were run once more.
    Repeated {
        /// Tests in all.
        tests: usize,
        /// Which run of each this was; the one that the result shows is the first.
        run: u32,
    },
}

/// Is told everything that happens: progress displays, statistics, checkpoints, user code.
pub trait Observer<A: Action> {
    /// Called in order, on the thread of the search; what it does delays the search.
    fn notify(&mut self, event: &SearchEvent<'_, A>);
}

impl<A: Action, F: FnMut(&SearchEvent<'_, A>)> Observer<A> for F {
    fn notify(&mut self, event: &SearchEvent<'_, A>) {
        self(event);
    }
}
