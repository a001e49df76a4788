//! The statements that send a request.

use serde_json::Value;

use super::json::JsonSource;
use super::layout::{self, Call, STATEMENT};
use super::literal;
use super::scope::Scope;
use crate::placeholder::{Filler, Placeholders};
use crate::request::{Body, JsonBody, Request};
use crate::text::CapturedForm;

/// Values in one JSON body up to which it is written as `json!`; the macro takes the
/// compiler time that grows with the square.
const MOST_JSON_VALUES: usize = 300;

/// Methods that the support library has a function for.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The statements that send a request, the answer bound to `response` if it is needed.
pub(super) fn statements(
    request: &Request,
    graphql_path: &str,
    binds_response: bool,
    scope: &mut Scope,
) -> String {
    let mut source = RequestSource {
        placeholders: Placeholders::new(request),
        scope,
        lets: String::new(),
        calls: Vec::new(),
    };
    source.start(request, graphql_path);
    source.headers(request);
    source.body(&request.body);
    source.values();
    source.lets + &layout::request(binds_response, &source.calls)
}

struct RequestSource<'a> {
    placeholders: Placeholders,
    scope: &'a mut Scope,
    lets: String,
    calls: Vec<Call>,
}

impl RequestSource<'_> {
    fn start(&mut self, request: &Request, graphql_path: &str) {
        let path = self.placeholders.text(&request.path);
        let is_usual = request.method == "POST" && path == graphql_path;
        let is_graphql = matches!(request.body, Body::GraphQl { .. });
        if is_usual && is_graphql {
            return;
        }
        let path = literal::string(&path);
        self.calls.push(if METHODS.contains(&request.method.as_str()) {
            Call::plain(&request.method.to_lowercase(), &[&path])
        } else {
            Call::plain("request", &[&literal::string(&request.method), &path])
        });
    }

    fn headers(&mut self, request: &Request) {
        for (name, value) in &request.headers {
            let (name, value) =
                (literal::string(name), literal::string(&self.placeholders.text(value)));
            self.calls.push(Call::plain("header", &[&name, &value]));
        }
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::None => {}
            Body::GraphQl { document, variables, operation_name } => {
                let document = document_literal(&self.placeholders.text(document));
                self.lets += &layout::binding("document", &document);
                self.insert_document();
                if let Some(variables) = variables {
                    let value = self.json(variables);
                    self.lets += &layout::binding("variables", &value);
                    self.calls.push(Call::plain("variables", &["variables"]));
                }
                if let Some(name) = operation_name {
                    self.calls.push(Call::plain("operation", &[&literal::string(name)]));
                }
            }
            Body::Json(json) => {
                let value = self.json(json);
                self.lets += &layout::binding("body", &value);
                self.calls.push(Call::plain("json", &["body"]));
            }
            Body::Text { media_type, text } => {
                let text = self.placeholders.text(text);
                let value = if text.contains('\n') {
                    literal::raw_string(&text).unwrap_or_else(|| literal::string(&text))
                } else {
                    literal::string(&text)
                };
                self.lets += &layout::binding("text", &value);
                self.calls.push(Call::plain("text", &[&literal::string(media_type), "text"]));
            }
        }
    }

    /// The document comes right after the method, or first where both are implied.
    fn insert_document(&mut self) {
        let is_start = |call: &Call| call.method() != "header";
        let place = usize::from(self.calls.first().is_some_and(is_start));
        self.calls.insert(place, Call::plain("graphql", &["document"]));
    }

    fn json(&mut self, body: &JsonBody) -> String {
        if count(&body.value) > MOST_JSON_VALUES && body.captured.is_empty() {
            self.scope.import("parse_json");
            let text = body.value.to_string();
            let text = literal::raw_string(&text).unwrap_or_else(|| literal::string(&text));
            return format!("parse_json(\n        {text},\n    )");
        }
        let source = JsonSource::of_body(body, self.scope);
        self.scope.expression(&source, STATEMENT)
    }

    fn values(&mut self) {
        for (part, name) in &self.placeholders.names {
            let value = match part {
                Filler::Captured(variable, form) => {
                    let Some(identifier) = self.scope.variable(variable) else { continue };
                    let function = function(*form);
                    self.scope.import(function);
                    format!("{function}(&{identifier})")
                }
                Filler::Environment(variable) => {
                    self.scope.import("environment");
                    format!("environment({})", literal::string(variable))
                }
            };
            self.calls.push(Call::plain("with", &[&literal::string(name), &value]));
        }
    }
}

fn function(form: CapturedForm) -> &'static str {
    match form {
        CapturedForm::Json => "json_text",
        CapturedForm::Plain => "plain_text",
        CapturedForm::PathSegment => "path_segment",
    }
}

/// Number of values in a JSON value, itself included.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(count).sum::<usize>(),
        Value::Object(fields) => 1 + fields.values().map(count).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

/// A document on lines of its own, indented like the code around it. The support library
/// takes the indentation away before it sends the document, so no byte changes.
fn document_literal(document: &str) -> String {
    let document = document.trim_matches([' ', '\t', '\n', '\r']);
    if !document.contains('\n') {
        return literal::string(document);
    }
    let margin = " ".repeat(2 * STATEMENT);
    let lines: Vec<String> = document
        .split('\n')
        .map(|line| if line.is_empty() { String::new() } else { format!("{margin}{line}") })
        .collect();
    let block = format!("\n{}\n{}", lines.join("\n"), " ".repeat(STATEMENT));
    literal::raw_string(&block).unwrap_or_else(|| literal::string(document))
}
