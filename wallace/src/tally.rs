//! What came of the calls of each operation over the whole run.

use wallace_engine::Evaluated;
use wallace_problems::HttpOutcome;
use wallace_problems::graphql::{GraphqlAction, GraphqlProblem, Response, ResponseData};
use wallace_suite::OperationFacts;

/// Counts calls by operation and result.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct Tally(Vec<OperationFacts>);

impl Tally {
    pub(crate) fn new(problem: &GraphqlProblem) -> Self {
        let operations = problem.templates().operations().iter();
        let facts = operations.map(|operation| OperationFacts {
            operation_id: operation.coordinate.to_string(),
            ..OperationFacts::default()
        });
        Self(facts.collect())
    }

    /// Counts the calls of a test.
    pub(crate) fn count(&mut self, test: &Evaluated<GraphqlAction>) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Some(facts) = self.0.get_mut(action.template.0 as usize) else { continue };
            facts.calls += 1;
            match result(outcome) {
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

/// Whether there were data, and errors.
fn result(outcome: &HttpOutcome) -> (bool, bool) {
    let body = outcome.response.as_ref().map_or("", |response| response.body.as_str());
    Response::read(body.as_bytes()).map_or((false, false), |response| {
        (response.data == ResponseData::Present, !response.errors.is_empty())
    })
}
