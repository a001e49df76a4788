//! Rendering: from the gene of a call to an HTTP request.

mod body;
mod parameter;

use std::str::FromStr;

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;

use super::action::{Change, Deviation, RestAction, Undocumented, UndocumentedPlace};
use super::description::{Operation, Parameter, ParameterPlace};
use super::template::{Templates, apply};
use crate::http::HttpRequest;

pub(super) use body::files;
pub(crate) use body::{can_write, keeps_structure};

impl Templates {
    /// The request of a call, below `base_path`.
    #[must_use]
    pub fn request(&self, action: &RestAction, base_path: &str) -> HttpRequest {
        let operation = self.operation(action.template);
        let deviation = action.deviation.as_deref();
        let mut values = self.parameter_values(action.template, &action.gene);
        if let Some(change) = deviation.and_then(Deviation::change)
            && let Some(index) = change.parameter
            && let Some(value) = values.get_mut(usize::from(index))
        {
            put(value, change);
        }
        let mut parts = Parts::new(base_path);
        parts.fill_path(operation, &values);
        for (parameter, value) in operation.parameters.iter().zip(&values) {
            if let Some(value) = value {
                parts.add(parameter, value);
            }
        }
        for extra in &action.undocumented {
            parts.add_undocumented(extra);
        }
        if let Some(Deviation::Header { name, value }) = deviation
            && let Ok(name) = HeaderName::from_str(name)
        {
            parts.header(name, value);
        }
        let (method, body) = match deviation {
            Some(Deviation::Verb(verb)) => {
                (Method::from_bytes(verb.as_bytes()).unwrap_or(Method::TRACE), None)
            }
            _ => (operation.method.clone(), self.written_body(action)),
        };
        if let Some((media_type, _)) = &body {
            parts.header(CONTENT_TYPE, media_type);
        }
        if let Some(Deviation::MediaType(media_type)) = deviation {
            parts.header(CONTENT_TYPE, media_type);
        }
        parts.headers.insert(ACCEPT, self.template(action.template).accept.clone());
        parts.finish(method, body.map_or_else(Vec::new, |(_, bytes)| bytes))
    }

    /// The media type and the bytes of a call's body; `None` where it has none.
    fn written_body(&self, action: &RestAction) -> Option<(String, Vec<u8>)> {
        let deviation = action.deviation.as_deref();
        let asked = action.undocumented.iter().filter(|it| it.place == UndocumentedPlace::Body);
        let asked = asked.map(|it| (it.name.split('.').collect(), &*it.value.text));
        let deviating = match deviation {
            Some(Deviation::Member { name, value }) => Some((vec![&**name], &**value)),
            _ => None,
        };
        let members: Vec<(Vec<&str>, &str)> = asked.chain(deviating).collect();
        let Some((index, spec, gene)) = self.body(action.template, &action.gene) else {
            // A body that no description tells of is made of what was asked for.
            let mut body = Some(Value::Object(serde_json::Map::new()));
            members.iter().for_each(|(steps, value)| add_member(&mut body, steps, value));
            let body = body.filter(|_| !members.is_empty())?;
            return Some(("application/json".to_owned(), body.to_string().into_bytes()));
        };
        let content = &self.operation(action.template).bodies[index];
        let change =
            deviation.and_then(Deviation::change).filter(|change| change.parameter.is_none());
        if change.is_none()
            && members.is_empty()
            && let Some(media_type) = body::json_type(content)
        {
            return Some((media_type.to_owned(), self.graph().write(spec, gene)));
        }
        let mut value = Some(self.graph().value_of(spec, gene).unwrap_or(Value::Null));
        members.iter().for_each(|(steps, member)| add_member(&mut value, steps, member));
        if let Some(change) = change {
            put(&mut value, change);
        }
        Some(body::write(self, content, &value?))
    }
}

fn put(value: &mut Option<Value>, change: Change<'_>) {
    if change.pointer.is_empty() && change.value.is_none() {
        *value = None;
    } else if let Some(value) = value {
        apply(value, change.pointer, change.value);
    }
}

/// Puts a member into the object that is the body, in objects that are made where there are none.
fn add_member(body: &mut Option<Value>, steps: &[&str], value: &str) {
    let (Some(body), Some((name, above))) = (body, steps.split_last()) else { return };
    let mut place = body;
    for step in above {
        let Value::Object(members) = place else { return };
        place = members.entry(*step).or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    if let Value::Object(members) = place
        && let Ok(value) = serde_json::from_str(value)
    {
        members.insert((*name).to_owned(), value);
    }
}

/// The media types of documented responses, those of success first; any type besides, so that a
/// service may answer what it does not document.
pub(crate) fn accepted(operation: &Operation) -> HeaderValue {
    let mut types: Vec<&str> = Vec::new();
    for content in operation.responses.iter().flat_map(|response| &response.contents) {
        if !types.contains(&&*content.media_type) && types.len() < 5 {
            types.push(&content.media_type);
        }
    }
    let any = HeaderValue::from_static("*/*");
    if types.is_empty() { any } else { header_value(&types.join(", ")).unwrap_or(any) }
}

/// A text as the value of a header, without what HTTP cannot carry, nor white space around it, which is no
/// part of it (RFC 9110, 5.5): clients of tests refuse that.
fn header_value(text: &str) -> Option<HeaderValue> {
    let text = text.trim_matches([' ', '\t']);
    let is_carried = |byte: &u8| *byte >= 0x20 && *byte != 0x7f;
    let carried = || text.bytes().filter(is_carried).collect::<Vec<_>>();
    HeaderValue::from_str(text).or_else(|_| HeaderValue::from_bytes(carried().trim_ascii())).ok()
}

/// What arrives of a text that is sent as a header.
pub(crate) fn received(text: &str) -> String {
    let sent = header_value(text);
    let bytes = sent.as_ref().map_or(&[][..], HeaderValue::as_bytes);
    String::from_utf8_lossy(bytes).into_owned()
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
    fn fill_path(&mut self, operation: &Operation, values: &[Option<Value>]) {
        let mut rest = &*operation.path;
        while let Some(start) = rest.find('{') {
            let Some(end) = rest[start..].find('}') else { break };
            parameter::push_path_text(&mut self.path, &rest[..start]);
            let name = &rest[start + 1..start + end];
            let is_here = |p: &Parameter| p.place == ParameterPlace::Path && &*p.name == name;
            if let Some(index) = operation.parameters.iter().position(is_here)
                && let Some(Some(value)) = values.get(index)
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
            UndocumentedPlace::Query => {
                parameter::write_pair(&mut self.query, &extra.name, &extra.value.text);
            }
            UndocumentedPlace::Body => {}
            UndocumentedPlace::Header => {
                if let Ok(name) = HeaderName::from_str(&extra.name) {
                    self.header(name, &extra.value.text);
                }
            }
        }
    }

    /// Sets a header, if it can be carried at all.
    fn header(&mut self, name: HeaderName, text: &str) {
        if let Some(value) = header_value(text) {
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
        let path = PathAndQuery::try_from(self.path);
        let path = path.unwrap_or_else(|_| PathAndQuery::from_static("/"));
        HttpRequest { method, path, headers: self.headers, body: body.into() }
    }
}
