//! GraphQL over HTTP.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};

use super::document::{Checked, Judge, Request, RequestError};
use super::mutation::Mutation;
use super::query::Query;
use super::rewrite::rewrite;
use super::session::{Caller, Session};
use super::{ShopSchema, object};
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::user;
use crate::graphql::ENDPOINT;
use crate::percent::decode_pairs;

/// Largest body in bytes.
const BODY_LIMIT: usize = 64 * 1024;
/// The media type of answers, where a caller accepts it.
const GRAPHQL: &str = "application/graphql-response+json";

#[derive(Clone)]
struct Face {
    shop: Shop,
    schema: ShopSchema,
    judge: Arc<Judge>,
}

/// The route of the face.
pub(in crate::flawed_shop) fn router(shop: Shop) -> Router {
    let schema = ShopSchema::build(Query, Mutation, async_graphql::EmptySubscription)
        .data(shop.clone())
        .register_output_type::<object::Node>()
        .validation_mode(async_graphql::ValidationMode::Fast)
        .disable_suggestions()
        .finish();
    let judge = Arc::new(Judge::new(&shop));
    Router::new().route(ENDPOINT, any(answer)).with_state(Face { shop, schema, judge })
}

async fn answer(State(face): State<Face>, request: axum::extract::Request) -> Response {
    let (parts, body) = request.into_parts();
    let outcome = if parts.method == Method::GET {
        face.get(&parts).await
    } else if parts.method == Method::POST {
        face.post(&parts, body).await
    } else {
        let refusal = RequestError::new(405, "METHOD_NOT_ALLOWED", "use GET or POST");
        Outcome { allow: Some("GET, POST"), ..Outcome::refused(&refusal) }
    };
    outcome.write(&parts.headers)
}

/// An answer before its media type is chosen.
struct Outcome {
    /// Status where the media type of GraphQL is accepted.
    status: u16,
    /// Whether the older media type has the same status.
    is_strict: bool,
    allow: Option<&'static str>,
    /// Another media type than those of GraphQL, which only faults use.
    media_type: Option<&'static str>,
    body: String,
}

impl Outcome {
    fn new(status: u16, body: String) -> Self {
        Self { status, is_strict: true, allow: None, media_type: None, body }
    }

    /// A request that is not one of GraphQL, whatever the media type.
    fn refused(error: &RequestError) -> Self {
        Self::new(error.status, json!({ "errors": error.errors }).to_string())
    }

    fn write(self, headers: &HeaderMap) -> Response {
        let is_modern = accepts_graphql(headers);
        let status = if self.is_strict || is_modern { self.status } else { 200 };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let own = if is_modern { GRAPHQL } else { "application/json" };
        let media_type = self.media_type.unwrap_or(own);
        let mut response =
            (status, [(header::CONTENT_TYPE, media_type)], self.body).into_response();
        if let Some(allow) = self.allow {
            let allow = axum::http::HeaderValue::from_static(allow);
            response.headers_mut().insert(header::ALLOW, allow);
        }
        response
    }
}

fn accepts_graphql(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.flat_map(|accept| accept.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(GRAPHQL));
        let is_refused = parts.any(|parameter| {
            parameter.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok()) == Some(0.0)
        });
        is_named && !is_refused
    })
}

impl Face {
    async fn get(&self, parts: &Parts) -> Outcome {
        let pairs = decode_pairs(parts.uri.query().unwrap_or(""));
        let find = |name: &str| pairs.iter().find(|(known, _)| known == name).map(|pair| &pair.1);
        let Some(query) = find("query") else {
            return Outcome::refused(&no_request());
        };
        let variables = match find("variables").map(|text| serde_json::from_str(text)) {
            None | Some(Ok(Value::Null)) => serde_json::Map::new(),
            Some(Ok(Value::Object(variables))) => variables,
            Some(Ok(_)) => return Outcome::refused(&no_request()),
            Some(Err(_)) => return Outcome::refused(&no_json()),
        };
        let operation_name = find("operationName").filter(|name| !name.is_empty()).cloned();
        self.run(Request { query: query.clone(), operation_name, variables }, parts).await
    }

    async fn post(&self, parts: &Parts, body: Body) -> Outcome {
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or("");
        let media_type = content_type.split(';').next().unwrap_or("").trim();
        if !media_type.eq_ignore_ascii_case("application/json") {
            return Outcome::refused(&RequestError::new(
                415,
                "UNSUPPORTED_MEDIA_TYPE",
                "send JSON",
            ));
        }
        let Ok(body) = to_bytes(body, BODY_LIMIT).await else {
            let message = "the body is larger than 64 kB";
            return Outcome::refused(&RequestError::new(413, "LIMIT_EXCEEDED", message));
        };
        match serde_json::from_slice(&body) {
            Ok(Value::Array(requests)) if self.shop.has("gql-batching") => {
                self.run_batch(requests, parts).await
            }
            Ok(Value::Array(_)) => {
                Outcome::refused(&RequestError::new(400, "BAD_REQUEST", "batches are not served"))
            }
            Ok(body) => match read(body) {
                Some(request) => self.run(request, parts).await,
                None => Outcome::refused(&no_request()),
            },
            Err(_) => Outcome::refused(&no_json()),
        }
    }

    async fn run_batch(&self, requests: Vec<Value>, parts: &Parts) -> Outcome {
        let mut answers = Vec::new();
        for request in requests {
            answers.push(match read(request) {
                Some(request) => self.run(request, parts).await.body,
                None => Outcome::refused(&no_request()).body,
            });
        }
        Outcome::new(200, format!("[{}]", answers.join(",")))
    }

    async fn run(&self, request: Request, parts: &Parts) -> Outcome {
        match self.judge.check(&self.shop, request) {
            Ok(checked) => {
                let is_get = parts.method == Method::GET;
                if checked.is_mutation && is_get && !self.shop.has("gql-mutation-by-get") {
                    let refusal =
                        RequestError::new(405, "METHOD_NOT_ALLOWED", "send mutations by POST");
                    return Outcome { allow: Some("POST"), ..Outcome::refused(&refusal) };
                }
                self.execute(checked, parts).await
            }
            Err(error) => Outcome { is_strict: false, ..Outcome::refused(&error) },
        }
    }

    async fn execute(&self, checked: Checked, parts: &Parts) -> Outcome {
        let Checked { request, document, .. } = checked;
        let session = Arc::new(Session::new(self.identify(&parts.headers)));
        let mut sent = async_graphql::Request::new(request.query)
            .variables(async_graphql::Variables::from_json(Value::Object(request.variables)))
            .data(Arc::clone(&session));
        if let Some(name) = &request.operation_name {
            sent = sent.operation_name(name);
        }
        let mut answer = self.schema.execute(sent).await;
        if session.is_slow.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_secs(3)).await;
        }
        tokio::time::sleep(self.shop.take_sleep()).await;
        if session.is_broken.load(Ordering::Relaxed) {
            let mut outcome = Outcome::new(500, json!({ "error": "internal" }).to_string());
            outcome.media_type = Some("application/json");
            return outcome;
        }
        if let Some(operation) = document.operation(request.operation_name.as_deref()) {
            rewrite(&self.shop, &self.judge.schema, &document, operation, &mut answer.data);
        }
        self.write(&answer)
    }

    fn write(&self, answer: &async_graphql::Response) -> Outcome {
        if self.shop.has("gql-html-error") && answer.errors.iter().any(is_refusal) {
            let html = "<html><body><h1>Access denied</h1></body></html>".to_owned();
            let mut outcome = Outcome::new(200, html);
            outcome.media_type = Some("text/html; charset=utf-8");
            return outcome;
        }
        let body = serde_json::to_string(answer).unwrap_or_default();
        Outcome::new(200, body)
    }

    fn identify(&self, headers: &HeaderMap) -> Caller {
        let authorization = headers.get(header::AUTHORIZATION);
        let authorization = authorization.map(|value| value.to_str().unwrap_or(""));
        match user::identify(&self.shop.database.connection(), authorization) {
            Ok(Some(user)) => Caller::Known(user),
            Ok(None) => Caller::Anonymous,
            Err(_) => Caller::Refused,
        }
    }
}

fn is_refusal(error: &async_graphql::ServerError) -> bool {
    let code = error.extensions.as_ref().and_then(|extensions| extensions.get("code"));
    let is = |name: &str| code == Some(&async_graphql::Value::from(name));
    is("FORBIDDEN") || is("UNAUTHENTICATED")
}

fn no_json() -> RequestError {
    RequestError::new(400, "BAD_REQUEST", "this is not JSON")
}

fn no_request() -> RequestError {
    RequestError::new(422, "BAD_REQUEST", "this is not a GraphQL request")
}

/// A request from a body, if it is one.
fn read(body: Value) -> Option<Request> {
    let Value::Object(mut body) = body else { return None };
    let Some(Value::String(query)) = body.remove("query") else { return None };
    let operation_name = match body.remove("operationName") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return None,
    };
    let variables = match body.remove("variables") {
        None | Some(Value::Null) => serde_json::Map::new(),
        Some(Value::Object(variables)) => variables,
        Some(_) => return None,
    };
    match body.remove("extensions") {
        None | Some(Value::Null | Value::Object(_)) => {}
        Some(_) => return None,
    }
    Some(Request { query, operation_name, variables })
}
