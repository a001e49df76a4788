//! What a search gave, before anything is written of it.

use std::time::Duration;

use wallace_engine::{Problem, Solution};
use wallace_problems::graphql::SchemaCoverage;
use wallace_suite::record::AnswerHabits;
use wallace_suite::report::{Baseline, OperationFacts};

use crate::fault::FoundFaults;
use crate::fresh::Stands;
use crate::history::History;
use crate::insight::Insight;
use crate::ledger::Ledger;
use crate::made_name::MadeNames;

/// What a search gave.
pub(crate) struct Outcome<P: Problem> {
    pub(crate) solution: Solution<P::Action>,
    pub(crate) elapsed: Duration,
    pub(crate) operations: Vec<OperationFacts>,
    /// What calls were made for.
    pub(crate) ledger: Ledger,
    /// Faults that are known.
    pub(crate) baseline: Option<Baseline>,
    /// Which tests stood on fresh starts; empty where there were none.
    pub(crate) stands: Stands,
    /// What the driver knows of open targets.
    pub(crate) insight: Insight,
    /// When what was covered.
    pub(crate) history: History,
    /// What the run left in a service that is not reset.
    pub(crate) made: MadeNames,
    /// What answers showed from test to test.
    pub(crate) habits: AnswerHabits,
    /// Which fault has which cause.
    pub(crate) faults: FoundFaults,
    /// What was covered of the schema, where there is one.
    pub(crate) schema: Option<SchemaCoverage>,
    /// What the run noticed and should be known.
    pub(crate) notes: Vec<String>,
}

impl<P: Problem> Outcome<P> {
    /// Whether a test did the same on fresh starts; nothing where it was on none.
    pub(crate) fn holds(&self, place: usize) -> Option<bool> {
        self.stands.get(place).and_then(|stand| stand.holds())
    }
}
