//! Things to do behind REST, on axum: the service names each by an identifier of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router};
use http::StatusCode;
use serde_json::{Value, json};
use wallace_instrument::white_box;

/// What is to be done, by identifier.
#[derive(Clone, Default)]
pub(crate) struct Todos {
    known: Arc<Mutex<BTreeMap<String, Value>>>,
    made: Arc<Mutex<u64>>,
}

type Id = Path<String>;

impl Todos {
    pub(crate) fn reset(&self) -> Result<(), String> {
        // New things have new names: the counter goes on.
        self.known.lock().map_err(|error| error.to_string())?.clear();
        Ok(())
    }

    pub(crate) fn router(self) -> Router {
        Router::new()
            .route("/todos", post(create))
            .route("/todos/{id}", get(read).put(update).delete(remove))
            .route("/api-docs/openapi.json", get(|| async { Json(description()) }))
            .with_state(self)
    }

    /// A new identifier, of the form that the description promises.
    fn new_id(&self) -> String {
        let mut made = self.made.lock().unwrap();
        *made += 1;
        let mixed = made.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            mixed >> 32,
            mixed & 0xffff,
            mixed >> 52,
            *made & 0xfff,
            mixed >> 16
        )
    }
}

#[white_box]
async fn create(State(todos): State<Todos>, Json(todo): Json<Value>) -> Response {
    let Some(title) = todo["title"].as_str() else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let id = todos.new_id();
    let todo = json!({ "id": id, "title": title, "priority": 1 });
    todos.known.lock().unwrap().insert(id, todo.clone());
    (StatusCode::CREATED, Json(todo)).into_response()
}

#[white_box]
async fn read(State(todos): State<Todos>, Path(id): Id) -> Response {
    match todos.known.lock().unwrap().get(&id) {
        Some(todo) => Json(todo.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[white_box]
async fn update(State(todos): State<Todos>, Path(id): Id, Json(change): Json<Value>) -> Response {
    let mut known = todos.known.lock().unwrap();
    let Some(todo) = known.get_mut(&id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let priority = change["priority"].as_i64().unwrap_or(0);
    if priority == 777 {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    todo["priority"] = json!(priority);
    Json(todo.clone()).into_response()
}

#[white_box]
async fn remove(State(todos): State<Todos>, Path(id): Id) -> Response {
    match todos.known.lock().unwrap().remove(&id) {
        Some(_) => StatusCode::NO_CONTENT.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The same without a marked line, and with a fault that needs a thing to be there.
pub(crate) fn unmarked(todos: Todos) -> Router {
    let make = |State(todos): State<Todos>| async move {
        let id = todos.new_id();
        todos.known.lock().unwrap().insert(id.clone(), Value::Null);
        (StatusCode::CREATED, Json(json!({ "id": id, "title": "a", "priority": 1 })))
    };
    let break_down = |State(todos): State<Todos>, Path(id): Id| async move {
        match todos.known.lock().unwrap().contains_key(&id) {
            true => StatusCode::INTERNAL_SERVER_ERROR,
            false => StatusCode::NOT_FOUND,
        }
    };
    let nothing = || async { StatusCode::NOT_FOUND };
    Router::new()
        .route("/todos", post(make))
        .route("/todos/{id}", delete(break_down))
        .route("/todos/{id}", get(nothing))
        .route("/todos/{id}", put(nothing))
        .with_state(todos)
}

pub(crate) fn description() -> Value {
    let answer = |statuses: &[&str]| -> Value {
        statuses.iter().map(|status| ((*status).to_owned(), json!({ "description": "" }))).collect()
    };
    let todo = json!({ "type": "object", "properties": {
        "id": { "type": "string", "format": "uuid" },
        "title": { "type": "string" },
        "priority": { "type": "integer" },
    }});
    let body = |required: &str, properties: Value| {
        let schema = json!({ "type": "object", "required": [required], "properties": properties });
        json!({ "required": true, "content": { "application/json": { "schema": schema } } })
    };
    let made = json!({ "201": { "description": "", "content": { "application/json": { "schema": todo } } },
        "400": { "description": "" }, "415": { "description": "" }, "422": { "description": "" } });
    let id = json!([{ "name": "id", "in": "path", "required": true,
        "schema": { "type": "string", "format": "uuid" } }]);
    json!({
        "openapi": "3.0.3",
        "info": { "title": "todos", "version": "1" },
        "paths": {
            "/todos": { "post": {
                "requestBody": body("title", json!({ "title": { "type": "string" } })),
                "responses": made,
            }},
            "/todos/{id}": {
                "parameters": id,
                "get": { "responses": answer(&["200", "404"]) },
                "put": {
                    "requestBody": body("priority", json!({ "priority": { "type": "integer" } })),
                    "responses": answer(&["200", "400", "404", "415", "422"]),
                },
                "delete": { "responses": answer(&["204", "404"]) },
            },
        },
    })
}
