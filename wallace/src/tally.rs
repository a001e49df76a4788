//! What came of the calls over the whole run: of each operation, and of each part of the schema.

use serde::{Deserialize, Serialize};
use wallace_engine::{Action, Evaluated, Problem};
use wallace_problems::HttpOutcome;
use wallace_problems::graphql::SchemaCoverage;
use wallace_suite::{OperationFacts, message};

use crate::face::Face;
use crate::made_name::MadeNames;

/// What a refused call was told: the status and what the body says.
fn refusal(outcome: &HttpOutcome) -> String {
    let Ok(response) = &outcome.response else { return String::new() };
    match message(&response.body) {
        Some(message) => format!("{}, {message}", response.status),
        None => response.status.to_string(),
    }
}

/// Counts calls by operation and result, and what they used of the schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tally {
    operations: Vec<OperationFacts>,
    #[serde(default)]
    pub(crate) schema: Option<SchemaCoverage>,
    /// What the run left in the service.
    #[serde(default)]
    pub(crate) made: MadeNames,
}

impl Tally {
    pub(crate) fn new(problem: &impl Face) -> Self {
        let operations = problem.operations().into_iter();
        let facts = operations
            .map(|operation_id| OperationFacts { operation_id, ..OperationFacts::default() });
        Self {
            operations: facts.collect(),
            schema: problem.schema_coverage(),
            made: MadeNames::default(),
        }
    }

    /// Counts the calls of a test. What it leaves in a service is noted where nothing takes that back.
    pub(crate) fn count<P: Face>(
        &mut self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
        is_reset: bool,
    ) {
        if !is_reset {
            self.made.learn(problem, test);
        }
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            if let Some(schema) = &mut self.schema {
                problem.cover(schema, &outcome.sent(&**action), outcome);
            }
            let template = action.template().0 as usize;
            let Some(facts) = self.operations.get_mut(template) else { continue };
            facts.calls += 1;
            match P::result(outcome) {
                (true, false) => facts.data += 1,
                (false, true) => {
                    facts.errors += 1;
                    if facts.data + facts.data_and_errors == 0 {
                        facts.refusal = refusal(outcome);
                    }
                }
                (true, true) => facts.data_and_errors += 1,
                (false, false) => {}
            }
        }
    }

    /// Operations that gave at least once what was asked for.
    pub(crate) fn answered(&self) -> usize {
        let operations = self.operations.iter();
        operations.filter(|facts| facts.data + facts.data_and_errors > 0).count()
    }

    /// The counts of operations, those of the schema, and what the run left in the service.
    pub(crate) fn into_parts(self) -> (Vec<OperationFacts>, Option<SchemaCoverage>, MadeNames) {
        (self.operations, self.schema, self.made)
    }
}
