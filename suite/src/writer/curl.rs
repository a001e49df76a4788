//! Suites as a shell script that needs curl and jq.

use serde_json::json;
use wallace_problems::AnswerPlace;

use crate::expectation::{Expectation, JsonKind};
use crate::name::free_name;
use crate::test_case::{Step, TestCase, TestSuite};
use crate::text::CapturedForm;
use crate::usage::used_captures;
use crate::writer::fact::{Fact, facts};
use crate::writer::layout::{Chunk, Instructions, about, chunks, provenance};
use crate::writer::literal::comment_text;
use crate::writer::message::{Places, body, headers};
use crate::writer::program::{headline, test_comments};
use crate::writer::script::kind_name;
use crate::writer::{SuiteFile, TestLocation, Writer};

/// The functions that the tests share.
const SUPPORT: &str = include_str!("../../templates/curl/support.sh");

/// Longest body between the lines of a test, in bytes; curl reads others from files.
const LONGEST_INLINE: usize = 2_000;

/// Writes a script of regression tests and one of faults; each test is a function of the shell.
#[derive(Debug, Clone, Copy, Default)]
pub struct CurlWriter;

impl Writer for CurlWriter {
    fn name(&self) -> &'static str {
        "curl"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        let support =
            SUPPORT.replacen("'http://localhost:8080'", &word(&suite.default_base_url), 1);
        let mut files = vec![SuiteFile::new("support.sh", support)];
        for chunk in chunks(suite) {
            let (script, bodies) = script(suite, &chunk);
            files.push(script);
            files.extend(bodies);
        }
        let instructions = Instructions {
            set_up: Some("sudo apt-get install curl jq"),
            run: "for tests in regression*.sh faults*.sh; do [ ! -e \"$tests\" ] || sh \"$tests\" || break; done",
            base_url: Some("WALLACE_BASE_URL=http://host:port sh regression.sh"),
            has_driver: true,
        };
        files.push(SuiteFile::new("README.md", instructions.readme(suite, &files)));
        files
    }
}

/// Open places of a word of the shell: literal parts are quoted, values are expanded.
struct Words;

impl Places for Words {
    fn literal(&self, text: &str) -> String {
        if text.is_empty() { String::new() } else { word(text) }
    }

    fn captured(&self, variable: &str, form: CapturedForm, is_quoted: bool) -> String {
        let variable = shell_variable(variable);
        match form {
            CapturedForm::Json if is_quoted => format!("\"$(quoted \"${variable}\")\""),
            CapturedForm::Json => format!("\"${variable}\""),
            CapturedForm::Plain => format!("\"$(plain \"${variable}\")\""),
            CapturedForm::PathSegment => format!("\"$(segment \"${variable}\")\""),
        }
    }

    fn environment(&self, variable: &str) -> String {
        let name: String = variable
            .chars()
            .map(|one| if one.is_ascii_alphanumeric() { one } else { '_' })
            .collect();
        format!("\"${{{name}:?is not set; these tests need it}}\"")
    }
}

/// A text as one word of the shell. What a shell cannot hold is left out.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

/// Not the name of any variable that means something to the shell.
fn shell_variable(name: &str) -> String {
    format!("captured_{}", free_name(name, |_| false))
}

fn script(suite: &TestSuite, chunk: &Chunk) -> (SuiteFile, Vec<SuiteFile>) {
    let mut content = format!(
        "#!/bin/sh\n# {}\n#\n# {}\n\ncd \"$(dirname \"$0\")\" || exit\n. ./support.sh\n",
        about(suite, chunk.kind),
        provenance(suite)
    );
    let mut tests: Vec<TestLocation> = Vec::new();
    let mut bodies = Vec::new();
    for &test in &chunk.tests {
        let is_taken = |name: &str| tests.iter().any(|known| known.name == format!("test_{name}"));
        let case = &suite.tests[test];
        let name = free_name(case.name.strip_prefix("test_").unwrap_or(&case.name), is_taken);
        let name = format!("test_{name}");
        content.push('\n');
        let start_line = content.lines().count() + 1;
        content += &function(case, &name, &mut bodies);
        let end_line = content.lines().count();
        tests.push(TestLocation { test, name, start_line, end_line });
    }
    content += "\nrun_tests";
    content.extend(tests.iter().map(|test| format!(" \\\n  {}", test.name)));
    content += "\n";
    (SuiteFile { path: format!("{}.sh", chunk.stem), content, tests }, bodies)
}

fn function(test: &TestCase, name: &str, bodies: &mut Vec<SuiteFile>) -> String {
    let comments = test_comments(test);
    let mut text: String =
        comments.iter().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    text += &format!("{name}() {{\n");
    for (index, step) in test.steps.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let later = &test.steps[index + 1..];
        let title = format!("{} {}", headline(index, test.steps.len()), step.operation);
        text += &format!("  # {}\n", comment_text(&title));
        text += &step_source(step, later, &format!("data/{name}_{}", index + 1), bodies);
    }
    text + "}\n"
}

fn step_source(step: &Step, later: &[Step], stem: &str, bodies: &mut Vec<SuiteFile>) -> String {
    let request = &step.request;
    let body = body(request, &Words);
    let media_type = body.as_ref().map(|(media_type, _)| media_type.as_str());
    let path = Words.text(&request.path);
    let path = if path.is_empty() { "''".to_owned() } else { path };
    let send = if step.expects_no_answer() { "expect_no_answer" } else { "send" };
    let mut text = format!("  {send} {} {path}", word(&request.method));
    for (name, value) in headers(request, media_type, &Words) {
        text += &format!(" \\\n    -H {}{value}", word(&format!("{name}: ")));
    }
    if let Some((_, body)) = body {
        let plain = self::plain(request);
        match plain.filter(|plain| plain.len() > LONGEST_INLINE) {
            Some(plain) => {
                let path = format!("{stem}.txt");
                text += &format!(" \\\n    --data-binary {}", word(&format!("@{path}")));
                bodies.push(SuiteFile::new(path, plain));
            }
            None => text += &format!(" \\\n    --data-raw {}", non_empty(&body)),
        }
    }
    text.push('\n');
    if later.is_empty() && !step.expectations.is_empty() && !step.expects_no_answer() {
        text += "\n  # then\n";
    }
    for expectation in &step.expectations {
        text += &expectation_source(expectation);
    }
    for capture in used_captures(step, later) {
        let variable = shell_variable(&capture.variable);
        let value = match &capture.place {
            AnswerPlace::Body(pointer) => format!("value {}", word(pointer)),
            AnswerPlace::Header(name) => format!("header {}", word(name)),
            AnswerPlace::Segment { address: Some(pointer), from_end } => {
                format!("part_of_address {} {from_end}", word(pointer))
            }
            AnswerPlace::Segment { address: None, from_end } => {
                format!("part_of_location {from_end}")
            }
        };
        text += &format!("  {variable}=$({value}) || exit\n");
    }
    text
}

fn non_empty(words: &str) -> &str {
    if words.is_empty() { "''" } else { words }
}

/// The body as it is sent, if nothing in it is open.
fn plain(request: &crate::Request) -> Option<String> {
    struct Plain;
    impl Places for Plain {
        fn literal(&self, text: &str) -> String {
            text.to_owned()
        }
        fn captured(&self, _: &str, _: CapturedForm, _: bool) -> String {
            "\0".to_owned()
        }
        fn environment(&self, _: &str) -> String {
            "\0".to_owned()
        }
    }
    body(request, &Plain).map(|(_, body)| body).filter(|body| !body.contains('\0'))
}

fn expectation_source(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Status(status) => format!("  expect_status {status}\n"),
        Expectation::MediaType(media_type) => format!("  expect_media_type {}\n", word(media_type)),
        Expectation::Header(name) => format!("  expect_header {}\n", word(name)),
        Expectation::Text(text) => format!("  expect_text {}\n", word(text)),
        Expectation::EmptyBody => "  expect_text ''\n".to_owned(),
        other => facts(other).iter().map(|(pointer, fact)| fact_source(pointer, fact)).collect(),
    }
}

/// A filter of jq that gives true where the fact holds.
fn fact_source(pointer: &str, fact: &Fact) -> String {
    let pointer = word(pointer);
    let filter = match fact {
        Fact::Absent => return format!("  expect_absent {pointer}\n"),
        Fact::Captured(variable) => {
            return format!("  expect {pointer} '. == '\"${}\"\n", shell_variable(variable));
        }
        Fact::Equals(value) => format!(". == {value}"),
        Fact::Kind(JsonKind::Integer) => "type == \"number\" and . == floor".to_owned(),
        Fact::Kind(JsonKind::List) => "type == \"array\"".to_owned(),
        Fact::Kind(kind) => format!("type == \"{}\"", kind_name(*kind)),
        Fact::Keys(keys) => format!("type == \"object\" and keys == ({} | sort)", json!(keys)),
        Fact::Length(length) => format!("type == \"array\" and length == {length}"),
        Fact::Present => "true".to_owned(),
        Fact::NonNull => ". != null".to_owned(),
        Fact::Error(error) => {
            let expected = crate::writer::program::error_value(error);
            let parts = expected.as_object().into_iter().flatten();
            let parts = parts.map(|(key, value)| match key.as_str() {
                "extensions" => format!(".extensions.code == {}", value["code"]),
                key => format!(".{key} == {value}"),
            });
            format!("any(.[]; {})", parts.collect::<Vec<_>>().join(" and "))
        }
    };
    format!("  expect {pointer} {}\n", word(&filter))
}
