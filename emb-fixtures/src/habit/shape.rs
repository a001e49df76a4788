//! Where things are, how often they may be asked for, and in which order they come.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::refused;

/// Path below which everything is.
const PREFIX: &str = "/api/v1";
/// Calls in a second before a pause is asked for.
const MOST_CALLS: usize = 3;

/// The request as the service behind the prefix knows it.
pub(super) fn strip_prefix(request: &mut Request) -> Result<(), Box<Response>> {
    let inner = request.uri().path().strip_prefix(PREFIX).filter(|rest| rest.starts_with('/'));
    let Some(inner) = inner.map(str::to_owned) else {
        let refusal = (StatusCode::NOT_FOUND, axum::Json(json!({ "detail": "Not Found" })));
        return Err(refusal.into_response().into());
    };
    go_to(request, &inner)
}

/// Leads a request to another path, with its query.
fn go_to(request: &mut Request, path: &str) -> Result<(), Box<Response>> {
    let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
    let uri: Result<Uri, _> = format!("{path}{query}").parse();
    *request.uri_mut() = uri.map_err(|_| refused(StatusCode::BAD_REQUEST, "BAD_REQUEST"))?;
    Ok(())
}

/// Who owns the shops where they are called by names.
const OWNER: &str = "house";

/// The shops that were made; behind each is the same one.
#[derive(Debug, Default)]
pub(super) struct Tenants(Mutex<BTreeSet<String>>);

impl Tenants {
    /// Lets a request into its shop, whose path is given back, or answers it. Where shops are called
    /// by names, that of their owner comes before, and numbers lead nowhere.
    pub(super) fn enter(
        &self,
        request: &mut Request,
        has_names: bool,
    ) -> Result<Option<String>, Box<Response>> {
        let path = request.uri().path().to_owned();
        if path == "/login" {
            return Ok(None);
        }
        let absent = || Box::new(refused(StatusCode::NOT_FOUND, "NOT_FOUND"));
        let mut shops = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = path.strip_prefix("/shops").ok_or_else(absent)?;
        let Some(rest) = rest.strip_prefix('/') else {
            let shown = |shop: &String| match has_names {
                true => {
                    let id = shop.rsplit('-').next().and_then(|id| id.parse::<u32>().ok());
                    json!({ "id": id, "name": shop, "owner": { "id": 1, "login": OWNER } })
                }
                false => json!({ "id": shop }),
            };
            return Err(Box::new(match request.method().as_str() {
                "POST" => {
                    let shop = format!("shop-{}", shops.len() + 1);
                    shops.insert(shop.clone());
                    (StatusCode::CREATED, axum::Json(shown(&shop))).into_response()
                }
                "GET" => {
                    axum::Json(shops.iter().map(shown).collect::<Vec<Value>>()).into_response()
                }
                _ => {
                    let refusal = refused(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED");
                    ([(header::ALLOW, "GET, POST")], refusal).into_response()
                }
            }));
        };
        let owned = rest.strip_prefix(OWNER).and_then(|rest| rest.strip_prefix('/'));
        let (rest, owner) = match has_names {
            true => (owned.ok_or_else(absent)?, format!("/{OWNER}")),
            false => (rest, String::new()),
        };
        let (shop, inner) = rest.split_once('/').unwrap_or((rest, ""));
        if !shops.contains(shop) {
            return Err(absent());
        }
        go_to(request, &format!("/{inner}"))?;
        Ok(Some(format!("/shops{owner}/{shop}")))
    }
}

/// When the products were asked for.
#[derive(Debug, Default)]
pub(super) struct RateLimit(Mutex<Vec<Instant>>);

impl RateLimit {
    /// Lets a request in, or asks for a pause.
    pub(super) fn admit(&self, request: &Request) -> Result<(), Box<Response>> {
        if request.method() != "GET" || request.uri().path() != "/products" {
            return Ok(());
        }
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.retain(|call| call.elapsed() < Duration::from_secs(1));
        if calls.len() >= MOST_CALLS {
            let mut response = refused(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS");
            response.headers_mut().insert(header::RETRY_AFTER, 1.into());
            return Err(response.into());
        }
        calls.push(Instant::now());
        Ok(())
    }
}

/// Puts the elements of a list into an order of this start.
pub(super) fn reorder(value: &mut Value, order: &RandomState) {
    if let Value::Array(elements) = value {
        elements.sort_by_key(|element| order.hash_one(element.to_string()));
    }
}

/// Gives objects a member that differs each time.
pub(super) fn add_random(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let random = RandomState::new().hash_one(members.len());
            members.insert("traceId".to_owned(), format!("{random:016x}").into());
        }
        Value::Array(elements) => elements.iter_mut().for_each(add_random),
        _ => {}
    }
}
