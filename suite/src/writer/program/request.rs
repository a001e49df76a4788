//! The calls that make a request.

use serde_json::{Number, Value, json};

use super::body::{BodyFiles, as_text};
use super::{Builder, Call, Expression, Statement};
use crate::request::{Body, JsonBody, Request};
use crate::text::{CapturedForm, RequestText, TextPart};
use crate::writer::placeholder::{Filler, Placeholders};

/// Methods that support libraries have a function for.
const METHODS: [(&str, &str); 5] =
    [("GET", "get"), ("POST", "post"), ("PUT", "put"), ("PATCH", "patch"), ("DELETE", "delete")];

const JSON: &str = "application/json";

/// Writes one request.
pub(super) struct RequestBuilder<'b, 'a> {
    builder: &'b mut Builder<'a>,
    placeholders: Placeholders,
    calls: Vec<Call>,
}

impl<'b, 'a> RequestBuilder<'b, 'a> {
    pub(super) fn new(builder: &'b mut Builder<'a>, request: &Request) -> Self {
        Self { builder, placeholders: Placeholders::new(request), calls: Vec::new() }
    }

    /// The calls; values that read better before them become statements of the builder.
    pub(super) fn calls(mut self, request: &Request) -> Vec<Call> {
        let body = self.sendable(&request.body);
        if body != request.body {
            let request = Request { body, ..request.clone() };
            self.placeholders = Placeholders::new(&request);
            return self.calls_of(&request);
        }
        self.calls_of(request)
    }

    fn calls_of(mut self, request: &Request) -> Vec<Call> {
        let path = self.placeholders.text(&request.path);
        let is_usual = request.method == "POST" && path == self.builder.rules.graphql_path;
        if !(is_usual && matches!(request.body, Body::GraphQl { .. })) {
            let path = Expression::Text(path);
            let known = METHODS.iter().find(|(method, _)| *method == request.method);
            self.calls.push(match known {
                Some((_, method)) => Call::new(method, [path]),
                None => Call::new("request", [Expression::Text(request.method.clone()), path]),
            });
        }
        self.body(&request.body);
        for (name, value) in &request.headers {
            let value = Expression::Text(self.placeholders.text(value));
            self.calls.push(Call::new("header", [Expression::Text(name.clone()), value]));
        }
        self.fill();
        self.calls
    }

    /// The body itself, or the text that is sent for it where the language cannot hold a number.
    fn sendable(&self, body: &Body) -> Body {
        let can_send = |json: &JsonBody| has_only(&json.value, self.builder.rules.can_send);
        let text = |text| Body::Text { media_type: JSON.to_owned(), text };
        match body {
            Body::Json(json) if !can_send(json) => text(as_text(json)),
            Body::GraphQl { document, variables: Some(values), operation_name }
                if !can_send(values) && is_literal(document) =>
            {
                text(message(document, values, operation_name.as_deref()))
            }
            other => other.clone(),
        }
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::None => {}
            Body::GraphQl { document, variables, operation_name } => {
                let document = self.document(document);
                self.calls.push(Call::new("graphql", [document]));
                if let Some(variables) = variables {
                    let variables = self.json("variables", variables);
                    self.calls.push(Call::new("variables", [variables]));
                }
                if let Some(name) = operation_name {
                    let name = Expression::Text(name.clone());
                    self.calls.push(Call::new("operation", [name]));
                }
            }
            Body::Json(json) => {
                let value = self.json("body", json);
                self.calls.push(Call::new("json", [value]));
            }
            Body::Text { media_type, text } => {
                let text = self.placeholders.text(text);
                let value = match BodyFiles::is_long(&text) {
                    true => {
                        let ending = if media_type == JSON { "json" } else { "txt" };
                        self.file("text_file", text, ending)
                    }
                    false => Expression::Text(text),
                };
                let text = self.assign("text", value);
                self.calls.push(Call::new("text", [Expression::Text(media_type.clone()), text]));
            }
        }
    }

    fn document(&mut self, document: &RequestText) -> Expression {
        let text = self.placeholders.text(document);
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        let value = match (BodyFiles::is_long(text), text.contains('\n')) {
            (true, _) => self.file("text_file", text.to_owned(), "graphql"),
            (false, true) => Expression::Block(text.to_owned()),
            (false, false) => Expression::Text(text.to_owned()),
        };
        self.assign("document", value)
    }

    fn json(&mut self, variable: &'static str, json: &JsonBody) -> Expression {
        let text = json.value.to_string();
        let value = if BodyFiles::is_long(&text) && json.captured.is_empty() {
            self.file("json_file", text, "json")
        } else {
            self.builder.body(json)
        };
        self.assign(variable, value)
    }

    fn file(&mut self, function: &'static str, body: String, ending: &str) -> Expression {
        let path = self.builder.files.add(body, ending);
        self.builder.call(function, vec![Expression::Text(path)])
    }

    fn assign(&mut self, variable: &'static str, value: Expression) -> Expression {
        self.builder.body.push(Statement::Assign(variable.to_owned(), value));
        Expression::Variable(variable.to_owned())
    }

    /// What stands in the open places.
    fn fill(&mut self) {
        for (filler, name) in &self.placeholders.names {
            let value = match filler {
                Filler::Captured(variable, form) => {
                    let Some(known) = self.builder.variables.get(variable).cloned() else {
                        continue;
                    };
                    self.builder.call(function(*form), vec![Expression::Variable(known)])
                }
                Filler::Environment(variable) => {
                    let variable = Expression::Text(variable.clone());
                    self.builder.call("environment", vec![variable])
                }
            };
            self.calls.push(Call::new("fill", [Expression::Text(name.clone()), value]));
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

fn has_only(value: &Value, is_right: fn(&Number) -> bool) -> bool {
    match value {
        Value::Number(number) => is_right(number),
        Value::Array(elements) => elements.iter().all(|element| has_only(element, is_right)),
        Value::Object(fields) => fields.values().all(|field| has_only(field, is_right)),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

fn is_literal(text: &RequestText) -> bool {
    text.parts.iter().all(|part| matches!(part, TextPart::Literal(_)))
}

/// The JSON message of a GraphQL request as text. The document has no open places: what fills them
/// would need other escapes inside of the message.
fn message(document: &RequestText, values: &JsonBody, operation_name: Option<&str>) -> RequestText {
    let query = json!(document.literal_text());
    let mut parts = vec![TextPart::Literal(format!("{{\"query\":{query},\"variables\":"))];
    parts.extend(as_text(values).parts);
    let name = operation_name.map(|name| format!(",\"operationName\":{}", json!(name)));
    parts.push(TextPart::Literal(format!("{}}}", name.unwrap_or_default())));
    RequestText { parts }
}
