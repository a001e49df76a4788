//! One test as a Rust function.

use serde_json::Value;

use super::json::JsonSource;
use super::layout::{self, Argument, Call, STATEMENT};
use super::scope::Scope;
use super::{literal, request_source};
use crate::expectation::Expectation;
use crate::program::{error_value, headline, test_comments};
use crate::request::JsonBody;
use crate::test_case::{Step, TestCase};
use crate::usage::used_captures;

/// The source of a test: comments, attribute, function.
pub(super) fn source(test: &TestCase, name: &str, graphql_path: &str, scope: &mut Scope) -> String {
    scope.start_test();
    scope.import("connect");
    let mut source = comments(test);
    source += &format!("#[tokio::test]\nasync fn {name}() {{\n");
    source += "    let service = connect().await;\n";
    for (index, step) in test.steps.iter().enumerate() {
        let later = &test.steps[index + 1..];
        source += "\n";
        source += &format!("    // {}\n", headline(index, test.steps.len()));
        source += &step_source(step, later, graphql_path, scope);
    }
    source + "}\n"
}

fn comments(test: &TestCase) -> String {
    let comments = test_comments(test).into_iter();
    comments.map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect()
}

fn step_source(step: &Step, later: &[Step], graphql_path: &str, scope: &mut Scope) -> String {
    let captures = used_captures(step, later);
    let binds = !step.expectations.is_empty() || !captures.is_empty();
    let mut source = request_source::statements(&step.request, graphql_path, binds, scope);
    if later.is_empty() && !step.expectations.is_empty() {
        source += "\n    // then\n";
    }
    for expectation in &step.expectations {
        source += &expectation_source(expectation, scope);
    }
    for capture in captures {
        let value = format!("response.value({})", literal::string(&capture.pointer));
        let identifier = scope.define(&capture.variable);
        source += &layout::binding(&identifier, &value);
    }
    source
}

fn expectation_source(expectation: &Expectation, scope: &mut Scope) -> String {
    let text = |method: &str, text: &str| Call::plain(method, &[&literal::string(text)]);
    let call = match expectation {
        Expectation::Status(status) => Call::plain("expect_status", &[&status.to_string()]),
        Expectation::MediaType(media_type) => text("expect_media_type", media_type),
        Expectation::Header(name) => text("expect_header", name),
        Expectation::Errors(errors) => {
            let errors = Value::Array(errors.iter().map(error_value).collect());
            let source = JsonSource::of_body(&JsonBody::from(errors), scope);
            Call::new("expect_errors", &[json_argument(&source, scope)])
        }
        Expectation::Json { pointer, shape } => {
            let source = JsonSource::of_shape(shape, scope);
            let pointer = Argument::new(literal::string(pointer));
            Call::new("expect_json", &[pointer, json_argument(&source, scope)])
        }
        Expectation::Present(pointer) => text("expect_present", pointer),
        Expectation::Absent(pointer) => text("expect_absent", pointer),
        Expectation::Text(body) => text("expect_text", body),
        Expectation::EmptyBody => Call::plain("expect_empty_body", &[]),
    };
    layout::statement("response", &call)
}

fn json_argument(source: &JsonSource, scope: &mut Scope) -> Argument {
    let inline = scope.expression(source, STATEMENT);
    Argument { inline, own_line: scope.expression(source, 2 * STATEMENT) }
}
