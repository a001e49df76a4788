//! One test as a Rust function.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::json::JsonSource;
use super::layout::{self, Argument, Call, STATEMENT};
use super::scope::Scope;
use super::{literal, request_source};
use crate::expectation::{Expectation, ExpectedError, Shape};
use crate::request::{Body, JsonBody};
use crate::test_case::{Step, TestCase};
use crate::text::{RequestText, TextPart};

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

/// What a step is to the test: the last one is what it is about.
fn headline(index: usize, steps: usize) -> &'static str {
    match (index + 1 == steps, index) {
        (true, _) => "when",
        (false, 0) => "given",
        (false, _) => "and",
    }
}

fn comments(test: &TestCase) -> String {
    let mut lines: Vec<String> = test.purpose.clone();
    for fault in &test.faults {
        let context = if fault.context.is_empty() { "" } else { ": " };
        lines.push(format!("F{} at {}{context}{}", fault.code, fault.operation, fault.context));
        lines.extend(fault.explanation.iter().map(|sentence| format!("  {sentence}")));
    }
    let comments = lines.iter().map(|line| {
        let margin = if line.starts_with("  ") { "  " } else { "" };
        let text = literal::comment_text(line);
        if text.is_empty() { "//\n".to_owned() } else { format!("// {margin}{text}\n") }
    });
    comments.collect()
}

fn step_source(step: &Step, later: &[Step], graphql_path: &str, scope: &mut Scope) -> String {
    let used = used_variables(later);
    let captures: Vec<_> =
        step.captures.iter().filter(|capture| used.contains(capture.variable.as_str())).collect();
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

fn error_value(error: &ExpectedError) -> Value {
    let mut value = json!({});
    if let Some(path) = &error.path {
        value["path"] = path.clone();
    }
    if let Some(message) = &error.message {
        value["message"] = json!(message);
    }
    if let Some(code) = &error.code {
        value["extensions"] = json!({ "code": code });
    }
    value
}

/// Names of the captured values that these steps use.
fn used_variables(steps: &[Step]) -> BTreeSet<&str> {
    let mut used = BTreeSet::new();
    for step in steps {
        let request = &step.request;
        used_in_text(&request.path, &mut used);
        request.headers.iter().for_each(|(_, value)| used_in_text(value, &mut used));
        match &request.body {
            Body::None => {}
            Body::GraphQl { document, variables, .. } => {
                used_in_text(document, &mut used);
                variables.iter().for_each(|json| used_in_json(json, &mut used));
            }
            Body::Json(json) => used_in_json(json, &mut used),
            Body::Text { text, .. } => used_in_text(text, &mut used),
        }
        for expectation in &step.expectations {
            if let Expectation::Json { shape, .. } = expectation {
                used_in_shape(shape, &mut used);
            }
        }
    }
    used
}

fn used_in_text<'a>(text: &'a RequestText, used: &mut BTreeSet<&'a str>) {
    used.extend(text.parts.iter().filter_map(|part| match part {
        TextPart::Captured { variable, .. } => Some(variable.as_str()),
        TextPart::Literal(_) | TextPart::Environment { .. } => None,
    }));
}

fn used_in_json<'a>(json: &'a JsonBody, used: &mut BTreeSet<&'a str>) {
    let present = json.captured.iter().filter(|(pointer, _)| json.value.pointer(pointer).is_some());
    used.extend(present.map(|(_, variable)| variable.as_str()));
}

fn used_in_shape<'a>(shape: &'a Shape, used: &mut BTreeSet<&'a str>) {
    match shape {
        Shape::Captured(variable) => {
            used.insert(variable);
        }
        Shape::Object(fields) => fields.values().for_each(|field| used_in_shape(field, used)),
        Shape::List { first, .. } => first.iter().for_each(|shape| used_in_shape(shape, used)),
        Shape::Including(fields) | Shape::ByType { types: fields, .. } => {
            fields.values().for_each(|field| used_in_shape(field, used));
        }
        Shape::Nullable(inner) | Shape::Each(inner) => used_in_shape(inner, used),
        Shape::Anything | Shape::Kind(_) | Shape::Exactly(_) | Shape::NonNull | Shape::OneOf(_) => {
        }
    }
}
