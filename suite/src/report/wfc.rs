//! The report as the schema of the standard wants it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::fault::{self, FaultCategory};
use super::{Criterion, OperationFacts, Report, SCHEMA_VERSION, Warning};
use crate::request::Body;
use crate::test_case::{Step, TestCase};
use crate::writer::{SuiteFile, TestLocation};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WfcReport<'a> {
    schema_version: &'static str,
    tool_name: &'a str,
    tool_version: &'a str,
    creation_time: &'a str,
    faults: Faults<'a>,
    problem_details: ProblemDetails<'a>,
    total_tests: usize,
    test_file_paths: BTreeSet<&'a str>,
    test_cases: Vec<WfcTestCase<'a>>,
    execution_time_in_seconds: u64,
    extra: Vec<Coverage<'a>>,
    warnings: &'a [Warning],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Faults<'a> {
    total_number: usize,
    found_faults: Vec<FoundFault<'a>>,
}

/// The schema describes `operationId` and requires `endpointId`, so both are written.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FoundFault<'a> {
    operation_id: &'a str,
    endpoint_id: &'a str,
    test_case_id: String,
    fault_categories: BTreeSet<FaultCategory>,
}

/// The standard foresees only `rest`. It is written for GraphQL too, where it shows the
/// one endpoint, since the web page of the standard reads nothing else.
#[derive(Debug, Serialize)]
struct ProblemDetails<'a> {
    rest: RestDetails,
    #[serde(skip_serializing_if = "Option::is_none")]
    graphql: Option<GraphQlDetails<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RestDetails {
    output_http_calls: usize,
    evaluated_http_calls: u64,
    endpoint_ids: BTreeSet<String>,
    covered_http_status: Vec<CoveredStatus>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CoveredStatus {
    endpoint_id: String,
    test_case_id: String,
    http_status: BTreeSet<u16>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GraphQlDetails<'a> {
    operation_ids: BTreeSet<&'a str>,
    operations: &'a [OperationFacts],
    covered_operations: Vec<CoveredOperation<'a>>,
    coverage: &'a [Criterion],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CoveredOperation<'a> {
    operation_id: &'a str,
    test_case_id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WfcTestCase<'a> {
    id: String,
    file_path: &'a str,
    name: &'a str,
    start_line: usize,
    end_line: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Coverage<'a> {
    tool_name: &'a str,
    criteria: &'a [Criterion],
}

/// A test where it stands in a file.
#[derive(Debug, Clone, Copy)]
struct Written<'a> {
    test: &'a TestCase,
    file: &'a SuiteFile,
    location: &'a TestLocation,
}

impl Written<'_> {
    fn id(&self) -> String {
        format!("{}#{}", self.file.path, self.location.name)
    }
}

pub(super) fn report<'a>(report: &Report<'a>) -> WfcReport<'a> {
    let written = written(report);
    let (suite, run) = (report.suite, report.run);
    let tool_name = suite.provenance.tool.as_str();
    let extra = Coverage { tool_name, criteria: &run.coverage };
    WfcReport {
        schema_version: SCHEMA_VERSION,
        tool_name,
        tool_version: &suite.provenance.version,
        creation_time: &run.creation_time,
        faults: faults(&written, report),
        problem_details: problem_details(&written, report),
        total_tests: written.len(),
        test_file_paths: written.iter().map(|written| written.file.path.as_str()).collect(),
        test_cases: written.iter().map(test_case).collect(),
        execution_time_in_seconds: run.execution_seconds,
        extra: if run.coverage.is_empty() { Vec::new() } else { vec![extra] },
        warnings: &run.warnings,
    }
}

/// Every test in every file, in the order of the files.
fn written<'a>(report: &Report<'a>) -> Vec<Written<'a>> {
    let (suite, files) = (report.suite, report.files);
    let tests = files.iter().flat_map(|file| file.tests.iter().map(move |test| (file, test)));
    let known = tests.filter_map(|(file, location)| {
        Some(Written { test: suite.tests.get(location.test)?, file, location })
    });
    known.collect()
}

fn test_case<'a>(written: &Written<'a>) -> WfcTestCase<'a> {
    WfcTestCase {
        id: written.id(),
        file_path: &written.file.path,
        name: &written.location.name,
        start_line: written.location.start_line,
        end_line: written.location.end_line,
    }
}

fn faults<'a>(written: &[Written<'a>], report: &Report<'a>) -> Faults<'a> {
    let mut found_faults = Vec::new();
    for test in written {
        for (operation, categories) in fault::by_operation(test.test, report.run.codes) {
            found_faults.push(FoundFault {
                operation_id: operation,
                endpoint_id: operation,
                test_case_id: test.id(),
                fault_categories: categories,
            });
        }
    }
    let distinct: BTreeSet<&FaultCategory> =
        found_faults.iter().flat_map(|fault| &fault.fault_categories).collect();
    Faults { total_number: distinct.len(), found_faults }
}

fn problem_details<'a>(written: &[Written<'a>], report: &Report<'a>) -> ProblemDetails<'a> {
    let (suite, run) = (report.suite, report.run);
    let covered: Vec<CoveredStatus> = written.iter().flat_map(covered_statuses).collect();
    let known = run.endpoints.iter().cloned();
    let endpoint_ids = known.chain(covered.iter().map(|covered| covered.endpoint_id.clone()));
    let is_graphql = !run.graphql_operations.is_empty()
        || suite.tests.iter().flat_map(|test| &test.steps).any(is_graphql);
    ProblemDetails {
        rest: RestDetails {
            output_http_calls: suite.tests.iter().map(|test| test.steps.len()).sum(),
            evaluated_http_calls: run.evaluated_calls,
            endpoint_ids: endpoint_ids.collect(),
            covered_http_status: covered,
        },
        graphql: is_graphql.then(|| graphql_details(written, report)),
    }
}

/// The statuses that a test gets from each endpoint.
fn covered_statuses(written: &Written<'_>) -> Vec<CoveredStatus> {
    let mut statuses: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for step in &written.test.steps {
        // Larger numbers are no HTTP status to the schema.
        let status = step.status().filter(|status| *status <= 599);
        statuses.entry(endpoint(step)).or_default().extend(status);
    }
    let covered = statuses.into_iter().map(|(endpoint_id, http_status)| CoveredStatus {
        endpoint_id,
        test_case_id: written.id(),
        http_status,
    });
    covered.collect()
}

fn endpoint(step: &Step) -> String {
    if is_graphql(step) { step.request.endpoint() } else { step.operation.clone() }
}

fn is_graphql(step: &Step) -> bool {
    matches!(step.request.body, Body::GraphQl { .. })
}

fn graphql_details<'a>(written: &[Written<'a>], report: &Report<'a>) -> GraphQlDetails<'a> {
    let mut covered = Vec::new();
    for test in written {
        let steps = test.test.steps.iter().filter(|step| is_graphql(step));
        let operations: BTreeSet<&str> = steps.map(|step| step.operation.as_str()).collect();
        covered.extend(
            operations
                .into_iter()
                .map(|operation_id| CoveredOperation { operation_id, test_case_id: test.id() }),
        );
    }
    let run = report.run;
    let known = run.graphql_operations.iter().map(|facts| facts.operation_id.as_str());
    GraphQlDetails {
        operation_ids: known.chain(covered.iter().map(|one| one.operation_id)).collect(),
        operations: &run.graphql_operations,
        covered_operations: covered,
        coverage: &run.graphql_coverage,
    }
}
