//! A finished solution as files: test suites that run without Wallace, and reports.
//!
//! What a search has found is lowered ([`lower`]) to neutral [`TestCase`]s: requests, the
//! values that later requests take from earlier answers, and what to expect of each answer.
//! Expectations are derived from recorded answers by a [`Derivation`], which leaves out what
//! the next run is likely to answer differently. A [`Writer`] turns the suite into the files
//! of one language; [`Report`](report::Report) turns it and the facts of the run into `report.json`. All else
//! that is told of a run is made from one [`RunRecord`](record::RunRecord): [`report_files`](report::report_files) gives pages, tables and
//! coverage in the formats of other tools, and [`FAULT_CODES`](report::FAULT_CODES) explains what is found. An
//! [`OutputFolder`] then writes all files at once or none, and never over files of
//! somebody else.
//!
//! # Example
//! ```
//! use std::collections::BTreeMap;
//!
//! use serde_json::json;
//! use wallace_suite::{
//!     Derivation, Provenance, RecordedBody, RecordedResponse, Request, Step, TestCase, TestKind, TestNamer,
//!     TestSuite, Writer, writer::RustWriter,
//! };
//!
//! let request = Request::graphql("/graphql", "{\n  triangleClassification(a: 3, b: 4, c: 5)\n}");
//! let answer = json!({ "data": { "triangleClassification": 1 } });
//! let derivation = Derivation {
//!     request: &request,
//!     captured: &BTreeMap::new(),
//!     volatile: &BTreeMap::new(),
//!     recorded_at: None,
//! };
//! let expectations = derivation.expectations(&RecordedResponse {
//!     status: 200,
//!     content_type: Some("application/json"),
//!     headers: &[],
//!     body: RecordedBody::Json(&answer),
//! });
//! let operation = "Query.triangleClassification".to_owned();
//! let steps = vec![Step { operation, request, captures: Vec::new(), expectations }];
//! let test = TestCase {
//!     name: TestNamer::default().name(&steps, &[]),
//!     purpose: vec!["Covers 3 targets.".to_owned()],
//!     kind: TestKind::Regression,
//!     faults: Vec::new(),
//!     steps,
//! };
//! let suite = TestSuite {
//!     provenance: Provenance { tool: "Wallace".to_owned(), version: "0.1.0".to_owned(), seed: 42 },
//!     service: "graphql-ncs".to_owned(),
//!     default_base_url: "http://127.0.0.1:8080".to_owned(),
//!     start_command: None,
//!     tests: vec![test],
//! };
//! let files = RustWriter.write(&suite);
//! let tests = files.iter().find(|file| file.path == "tests/regression.rs");
//! let content = tests.map(|file| file.content.as_str()).unwrap_or_default();
//! assert!(content.contains("async fn triangle_classification_returns_1()"));
//! assert!(content.contains(r#"expect_json("/data", json!({ "triangleClassification": 1 }))"#));
//! ```

mod check;
mod code;
mod date;
mod execution;
mod expectation;
mod lower;
mod name;
mod output;
pub mod record;
pub mod report;
mod request;
mod test_case;
mod text;
mod usage;
pub mod writer;

pub use check::Captured;
pub use date::rfc3339;
pub use execution::Verdict;
pub use expectation::{Expectation, ExpectedError, JsonKind, Shape};
pub use lower::{
    Derivation, Link, RecordedBody, RecordedResponse, Slot, SuiteProblem, Volatility,
    credential_variables, lower,
};
pub use name::{LONGEST_NAME, TestNamer};
pub use output::{OutputError, OutputFolder};
pub use request::{Body, JsonBody, Request};
pub use test_case::{Capture, Fault, Provenance, Step, TestCase, TestKind, TestSuite};
pub use text::{CapturedForm, RequestText, TextPart};
pub use writer::{Format, SuiteFile, UnknownFormat, Writer};
