//! Operations over HTTP that share a state, and the OpenAPI 3.0.3 document that describes them:
//! for REST fixtures with bodies and statuses of their own.
//!
//! Each operation is declared once; routes and description come from the same declaration.

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, get, on};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use crate::amendment::{Amendments, amend_status};
use crate::percent::decode_pairs;
use crate::rest::OPEN_API;

/// Largest body in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// What a reply says whose list has no elements.
const EMPTY: &str = "nothing";

/// A request as handlers see it.
#[derive(Debug)]
pub(crate) struct Call {
    /// Variable segments of the path, decoded, in their order.
    pub(crate) segments: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Call {
    /// A variable segment of the path; empty if there are fewer.
    pub(crate) fn segment(&self, index: usize) -> &str {
        self.segments.get(index).map_or("", String::as_str)
    }

    /// The first query parameter of this name.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An answer before it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    /// `None` for an answer without a body.
    pub(crate) body: Option<Value>,
}

impl Reply {
    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self { status, location: None, body: Some(body) }
    }

    /// 204.
    pub(crate) fn nothing() -> Self {
        Self { status: 204, location: None, body: None }
    }

    /// 201 with where it is from now on.
    pub(crate) fn created(location: String, body: Value) -> Self {
        Self { location: Some(location), ..Self::new(201, body) }
    }

    /// What it says: why something is refused, that a list is empty, or its status.
    fn says(&self) -> String {
        let body = self.body.as_ref();
        let refused = body.and_then(|body| body["error"].as_str()).map(str::to_owned);
        let is_empty = body.and_then(Value::as_array).is_some_and(Vec::is_empty);
        let other = if is_empty && self.status == 200 { EMPTY } else { &self.status.to_string() };
        refused.unwrap_or_else(|| other.to_owned())
    }

    /// The answer with the status that a switch gives it; 204 is an answer without body.
    fn amended(self, of: &str, statuses: &Amendments<u16>) -> Self {
        match statuses.wrong(of, &self.says()) {
            None => self,
            Some(204) => Self::nothing(),
            Some(status) => Self { status, ..self },
        }
    }
}

/// Why a request is not done: a status and a text for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Refused {
    pub(crate) fn new(status: u16, message: &str) -> Self {
        Self { status, message: message.to_owned() }
    }
}

impl From<rusqlite::Error> for Refused {
    /// What the store refuses is an error of the service.
    fn from(error: rusqlite::Error) -> Self {
        Self { status: 500, message: error.to_string() }
    }
}

impl From<Refused> for Reply {
    fn from(refused: Refused) -> Self {
        Self::new(refused.status, json!({ "error": refused.message }))
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = match self.body {
            Some(body) => (status, Json(body)).into_response(),
            None => status.into_response(),
        };
        if let Some(location) = self.location.and_then(|url| HeaderValue::from_str(&url).ok()) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        response
    }
}

/// What an operation does.
pub(crate) type Handler<S> = fn(&S, &Call) -> Reply;

/// One method of one path.
pub(crate) struct Operation<S> {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    /// Names of the optional query parameters, which are texts.
    pub(crate) query: &'static [&'static str],
    /// Media type of the body and name of its schema.
    pub(crate) body: Option<(&'static str, &'static str)>,
    /// Statuses with the name of the schema of each; an empty name is an answer without body.
    pub(crate) answers: &'static [(u16, &'static str)],
    pub(crate) run: Handler<S>,
}

impl<S> Operation<S> {
    /// The operation with a JSON body of this schema.
    pub(crate) fn with_body(self, schema: &'static str) -> Self {
        Self { body: Some(("application/json", schema)), ..self }
    }
}

/// A service of these operations. `schemas` are the components that they name; path parameters
/// have the schema `id` says for their name. `statuses` are by `METHOD /path` of operations, and
/// by the first segment of paths that no operation has.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(
    title: &str,
    operations: &[Operation<S>],
    schemas: &Value,
    state: S,
    statuses: &Amendments<u16>,
) -> Router {
    let description = describe(title, operations, schemas);
    let describe = move || async move { Json(description) };
    let mut router = Router::new().route(OPEN_API, get(describe));
    for operation in operations {
        let filter = match operation.method {
            "POST" => MethodFilter::POST,
            "PUT" => MethodFilter::PUT,
            "DELETE" => MethodFilter::DELETE,
            _ => MethodFilter::GET,
        };
        let (run, statuses) = (operation.run, statuses.clone());
        let name = format!("{} {}", operation.method, operation.path);
        let answer = move |State(state): State<S>,
                           Path(segments): Path<Vec<(String, String)>>,
                           request: Request| async move {
            let reply: Reply = match read(segments, request).await {
                Ok(call) => run(&state, &call),
                Err(refused) => refused.into(),
            };
            reply.amended(&name, &statuses)
        };
        router = router.route(operation.path, on(filter, answer));
    }
    router.with_state(state).layer(from_fn_with_state((statuses.clone(), 1), amend_status))
}

async fn read(segments: Vec<(String, String)>, request: Request) -> Result<Call, Refused> {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, BODY_LIMIT).await;
    let bytes = bytes.map_err(|_| Refused::new(413, "the body is too large"))?;
    let body = String::from_utf8(bytes.to_vec());
    Ok(Call {
        segments: segments.into_iter().map(|(_, value)| value).collect(),
        query: decode_pairs(parts.uri.query().unwrap_or("")),
        body: body.map_err(|_| Refused::new(400, "the body is not UTF-8"))?,
    })
}

fn describe<S>(title: &str, operations: &[Operation<S>], schemas: &Value) -> Value {
    let mut schemas = schemas.clone();
    schemas["Error"] = json!({
        "type": "object", "properties": { "error": { "type": "string" } }, "required": ["error"],
    });
    let mut paths = Map::new();
    for operation in operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.to_lowercase()] = described(operation);
    }
    json!({
        "openapi": "3.0.3",
        "info": { "title": title, "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

fn reference(name: &str) -> Value {
    json!({ "schema": { "$ref": format!("#/components/schemas/{name}") } })
}

fn described<S>(operation: &Operation<S>) -> Value {
    let segments = operation.path.split('/');
    let in_path =
        segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).map(|name| {
            let kind = if name == "id" { "integer" } else { "string" };
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": kind } })
        });
    let in_query = operation.query.iter().map(|name| {
        json!({ "name": name, "in": "query", "required": false, "schema": { "type": "string" } })
    });
    let words = operation.path.replace(['{', '}'], "").replace('/', "_");
    let mut described = json!({
        "operationId": format!("{}{words}", operation.method.to_lowercase()),
        "summary": operation.summary,
        "parameters": in_path.chain(in_query).collect::<Vec<_>>(),
    });
    if let Some((media_type, schema)) = operation.body {
        described["requestBody"] =
            json!({ "required": true, "content": { media_type: reference(schema) } });
    }
    let mut responses = Map::new();
    for (status, schema) in operation.answers {
        let mut response = json!({ "description": if *status < 300 { "done" } else { "refused" } });
        if !schema.is_empty() {
            response["content"] = json!({ "application/json": reference(schema) });
        }
        responses.insert(status.to_string(), response);
    }
    described["responses"] = Value::Object(responses);
    described
}
