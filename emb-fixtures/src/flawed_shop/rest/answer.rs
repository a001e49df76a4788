//! What a handler gives back, and how refusals look.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::flawed_shop::error::ShopError;

/// An answer before it is written.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    content: Content,
    location: Option<String>,
    /// How long the answer waits; nothing of the shop itself makes it wait.
    pub(super) delay: Duration,
    /// What is fetched before the answer; nothing of the shop itself is.
    pub(super) fetch: Option<String>,
}

#[derive(Debug)]
enum Content {
    None,
    Json(Value),
    Other(&'static str, String),
}

impl Answer {
    fn new(status: StatusCode, content: Content) -> Self {
        Self { status, content, location: None, delay: Duration::ZERO, fetch: None }
    }

    /// 200 with a body.
    pub(super) fn ok(body: Value) -> Self {
        Self::new(StatusCode::OK, Content::Json(body))
    }

    /// 202 with a body.
    pub(super) fn accepted(body: Value) -> Self {
        Self::new(StatusCode::ACCEPTED, Content::Json(body))
    }

    /// 201 with a body and where it is from now on.
    pub(super) fn created(location: String, body: Value) -> Self {
        let answer = Self::new(StatusCode::CREATED, Content::Json(body));
        Self { location: Some(location), ..answer }
    }

    /// 201 with a body that is no resource of its own.
    pub(super) fn added(body: Value) -> Self {
        Self::new(StatusCode::CREATED, Content::Json(body))
    }

    /// 204.
    pub(super) fn nothing() -> Self {
        Self::new(StatusCode::NO_CONTENT, Content::None)
    }

    /// A text of any type: nothing of the shop itself.
    pub(super) fn text(status: StatusCode, media_type: &'static str, text: String) -> Self {
        Self::new(status, Content::Other(media_type, text))
    }

    /// A refusal that nevertheless keeps what was done: nothing of the shop itself.
    pub(super) fn refused_and_kept(error: &ShopError) -> Self {
        let (status, body) = refusal(error);
        Self::new(status, Content::Json(body))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = match self.content {
            Content::None => self.status.into_response(),
            Content::Json(body) => (self.status, axum::Json(body)).into_response(),
            Content::Other(media_type, text) => {
                (self.status, [(header::CONTENT_TYPE, media_type)], text).into_response()
            }
        };
        if let Some(location) = self.location.and_then(|url| HeaderValue::from_str(&url).ok()) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        response
    }
}

/// Status and body of a refusal.
fn refusal(error: &ShopError) -> (StatusCode, Value) {
    let (status, code) = match error {
        ShopError::Unauthenticated => (StatusCode::UNAUTHORIZED, "UNAUTHENTICATED"),
        ShopError::Forbidden => (StatusCode::FORBIDDEN, "FORBIDDEN"),
        ShopError::NotFound(_) => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        ShopError::Malformed(_) => (StatusCode::BAD_REQUEST, "BAD_REQUEST"),
        ShopError::Conflict("BAD_CREDENTIALS", _) => (StatusCode::BAD_REQUEST, "BAD_CREDENTIALS"),
        ShopError::Conflict(code, _) => (StatusCode::CONFLICT, *code),
        ShopError::Unprocessable(_) => (StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE"),
        ShopError::Internal(_) | ShopError::Store(_) => {
            (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL")
        }
    };
    (status, json!({ "code": code, "message": error.to_string() }))
}

impl IntoResponse for ShopError {
    fn into_response(self) -> Response {
        let (status, body) = refusal(&self);
        let mut response = (status, axum::Json(body)).into_response();
        if status == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

/// A refusal that is none of the shop: wrong path, method, media type or size.
pub(super) fn plain_refusal(status: StatusCode, code: &str, message: &str) -> Response {
    (status, axum::Json(json!({ "code": code, "message": message }))).into_response()
}
