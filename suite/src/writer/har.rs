//! Suites as an HTTP archive (HAR 1.2): what was sent and what is expected back, for tools that
//! replay or import traffic.

use serde_json::{Value, json};

use crate::expectation::Expectation;
use crate::test_case::{Step, TestCase, TestSuite};
use crate::writer::fact::exact;
use crate::writer::layout::{chunks, provenance};
use crate::writer::message::{Braces, Places, body, headers};
use crate::writer::{SuiteFile, TestLocation, Writer};

/// When all of it happened: an archive must say, and equal runs write equal files.
const NO_TIME: &str = "1970-01-01T00:00:00.000Z";

/// Writes one archive; a page per test, an entry per step.
#[derive(Debug, Clone, Copy, Default)]
pub struct HarWriter;

impl Writer for HarWriter {
    fn name(&self) -> &'static str {
        "har"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        let chunks = chunks(suite);
        let order = chunks.iter().flat_map(|chunk| &chunk.tests).copied();
        let tests: Vec<usize> = order.collect();
        let pages: Vec<Value> = tests.iter().map(|test| page(&suite.tests[*test])).collect();
        let entries = tests.iter().flat_map(|test| {
            let test = &suite.tests[*test];
            test.steps.iter().map(|step| entry(suite, test, step))
        });
        let provenance_text = provenance(suite);
        let (tool, version) = (&suite.provenance.tool, &suite.provenance.version);
        let archive = json!({ "log": {
            "version": "1.2",
            "creator": { "name": tool, "version": version },
            "comment": provenance_text,
            "pages": pages,
            "entries": entries.collect::<Vec<_>>(),
        }});
        let content = serde_json::to_string_pretty(&archive).expect("a value is JSON") + "\n";
        let locations = locations(suite, &tests, &content);
        let readme = format!(
            "# Calls of {}\n\n{provenance_text}\n\nImport `suite.har` where HTTP archives are read: \
             browsers, proxies, load generators. A page is a test, an entry a call. Values in double \
             braces are taken from earlier answers or from the environment.\n",
            crate::writer::literal::comment_text(&suite.service),
        );
        vec![
            SuiteFile { path: "suite.har".to_owned(), content, tests: locations },
            SuiteFile::new("README.md", readme),
        ]
    }
}

/// Where the pages of the tests stand.
fn locations(suite: &TestSuite, tests: &[usize], content: &str) -> Vec<TestLocation> {
    let lines: Vec<&str> = content.lines().collect();
    let found = tests.iter().filter_map(|&test| {
        let name = &suite.tests[test].name;
        let id = format!("        \"id\": {},", json!(name));
        let line = lines.iter().position(|line| *line == id)?;
        let start = (0..line).rev().find(|start| lines[*start] == "      {")?;
        let end = (line..lines.len()).find(|end| lines[*end].starts_with("      }"))?;
        let (start_line, end_line) = (start + 1, end + 1);
        Some(TestLocation { test, name: name.clone(), start_line, end_line })
    });
    found.collect()
}

fn page(test: &TestCase) -> Value {
    json!({
        "id": test.name,
        "title": test.name.replace('_', " "),
        "startedDateTime": NO_TIME,
        "pageTimings": {},
        "comment": crate::writer::program::test_comments(test).join("\n"),
    })
}

fn entry(suite: &TestSuite, test: &TestCase, step: &Step) -> Value {
    let body = body(&step.request, &Braces);
    let media_type = body.as_ref().map(|(media_type, _)| media_type.as_str());
    let headers = headers(&step.request, media_type, &Braces);
    let headers = headers.iter().map(|(name, value)| json!({ "name": name, "value": value }));
    let path = Braces.text(&step.request.path);
    let mut request = json!({
        "method": step.request.method,
        "url": format!("{}{path}", suite.default_base_url.trim_end_matches('/')),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers.collect::<Vec<_>>(),
        "queryString": query(&path),
        "headersSize": -1,
        "bodySize": body.as_ref().map_or(0, |(_, text)| text.len()),
    });
    if let Some((media_type, text)) = &body {
        request["postData"] = json!({ "mimeType": media_type, "params": [], "text": text });
    }
    json!({
        "pageref": test.name,
        "startedDateTime": NO_TIME,
        "time": 0,
        "request": request,
        "response": response(step),
        "cache": {},
        "timings": { "send": 0, "wait": 0, "receive": 0 },
        "comment": step.operation,
    })
}

fn query(path: &str) -> Vec<Value> {
    let pairs = path.split_once('?').map_or("", |(_, query)| query).split('&');
    let pairs = pairs.filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            json!({ "name": name, "value": value })
        })
        .collect()
}

/// The answer as far as it is expected: a body only where all of it is.
fn response(step: &Step) -> Value {
    let media_type = step.expectations.iter().find_map(|expectation| match expectation {
        Expectation::MediaType(media_type) => Some(media_type.as_str()),
        _ => None,
    });
    let media_type = media_type.unwrap_or_default();
    let text = text(&step.expectations);
    let mut content = json!({ "size": text.as_ref().map_or(-1, |text| text.len() as i64), "mimeType": media_type });
    if let Some(text) = text {
        content["text"] = json!(text);
    }
    json!({
        "status": step.status().unwrap_or(0),
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [{ "name": "Content-Type", "value": media_type }],
        "content": content,
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": -1,
    })
}

/// The text of the whole body, where everything of it is expected.
fn text(expectations: &[Expectation]) -> Option<String> {
    let json = |wanted: &str| {
        expectations.iter().find_map(|expectation| match expectation {
            Expectation::Json { pointer, shape } if pointer == wanted => exact(shape),
            _ => None,
        })
    };
    let has_no_errors = expectations.contains(&Expectation::Absent("/errors".to_owned()));
    expectations
        .iter()
        .find_map(|expectation| match expectation {
            Expectation::Text(text) => Some(text.clone()),
            Expectation::EmptyBody => Some(String::new()),
            _ => None,
        })
        .or_else(|| json("").map(|value| value.to_string()))
        .or_else(|| {
            json("/data").filter(|_| has_no_errors).map(|it| json!({ "data": it }).to_string())
        })
}
