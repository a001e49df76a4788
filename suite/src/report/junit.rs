//! The run as JUnit XML, which every CI server shows: a suite for each operation, a case for each
//! fault, and one case that passes where there is none.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::xml::{cut, escaped};
use crate::record::{FaultRecord, RunRecord};
use crate::report::fault_code;

/// Longest part of a body that is shown.
const SHOWN: usize = 1_000;

/// New faults are failures; those that a baseline knows are skipped.
#[must_use]
pub fn junit(record: &RunRecord) -> String {
    let mut operations: BTreeMap<&str, Vec<&FaultRecord>> = BTreeMap::new();
    for operation in &record.facts.graphql_operations {
        operations.entry(&operation.operation_id).or_default();
    }
    for step in record.suite.tests.iter().flat_map(|test| &test.steps) {
        operations.entry(&step.operation).or_default();
    }
    for fault in &record.faults {
        operations.entry(&fault.fault.operation).or_default().push(fault);
    }
    let tests: usize = operations.values().map(|faults| faults.len().max(1)).sum();
    let failures = record.new_faults().count();
    let skipped = record.faults.len() - failures;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "<testsuites name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\" time=\"{:.3}\">",
        escaped(&record.suite.service),
        record.totals.seconds,
    );
    for (operation, faults) in &operations {
        suite(&mut text, record, operation, faults);
    }
    text.push_str("</testsuites>\n");
    text
}

fn suite(text: &mut String, record: &RunRecord, operation: &str, faults: &[&FaultRecord]) {
    let skipped = faults.iter().filter(|fault| fault.known.is_some()).count();
    let name = escaped(operation);
    let _ = writeln!(
        text,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"0\" \
         skipped=\"{skipped}\" time=\"0\" timestamp=\"{}\">",
        faults.len().max(1),
        faults.len() - skipped,
        escaped(record.facts.creation_time.trim_end_matches('Z')),
    );
    if faults.is_empty() {
        let _ = writeln!(
            text,
            "    <testcase classname=\"{name}\" name=\"no fault found\" time=\"0\"/>"
        );
    }
    for fault in faults {
        case(text, record, fault, &name);
    }
    text.push_str("  </testsuite>\n");
}

fn case(text: &mut String, record: &RunRecord, fault: &FaultRecord, class: &str) {
    let title = fault_code(fault.fault.code).map_or("a rule of your own", |known| known.title);
    let about = match &*fault.fault.context {
        "" => String::new(),
        context => format!(": {context}"),
    };
    let name = format!("F{} {title}{about}", fault.fault.code);
    let written = fault.tests.first().and_then(|test| record.written(*test));
    let place = written.map_or_else(String::new, |(file, written)| {
        format!(" file=\"{}\" line=\"{}\"", escaped(&file.path), written.start_line)
    });
    let _ = writeln!(
        text,
        "    <testcase classname=\"{class}\" name=\"{}\" time=\"0\"{place}>",
        escaped(&name)
    );
    match &fault.known {
        Some(reason) => {
            let _ = writeln!(text, "      <skipped message=\"known: {}\"/>", escaped(reason));
        }
        None => {
            let _ = writeln!(
                text,
                "      <failure message=\"{}\" type=\"F{}\">{}</failure>",
                escaped(&name),
                fault.fault.code,
                escaped(&details(record, fault)),
            );
        }
    }
    text.push_str("    </testcase>\n");
}

/// What a person needs to see the fault: what it is, where its test is, and its calls.
fn details(record: &RunRecord, fault: &FaultRecord) -> String {
    let mut text = String::new();
    if let Some(known) = fault_code(fault.fault.code) {
        let _ = writeln!(text, "{} {}\n{}", known.meaning, known.importance, known.advice);
    }
    if let Some((file, written)) = fault.tests.first().and_then(|test| record.written(*test)) {
        let _ = writeln!(text, "Test: {}:{} {}", file.path, written.start_line, written.name);
    }
    let _ = writeln!(text, "Again: wallace replay --fault {}", fault.id());
    for call in record.evidence(fault) {
        let _ = writeln!(text, "\n{}", call.curl(&record.suite.default_base_url));
        match (&call.answer, &call.failure) {
            (Some(answer), _) => {
                let _ = writeln!(text, "-> {} {}", answer.status, cut(&answer.body, SHOWN));
            }
            (None, failure) => {
                let why = failure.as_deref().unwrap_or("unknown");
                let _ = writeln!(text, "-> no answer ({why})");
            }
        }
    }
    text
}
