//! A GraphQL endpoint over HTTP, shared by the GraphQL fixtures.
//!
//! Requests are read by axum's JSON extractor and not by `async-graphql-axum`, whose extractor
//! does not respect axum's limit on the size of a body and reads multipart uploads, which no
//! fixture has.

use async_graphql::{EmptyMutation, EmptySubscription, ObjectType, Request, Response, Schema};
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::post;
use axum::{Json, Router};

use crate::error::OperationError;

/// Where the endpoint is.
pub(crate) const ENDPOINT: &str = "/graphql";

/// Largest request body in bytes; it also bounds the time that text operations take.
const BODY_LIMIT: usize = 64 * 1024;

/// What a resolver of a nullable field gives: always `Some`.
///
/// The order of the two wrappers matters. An error inside leaves `null` in the answer, as GraphQL
/// demands of a nullable field; a `Result` outside makes async-graphql 7 leave the field out.
pub(crate) type Answer<T> = Option<Result<T, OperationError>>;

/// The answer when an argument is missing that the schema declares nullable.
pub(crate) fn missing<T>(argument: &'static str) -> Answer<T> {
    Some(Err(OperationError::MissingArgument(argument)))
}

/// A service with one endpoint that answers POST requests to a schema of queries only.
pub(crate) fn router<Q: ObjectType + 'static>(query: Q) -> Router {
    serve(Schema::build(query, EmptyMutation, EmptySubscription).finish())
}

/// A service with one endpoint that answers POST requests to a schema without subscriptions.
pub(crate) fn serve<Q, M>(schema: Schema<Q, M, EmptySubscription>) -> Router
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
{
    Router::new()
        .route(ENDPOINT, post(answer::<Q, M>))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(schema)
}

async fn answer<Q, M>(
    State(schema): State<Schema<Q, M, EmptySubscription>>,
    Json(request): Json<Request>,
) -> Json<Response>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
{
    Json(schema.execute(request).await)
}
