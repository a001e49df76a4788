//! Habits of services that nobody here wrote: no faults, but what surprises whoever calls them.
//!
//! A habit lies around a fixture and changes nothing inside. With habits alone there is nothing to
//! report. Those of sessions fit the shop: they know its login and its tokens.

mod description;
mod refusal;
mod session;
mod shape;

use std::collections::hash_map::RandomState;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tower_service::Service;

use self::refusal::Dialect;
use self::session::Sessions;
use self::shape::{RateLimit, Tenants};
use crate::rest;
use crate::system::System;

/// Largest body that is looked at, in bytes.
const LARGEST: usize = 4 << 20;

/// What a service does besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Habit {
    /// POST /logout ends the token of its caller: 401 from then on
    Logout401,
    /// The same, with 403 from then on
    Logout403,
    /// POST /tokens/mine gives another token and ends the one of the call
    TokenRenewed,
    /// DELETE /accounts/{userId} takes an account away, that of its caller or, for admins, any
    AccountDeleted,
    /// What is not there is answered with 403
    ForbiddenAbsent,
    /// Everything is below /api/v1, which the description does not say
    Prefix,
    /// Everything is below /shops/{shopId}, and shops are made first
    Tenants,
    /// The same below /shops/{owner}/{shop}, which take names and no ids
    NamedTenants,
    /// The password of alice is the word `product`
    CommonPassword,
    /// Refusals as Spring sends them
    RefusalsSpring,
    /// Refusals as FastAPI sends them
    RefusalsFastapi,
    /// Refusals as NestJS sends them
    RefusalsNest,
    /// Refusals as Django REST framework sends them
    RefusalsDjango,
    /// Refusals as Rails sends them
    RefusalsRails,
    /// Refusals as ASP.NET sends them
    RefusalsAspnet,
    /// GET /products asks for a pause after three calls in a second
    RateLimit,
    /// Lists are in an order that changes with each start
    SetOrder,
    /// Objects hold a value that differs each time
    RandomValues,
}

/// The instance with these habits around it.
pub(crate) fn surround(system: System, habits: &[Habit]) -> System {
    if habits.is_empty() {
        return system;
    }
    let outside = Outside {
        habits: habits.into(),
        sessions: Arc::default(),
        tenants: Arc::default(),
        rate: Arc::default(),
        order: RandomState::new(),
        inside: system.router(),
    };
    system.with_router(Router::new().fallback(answer).with_state(outside))
}

/// What lies around a service, and the service.
#[derive(Clone)]
struct Outside {
    habits: Arc<[Habit]>,
    sessions: Arc<Sessions>,
    tenants: Arc<Tenants>,
    rate: Arc<RateLimit>,
    /// Differs with each start.
    order: RandomState,
    inside: Router,
}

impl Outside {
    fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }
}

async fn answer(State(mut outside): State<Outside>, request: Request) -> Response {
    match outside.pass(request).await {
        Ok(response) => response,
        Err(response) => *response,
    }
}

impl Outside {
    /// The error is an answer too: what does not get inside.
    async fn pass(&mut self, mut request: Request) -> Result<Response, Box<Response>> {
        let is_description = request.uri().path() == rest::OPEN_API;
        let mut shop = None;
        if !is_description {
            if self.has(Habit::Prefix) {
                shape::strip_prefix(&mut request)?;
            }
            let has_names = self.has(Habit::NamedTenants);
            if has_names || self.has(Habit::Tenants) {
                shop = self.tenants.enter(&mut request, has_names)?;
            }
            if self.has(Habit::CommonPassword) {
                request = session::with_own_password(request, LARGEST).await;
            }
            if self.has(Habit::RateLimit) {
                self.rate.admit(&request)?;
            }
            self.sessions.enter(self.habits.as_ref(), &mut request)?;
        }
        let path = request.uri().path().to_owned();
        // Routers are always ready, and never fail.
        let response = match self.inside.call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (mut parts, body) = response.into_parts();
        if let (Some(shop), Some(location)) = (shop, parts.headers.get(header::LOCATION)) {
            let location = format!("{shop}{}", location.to_str().unwrap_or_default());
            if let Ok(location) = header::HeaderValue::from_str(&location) {
                parts.headers.insert(header::LOCATION, location);
            }
        }
        let bytes = to_bytes(body, LARGEST).await.unwrap_or_default();
        let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
            return Ok(Response::from_parts(parts, Body::from(bytes)));
        };
        if is_description {
            description::adapt(&mut value, &self.habits);
        } else {
            self.sessions.leave(self.habits.as_ref(), &path, &mut value);
            self.shape(&mut parts.status, &mut value);
        }
        parts.headers.remove(header::CONTENT_LENGTH);
        Ok(Response::from_parts(parts, Body::from(Bytes::from(value.to_string()))))
    }

    fn shape(&self, status: &mut StatusCode, value: &mut Value) {
        if self.has(Habit::ForbiddenAbsent) && *status == StatusCode::NOT_FOUND {
            *status = StatusCode::FORBIDDEN;
        }
        if let Some(dialect) = Dialect::of(&self.habits)
            && *status == StatusCode::BAD_REQUEST
        {
            dialect.rewrite(value);
        }
        if self.has(Habit::SetOrder) {
            shape::reorder(value, &self.order);
        }
        if self.has(Habit::RandomValues) && status.is_success() {
            shape::add_random(value);
        }
    }
}

/// A refusal in the words of the shop.
fn refused(status: StatusCode, code: &str) -> Response {
    let body = serde_json::json!({ "code": code, "message": "not like this" });
    let mut response = (status, axum::Json(body)).into_response();
    if status == StatusCode::UNAUTHORIZED {
        let bearer = header::HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
    }
    response
}
