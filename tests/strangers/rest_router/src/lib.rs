//! A REST service on axum, tested in a `#[test]`.
use axum::{Json, Router, extract::Path, http::StatusCode, routing::get};
use serde_json::{Value, json};
use wallace_instrument::white_box;

#[white_box]
async fn price(Path((pieces, coupon)): Path<(i32, String)>) -> (StatusCode, String) {
    if pieces < 1 {
        return (StatusCode::BAD_REQUEST, "no pieces".to_owned());
    }
    if coupon == "HALF-MOON" && pieces == 12 {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the moon is full".to_owned());
    }
    (StatusCode::OK, "3".to_owned())
}

fn description() -> Value {
    json!({ "openapi": "3.0.3", "info": { "title": "prices", "version": "1" }, "paths": {
        "/price/{pieces}/{coupon}": { "get": {
            "parameters": [
                { "name": "pieces", "in": "path", "required": true, "schema": { "type": "integer" } },
                { "name": "coupon", "in": "path", "required": true, "schema": { "type": "string" } },
            ],
            "responses": { "200": { "description": "" }, "400": { "description": "" } },
        } },
    } })
}

pub fn router() -> Router {
    Router::new()
        .route("/price/{pieces}/{coupon}", get(price))
        .route("/openapi.json", get(|| async { Json(description()) }))
}

#[test]
#[should_panic(expected = "-> 500 the moon is full")]
fn nothing_is_wrong() {
    wallace::test(router()).calls(2_000).run().unwrap().assert_no_faults();
}
