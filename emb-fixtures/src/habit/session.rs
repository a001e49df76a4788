//! Tokens that end: by a logout, by another token, with the account.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{Habit, refused};

/// Id of the one who may take any account away.
const ADMIN: &str = "3";

/// The tokens that were given. What the shop knows as a token gets a number of its own at each login.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<Given>);

#[derive(Debug, Default)]
struct Given {
    count: u64,
    ended: BTreeSet<String>,
    /// Ids of users whose account is gone.
    deleted: BTreeSet<String>,
}

/// The id in a token of the shop.
fn id(token: &str) -> &str {
    token.split('.').next().unwrap_or_default()
}

fn are_numbered(habits: &[Habit]) -> bool {
    let of_sessions =
        [Habit::Logout401, Habit::Logout403, Habit::TokenRenewed, Habit::AccountDeleted];
    habits.iter().any(|habit| of_sessions.contains(habit))
}

impl Sessions {
    /// Lets a request in as the shop knows its caller, or answers it.
    pub(super) fn enter(
        &self,
        habits: &[Habit],
        request: &mut Request,
    ) -> Result<(), Box<Response>> {
        if !are_numbered(habits) {
            return Ok(());
        }
        let authorization = request.headers().get(header::AUTHORIZATION);
        let text = authorization.and_then(|value| value.to_str().ok());
        let token = text.and_then(|text| text.strip_prefix("Bearer ")).map(str::to_owned);
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(token) = token.filter(|_| request.uri().path() != "/login") else {
            // Of the operations below, nobody in particular may call any.
            let is_own = is_own(request.uri().path());
            return if is_own { Err(unknown().into()) } else { Ok(()) };
        };
        let Some((inner, _)) = token.rsplit_once('-') else { return Err(unknown().into()) };
        if given.deleted.contains(id(inner)) {
            return Err(unknown().into());
        }
        if given.ended.contains(&token) {
            let is_forbidden = habits.contains(&Habit::Logout403);
            let forbidden = || refused(StatusCode::FORBIDDEN, "FORBIDDEN");
            return Err(Box::new(if is_forbidden { forbidden() } else { unknown() }));
        }
        if let Some(answer) = given.own(habits, request, &token, inner) {
            return Err(answer.into());
        }
        if let Ok(value) = HeaderValue::from_str(&format!("Bearer {inner}")) {
            request.headers_mut().insert(header::AUTHORIZATION, value);
        }
        Ok(())
    }

    /// Numbers the token of a login that went well.
    pub(super) fn leave(&self, habits: &[Habit], path: &str, answer: &mut Value) {
        if !are_numbered(habits) || path != "/login" {
            return;
        }
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(token) = answer["token"].as_str().map(str::to_owned) else { return };
        if given.deleted.contains(id(&token)) {
            *answer =
                json!({ "code": "BAD_CREDENTIALS", "message": "email or password are wrong" });
        } else {
            answer["token"] = given.numbered(&token).into();
        }
    }
}

impl Given {
    fn numbered(&mut self, token: &str) -> String {
        self.count += 1;
        format!("{token}-{}", self.count)
    }

    /// The answer to an operation of the habits themselves.
    fn own(
        &mut self,
        habits: &[Habit],
        request: &Request,
        token: &str,
        inner: &str,
    ) -> Option<Response> {
        let (method, path) = (request.method().as_str(), request.uri().path());
        let has_logout = habits.contains(&Habit::Logout401) || habits.contains(&Habit::Logout403);
        match (method, path) {
            ("POST", "/logout") if has_logout => {
                self.ended.insert(token.to_owned());
                Some(StatusCode::NO_CONTENT.into_response())
            }
            ("POST", "/tokens/mine") if habits.contains(&Habit::TokenRenewed) => {
                self.ended.insert(token.to_owned());
                let token = self.numbered(inner);
                Some(axum::Json(json!({ "token": token })).into_response())
            }
            ("DELETE", path) if habits.contains(&Habit::AccountDeleted) => {
                let account = path.strip_prefix("/accounts/")?;
                if id(inner) != account && id(inner) != ADMIN {
                    return Some(refused(StatusCode::FORBIDDEN, "FORBIDDEN"));
                }
                if !account.parse::<u32>().is_ok_and(|id| id > 0) {
                    return Some(refused(StatusCode::BAD_REQUEST, "BAD_REQUEST"));
                }
                let is_new = self.deleted.insert(account.to_owned());
                let gone = || refused(StatusCode::NOT_FOUND, "NOT_FOUND");
                Some(if is_new { StatusCode::NO_CONTENT.into_response() } else { gone() })
            }
            _ => None,
        }
    }
}

/// A login with the password that the shop knows, where alice has another one.
pub(super) async fn with_own_password(request: Request, largest: usize) -> Request {
    if request.uri().path() != "/login" {
        return request;
    }
    let (mut parts, body) = request.into_parts();
    let bytes = to_bytes(body, largest).await.unwrap_or_default();
    let mut login: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let is_alice = login["email"] == "alice@shop.test";
    let password = match login["password"].as_str() {
        Some("product") if is_alice => "alice-pass",
        Some(_) if is_alice => "",
        _ => return Request::from_parts(parts, Body::from(bytes)),
    };
    login["password"] = password.into();
    parts.headers.remove(header::CONTENT_LENGTH);
    Request::from_parts(parts, Body::from(login.to_string()))
}

fn is_own(path: &str) -> bool {
    matches!(path, "/logout" | "/tokens/mine") || path.starts_with("/accounts/")
}

fn unknown() -> Response {
    refused(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED")
}
