//! Suites as `.http` files with response handlers, as the HTTP clients of editors take them;
//! httpyac runs them without an editor.

use serde_json::json;

use crate::test_case::{Step, TestCase, TestSuite};
use crate::writer::layout::{Chunk, Instructions, about, answered_chunks, provenance};
use crate::writer::literal::comment_text;
use crate::writer::message::{Braces, Places, body, headers};
use crate::writer::program::{headline, test_comments};
use crate::writer::script::{Client, lines};
use crate::writer::{SuiteFile, TestLocation, Writer};

const CLIENT: Client = Client {
    check: "client.test(",
    assert: ("client.assert(", ")"),
    status: "response.status",
    content_type: "response.contentType.mimeType",
    header: "response.headers.valueOf(",
    text: "(typeof response.body === \"string\" ? response.body : JSON.stringify(response.body))",
    set: "client.global.set(",
    get: "client.global.get(",
};

/// Writes a file of regression tests and one of faults.
#[derive(Debug, Clone, Copy, Default)]
pub struct HttpFileWriter;

impl Writer for HttpFileWriter {
    fn name(&self) -> &'static str {
        "http"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        let environment = json!({ "local": { "base_url": suite.default_base_url } });
        let environment = serde_json::to_string_pretty(&environment).expect("a value is JSON");
        let mut files = vec![SuiteFile::new("http-client.env.json", environment + "\n")];
        files.extend(answered_chunks(suite).iter().map(|chunk| file(suite, chunk)));
        let instructions = Instructions {
            set_up: Some("npm install --global httpyac"),
            run: "httpyac send --all --env local *.http",
            base_url: Some("httpyac send --all --env local --var base_url=http://host:port *.http"),
            has_driver: false,
        };
        files.push(SuiteFile::new("README.md", instructions.readme(suite, &files)));
        files
    }
}

fn file(suite: &TestSuite, chunk: &Chunk) -> SuiteFile {
    let mut content = format!("# {}\n#\n# {}\n", about(suite, chunk.kind), provenance(suite));
    let mut tests = Vec::new();
    for &test in &chunk.tests {
        let case = &suite.tests[test];
        content.push('\n');
        let start_line = content.lines().count() + 1;
        content += &requests(case);
        let end_line = content.lines().count();
        tests.push(TestLocation { test, name: case.name.clone(), start_line, end_line });
    }
    SuiteFile { path: format!("{}.http", chunk.stem), content, tests }
}

fn requests(test: &TestCase) -> String {
    let count = test.steps.len();
    let comments: String = test_comments(test)
        .iter()
        .map(|line| format!("# {line}").trim_end().to_owned() + "\n")
        .collect();
    let requests = test.steps.iter().enumerate().map(|(index, step)| {
        let title = format!("{}: {} {}", test.name, headline(index, count), step.operation);
        let comments = if index == 0 { comments.as_str() } else { "" };
        let later = &test.steps[index + 1..];
        format!("### {}\n{comments}# @no-redirect\n{}", comment_text(&title), request(step, later))
    });
    requests.collect::<Vec<_>>().join("\n")
}

fn request(step: &Step, later: &[Step]) -> String {
    let body = body(&step.request, &Braces);
    let media_type = body.as_ref().map(|(media_type, _)| media_type.as_str());
    let mut text =
        format!("{} {{{{base_url}}}}{}\n", step.request.method, Braces.text(&step.request.path));
    for (name, value) in headers(&step.request, media_type, &Braces) {
        text += &format!("{name}: {value}\n");
    }
    if let Some((_, body)) = body {
        text += &format!("\n{body}\n");
    }
    let lines: String =
        lines(CLIENT, step, later).iter().map(|line| format!("  {line}\n")).collect();
    text + &format!("\n> {{%\n{lines}%}}\n")
}
