//! The report, validated against the schema of the standard.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use wallace_suite::{
    Fault, SuiteFile, TestSuite, Writer,
    report::{Criterion, FaultCodes, OperationFacts, Report, RunFacts, Warning},
    rfc3339,
    writer::RustWriter,
};

use crate::shop;

pub(crate) fn run() -> RunFacts {
    let criterion =
        |name: &str, covered, total| Criterion { name: name.to_owned(), covered, total };
    RunFacts {
        creation_time: rfc3339(1_772_366_400),
        execution_seconds: 12,
        evaluated_calls: 10_000,
        endpoints: vec!["POST:/graphql".to_owned(), "GET:/never/called".to_owned()],
        graphql_operations: vec![OperationFacts {
            operation_id: "Query.never".to_owned(),
            calls: 10,
            data: 7,
            errors: 2,
            data_and_errors: 1,
            refusal: String::new(),
        }],
        graphql_coverage: vec![criterion("fields", 3, Some(4))],
        coverage: vec![criterion("lines", 90, Some(100)), criterion("targets", 7, None)],
        warnings: vec![Warning {
            message: "all calls of Query.x gave errors: give examples".to_owned(),
            category: "data".to_owned(),
            display_priority: 1,
        }],
        codes: FaultCodes::Strict,
        ..RunFacts::default()
    }
}

fn fault(code: u16, context: &str) -> Fault {
    let (operation, context) = ("Query.remainder".to_owned(), context.to_owned());
    Fault { code, operation, context, explanation: Vec::new() }
}

fn files(suite: &TestSuite) -> Vec<SuiteFile> {
    RustWriter.write(suite).into_iter().map(|file| file.inside("rust")).collect()
}

fn report(suite: &TestSuite, run: &RunFacts) -> Value {
    let text = Report { suite, files: &files(suite), run }.to_json();
    serde_json::from_str(&text).unwrap()
}

/// What the schema says against a report.
fn complaints(report: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/wfc-report.yaml");
    let schema: Value = serde_norway::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    validator
        .iter_errors(report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn reports_validate() {
    let suite = shop::suite();
    assert_eq!(complaints(&report(&suite, &run())), Vec::<String>::new());
    let mut empty = shop::suite();
    empty.tests.clear();
    let nothing = RunFacts { creation_time: rfc3339(0), ..RunFacts::default() };
    assert_eq!(complaints(&report(&empty, &nothing)), Vec::<String>::new());
}

#[test]
fn the_schema_is_able_to_complain() {
    let mut broken = report(&shop::suite(), &run());
    broken["creationTime"] = json!("yesterday");
    broken["faults"]["foundFaults"][0].as_object_mut().unwrap().remove("endpointId");
    assert_eq!(complaints(&broken).len(), 2);
}

#[test]
fn refused_codes_are_replaced_unless_the_catalogue_is_asked_for() {
    let mut suite = shop::suite();
    let test = suite.tests.last_mut().unwrap();
    test.faults = vec![fault(207, ""), fault(209, "in a message"), fault(100, "")];
    let strict = report(&suite, &run());
    let categories = |report: &Value| report["faults"]["foundFaults"][0]["faultCategories"].clone();
    assert_eq!(complaints(&strict), Vec::<String>::new());
    assert_eq!(
        categories(&strict),
        json!([
            { "code": 100, "context": null },
            { "code": 991, "context": "ignoreAnonymous" },
            { "code": 993, "context": "leakedStackTrace: in a message" },
        ])
    );
    let lenient = report(&suite, &RunFacts { codes: FaultCodes::Catalogue, ..run() });
    assert_eq!(categories(&lenient)[1], json!({ "code": 207, "context": null }));
    assert!(!complaints(&lenient).is_empty(), "the schema accepts these codes now");
}

#[test]
fn every_test_is_listed_where_it_stands() {
    let suite = shop::suite();
    let files = files(&suite);
    let report = report(&suite, &run());
    let cases = report["testCases"].as_array().unwrap();
    assert_eq!((cases.len(), report["totalTests"].as_u64()), (8, Some(8)));
    for case in cases {
        let text = |key: &str| case[key].as_str().unwrap();
        let line = |key: &str| usize::try_from(case[key].as_u64().unwrap()).unwrap();
        assert_eq!(text("id"), format!("{}#{}", text("filePath"), text("name")));
        let file = files.iter().find(|file| file.path == text("filePath")).unwrap();
        let lines: Vec<&str> = file.content.lines().collect();
        let block = &lines[line("startLine") - 1..line("endLine")];
        assert!(block.contains(&format!("async fn {}() {{", text("name")).as_str()));
        assert_eq!(block.last(), Some(&"}"));
    }
    assert_eq!(
        report["testFilePaths"],
        json!(["rust/tests/faults.rs", "rust/tests/regression.rs"])
    );
}

#[test]
fn only_listed_tests_are_referred_to() {
    let report = report(&shop::suite(), &run());
    let ids = |values: &Value, key: &str| -> BTreeSet<String> {
        let values = values.as_array().unwrap().iter();
        values.map(|value| value[key].as_str().unwrap().to_owned()).collect()
    };
    let listed = ids(&report["testCases"], "id");
    let details = &report["problemDetails"];
    for used in [
        ids(&report["faults"]["foundFaults"], "testCaseId"),
        ids(&details["rest"]["coveredHttpStatus"], "testCaseId"),
        ids(&details["graphql"]["coveredOperations"], "testCaseId"),
    ] {
        assert!(!used.is_empty() && used.is_subset(&listed));
    }
}

#[test]
fn faults_are_counted_by_code_and_context() {
    let mut suite = shop::suite();
    suite.tests[0].faults = vec![fault(970, "range"), fault(970, "other")];
    suite.tests[1].faults = vec![fault(970, "range"), fault(970, "range")];
    let report = report(&suite, &run());
    assert_eq!(report["faults"]["totalNumber"], 2);
    let found = report["faults"]["foundFaults"].as_array().unwrap();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|fault| fault["operationId"] == fault["endpointId"]));
    assert_eq!(found[1]["faultCategories"].as_array().unwrap().len(), 1);
}

#[test]
fn calls_and_statuses_are_those_of_the_suite() {
    let report = report(&shop::suite(), &run());
    let rest = &report["problemDetails"]["rest"];
    assert_eq!(rest["outputHttpCalls"], 11);
    assert_eq!(rest["evaluatedHttpCalls"], 10_000);
    let endpoints = rest["endpointIds"].as_array().unwrap();
    for endpoint in ["POST:/graphql", "GET:/never/called", "DELETE:/authors/{id}"] {
        assert!(endpoints.contains(&json!(endpoint)), "{endpoint}");
    }
    let statuses = rest["coveredHttpStatus"].as_array().unwrap();
    let deletion =
        statuses.iter().find(|status| status["endpointId"] == "DELETE:/authors/{id}").unwrap();
    assert_eq!(deletion["httpStatus"], json!([204]));
    let graphql = &report["problemDetails"]["graphql"];
    assert!(graphql["operationIds"].as_array().unwrap().contains(&json!("Query.never")));
    assert_eq!(graphql["operations"][0]["dataAndErrors"], 1);
    assert_eq!(
        report["extra"][0]["criteria"][1],
        json!({ "name": "targets", "covered": 7, "total": null })
    );
}

#[test]
fn equal_runs_give_equal_reports() {
    assert_eq!(report(&shop::suite(), &run()), report(&shop::suite(), &run()));
}
