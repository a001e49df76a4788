//! What came of the calls of each operation over the whole run.

use wallace_engine::{Action, Evaluated, Problem};
use wallace_suite::OperationFacts;

use crate::face::Face;

/// Counts calls by operation and result.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct Tally(Vec<OperationFacts>);

impl Tally {
    pub(crate) fn new(problem: &impl Face) -> Self {
        let operations = problem.operations().into_iter();
        let facts = operations
            .map(|operation_id| OperationFacts { operation_id, ..OperationFacts::default() });
        Self(facts.collect())
    }

    /// Counts the calls of a test.
    pub(crate) fn count<P: Face>(&mut self, test: &Evaluated<<P as Problem>::Action>) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Some(facts) = self.0.get_mut(action.template().0 as usize) else { continue };
            facts.calls += 1;
            match P::result(outcome) {
                (true, false) => facts.data += 1,
                (false, true) => facts.errors += 1,
                (true, true) => facts.data_and_errors += 1,
                (false, false) => {}
            }
        }
    }

    pub(crate) fn into_facts(self) -> Vec<OperationFacts> {
        self.0
    }
}
