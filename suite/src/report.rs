//! `report.json` in the format of the Web Fuzzing Commons (WFC), read by its web page and
//! by other tools.
//!
//! Most of it follows from the suite and its files. What only the run knows comes as
//! [`RunFacts`]; of these, creation time and execution time are all that differs between
//! two equal runs. The other formats have a module each, and are made from a [`RunRecord`].

mod baseline;
mod cause;
mod cobertura;
mod csv;
mod explain;
mod fault;
mod html;
mod junit;
mod lcov;
mod markdown;
mod sarif;
mod source;
mod wfc;
mod xml;

use serde::{Deserialize, Serialize};

use crate::record::RunRecord;
use crate::test_case::TestSuite;
use crate::writer::SuiteFile;

pub use crate::code::{FAULT_CODES, FaultCode, Severity, fault_code, severity};
pub use crate::name::counted;
pub use baseline::{Baseline, KnownFault};
pub use cause::{cause, is_told_by_traits, traits};
pub use cobertura::cobertura;
pub use csv::{statistics_csv, targets_csv};
pub use explain::{explain, explain_faults};
pub use html::html;
pub use junit::junit;
pub use lcov::lcov;
pub use markdown::markdown;
pub use sarif::sarif;

/// Version of the report schema that is written; tests validate every report against its
/// schema in `tests/data`.
pub const SCHEMA_VERSION: &str = "0.6.0";

/// What a run knows besides its tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFacts {
    /// When the report was made, as RFC 3339 text: see [`rfc3339`](crate::rfc3339).
    pub creation_time: String,
    /// How long the run took, in whole seconds.
    pub execution_seconds: u64,
    /// HTTP calls of the whole run, not only of the tests that were kept.
    pub evaluated_calls: u64,
    /// All endpoints of the service as `METHOD:/path`; those of the tests need not be listed.
    pub endpoints: Vec<String>,
    /// What happened per GraphQL operation; empty for other services.
    pub graphql_operations: Vec<OperationFacts>,
    /// What happened per operation, of whichever family the service is.
    #[serde(default)]
    pub operations: Vec<OperationFacts>,
    /// What was covered of the GraphQL schema, such as types, fields, arguments, enum values.
    pub graphql_coverage: Vec<Criterion>,
    /// What was covered of the code or anything else, such as lines and branches.
    pub coverage: Vec<Criterion>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// Whether to write fault codes that the schema of the standard accepts but its
    /// catalogue does not foresee.
    pub codes: FaultCodes,
}

/// How the fault codes 207 to 210 are written. The catalogue of the standard has them, but
/// the report schema of the same version does not accept them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultCodes {
    /// As 991 to 994, free for tools, with the name of the catalogue in the context.
    #[default]
    Strict,
    /// As they are; strict readers refuse the report.
    Catalogue,
}

/// How often one operation was called during the run, and with what result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationFacts {
    /// Schema coordinate, such as `Query.user`, or verb and path of a REST service.
    pub operation_id: String,
    /// Calls in all.
    pub calls: u64,
    /// Calls answered with data and without errors.
    pub data: u64,
    /// Calls answered with errors and without data.
    pub errors: u64,
    /// Calls answered with both.
    pub data_and_errors: u64,
    /// What the last refused call was told: the status, and the beginning of the message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub refusal: String,
}

/// How much of one kind of thing was covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// What is counted, in the plural: "lines".
    pub name: String,
    /// How many were covered.
    pub covered: u64,
    /// How many there are, if that is known.
    pub total: Option<u64>,
}

/// Something that the user should know about the run as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// A sentence that says what to do.
    pub message: String,
    /// What it is about: "schema", "authentication".
    pub category: String,
    /// Order of display: 1 comes first.
    pub display_priority: u32,
}

/// All that a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The tests.
    pub suite: &'a TestSuite,
    /// The files that the suite was written to, with paths relative to the report.
    pub files: &'a [SuiteFile],
    /// The run.
    pub run: &'a RunFacts,
}

impl Report<'_> {
    /// The content of `report.json`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let report = wfc::report(self);
        serde_json::to_string_pretty(&report).expect("the report has text keys only") + "\n"
    }
}

/// Every report but `report.json`, and the record that they are made from. Coverage of source
/// files is told where lines of the service are known.
#[must_use]
pub fn report_files(record: &RunRecord) -> Vec<SuiteFile> {
    let mut files = vec![
        SuiteFile::new("report.html", html(record)),
        SuiteFile::new("summary.md", markdown(record)),
        SuiteFile::new("report/junit.xml", junit(record)),
        SuiteFile::new("report/faults.sarif", sarif(record)),
        SuiteFile::new("report/statistics.csv", statistics_csv(record)),
        SuiteFile::new("report/targets.csv", targets_csv(record)),
        SuiteFile::new(crate::record::RECORD_FILE, record.to_json()),
    ];
    if !source::files(record).is_empty() {
        files.push(SuiteFile::new("report/lcov.info", lcov(record)));
        files.push(SuiteFile::new("report/cobertura.xml", cobertura(record)));
    }
    files
}
