//! The service of the examples: sums over orders, and how long a number takes to become 1.

use std::time::Duration;

use axum::extract::{Path, Query};
use axum::{Json, Router, routing::get};
use serde_json::{Value, json};
use wallace_instrument::{Driver, DriverError, ProblemInfo, RunningDriver, white_box};

/// Which orders a report is about.
#[derive(serde::Deserialize)]
struct Asked {
    pages: u64,
}

/// How often the rule of Collatz is applied before a number is 1, by recursion.
#[white_box]
fn steps(number: u64) -> u64 {
    match number {
        0 | 1 => 0,
        even if even % 2 == 0 => 1 + steps(even / 2),
        odd => 1 + steps(odd.saturating_mul(3).saturating_add(1)),
    }
}

#[white_box]
async fn collatz(Path(number): Path<u32>) -> Json<Value> {
    Json(json!({ "depth": steps(u64::from(number)) }))
}

/// Each page takes 100 microseconds.
#[white_box]
async fn report(Query(asked): Query<Asked>) -> Json<Value> {
    tokio::time::sleep(Duration::from_micros(100 * asked.pages.min(1_000))).await;
    Json(json!({ "total": 7 * asked.pages }))
}

fn router() -> Router {
    let number = json!({ "type": "integer", "minimum": 1, "maximum": 100_000 });
    let operation = |name: &str, place: &str| {
        let parameter = json!([{ "name": name, "in": place, "required": true, "schema": number }]);
        json!({ "get": { "parameters": parameter, "responses": { "200": { "description": "" } } } })
    };
    let paths = json!({
        "/collatz/{number}": operation("number", "path"),
        "/report": operation("pages", "query"),
    });
    let description =
        json!({ "openapi": "3.0.3", "info": { "title": "", "version": "1" }, "paths": paths });
    Router::new()
        .route("/collatz/{number}", get(collatz))
        .route("/report", get(report))
        .route("/openapi.json", get(|| async { Json(description) }))
}

/// Serves it behind a driver, both on free ports.
pub(crate) fn start() -> Result<RunningDriver, DriverError> {
    let rest = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    Driver::new("examples", rest).unit_prefix(module_path!()).service(0, router).start(0)
}
