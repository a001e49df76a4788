//! What a test needs before its first request: rows, inserted through the driver of the service.
//!
//! The environment variable `WALLACE_DRIVER` says where the driver is; a test that begins with
//! rows does not run without one.

use wallace_engine::{Action, Individual};
use wallace_problems::sql::SqlTables;

use crate::expectation::Expectation;
use crate::request::{Body, JsonBody, Request};
use crate::test_case::Step;
use crate::text::{RequestText, TextPart};

/// The operation of steps that insert rows.
const ROWS: &str = "driver:rows";
/// Where tests read the address of the driver.
const DRIVER: &str = "WALLACE_DRIVER";

impl Step {
    /// Whether the step only brings about what the test needs.
    #[must_use]
    pub fn is_set_up(&self) -> bool {
        self.operation == ROWS
    }
}

/// Puts the rows that a test begins with before its steps.
pub(crate) fn add_rows<A: Action>(
    tables: Option<&SqlTables>,
    individual: &Individual<A>,
    steps: &mut Vec<Step>,
) {
    let Some(tables) = tables else { return };
    let Some(body) = tables.command(individual) else { return };
    let path = RequestText {
        parts: vec![
            TextPart::Environment { variable: DRIVER.to_owned() },
            TextPart::Literal("/controller/api/databaseCommand".to_owned()),
        ],
    };
    steps.insert(
        0,
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
        },
    );
}
