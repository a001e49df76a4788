//! Documents and keys that a test begins with.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::reply;
use super::run::read;
use super::state::Driver;
use crate::json::{Members, Value, to_json};
use crate::store::{MongoDocument, RedisKey};

struct MongoResults {
    execution_results: Vec<bool>,
    failed_insertion_index: i64,
}

struct RedisResults {
    execution_results: Vec<bool>,
}

to_json! {
    MongoResults {
        execution_results: "executionResults", failed_insertion_index: "failedInsertionIndex",
    }
    RedisResults { execution_results: "executionResults" }
}

fn refused(reason: &str) -> Response {
    reply::refused(StatusCode::BAD_REQUEST, reason)
}

/// The insertions of a body.
fn insertions<T>(
    value: Value,
    one: impl FnMut(Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut members = Members::of(value, &["insertions"])?;
    Ok(members.take("insertions", |list| list.into_list(one))?.unwrap_or_default())
}

fn document(value: Value) -> Result<MongoDocument, String> {
    let mut members = Members::of(value, &["databaseName", "collectionName", "data"])?;
    let mut text = |name| members.take(name, Value::into_text).map(Option::unwrap_or_default);
    Ok(MongoDocument {
        database: text("databaseName")?,
        collection: text("collectionName")?,
        data: text("data")?,
    })
}

fn key(value: Value) -> Result<RedisKey, String> {
    let mut members = Members::of(value, &["command", "key", "field", "value"])?;
    let mut text = |name| members.take(name, Value::into_text);
    Ok(RedisKey {
        command: text("command")?.unwrap_or_default(),
        key: text("key")?.unwrap_or_default(),
        field: text("field")?,
        value: text("value")?.unwrap_or_default(),
    })
}

/// The place of the first that was refused.
fn first_refused(results: &[bool]) -> Option<usize> {
    results.iter().position(|is_taken| !is_taken)
}

/// `POST /mongoInsertion`: what was refused is told, with a status that says so.
pub(super) async fn mongo_insertion(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(reason) = driver.controller.insert_documents(&[]) {
        return refused(&reason);
    }
    let documents = match read(&headers, &body, |value| insertions(value, document)) {
        Ok(documents) => documents,
        Err(refusal) => return *refusal,
    };
    if documents.is_empty() {
        return refused("No input command");
    }
    if documents.iter().any(|one| one.collection.is_empty() || one.database.is_empty()) {
        return refused("Insertion with no target collection or database");
    }
    match driver.controller.insert_documents(&documents) {
        Err(reason) => refused(&reason),
        Ok(mut results) => match first_refused(&results) {
            None => reply::data(&MongoResults {
                execution_results: results,
                failed_insertion_index: -1,
            }),
            Some(place) => {
                results[place..].fill(false);
                let failed_insertion_index = i64::try_from(place).unwrap_or(-1);
                let told = MongoResults { execution_results: results, failed_insertion_index };
                reply::partly(StatusCode::BAD_REQUEST, &told)
            }
        },
    }
}

/// `POST /redisInsertion`: what was refused is told in words.
pub(super) async fn redis_insertion(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(reason) = driver.controller.insert_keys(&[]) {
        return refused(&reason);
    }
    let keys = match read(&headers, &body, |value| insertions(value, key)) {
        Ok(keys) => keys,
        Err(refusal) => return *refusal,
    };
    if keys.is_empty() {
        return refused("No input command");
    }
    match driver.controller.insert_keys(&keys) {
        Err(reason) => refused(&reason),
        Ok(results) => match first_refused(&results) {
            None => reply::data(&RedisResults { execution_results: results }),
            Some(place) => refused(&format!(
                "Failed to execute Redis command: Failed Redis insertion at index {place} for key \
                 '{}'",
                keys.get(place).map_or("", |key| &key.key)
            )),
        },
    }
}
