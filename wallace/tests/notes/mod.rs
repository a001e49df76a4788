//! Notes of users behind REST, on axum: identifiers are UUIDs, and all is in one transaction of a
//! database.

use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use wallace_instrument::white_box;

/// How users log in, as a file of the command says it.
pub(crate) const USERS: &str = r#"
auth: [{ name: ann, loginEndpointAuth: { payloadRaw: '{"name": "ann"}' } },
       { name: bob, loginEndpointAuth: { payloadRaw: '{"name": "bob"}' } }]
authTemplate: { loginEndpointAuth: { endpoint: /login, verb: POST, contentType: application/json,
    token: { extractFrom: body, extractSelector: /token, sendIn: header, sendName: Authorization,
             sendTemplate: 'Bearer {token}' } } }
"#;

#[derive(Clone)]
pub(crate) struct Notes(Arc<Mutex<Connection>>);

impl Notes {
    /// Tables, and the transaction that everything happens in.
    pub(crate) fn open() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        let tables = "create table note (id text primary key, owner text, text text); begin";
        connection.execute_batch(tables).unwrap();
        Self(Arc::new(Mutex::new(connection)))
    }

    /// Brings back what was there when it was opened.
    pub(crate) async fn roll_back(self) -> Result<(), String> {
        // A database elsewhere would be waited for.
        tokio::task::yield_now().await;
        let connection = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        connection.execute_batch("rollback; begin").map_err(|error| error.to_string())
    }

    pub(crate) fn router(self) -> Router {
        Router::new()
            .route("/login", post(login))
            .route("/notes", post(create))
            .route("/notes/{id}", get(read).put(update))
            .route("/openapi.json", get(|| async { Json(description()) }))
            .with_state(self)
    }

    fn owner(&self, id: &str) -> Option<String> {
        let connection = self.0.lock().unwrap();
        let owner =
            connection.query_row("select owner from note where id = ?", [id], |it| it.get(0));
        owner.optional().unwrap()
    }
}

async fn login(Json(who): Json<Value>) -> Response {
    match who["name"].as_str() {
        Some(name @ ("ann" | "bob")) => {
            Json(json!({ "token": format!("t-{name}") })).into_response()
        }
        _ => StatusCode::UNAUTHORIZED.into_response(),
    }
}

fn caller(headers: &HeaderMap) -> Option<String> {
    let value = headers.get("authorization")?.to_str().ok()?;
    value.strip_prefix("Bearer t-").filter(|name| ["ann", "bob"].contains(name)).map(str::to_owned)
}

#[white_box]
async fn create(
    State(notes): State<Notes>,
    headers: HeaderMap,
    Json(note): Json<Value>,
) -> Response {
    let Some(caller) = caller(&headers) else { return StatusCode::UNAUTHORIZED.into_response() };
    let Some(text) = note["text"].as_str() else { return StatusCode::BAD_REQUEST.into_response() };
    let connection = notes.0.lock().unwrap();
    let random = "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || \
                  substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || \
                  hex(randomblob(6)))";
    let made = format!("insert into note values ({random}, ?, ?) returning id");
    let id: String = connection.query_row(&made, params![caller, text], |it| it.get(0)).unwrap();
    (StatusCode::CREATED, Json(json!({ "id": id, "text": text }))).into_response()
}

#[white_box]
async fn read(State(notes): State<Notes>, headers: HeaderMap, Path(id): Path<String>) -> Response {
    let Some(caller) = caller(&headers) else { return StatusCode::UNAUTHORIZED.into_response() };
    match notes.owner(&id) {
        Some(owner) if owner == caller => Json(json!({ "id": id, "text": "" })).into_response(),
        Some(_) => StatusCode::FORBIDDEN.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[white_box]
async fn update(
    State(notes): State<Notes>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Json(note): Json<Value>,
) -> Response {
    let Some(caller) = caller(&headers) else { return StatusCode::UNAUTHORIZED.into_response() };
    match notes.owner(&id) {
        Some(owner) if owner == caller => {}
        Some(_) => return StatusCode::FORBIDDEN.into_response(),
        None => return StatusCode::NOT_FOUND.into_response(),
    }
    let text = note["text"].as_str().unwrap_or_default();
    // A slice of a text that may be shorter.
    let title = if text.starts_with("# ") { &text[..7] } else { text };
    Json(json!({ "id": id, "text": title })).into_response()
}

fn description() -> Value {
    let note = json!({ "type": "object", "required": ["text"], "properties": { "text": { "type": "string" } } });
    let body = json!({ "required": true, "content": { "application/json": { "schema": note } } });
    let id = json!([{ "name": "id", "in": "path", "required": true,
                      "schema": { "type": "string", "format": "uuid" } }]);
    let made = json!({ "type": "object", "required": ["id"], "properties": {
        "id": { "type": "string", "format": "uuid" }, "text": { "type": "string" } } });
    let answer =
        json!({ "description": "a note", "content": { "application/json": { "schema": made } } });
    let others = ["400", "401", "403", "404"]
        .map(|status| (status.to_owned(), json!({ "description": "" })));
    let answers = |status: &str| -> Value {
        others.iter().cloned().chain([(status.to_owned(), answer.clone())]).collect()
    };
    json!({ "openapi": "3.0.3", "info": { "title": "notes", "version": "1" }, "paths": {
        "/notes": { "post": { "requestBody": body, "responses": answers("201") } },
        "/notes/{id}": { "parameters": id,
            "get": { "responses": answers("200") },
            "put": { "requestBody": body, "responses": answers("200") } } } })
}
