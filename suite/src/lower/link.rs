//! Values that go from one step of a test to a later one.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::{Binding, BindingSource, Evaluated};
use wallace_problems::HttpProblem;
use wallace_problems::graphql::{Form, GraphqlAction, GraphqlProblem, Style};

use crate::request::{Body, JsonBody, Request};
use crate::test_case::Capture;
use crate::text::{CapturedForm, RequestText, TextPart};

/// A value that an argument takes from an earlier answer.
#[derive(Debug, Clone)]
struct Link {
    from: usize,
    pointer: String,
    to: usize,
    binding: Binding,
    variable: String,
    value: Value,
}

/// The links of one test that were there when it was recorded.
#[derive(Debug, Default)]
pub(crate) struct Links(Vec<Link>);

impl Links {
    /// The links of a test: bindings to values of the kind that the argument takes.
    pub(crate) fn of(test: &Evaluated<GraphqlAction>) -> Self {
        let mut links: Vec<Link> = Vec::new();
        let individual = &test.individual;
        for binding in individual.bindings() {
            let BindingSource::Response { action, pointer } = &binding.source else { continue };
            let (Some(from), Some(to)) =
                (individual.position(*action), individual.position(binding.action))
            else {
                continue;
            };
            let outcome =
                test.outcomes.get(from).and_then(|outcome| outcome.response.as_ref().ok());
            let body = outcome.and_then(|it| serde_json::from_str::<Value>(&it.body).ok());
            let value = body.and_then(|body| body.pointer(pointer).cloned());
            let Some(value) = value else { continue };
            if !individual.actions()[to].1.takes(binding, &value) {
                continue;
            }
            let known = links.iter().find(|link| link.from == from && link.pointer == *pointer);
            let variable = known.map(|link| link.variable.clone());
            let variable = variable.unwrap_or_else(|| unique(&links, pointer));
            let (pointer, binding) = (pointer.clone(), binding.clone());
            links.push(Link { from, pointer, to, binding, variable, value });
        }
        Self(links)
    }

    /// What the step at a position captures.
    pub(crate) fn captures(&self, place: usize) -> Vec<Capture> {
        let mut captures: Vec<Capture> = Vec::new();
        for link in self.0.iter().filter(|link| link.from == place) {
            if captures.iter().all(|known| known.variable != link.variable) {
                let (variable, pointer) = (link.variable.clone(), link.pointer.clone());
                captures.push(Capture { variable, pointer });
            }
        }
        captures
    }

    /// Values that the steps before a position captured.
    pub(crate) fn known_before(&self, place: usize) -> BTreeMap<String, Value> {
        let links = self.0.iter().filter(|link| link.from < place);
        links.map(|link| (link.variable.clone(), link.value.clone())).collect()
    }

    /// The request of the action at a position, as it was sent, with captured values where they
    /// are of an earlier answer.
    pub(crate) fn request(
        &self,
        problem: &GraphqlProblem,
        action: &GraphqlAction,
        place: usize,
    ) -> Request {
        if !action.form.is_plain_post() {
            return as_sent(problem, action);
        }
        let mut marked = action.clone();
        let mut marks: Vec<(String, &str)> = Vec::new();
        if action.form == Form::Literals {
            for link in self.0.iter().filter(|link| link.to == place) {
                let mark = format!("wallace captured {}", marks.len());
                if marked.mark(&link.binding, &mark) {
                    marks.push((format!("\"{mark}\""), &link.variable));
                }
            }
        }
        let (document, variables) = problem.document(&marked, Style::Pretty);
        let mut request = Request::graphql(problem.path().as_str(), &document);
        request.body = Body::GraphQl {
            document: with_captures(&document, &marks),
            variables: (!variables.is_empty()).then(|| JsonBody::from(Value::Object(variables))),
            operation_name: None,
        };
        request
    }
}

/// The text with captured values in the place of their marks.
fn with_captures(text: &str, marks: &[(String, &str)]) -> RequestText {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((start, (mark, variable))) =
        marks.iter().filter_map(|mark| Some((rest.find(&mark.0)?, mark))).min_by_key(|it| it.0)
    {
        parts.push(TextPart::Literal(rest[..start].to_owned()));
        let variable = (*variable).to_owned();
        parts.push(TextPart::Captured { variable, form: CapturedForm::Json });
        rest = &rest[start + mark.len()..];
    }
    parts.push(TextPart::Literal(rest.to_owned()));
    RequestText { parts }
}

/// A request that is no JSON object by POST.
fn as_sent(problem: &GraphqlProblem, action: &GraphqlAction) -> Request {
    let sent = problem.request(action);
    let header = |name: &str| {
        sent.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let text = String::from_utf8_lossy(&sent.body).into_owned();
    let body = if text.is_empty() {
        Body::None
    } else {
        Body::Text { media_type: header("content-type"), text: text.into() }
    };
    Request {
        method: sent.method.to_string(),
        path: sent.path.as_str().into(),
        headers: vec![("accept".to_owned(), header("accept").into())],
        body,
    }
}

/// A name after the last part of the pointer, and of the object that it is part of.
fn unique(links: &[Link], pointer: &str) -> String {
    let is_name = |part: &&str| !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = pointer.split('/').filter(is_name).collect();
    let tail = &parts[parts.len().saturating_sub(2)..];
    let mut name = String::new();
    for part in tail.iter().filter(|part| **part != "data") {
        for character in part.chars() {
            if character.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(if character.is_ascii_alphanumeric() {
                character.to_ascii_lowercase()
            } else {
                '_'
            });
        }
        name.push('_');
    }
    let name = name.trim_matches('_').to_owned();
    let name = if name.is_empty() { "value".to_owned() } else { name };
    let is_taken = |name: &str| links.iter().any(|link| link.variable == name);
    if !is_taken(&name) {
        return name;
    }
    (2..)
        .map(|number| format!("{name}_{number}"))
        .find(|name| !is_taken(name))
        .expect("numbers do not end")
}
