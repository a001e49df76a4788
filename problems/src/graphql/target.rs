//! Targets that a response earns, besides those of the driver (graphql.md 8.2).
//!
//! | target | score |
//! |---|---|
//! | `gql:ok:<op>` | 1 data and no errors; 0.5 data and errors; 0.3 errors only; 0.1 no GraphQL answer |
//! | `gql:errors:<op>` | 1 with errors; 0.5 otherwise |
//! | `http:<status>:<op>` | 1 |
//! | `http:<failure>:<op>` | 1 where there is no response |
//! | `gql:error:<op>@<last statement>` | 1 for each statement that errors come from |
//!
//! `<op>` is the schema coordinate.

use wallace_engine::{Score, TargetName};

use super::response::{Response, ResponseData};
use crate::http::HttpOutcome;

/// The names of one operation's targets, made once.
#[derive(Debug)]
pub(crate) struct OperationTargets {
    coordinate: Box<str>,
    ok: TargetName,
    errors: TargetName,
    status_200: TargetName,
}

impl OperationTargets {
    pub(crate) fn new(coordinate: &str) -> Self {
        Self {
            coordinate: coordinate.into(),
            ok: format!("gql:ok:{coordinate}").into(),
            errors: format!("gql:errors:{coordinate}").into(),
            status_200: format!("http:200:{coordinate}").into(),
        }
    }

    pub(crate) fn reach(&self, outcome: &HttpOutcome, reach: &mut dyn FnMut(TargetName, Score)) {
        let operation = &self.coordinate;
        let response = match &outcome.response {
            Ok(response) => response,
            Err(failure) => {
                let failure = failure.as_str();
                return reach(format!("http:{failure}:{operation}").into(), Score::COVERED);
            }
        };
        match response.status {
            200 => reach(self.status_200.clone(), Score::COVERED),
            status => reach(format!("http:{status}:{operation}").into(), Score::COVERED),
        }
        let answer = Response::read(response.body.as_bytes()).ok();
        let has_data = answer.as_ref().is_some_and(|answer| answer.data == ResponseData::Present);
        let has_errors = answer.is_some_and(|answer| !answer.errors.is_empty());
        let ok = match (has_data, has_errors) {
            (true, false) => 1.0,
            (true, true) => 0.5,
            (false, true) => 0.3,
            (false, false) => 0.1,
        };
        reach(self.ok.clone(), Score::new(ok));
        reach(self.errors.clone(), Score::new(if has_errors { 1.0 } else { 0.5 }));
        if let (true, Some(statement)) = (has_errors, &outcome.last_statement) {
            reach(format!("gql:error:{operation}@{statement}").into(), Score::COVERED);
        }
    }
}
