//! What a run leaves behind, and the commands that read it again.

use std::path::Path;
use std::process::Output;

use crate::support::{Fixture, text, wallace};
use serde_json::Value;

/// A demo whose results are in the folder.
fn demo(sut: &str, calls: &str, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("a plain path");
    let mut arguments = vec!["demo", "--sut", sut, "--calls", calls, "--quiet", "--out", out];
    arguments.extend(more);
    wallace(&arguments)
}

/// A shop that does wrong on purpose.
fn broken_shop() -> Fixture {
    let switches = ["--switch", "gql-500-unknown-class", "--switch", "gql-null-key-omitted"];
    Fixture::start(&[&["flawed-shop-graphql"][..], &switches].concat())
}

/// A search for what the shop does wrong.
fn fuzz(shop: &Fixture, out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().expect("a plain path");
    let mut arguments = vec!["fuzz", "--driver", &shop.driver, "--calls", "2000", "--quiet"];
    arguments.extend(["--out", out]);
    arguments.extend(more);
    wallace(&arguments)
}

fn record(out: &Path) -> Value {
    let text = std::fs::read_to_string(out.join("run.json")).expect("the record is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// For every branch side of the service that is not covered there is the test that came nearest,
/// and the two values that decided.
#[test]
fn every_open_branch_is_explained() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let output = demo("graphql-scs", "1000", &out, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for file in [
        "report.html",
        "report.json",
        "summary.md",
        "report/junit.xml",
        "report/faults.sarif",
        "report/statistics.csv",
        "report/targets.csv",
        "report/lcov.info",
        "report/cobertura.xml",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let record = record(&out);
    let branches: Vec<&Value> = record["targets"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|target| target["name"].as_str().is_some_and(|name| name.starts_with("Branch_at_")))
        .collect();
    let sum = record["facts"]["coverage"].as_array().expect("a list");
    let total = sum.iter().find(|sum| sum["name"] == "branches").map(|sum| &sum["total"]);
    assert_eq!(total.and_then(Value::as_u64), Some(branches.len() as u64), "all are known");
    let open: Vec<&&Value> = branches.iter().filter(|target| target["score"] != 1.0).collect();
    assert!(open.len() > 5, "the budget is too small to cover all: {}", open.len());
    let mut reasons: Vec<&str> = Vec::new();
    for target in &open {
        let why = &target["open"];
        let nearest =
            why["nearest"].as_u64().and_then(|place| record["near_tests"].get(place as usize));
        let test = nearest.unwrap_or_else(|| panic!("no test is named: {target}"));
        assert!(!test["calls"].as_array().expect("a list").is_empty(), "{target}");
        let operands = &why["operands"];
        let (left, right) = (operands["left"].as_str(), operands["right"].as_str());
        assert!(left.is_some() && right.is_some_and(|right| !right.is_empty()), "{target}");
        assert!(
            target["place"]["file"].as_str().is_some_and(|file| file.ends_with(".rs")),
            "{target}"
        );
        reasons.push(why["reason"].as_str().unwrap_or("infeasible"));
    }
    reasons.sort_unstable();
    reasons.dedup();
    assert!(reasons.len() >= 2, "they are not all the same: {reasons:?}");
    explained(&out, open[0]);
}

fn explained(out: &Path, target: &Value) {
    let out = out.to_str().expect("a plain path");
    let name = target["name"].as_str().expect("a text");
    let output = wallace(&["explain", name, "--out", out]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for word in [name, "not covered", "last seen", "nearest", "curl"] {
        assert!(told.contains(word), "{word} is not in {told}");
    }
    let output = wallace(&["explain", "Branch_at_nowhere", "--out", out]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("the nearest is"), "{}", text(&output.stderr));
}

/// Faults that were accepted do not fail the next run, and new ones do.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn a_baseline_lets_only_new_faults_count() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        eprintln!("skipped: set RUN_SLOW_TESTS=1 to search a shop with faults four times");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (out, again) = (folder.path().join("out"), folder.path().join("again"));
    let file = folder.path().join("known.json");
    let file_text = file.to_str().expect("a plain path");
    let shop = broken_shop();
    let output = fuzz(&shop, &out, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let faults = record(&out)["faults"].as_array().map_or(0, Vec::len);
    assert!(faults > 1, "{faults}");
    let out_text = out.to_str().expect("a plain path");
    let output = wallace(&["baseline", out_text, "--file", file_text, "--reason", "next sprint"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = fuzz(&shop, &again, &["--baseline", file_text]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(&format!("0 new, {faults} known")));
    let page = std::fs::read_to_string(again.join("report.html")).expect("it is there");
    assert!(page.contains("No new fault was found") && page.contains("next sprint"));
    // One of them is new to a baseline that does not hold it.
    let mut known: Value =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("it is there")).expect("JSON");
    let listed = known["faults"].as_array_mut().expect("a list");
    let last = listed.last().expect("there are some")["context"].clone();
    // It may show itself at several operations, and is known where one of them is.
    listed.retain(|fault| fault["context"] != last);
    assert!(!listed.is_empty(), "the others are known still");
    std::fs::write(&file, known.to_string()).expect("it can be written");
    let output = fuzz(&shop, &again, &["--baseline", file_text, "--force"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let arguments = ["--baseline", file_text, "--force", "--fail-on", "never"];
    let output = fuzz(&shop, &again, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    // The reports can be made again from the record.
    std::fs::remove_file(again.join("report.html")).expect("it is there");
    let output = wallace(&["report", again.to_str().expect("a plain path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(again.join("report.html").is_file());
}

#[test]
fn lines_for_other_programs_are_json_and_end_with_the_summary() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("a plain path");
    let output = wallace(&["demo", "--calls", "200", "--json-lines", "--out", out_text]);
    let lines = text(&output.stdout);
    let events: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect();
    assert!(events.len() >= 2 && events.iter().all(|event| event["version"] == 1), "{lines}");
    assert_eq!(events.last().map(|event| &event["event"]), Some(&Value::from("summary")));
    assert!(!lines.contains('\u{1b}') && !text(&output.stderr).contains('\u{1b}'), "no colours");
}
