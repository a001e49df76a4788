//! Start, reset and stop; the beginning of a search.

use std::sync::{Arc, PoisonError};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::reply;
use super::request::RunSut;
use super::state::Driver;
use crate::json::Value;

/// What a valid body of `runSUT` asks for.
#[derive(Debug, Clone, Copy)]
struct Order {
    runs: bool,
    resets: bool,
    reports_sql: bool,
}

/// `PUT /runSUT`. Blocks its caller until the system is up.
pub(super) async fn run_sut(
    State(driver): State<Arc<Driver>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let order = match read(&headers, &body, RunSut::read).and_then(|body| order(&body)) {
        Ok(order) => order,
        Err(refusal) => return *refusal,
    };
    if is_quick(&driver, order)
        && let Ok(_turn) = driver.life_cycle.try_lock()
    {
        return answer(carry_out(&driver, order));
    }
    // The controller may block, and for long.
    let obeyed = tokio::task::spawn_blocking(move || obey(&driver, order)).await;
    obeyed.map_or_else(|_| reply::crashed(), answer)
}

/// Whether nothing has to be waited for: a running system is reset by a controller that does so at
/// once.
fn is_quick(driver: &Driver, order: Order) -> bool {
    order.runs && driver.is_running() && driver.controller.resets_at_once()
}

fn answer(obeyed: Result<(), String>) -> Response {
    match obeyed {
        Ok(()) => reply::done(),
        Err(message) => reply::refused(StatusCode::INTERNAL_SERVER_ERROR, &message),
    }
}

/// `POST /newSearch`, with any body.
pub(super) async fn new_search(State(driver): State<Arc<Driver>>) -> Response {
    driver.controller.set_kill_switch(false);
    driver.controller.new_search();
    driver.forget_boot();
    driver.new_test();
    driver.memory().insertions = None;
    reply::created()
}

/// Reads a JSON body strictly. The refusal is boxed, as the rare and large case.
pub(super) fn read<T>(
    headers: &HeaderMap,
    body: &[u8],
    read: impl FnOnce(Value) -> Result<T, String>,
) -> Result<T, Box<Response>> {
    let media_type = headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
    let is_json = media_type.is_none_or(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default();
        essence.trim().eq_ignore_ascii_case("application/json")
    });
    if !is_json {
        return Err(Box::new(StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response()));
    }
    let trimmed = body.trim_ascii();
    if trimmed.is_empty() || trimmed == b"null" {
        return Err(Box::new(reply::crashed()));
    }
    if trimmed.starts_with(b"[") {
        return Err(Box::new(reply::unreadable("Cannot read an object from an array")));
    }
    let read = Value::parse(trimmed).and_then(read);
    read.map_err(|reason| Box::new(reply::unreadable(&reason)))
}

fn order(body: &RunSut) -> Result<Order, Box<Response>> {
    let bad = |reason| Err(Box::new(reply::refused(StatusCode::BAD_REQUEST, reason)));
    let Some(runs) = body.run else {
        return bad("Invalid JSON: 'run' field is required");
    };
    let resets = body.reset_state;
    if resets && !runs {
        return bad("Invalid JSON: cannot reset state and stop service at same time");
    }
    Ok(Order { runs, resets, reports_sql: body.wants_sql })
}

fn obey(driver: &Driver, order: Order) -> Result<(), String> {
    let _turn = driver.life_cycle.lock().unwrap_or_else(PoisonError::into_inner);
    carry_out(driver, order)
}

/// Does what is asked for; nobody else does at the same time.
fn carry_out(driver: &Driver, order: Order) -> Result<(), String> {
    driver.controller.set_kill_switch(false);
    driver.memory().reports_sql = order.reports_sql;
    driver.controller.report_sql(order.reports_sql);
    if !order.runs {
        driver.controller.stop();
        return Ok(());
    }
    if !driver.is_running() {
        driver.controller.start()?;
        driver.forget_boot();
    }
    if order.resets {
        let reset = driver.controller.reset();
        // A new test begins even after a failed reset.
        driver.new_test();
        reset?;
    }
    Ok(())
}
