//! The service over HTTP: one POST path per operation, with a description.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::predicate::State;
use super::program::Program;
use super::table::SWITCHES;
use crate::rest::OPEN_API;
use crate::switch::Switches;
use crate::system::System;

/// One instance.
#[derive(Clone)]
struct Service {
    program: Arc<Program>,
    state: Arc<Mutex<State>>,
    switches: Switches,
}

fn path(operation: usize) -> String {
    format!("/operation{operation:02}")
}

/// A request as `expected.toml` writes it.
pub(super) fn request(operation: usize, arguments: &Value) -> String {
    format!("POST {} {arguments}", path(operation))
}

/// An instance with these switches on.
pub(super) fn system(program: Program, switches: Switches) -> System {
    let state = Arc::new(Mutex::new(State::default()));
    let service = Service { program: Arc::new(program), state: Arc::clone(&state), switches };
    let description = describe(&service.program);
    let mut router = Router::new().route(OPEN_API, get(move || async move { Json(description) }));
    for operation in 0..service.program.operations.len() {
        let handler = move |Shared(service): Shared<Service>, Json(arguments): Json<Value>| async move {
            answer(&service, operation, &arguments)
        };
        router = router.route(&path(operation), post(handler));
    }
    System::stateful(router.with_state(service), move || {
        *state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
        Ok(())
    })
}

fn answer(service: &Service, number: usize, arguments: &Value) -> (StatusCode, Json<Value>) {
    let operation = &service.program.operations[number];
    if !operation.arguments.admits(arguments) {
        let error = json!({ "error": "the arguments are not as described" });
        return (StatusCode::BAD_REQUEST, Json(error));
    }
    let mut state = service.state.lock().unwrap_or_else(PoisonError::into_inner);
    let leaf = operation.leaf(arguments, &state, Some(number));
    operation.apply(leaf, &mut state);
    let is_wrong = service.switches.is_on(SWITCHES[number].name);
    let shown = leaf + usize::from(is_wrong);
    (StatusCode::OK, Json(json!({ "leaf": shown })))
}

fn describe(program: &Program) -> Value {
    let answer = json!({
        "type": "object", "properties": { "leaf": { "type": "integer" } }, "required": ["leaf"],
    });
    let error = json!({
        "type": "object", "properties": { "error": { "type": "string" } }, "required": ["error"],
    });
    let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
    let describe = |(number, operation): (usize, &super::program::Operation)| {
        let described = json!({
            "operationId": path(number).trim_start_matches('/'),
            "requestBody": { "required": true, "content": content(&operation.arguments.schema()) },
            "responses": {
                "200": { "description": "the end that was reached", "content": content(&answer) },
                "400": { "description": "wrong arguments", "content": content(&error) },
            },
        });
        (path(number), json!({ "post": described }))
    };
    let paths: Map<String, Value> = program.operations.iter().enumerate().map(describe).collect();
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Generated", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
    })
}
