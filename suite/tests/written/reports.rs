//! Every report but `report.json`: read back by a reader of its format.

#![allow(clippy::print_stdout, reason = "measures are told")]

use std::path::Path;

use serde_json::Value;
use wallace_engine::{TargetKind, TargetName, target::About};
use wallace_suite::{
    Fault, Writer,
    record::{
        AnswerRecord, CallRecord, FaultRecord, LedgerRow, Moment, NearTest, OpenReason, OpenTarget,
        Operands, Phase, RECORD_VERSION, RunRecord, TargetRecord, TimePoint, Totals,
    },
    report::{
        OperationFacts, cobertura, html, junit, lcov, markdown, report_files, sarif,
        statistics_csv, targets_csv,
    },
    writer::RustWriter,
};

use crate::{shop, wfc_report};

/// A text with all that formats have to escape.
pub(crate) const HOSTILE: &str = "</script><img src=x onerror=alert(1)>&\"'|`,\n\u{0}\u{1b}]]>";

fn call(body: &str, answer: &str) -> CallRecord {
    CallRecord {
        operation: "Query.remainder".to_owned(),
        method: "POST".to_owned(),
        path: "/graphql".to_owned(),
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: body.to_owned(),
        answer: Some(AnswerRecord {
            status: 200,
            content_type: "application/json".to_owned(),
            body: answer.to_owned(),
        }),
        ..CallRecord::default()
    }
}

fn fault(code: u16, context: &str, tests: Vec<usize>, known: Option<&str>) -> FaultRecord {
    let (operation, context) = ("Query.remainder".to_owned(), context.to_owned());
    FaultRecord {
        fault: Fault { code, operation, context, explanation: Vec::new() },
        also: Vec::new(),
        calls: if tests.is_empty() { vec![call("{}", "{}")] } else { Vec::new() },
        tests,
        repeated: Some((3, 3)),
        known: known.map(str::to_owned),
    }
}

/// A line of the book, or a side of the condition there.
fn target(line: u32, side: &str, score: f64, open: Option<OpenTarget>) -> TargetRecord {
    let first = (score >= 1.0).then_some(Moment { calls: 7, seconds: 0.25 });
    let (kind, name) = match side {
        "" => (TargetKind::Line, format!("Line_at_shop::book_{line:05}")),
        _ => (
            TargetKind::Branch,
            format!("Branch_at_shop::book_at_line_{line:05}_position_0_{side}"),
        ),
    };
    let (subject, detail) = ("shop::book".into(), side.into());
    let name = TargetName::of(name, About { kind, subject, number: line, detail });
    TargetRecord { test: Some(0), first, open, ..TargetRecord::of(&name, score) }
}

fn targets() -> Vec<TargetRecord> {
    let open = OpenTarget {
        reason: OpenReason::Stuck,
        tried: 12,
        nearest: Some(0),
        operands: Some(Operands {
            left: HOSTILE.to_owned(),
            relation: "==".to_owned(),
            right: "42".to_owned(),
        }),
        behind: None,
    };
    vec![
        target(4, "falseBranch", 1.0, None),
        target(4, "trueBranch", 0.75, Some(open)),
        target(3, "", 1.0, None),
        target(4, "", 1.0, None),
        target(5, "", 0.0, None),
    ]
}

fn booked(phase: Phase, cause: &str, operation: &str, calls: u64) -> LedgerRow {
    let (cause, operation) = (cause.to_owned(), operation.to_owned());
    LedgerRow { phase, cause, operation, calls, covered: 3, improved: 1, seconds: 0.25 }
}

/// The record of a run with `count` times the tests of the shop.
pub(crate) fn record(count: usize) -> RunRecord {
    let mut suite = shop::suite();
    let tests = suite.tests.clone();
    for number in 1..count {
        suite.tests.extend(tests.iter().cloned().map(|mut test| {
            test.name = format!("{}_{number}", test.name);
            test
        }));
    }
    let answer = format!("{{\"data\": {{\"remainder\": \"{}\"}}}}", "x".repeat(900));
    let calls = suite.tests.iter().map(|test| {
        let sent = "{\"query\": \"{\\n  remainder(a: 10000, b: 1)\\n}\"}";
        test.steps.iter().map(|_| call(sent, &answer)).collect()
    });
    let point = |calls: u64, covered: usize, used: f64| TimePoint {
        calls,
        seconds: used,
        used,
        covered,
        lines: covered / 2,
        branches: covered / 3,
        faults: covered / 20,
    };
    let mut record = RunRecord {
        version: RECORD_VERSION,
        calls: calls.collect(),
        facts: wfc_report::run(),
        reason: "the budget of calls is used".to_owned(),
        totals: Totals { calls: 900, evaluations: 800, seconds: 3.5, ..Totals::default() },
        faults: vec![
            fault(100, HOSTILE, vec![0], None),
            fault(970, "range", Vec::new(), None),
            fault(971, "accepted", vec![1], Some("the team knows")),
        ],
        targets: targets(),
        near_tests: vec![NearTest { name: "near_1".to_owned(), calls: vec![call("{}", "[]")] }],
        ledger: vec![
            booked(Phase::Search, "follow-up", "Query.remainder", 8),
            booked(Phase::After, "minimise", HOSTILE, 1),
        ],
        timeline: vec![point(10, 5, 0.01), point(300, 30, 0.33), point(900, 40, 1.0)],
        folder: "wallace out".to_owned(),
        ..RunRecord::default()
    };
    record.facts.operations = vec![OperationFacts {
        operation_id: "Query.remainder".to_owned(),
        calls: 9,
        data: 9,
        ..OperationFacts::default()
    }];
    record.set_files(&RustWriter.write(&suite));
    record.suite = suite;
    record
}

#[test]
fn sarif_follows_its_schema_and_faults_can_be_told_apart() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sarif-2.1.0.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let log: Value = serde_json::from_str(&sarif(&record(1))).unwrap();
    let complaints: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        assert!(
            result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64() > Some(0)
        );
    }
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().unwrap().starts_with("wallace%20out/tests/"), "{uri}");
    let known = results.iter().filter(|result| result["baselineState"] == "unchanged").count();
    assert_eq!(known, 1);
    let mut ids: Vec<&Value> =
        results.iter().map(|result| &result["partialFingerprints"]).collect();
    ids.dedup();
    assert_eq!(ids.len(), 3);
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["level"] = Value::from("bad");
    assert!(!validator.is_valid(&broken), "the schema is looked at");
}

#[test]
fn junit_counts_new_faults_as_failures_and_known_ones_as_skipped() {
    let text = junit(&record(1));
    let document = roxmltree::Document::parse(&text).unwrap();
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!((count("failure"), count("skipped")), (2, 1));
    let root = document.root_element();
    assert_eq!(root.attribute("failures"), Some("2"));
    assert_eq!(root.attribute("tests").unwrap().parse::<usize>().unwrap(), count("testcase"));
    let fine =
        document.descendants().find(|node| node.attribute("name") == Some("Query.never")).unwrap();
    assert_eq!(fine.attribute("failures"), Some("0"));
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert!(failure.text().unwrap().contains("curl -sS -X POST"), "{failure:?}");
}

#[test]
fn coverage_formats_agree_on_lines_and_branches() {
    let record = record(1);
    let text = lcov(&record);
    for line in [
        "SF:shop::book",
        "DA:3,1",
        "DA:5,0",
        "BRDA:4,0,0,1",
        "BRDA:4,0,1,0",
        "LF:3",
        "LH:2",
        "BRF:2",
        "BRH:1",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} is not in {text}");
    }
    let options =
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let text = cobertura(&record);
    let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
    let root = document.root_element();
    assert_eq!(
        (root.attribute("lines-valid"), root.attribute("lines-covered")),
        (Some("3"), Some("2"))
    );
    let branch =
        document.descendants().find(|node| node.attribute("branch") == Some("true")).unwrap();
    assert_eq!(branch.attribute("condition-coverage"), Some("50% (1/2)"));
    let none = RunRecord { targets: Vec::new(), ..record };
    let has_coverage = |record: &RunRecord| {
        report_files(record).iter().any(|file| file.path.ends_with("lcov.info"))
    };
    assert!(!has_coverage(&none), "black-box runs know no lines");
}

#[test]
fn tables_have_as_many_cells_in_every_row() {
    let record = record(1);
    for (text, rows) in [(statistics_csv(&record), 22), (targets_csv(&record), 5)] {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let width = reader.headers().unwrap().len();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), rows, "{text}");
        assert!(records.iter().all(|row| row.len() == width));
    }
    let targets = targets_csv(&record);
    let mut reader = csv::Reader::from_reader(targets.as_bytes());
    let stuck = reader.records().map(Result::unwrap).find(|row| &row[8] == "stuck").unwrap();
    assert_eq!((&stuck[10], &stuck[11], &stuck[13]), ("near_1", HOSTILE, "42"));
    let statistics = statistics_csv(&record);
    assert!(statistics.lines().last().unwrap().starts_with("run,"), "{statistics}");
    let mut reader = csv::Reader::from_reader(statistics.as_bytes());
    let booked = reader.records().map(Result::unwrap).find(|row| &row[0] == "calls").unwrap();
    assert_eq!((&booked[2], &booked[3], &booked[4], &booked[21]), ("0.250", "8", "3", "1"));
    assert_eq!((&booked[18], &booked[19], &booked[20]), ("search", "follow-up", "Query.remainder"));
    assert!(statistics.contains("snapshot,0.3500,0.330,300,30,"), "{statistics}");
}

#[test]
fn the_summary_of_a_job_lists_new_faults_on_one_line_each() {
    let text = markdown(&record(1));
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("| F")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    assert!(text.contains("2 new faults, 1 known") && !text.contains("<img"), "{text}");
}

#[test]
fn the_page_holds_no_text_as_markup_and_stays_small() {
    let page = html(&record(1));
    assert!(!page.contains("<img") && page.matches("</script>").count() == 1);
    assert!(page.contains("&lt;/script&gt;&lt;img"));
    for part in ["Server error", "Last seen", "near_1", "branch sides", "wallace replay", "88.9 %"]
    {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["http://www", "src=\"http", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let tests = record(1).suite.tests.len();
    let large = record(500_usize.div_ceil(tests));
    assert!(large.suite.tests.len() >= 500);
    let size = html(&large).len();
    println!("{} tests: {size} bytes", large.suite.tests.len());
    assert!(size < 2_000_000, "{size}");
}

#[test]
fn the_record_is_read_back_as_it_was_written() {
    let record = record(2);
    let version = |number: u32| format!("\"version\":{number}");
    assert_eq!(RunRecord::from_json(&record.to_json()).unwrap(), record);
    let other = record.to_json().replacen(&version(RECORD_VERSION), &version(9), 1);
    assert!(RunRecord::from_json(&other).unwrap_err().to_string().contains("version 9"));
    assert!(RunRecord::from_json("[]").is_err());
}
