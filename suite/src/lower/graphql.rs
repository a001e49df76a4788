//! Calls of GraphQL services in a suite.

use serde_json::Value;
use wallace_problems::graphql::{Form, GraphqlAction, GraphqlProblem, OperationKind, Style};
use wallace_problems::{Gene, GenePath, HttpRequest};

use super::request::as_sent;
use super::{Link, Slot, SuiteProblem};
use crate::request::{Body, JsonBody, Request};
use crate::text::{CapturedForm, RequestText, TextPart};

impl SuiteProblem for GraphqlProblem {
    /// Streams are beyond what a test of requests and answers can say.
    fn step_operation(&self, action: &GraphqlAction) -> Option<String> {
        let operation = self.templates().operation(action.template)?;
        let is_stream = operation.kind == OperationKind::Subscription;
        (!is_stream).then(|| operation.coordinate.to_string())
    }

    fn slot(&self, action: &GraphqlAction, path: &GenePath) -> Option<(String, Slot)> {
        let has_place = action.form == Form::Literals && path.find(&action.gene).is_some();
        has_place.then(|| ("value".to_owned(), Slot::Document))
    }

    /// Printed anew, so that it can be read; unless what is sent is no JSON object by POST.
    fn written(&self, action: &GraphqlAction, sent: &HttpRequest, links: &[&Link]) -> Request {
        if !action.form.is_plain_post() {
            return as_sent(sent, links);
        }
        let mut marked = action.clone();
        let mut marks: Vec<(String, &str)> = Vec::new();
        for link in links {
            let mark = format!("wallace captured {}", marks.len());
            if let Some(place) = link.path.find_mut(&mut marked.gene) {
                *place = Gene::text(mark.as_str());
                marks.push((format!("\"{mark}\""), &link.variable));
            }
        }
        let (document, variables) = self.document(&marked, Style::Pretty);
        let mut request = Request::graphql(self.path().as_str(), &document);
        // A service may ask for a header of its own, and answer with the media type that is asked for.
        request.headers = as_sent(sent, &[]).headers;
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
