//! Faults as SARIF 2.1.0, which code hosts show beside the code.
//!
//! A result stands at the test that shows it: the line of the service at fault is seldom known,
//! and the test says how to see it. What tells two faults apart is the partial fingerprint, so that
//! hosts follow a fault over runs.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, utf8_percent_encode};
use serde_json::{Value, json};

use crate::execution::RESERVED;
use crate::record::{FaultRecord, RunRecord};
use crate::report::{FaultCode, Severity, fault_code, severity};

/// Where the format is described.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The content of the file. Code hosts refuse more than 25,000 results; the worst come first.
#[must_use]
pub fn sarif(record: &RunRecord) -> String {
    let mut faults: Vec<&FaultRecord> = record.faults.iter().collect();
    faults.sort_by_key(|fault| {
        (fault.known.is_some(), std::cmp::Reverse(severity(fault.fault.code)))
    });
    faults.truncate(25_000);
    let codes: BTreeSet<u16> = faults.iter().map(|fault| fault.fault.code).collect();
    let codes: Vec<u16> = codes.into_iter().collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = faults.iter().map(|fault| result(record, fault, &codes)).collect();
    let provenance = &record.suite.provenance;
    let value = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": provenance.tool,
                "semanticVersion": provenance.version,
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": true }],
            "properties": { "seed": provenance.seed, "service": record.suite.service },
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&value).expect("texts and numbers are always JSON") + "\n"
}

fn rule(code: u16) -> Value {
    let id = format!("F{code}");
    let Some(FaultCode { name, title, meaning, importance, advice, .. }) = fault_code(code) else {
        return json!({ "id": id, "shortDescription": { "text": "A rule of the user's own." } });
    };
    json!({
        "id": id,
        "name": name,
        "shortDescription": { "text": title },
        "fullDescription": { "text": format!("{meaning} {importance}") },
        "help": { "text": advice, "markdown": format!("{meaning}\n\n{importance}\n\n**{advice}**") },
        "defaultConfiguration": { "level": level(severity(code)) },
        "properties": { "security-severity": score(severity(code)), "tags": ["api"] },
    })
}

fn result(record: &RunRecord, fault: &FaultRecord, codes: &[u16]) -> Value {
    let (code, operation, context) = fault.key();
    let title = fault_code(code).map_or("A rule of your own", |known| known.title);
    let about = if context.is_empty() { String::new() } else { format!(" ({context})") };
    let elsewhere = Some(fault.elsewhere()).filter(|text| !text.is_empty());
    let elsewhere = elsewhere.map_or_else(String::new, |text| format!(". {text}"));
    let written = fault.tests.first().and_then(|test| record.written(*test));
    let (path, start, end) = written.map_or_else(
        || (crate::record::RECORD_FILE, 1, 1),
        |(file, written)| (file.path.as_str(), written.start_line.max(1), written.end_line),
    );
    let folder = record.folder.trim_end_matches('/');
    let uri = if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    let mut result = json!({
        "ruleId": format!("F{code}"),
        "ruleIndex": codes.binary_search(&code).unwrap_or_default(),
        "level": level(severity(code)),
        "message": { "text": format!("{title} at {operation}{about}{elsewhere}") },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": encoded(&uri) },
                "region": { "startLine": start, "endLine": end.max(start) },
            },
            "logicalLocations": [{ "fullyQualifiedName": operation, "kind": "function" }],
        }],
        "partialFingerprints": { "wallaceFault/v1": fault.id() },
    });
    if let Some(reason) = &fault.known {
        result["baselineState"] = json!("unchanged");
        result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low => "note",
    }
}

/// What code hosts sort by, from 0 to 10.
fn score(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "8.0",
        Severity::Medium => "5.0",
        Severity::Low => "2.0",
    }
}

/// A path as part of a URI.
fn encoded(path: &str) -> String {
    const RESERVED_IN_PATHS: &AsciiSet = &RESERVED.remove(b'/');
    utf8_percent_encode(path, RESERVED_IN_PATHS).to_string()
}
