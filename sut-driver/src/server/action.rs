//! Announcing the actions of a test.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::reply;
use super::request::NewAction;
use super::run::read;
use super::state::Driver;

/// `PUT /newAction`.
pub(super) async fn new_action(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let action = match read(&headers, &body, NewAction::read) {
        Ok(action) => action,
        Err(refusal) => return *refusal,
    };
    let Some(index) = action.index else {
        return reply::crashed();
    };
    if action.has_null_collection || !driver.is_running() {
        return reply::crashed();
    }
    if action.is_rpc_call {
        let reason = "Remote procedure calls are not supported";
        return reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reason);
    }
    announce(&driver, index, &action);
    reply::done()
}

/// Passes the announcement on if it is the next one. The same index again is a repeated request,
/// and any other an error of the engine: both are answered with success, like the peers do, and
/// change nothing.
fn announce(driver: &Driver, index: i32, action: &NewAction) {
    let next = driver.memory().action.map_or(0, |last| last + 1);
    if u32::try_from(index) != Ok(next) {
        tracing::warn!(index, next, "announcement of an action out of order ignored");
        return;
    }
    driver.memory().action = Some(next);
    driver.controller.set_kill_switch(false);
    driver.controller.begin_action(next, &action.name, &action.input_variables);
}
