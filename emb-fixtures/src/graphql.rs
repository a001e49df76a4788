//! A GraphQL endpoint over HTTP, shared by the GraphQL fixtures.
//!
//! Requests are read by axum's JSON extractor and not by `async-graphql-axum`, whose extractor
//! does not respect axum's limit on the size of a body and reads multipart uploads, which no
//! fixture has.

use std::collections::BTreeMap;

use async_graphql::parser::types::Selection;
use async_graphql::{
    EmptyMutation, EmptySubscription, ObjectType, PathSegment, Request, Response, Schema,
};
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::post;
use axum::{Json, Router};

use crate::amendment::Amendments;
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

/// What messages of errors become, by root field.
pub(crate) type Messages = Amendments<&'static str>;

/// Declares a switch for each argument that may be missing: the refusal does not name it. By name
/// of the operation in switches, and in the schema.
macro_rules! unnamed_arguments {
    ($($name:literal $field:literal: $($argument:literal)*;)*) => {
        &[$($($crate::amendment::Amendment::new(
            $crate::switch::Switch::new(
                concat!($name, "-missing-", $argument, "-unnamed"),
                concat!("the refusal of calls without ", $argument, " does not name it"),
            ),
            $field,
            concat!("argument '", $argument, "' is missing"),
            "an argument is missing",
        ),)*)*]
    };
}
pub(crate) use unnamed_arguments;

/// A service with one endpoint that answers POST requests to a schema of queries only.
pub(crate) fn router<Q: ObjectType + 'static>(query: Q, messages: Messages) -> Router {
    serve(Schema::build(query, EmptyMutation, EmptySubscription).finish(), messages)
}

/// A service with one endpoint that answers POST requests to a schema without subscriptions.
pub(crate) fn serve<Q, M>(schema: Schema<Q, M, EmptySubscription>, messages: Messages) -> Router
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
{
    Router::new()
        .route(ENDPOINT, post(answer::<Q, M>))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state((schema, messages))
}

async fn answer<Q, M>(
    State((schema, messages)): State<(Schema<Q, M, EmptySubscription>, Messages)>,
    Json(mut request): Json<Request>,
) -> Json<Response>
where
    Q: ObjectType + 'static,
    M: ObjectType + 'static,
{
    let fields = root_fields(&mut request);
    let mut response = schema.execute(request).await;
    for error in &mut response.errors {
        if let Some(PathSegment::Field(key)) = error.path.first()
            && let Some(field) = fields.get(key)
            && let Some(message) = messages.wrong(field, &error.message)
        {
            error.message = message.to_owned();
        }
    }
    Json(response)
}

/// The fields that a document selects at its root, outside of fragments, by what the answer calls
/// them.
fn root_fields(request: &mut Request) -> BTreeMap<String, String> {
    let Ok(document) = request.parsed_query() else { return BTreeMap::new() };
    let selections = document.operations.iter().flat_map(|(_, operation)| {
        operation.node.selection_set.node.items.iter().map(|item| &item.node)
    });
    let fields = selections.filter_map(|selection| match selection {
        Selection::Field(field) => Some(&field.node),
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => None,
    });
    let named = |field: &async_graphql::parser::types::Field| {
        let key = field.alias.as_ref().unwrap_or(&field.name);
        (key.node.to_string(), field.name.node.to_string())
    };
    fields.map(named).collect()
}
