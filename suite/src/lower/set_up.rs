//! What a test needs before its first request: rows, documents and keys, inserted through the
//! driver of the service.
//!
//! The environment variable `WALLACE_DRIVER` says where the driver is; a test that begins with
//! such does not run without one.

use serde_json::Value;
use wallace_engine::Evaluated;
use wallace_problems::HttpProblem;

use crate::expectation::Expectation;
use crate::request::{Body, JsonBody, Request};
use crate::test_case::Step;
use crate::text::{RequestText, TextPart};

/// The operation of steps that insert rows, documents or keys.
const ROWS: &str = "driver:rows";
/// Where tests read the address of the driver.
pub(crate) const DRIVER: &str = "WALLACE_DRIVER";

impl Step {
    /// Whether the step only brings about what the test needs.
    #[must_use]
    pub fn is_set_up(&self) -> bool {
        self.operation == ROWS
    }
}

/// Puts the rows, documents and keys that a test begins with before its steps.
pub(crate) fn add_set_up<P: HttpProblem>(
    problem: &P,
    test: &Evaluated<P::Action>,
    steps: &mut Vec<Step>,
) {
    let rows = problem.sql_tables().and_then(|tables| tables.command(&test.individual));
    let [documents, keys] = problem.stores().map(|it| it.commands(test)).unwrap_or_default();
    let bodies =
        [("databaseCommand", rows), ("mongoInsertion", documents), ("redisInsertion", keys)];
    let bodies = bodies.into_iter().filter_map(|(endpoint, body)| Some((endpoint, body?)));
    steps.splice(0..0, bodies.map(|(endpoint, body)| inserting(endpoint, body)));
}

fn inserting(endpoint: &str, body: Value) -> Step {
    let path = RequestText {
        parts: vec![
            TextPart::Environment { variable: DRIVER.to_owned() },
            TextPart::Literal(format!("/controller/api/{endpoint}")),
        ],
    };
    Step {
        operation: ROWS.to_owned(),
        request: Request {
            method: "POST".to_owned(),
            path,
            headers: vec![("Connection".to_owned(), "keep-alive".into())],
            body: Body::Json(JsonBody::from(body)),
        },
        captures: Vec::new(),
        expectations: vec![Expectation::Status(200)],
    }
}
