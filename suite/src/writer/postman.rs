//! Suites as a Postman collection (format 2.1): newman runs it, and so does Postman.

use serde_json::{Value, json};

use crate::test_case::{Step, TestCase, TestSuite};
use crate::writer::layout::{Instructions, about, answered_chunks, provenance};
use crate::writer::message::{Braces, Places, body, headers};
use crate::writer::program::{headline, test_comments};
use crate::writer::script::{Client, lines};
use crate::writer::{SuiteFile, TestLocation, Writer};

const SCHEMA: &str = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

const CLIENT: Client = Client {
    check: "pm.test(",
    assert: ("pm.expect(", ").to.equal(true)"),
    status: "pm.response.code",
    content_type: "pm.response.headers.get(\"Content-Type\")",
    header: "pm.response.headers.get(",
    text: "pm.response.text()",
    set: "pm.collectionVariables.set(",
    get: "pm.collectionVariables.get(",
};

/// Writes one collection: a folder of regression tests and one of faults, a folder per test, a
/// request with its checks per step.
#[derive(Debug, Clone, Copy, Default)]
pub struct PostmanWriter;

impl Writer for PostmanWriter {
    fn name(&self) -> &'static str {
        "postman"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        let folders = answered_chunks(suite).into_iter().map(|chunk| {
            let tests = chunk.tests.iter().map(|test| folder(&suite.tests[*test]));
            json!({
                "name": chunk.stem.replace('_', " "),
                "description": about(suite, chunk.kind),
                "item": tests.collect::<Vec<_>>(),
            })
        });
        let collection = json!({
            "info": {
                "name": format!("Tests of {}", suite.service),
                "description": provenance(suite),
                "schema": SCHEMA,
            },
            "item": folders.collect::<Vec<_>>(),
            "variable": [{ "key": "base_url", "value": suite.default_base_url }],
            "protocolProfileBehavior": { "followRedirects": false, "disableBodyPruning": true },
        });
        let content = serde_json::to_string_pretty(&collection).expect("a value is JSON") + "\n";
        let tests = locations(suite, &content);
        let path = "collection.json".to_owned();
        let files = vec![SuiteFile { path, content, tests }];
        let instructions = Instructions {
            set_up: Some("npm install --global newman"),
            run: "newman run collection.json",
            base_url: Some("newman run collection.json --env-var base_url=http://host:port"),
            has_driver: false,
        };
        let readme = SuiteFile::new("README.md", instructions.readme(suite, &files));
        files.into_iter().chain([readme]).collect()
    }
}

/// Where the folders of the tests stand in the text.
fn locations(suite: &TestSuite, content: &str) -> Vec<TestLocation> {
    let texts: Vec<&str> = content.lines().collect();
    let mut from = 0;
    let mut locations = Vec::new();
    for test in answered_chunks(suite).iter().flat_map(|chunk| &chunk.tests).copied() {
        let name = &suite.tests[test].name;
        let line = format!("\"name\": {}", json!(name));
        let found = texts.iter().skip(from).position(|text| text.trim_start().starts_with(&line));
        let Some(found) = found else { continue };
        // The name comes last: keys are in alphabetical order.
        let end = from + found;
        let margin = texts[end].len() - texts[end].trim_start().len() - 2;
        let opening = format!("{}{{", " ".repeat(margin));
        let start = (0..end).rev().find(|line| texts[*line] == opening).unwrap_or(end);
        locations.push(TestLocation {
            test,
            name: name.clone(),
            start_line: start + 1,
            end_line: end + 2,
        });
        from = end + 1;
    }
    locations
}

/// A test as a folder of requests.
fn folder(test: &TestCase) -> Value {
    let count = test.steps.len();
    let items = test
        .steps
        .iter()
        .enumerate()
        .map(|(index, step)| item(step, &test.steps[index + 1..], headline(index, count)));
    json!({
        "name": test.name,
        "description": test_comments(test).join("\n"),
        "item": items.collect::<Vec<_>>(),
    })
}

fn item(step: &Step, later: &[Step], headline: &str) -> Value {
    let body = body(&step.request, &Braces);
    let media_type = body.as_ref().map(|(media_type, _)| media_type.as_str());
    let headers = headers(&step.request, media_type, &Braces);
    let headers = headers.iter().map(|(name, value)| json!({ "key": name, "value": value }));
    let mut request = json!({
        "method": step.request.method,
        "header": headers.collect::<Vec<_>>(),
        "url": format!("{{{{base_url}}}}{}", Braces.text(&step.request.path)),
    });
    if let Some((_, raw)) = body {
        request["body"] = json!({ "mode": "raw", "raw": raw });
    }
    let script = json!({ "type": "text/javascript", "exec": lines(CLIENT, step, later) });
    json!({
        "name": format!("{headline} {}", step.operation),
        "request": request,
        "event": [{ "listen": "test", "script": script }],
    })
}
