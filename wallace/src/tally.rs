//! What came of the calls over the whole run: of each operation, and of each part of the schema.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Action, Evaluated, Problem, search::Cause};
use wallace_problems::graphql::SchemaCoverage;
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest, is_telling, told};
use wallace_suite::record::AnswerHabits;
use wallace_suite::report::OperationFacts;

use crate::ledger::{Ledger, Purpose};
use crate::made_name::MadeNames;
use crate::service_family::ServiceFamily;

/// Longest message that is kept of a refusal, in characters.
const LONGEST_REFUSAL: usize = 160;

/// What a refused call was told: the status and what the body says.
fn refusal(outcome: &HttpOutcome) -> String {
    let Ok(response) = &outcome.response else { return String::new() };
    if let Some(told) = response.told {
        return format!("{told}, with the page for what is not there");
    }
    match refusal_in_words(&response.body) {
        Some(told) => format!("{}, {told}", response.status),
        None => response.status.to_string(),
    }
}

/// The beginning of what the body of a refusal says, on one line; none where it says nothing.
pub(crate) fn refusal_in_words(body: &str) -> Option<String> {
    let told = told(body).filter(|told| is_telling(told))?;
    let words: Vec<&str> = told.split_whitespace().collect();
    Some(words.join(" ").chars().take(LONGEST_REFUSAL).collect())
}

/// The names of what a change sets: members of its body, and of a document the names of arguments and of
/// the members of these.
fn set_members(request: &HttpRequest) -> Vec<String> {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    if let Some(document) = body["query"].as_str() {
        let before = document.split(':').map(|part| part.trim_end().rsplit(is_no_name).next());
        return before.flatten().filter(|name| !name.is_empty()).map(str::to_owned).collect();
    }
    body.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn is_no_name(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}

/// Counts calls by what they were made for, operation and result, and what they used of the schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) ledger: Ledger,
    /// What the last refused call of each operation was told; none once a call went well.
    refusals: Vec<Option<String>>,
    pub(crate) schema: Option<SchemaCoverage>,
    /// What the run left in the service.
    pub(crate) made: MadeNames,
    /// What its answers showed from test to test.
    pub(crate) habits: AnswerHabits,
}

impl Tally {
    pub(crate) fn new(problem: &impl ServiceFamily) -> Self {
        Self {
            ledger: Ledger::default(),
            refusals: vec![Some(String::new()); problem.operations().len()],
            schema: problem.schema_coverage(),
            made: MadeNames::default(),
            habits: AnswerHabits::default(),
        }
    }

    /// Counts the calls of a test. What it leaves in a service is noted where nothing takes that back.
    pub(crate) fn count<P: ServiceFamily>(
        &mut self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
        cause: Cause,
        time: Duration,
        is_reset: bool,
    ) {
        self.ledger.book::<P>(Purpose::Test(cause), &test.individual, &test.outcomes, time);
        if !is_reset {
            self.learn_answers(problem, test);
            self.made.learn(problem, test);
        }
        if !cause.is_search() {
            return;
        }
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            if let Some(schema) = &mut self.schema {
                problem.cover(schema, &outcome.sent(&**action), outcome);
            }
            if !P::is_of_operation(action) {
                continue;
            }
            let known = self.refusals.get_mut(action.template().0 as usize);
            match (P::result(outcome), known) {
                ((true, _), Some(known)) => *known = None,
                ((false, false), Some(Some(known))) if known.is_empty() => {
                    if let Ok(response) = &outcome.response {
                        *known = format!("{}, nothing but null", response.status);
                    }
                }
                ((false, true), Some(Some(known))) => {
                    // What was refused on purpose says little, unless it is all there is.
                    let is_stranger =
                        problem.caller(action).is_none() && outcome.status() == Some(401);
                    // Another user got further than who may not do it.
                    let is_barred = matches!(outcome.status(), Some(401 | 403))
                        && !["401", "403"].iter().any(|barred| known.starts_with(barred));
                    if known.is_empty() || !(P::is_probe(action) || is_stranger || is_barred) {
                        *known = refusal(outcome);
                    }
                }
                _ => {}
            }
        }
    }

    fn learn_answers<P: ServiceFamily>(
        &mut self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
    ) {
        let mut told = String::new();
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { continue };
            let (user, request) = (problem.caller(action), outcome.request(problem, action));
            self.habits.learn(problem.operation(action), user, &request, response);
            if HttpProblem::is_read(problem, &**action) || !problem.went_well(outcome) {
                continue;
            }
            let sent = outcome.sent(&**action);
            let touch = problem.touch(&sent, &request).filter(|touch| !touch.is_deletion);
            let is_of_others = |id: &String| !told.contains(id.as_str());
            // What names nothing sets something of which there is one.
            let is_shared = |ids: &[String]| ids.is_empty() || ids.iter().any(is_of_others);
            if touch.is_some_and(|touch| is_shared(&touch.ids)) {
                let members = set_members(&request);
                members.iter().for_each(|member| self.habits.note_changed(member));
            }
            told.push_str(&response.body);
        }
    }

    /// Operations that gave at least once what was asked for.
    pub(crate) fn answered(&self) -> usize {
        self.refusals.iter().filter(|refusal| refusal.is_none()).count()
    }

    /// The counts of the operations of these names.
    pub(crate) fn operations(&self, names: Vec<String>) -> Vec<OperationFacts> {
        let facts = |((operation_id, refusal), number): ((String, &Option<String>), u32)| {
            let entry = self.ledger.operation(number);
            OperationFacts {
                operation_id,
                calls: entry.calls,
                data: entry.data,
                errors: entry.errors,
                data_and_errors: entry.data_and_errors,
                refusal: refusal.clone().unwrap_or_default(),
            }
        };
        names.into_iter().zip(&self.refusals).zip(0..).map(facts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_sets_members_of_its_body_and_of_its_arguments() {
        let request = |body: &'static str| HttpRequest {
            method: http::Method::POST,
            path: "/".parse().unwrap(),
            headers: http::HeaderMap::new(),
            body: body.into(),
        };
        assert_eq!(set_members(&request(r#"{"title": "a: b", "of": [1]}"#)), ["of", "title"]);
        let document = r#"{"query": "mutation{site{update(csp:\"x\",of:{a: 1}){ok}}}"}"#;
        assert_eq!(set_members(&request(document))[..3], ["csp", "of", "a"]);
    }
}
