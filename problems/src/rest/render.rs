//! Rendering: from the gene of a call to an HTTP request.

mod body;
mod parameter;

use std::str::FromStr;
use std::sync::Arc;

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;

use super::action::{RestAction, Twist, Undocumented};
use super::description::{Operation, Parameter, ParameterPlace};
use super::template::{CallValues, Templates, apply};
use crate::http::HttpRequest;

pub(crate) use body::can_write;

impl Templates {
    /// The request of a call, below `base_path`.
    #[must_use]
    pub fn request(&self, action: &RestAction, base_path: &str) -> HttpRequest {
        let operation = self.operation(action.template);
        let mut values = self.values(action.template, &action.gene);
        let twist = action.twist.as_deref();
        if let Some(Twist::Violation(violation)) = twist {
            break_rule(&mut values, violation);
        }
        let mut parts = Parts::new(base_path);
        parts.fill_path(operation, &values);
        for (parameter, value) in operation.parameters.iter().zip(&values.parameters) {
            if let Some(value) = value {
                parts.add(parameter, value);
            }
        }
        for extra in &action.undocumented {
            parts.add_undocumented(extra);
        }
        let mut method = operation.method.clone();
        match twist {
            Some(Twist::Verb(verb)) => {
                method = Method::from_bytes(verb.as_bytes()).unwrap_or(Method::TRACE);
                values.body = None;
            }
            Some(Twist::Member { name, value }) => add_member(&mut values, name, value),
            Some(Twist::Header { name, value }) => {
                if let Ok(name) = HeaderName::from_str(name) {
                    parts.header(name, value);
                }
            }
            _ => {}
        }
        let body = match &values.body {
            Some((body, value)) => {
                let content = &operation.bodies[*body];
                let (media_type, bytes) = body::write(self, content, value);
                parts.header(CONTENT_TYPE, &media_type);
                bytes
            }
            None => Vec::new(),
        };
        if let Some(Twist::MediaType(media_type)) = twist {
            parts.header(CONTENT_TYPE, media_type);
        }
        parts.header(ACCEPT, &accepted(operation));
        parts.finish(method, body)
    }
}

fn break_rule(values: &mut CallValues, violation: &super::action::Violation) {
    let is_left_out = violation.pointer.is_empty() && violation.value.is_empty();
    match (violation.parameter, &mut values.body) {
        (Some(index), _) => {
            let Some(slot) = values.parameters.get_mut(usize::from(index)) else { return };
            match slot {
                _ if is_left_out => *slot = None,
                Some(value) => apply(value, violation),
                None => {}
            }
        }
        (None, body) if is_left_out => *body = None,
        (None, Some((_, value))) => apply(value, violation),
        (None, None) => {}
    }
}

fn add_member(values: &mut CallValues, name: &str, value: &str) {
    if let Some((_, Value::Object(members))) = &mut values.body
        && let Ok(value) = serde_json::from_str(value)
    {
        members.insert(name.to_owned(), value);
    }
}

/// The media types of documented responses, those of success first; any type besides, so that a
/// service may answer what it does not document.
fn accepted(operation: &Operation) -> String {
    let mut types: Vec<&Arc<str>> = Vec::new();
    for content in operation.responses.iter().flat_map(|response| &response.contents) {
        if !types.contains(&&content.media_type) && types.len() < 5 {
            types.push(&content.media_type);
        }
    }
    match types[..] {
        [] => "*/*".to_owned(),
        _ => {
            let listed: Vec<&str> = types.iter().map(|media_type| &***media_type).collect();
            listed.join(", ")
        }
    }
}

/// A request under construction.
struct Parts {
    path: String,
    query: String,
    headers: HeaderMap,
    cookies: String,
}

impl Parts {
    fn new(base_path: &str) -> Self {
        let path = String::with_capacity(128) + base_path.trim_end_matches('/');
        Self { path, query: String::new(), headers: HeaderMap::new(), cookies: String::new() }
    }

    /// The path with its parameters put in.
    fn fill_path(&mut self, operation: &Operation, values: &CallValues) {
        let mut rest = &*operation.path;
        while let Some(start) = rest.find('{') {
            let Some(end) = rest[start..].find('}') else { break };
            parameter::push_path_text(&mut self.path, &rest[..start]);
            let name = &rest[start + 1..start + end];
            let is_here = |p: &Parameter| p.place == ParameterPlace::Path && &*p.name == name;
            if let Some(index) = operation.parameters.iter().position(is_here)
                && let Some(Some(value)) = values.parameters.get(index)
            {
                parameter::write_path(&mut self.path, &operation.parameters[index], value);
            }
            rest = &rest[start + end + 1..];
        }
        parameter::push_path_text(&mut self.path, rest);
    }

    fn add(&mut self, parameter: &Parameter, value: &Value) {
        match parameter.place {
            ParameterPlace::Path => {}
            ParameterPlace::Query => parameter::write_query(&mut self.query, parameter, value),
            ParameterPlace::Header => {
                let text = parameter::simple_text(parameter, value);
                if let Ok(name) = HeaderName::from_str(&parameter.name) {
                    self.header(name, &text);
                }
            }
            ParameterPlace::Cookie => {
                if !self.cookies.is_empty() {
                    self.cookies.push_str("; ");
                }
                let text = parameter::simple_text(parameter, value);
                let text: String = text.chars().filter(|c| *c != ';').collect();
                self.cookies.push_str(&format!("{}={text}", parameter.name));
            }
        }
    }

    fn add_undocumented(&mut self, extra: &Undocumented) {
        match extra.place {
            ParameterPlace::Query => {
                parameter::write_pair(&mut self.query, &extra.name, &extra.value.text);
            }
            _ => {
                if let Ok(name) = HeaderName::from_str(&extra.name) {
                    self.header(name, &extra.value.text);
                }
            }
        }
    }

    /// Sets a header; what HTTP cannot carry is left out of its value.
    fn header(&mut self, name: HeaderName, text: &str) {
        let is_carried = |byte: &u8| *byte >= 0x20 && *byte != 0x7f;
        let value = HeaderValue::from_str(text).or_else(|_| {
            HeaderValue::from_bytes(&text.bytes().filter(is_carried).collect::<Vec<_>>())
        });
        if let Ok(value) = value {
            self.headers.insert(name, value);
        }
    }

    fn finish(mut self, method: Method, body: Vec<u8>) -> HttpRequest {
        if !self.cookies.is_empty() {
            let cookies = std::mem::take(&mut self.cookies);
            self.header(COOKIE, &cookies);
        }
        if self.path.is_empty() {
            self.path.push('/');
        }
        if !self.query.is_empty() {
            self.path.push('?');
            self.path.push_str(&self.query);
        }
        let path = PathAndQuery::from_str(&self.path);
        let path = path.unwrap_or_else(|_| PathAndQuery::from_static("/"));
        HttpRequest { method, path, headers: self.headers, body: body.into() }
    }
}
