//! GET paths that call operations, and the document that describes them: shared by the REST
//! fixtures.
//!
//! Each path is declared once; routes and description come from the same declaration, so that
//! they cannot drift apart. The description is OpenAPI 3.0.3, the version that most tools read.

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use crate::amendment::{Amendments, amend_status};
use crate::error::OperationError;

/// Where the description is.
pub(crate) const OPEN_API: &str = "/openapi.json";

/// Type of an argument in a path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// 32 bits, signed.
    Integer,
    /// 64 bits.
    Number,
    /// A text; as the last argument it must not be empty, since no path ends with a slash.
    Text,
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Self::Integer => json!({ "type": "integer", "format": "int32" }),
            Self::Number => json!({ "type": "number", "format": "double" }),
            Self::Text => json!({ "type": "string" }),
        }
    }
}

/// A REST service under construction, whose handlers share a state of type `S`.
pub(crate) struct RestService<S> {
    title: &'static str,
    answer: Value,
    router: Router<S>,
    paths: Map<String, Value>,
}

impl<S: Clone + Send + Sync + 'static> RestService<S> {
    /// A service without paths; its operations answer 200 with this `content`, as OpenAPI writes
    /// it: media types with their schemas.
    pub(crate) fn new(title: &'static str, content: &Value) -> Self {
        let answer = json!({ "description": "the result", "content": content });
        Self { title, answer, router: Router::new(), paths: Map::new() }
    }

    /// Adds an operation whose arguments, named in the braces of `path`, are of these `kinds`.
    pub(crate) fn get(
        mut self,
        path: &'static str,
        summary: &str,
        kinds: &[Kind],
        handler: MethodRouter<S>,
    ) -> Self {
        let names = path.split('/').filter_map(argument_name);
        let parameters: Vec<Value> =
            names.zip(kinds).map(|(name, kind)| parameter(name, *kind)).collect();
        let operation = json!({
            "operationId": operation_id(path),
            "summary": summary,
            "parameters": parameters,
            "responses": {
                "200": self.answer,
                "400": refusal("an argument is of the wrong type or outside the domain"),
                "404": { "description": "the last argument is empty" },
            },
        });
        self.paths.insert(path.to_owned(), json!({ "get": operation }));
        Self { router: self.router.route(path, handler), ..self }
    }

    /// The finished service, which serves its own description too; its operations are named by
    /// their first two segments where a status becomes another.
    pub(crate) fn router(self, state: S, statuses: Amendments<u16>) -> Router {
        let description = json!({
            "openapi": "3.0.3",
            "info": { "title": self.title, "version": env!("CARGO_PKG_VERSION") },
            "paths": self.paths,
        });
        let describe = move || async move { Json(description) };
        let router = self.router.route(OPEN_API, get(describe)).with_state(state);
        router.layer(from_fn_with_state((statuses, 2), amend_status))
    }
}

/// `name` for the segment `{name}`, `None` for a constant one.
fn argument_name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// The path in one word: its constant segments below the first, and the names of its arguments,
/// since two operations may differ in their arguments alone.
fn operation_id(path: &str) -> String {
    let segments: Vec<&str> = path.split('/').skip(2).collect();
    segments.join("_").replace(['{', '}'], "")
}

fn parameter(name: &str, kind: Kind) -> Value {
    json!({ "name": name, "in": "path", "required": true, "schema": kind.schema() })
}

fn refusal(description: &str) -> Value {
    let schema = json!({
        "type": "object",
        "properties": { "error": { "type": "string" } },
        "required": ["error"],
    });
    json!({ "description": description, "content": { "application/json": { "schema": schema } } })
}

/// The arguments in a path, in their order; wrong ones are refused with a JSON body.
pub(crate) struct Arguments<T>(pub(crate) T);

impl<T, S> FromRequestParts<S> for Arguments<T>
where
    Path<T>: FromRequestParts<S, Rejection = PathRejection>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        state: &S,
    ) -> Result<Self, Refusal> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(arguments)) => Ok(Self(arguments)),
            Err(rejection) => {
                Err(Refusal { status: rejection.status(), error: rejection.body_text() })
            }
        }
    }
}

/// Why a request has no result: a status and a JSON body.
pub(crate) struct Refusal {
    status: StatusCode,
    error: String,
}

impl From<OperationError> for Refusal {
    fn from(error: OperationError) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error: error.to_string() }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error }))).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::{argument_name, operation_id};

    #[test]
    fn paths_are_taken_apart() {
        assert_eq!(argument_name("{txt}"), Some("txt"));
        assert_eq!(argument_name("pat"), None);
        assert_eq!(argument_name(""), None);
        assert_eq!(operation_id("/api/pat/{txt}"), "pat_txt");
        assert_eq!(operation_id("/api/pat/{txt}/{pat}"), "pat_txt_pat");
    }
}
