//! From a request to its operation: path, method, media type and size, authentication, role; what
//! comes after that is the handler's.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use wallace_instrument::white_box;

use super::answer::{Answer, plain_refusal};
use super::call::Call;
use super::callback;
use super::description::description;
use super::operation::{Access, OPERATIONS, Operation};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::user::{self, User};
use crate::percent::{decode, decode_pairs};

/// Largest body in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// The routes of the face: its description, and everything else as its operations say.
pub(in crate::flawed_shop) fn router(shop: Shop) -> Router {
    let text = description().to_string();
    let describe = move || async move { ([(header::CONTENT_TYPE, "application/json")], text) };
    Router::new().route(crate::rest::OPEN_API, get(describe)).fallback(answer).with_state(shop)
}

async fn answer(State(shop): State<Shop>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = match dispatch(&shop, &parts, body).await {
        Ok(response) | Err(response) => response,
    };
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    response
}

/// The error is an answer too: the first refusal ends the checks.
async fn dispatch(shop: &Shop, parts: &Parts, body: Body) -> Result<Response, Response> {
    let (operations, segments) = route(parts.uri.path());
    if operations.is_empty() {
        return Err(plain_refusal(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no such path"));
    }
    let operation = choose(shop, &operations, &parts.method).map_err(|answer| *answer)?;
    let body = read_body(operation, parts, body).await?;
    let query = decode_pairs(parts.uri.query().unwrap_or(""));
    let answer = run(shop, operation, parts, &segments, &query, &body);
    let mut answer = answer.map_err(IntoResponse::into_response)?;
    if let Some(url) = answer.fetch.take() {
        callback::fetch(&url).await;
    }
    if !answer.delay.is_zero() {
        tokio::time::sleep(answer.delay).await;
    }
    Ok(answer.into_response())
}

/// The operations of a path, and its variable segments.
fn route(path: &str) -> (Vec<&'static Operation>, Vec<String>) {
    let given: Vec<&str> = path.split('/').collect();
    let mut variable = Vec::new();
    let found = OPERATIONS.iter().filter(|operation| {
        let template: Vec<&str> = operation.path.split('/').collect();
        let is_fit = template.len() == given.len()
            && template.iter().zip(&given).all(|(template, given)| {
                template == given || (template.starts_with('{') && !given.is_empty())
            });
        if is_fit && variable.is_empty() {
            let pairs = template.iter().zip(&given);
            let values = pairs.filter(|(template, _)| template.starts_with('{'));
            variable = values.map(|(_, given)| decode(given)).collect();
        }
        is_fit
    });
    (found.collect(), variable)
}

/// The operation of a method, or the answer of a path that has none.
fn choose(
    shop: &Shop,
    operations: &[&'static Operation],
    method: &Method,
) -> Result<&'static Operation, Box<Response>> {
    // Hyper leaves the body of an answer to HEAD out.
    let wanted = if method == Method::HEAD { "GET" } else { method.as_str() };
    if let Some(operation) = operations.iter().find(|operation| operation.method == wanted) {
        return Ok(operation);
    }
    let path = operations.first().map_or("", |operation| operation.path);
    let has_hidden_delete = shop.has("rest-hidden-delete") && path == "/coupons";
    if method == Method::OPTIONS {
        let allow = allow(operations, has_hidden_delete);
        return Err(Box::new((StatusCode::NO_CONTENT, [(header::ALLOW, allow)]).into_response()));
    }
    if has_hidden_delete && method == Method::DELETE {
        return Err(Box::new(StatusCode::NO_CONTENT.into_response()));
    }
    if shop.has("rest-wrong-method") && path == "/products/{productId}" {
        let refusal = plain_refusal(StatusCode::NOT_FOUND, "NOT_FOUND", "there is no such path");
        return Err(Box::new(refusal));
    }
    let message = "the path has no such method";
    let refusal = plain_refusal(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message);
    let allow = allow(operations, has_hidden_delete);
    Err(Box::new(([(header::ALLOW, allow)], refusal).into_response()))
}

fn allow(operations: &[&Operation], has_hidden_delete: bool) -> String {
    let mut methods: Vec<&str> = operations.iter().map(|operation| operation.method).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    if has_hidden_delete {
        methods.push("DELETE");
    }
    methods.push("OPTIONS");
    methods.join(", ")
}

/// The body of an operation that has one, if it is of the right type and size.
async fn read_body(
    operation: &Operation,
    parts: &Parts,
    body: Body,
) -> Result<axum::body::Bytes, Response> {
    if operation.body.is_none() {
        return Ok(axum::body::Bytes::new());
    }
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    let media_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or("");
    let media_type = media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let is_patch = operation.is_patch() && media_type == "application/merge-patch+json";
    if media_type != "application/json" && !is_patch {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(plain_refusal(status, "UNSUPPORTED_MEDIA_TYPE", "the body must be JSON"));
    }
    to_bytes(body, BODY_LIMIT).await.map_err(|_| {
        let status = StatusCode::PAYLOAD_TOO_LARGE;
        plain_refusal(status, "PAYLOAD_TOO_LARGE", "the body is larger than 64 kB")
    })
}

/// Runs the handler inside a transaction, for a caller who may call it.
fn run(
    shop: &Shop,
    operation: &Operation,
    parts: &Parts,
    segments: &[String],
    query: &[(String, String)],
    body: &[u8],
) -> Result<Answer, ShopError> {
    shop.database.transaction(|store| {
        let authorization = parts.headers.get(header::AUTHORIZATION);
        let authorization = authorization.map(|value| value.to_str().unwrap_or(""));
        let caller = match operation.access {
            Access::Ignored => None,
            _ => user::identify(store, authorization)?,
        };
        admit(shop, operation, caller.as_ref())?;
        (operation.run)(&Call { shop, store, caller, segments, query, body })
    })
}

/// Whether this caller may call the operation, whatever it is called with.
#[white_box]
fn admit(shop: &Shop, operation: &Operation, caller: Option<&User>) -> Result<(), ShopError> {
    let is_open = operation.access == Access::Ignored || operation.access == Access::Public;
    if is_open {
        return Ok(());
    }
    let Some(caller) = caller else {
        let is_list_of_users = operation.path == "/users" && operation.method == "GET";
        if shop.has("rest-users-open") && is_list_of_users {
            return Ok(());
        }
        return Err(ShopError::Unauthenticated);
    };
    if operation.access == Access::Customer {
        return caller.must_be_customer();
    }
    if operation.access == Access::Admin {
        let is_deletion = operation.path == "/products/{productId}" && operation.method == "DELETE";
        if shop.has("rest-customer-deletes-product") && is_deletion {
            return Ok(());
        }
        return caller.must_be_admin();
    }
    Ok(())
}
