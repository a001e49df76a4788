//! What a run stands on: the things by which the service knows its users.
//!
//! A token, a session or an account that belongs to a user of the run is recognised in answers by what
//! the user's credentials name (the token itself, the name of the login), by the user's own name, and
//! where an answer is about whoever asks. Calls that would change such a thing are not made, since
//! many services could never let the user in again.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Map, Value};

use super::secret::Secrets;
use super::user::{LoginPayload, User};
use crate::http::{HttpRequest, HttpResponse};

/// Shortest credential that answers are searched for: shorter texts stand there by chance.
const SHORTEST: usize = 4;
/// The same for what a login gave, beside which passwords stand, which may be words.
const SHORTEST_TOKEN: usize = 12;
/// Members of an object that name it.
const NAMES: [&str; 6] = ["id", "_id", "uuid", "guid", "key", "slug"];
/// Words of paths that lead to whoever asks.
const ASKER: [&str; 5] = ["me", "self", "current", "myself", "whoami"];
/// Most things that are remembered.
const MOST: usize = 1_000;

/// The things that are the users' own.
#[derive(Debug, Default)]
pub(crate) struct OwnThings {
    /// What the credentials name.
    texts: Vec<String>,
    /// Kind, as paths name it, and id.
    things: BTreeSet<(Box<str>, Box<str>)>,
}

impl OwnThings {
    pub(crate) fn of(users: &[User]) -> Self {
        let mut texts = BTreeSet::new();
        for user in users {
            texts.insert(user.name.clone());
            for (_, value) in &user.headers {
                texts.extend(credentials(value));
            }
            match user.login.as_ref().map(|login| &login.payload) {
                Some(LoginPayload::UserPassword { user, .. }) => _ = texts.insert(user.1.clone()),
                Some(LoginPayload::Raw(payload)) => texts.extend(scalars(payload)),
                Some(LoginPayload::None) | None => {}
            }
        }
        let texts = texts.into_iter().filter(|text| text.len() >= SHORTEST).collect();
        Self { texts, things: BTreeSet::new() }
    }

    /// Adds the tokens that logins gave.
    pub(crate) fn know(&mut self, secrets: &Secrets) {
        let tokens = secrets.all().into_iter().filter(|secret| secret.len() >= SHORTEST_TOKEN);
        for token in tokens {
            if !self.texts.contains(&token) {
                self.texts.push(token);
            }
        }
    }

    /// Looks for own things in an answer.
    pub(crate) fn learn(&mut self, request: &HttpRequest, response: &HttpResponse) {
        let is_named = |text: &String| response.body.contains(text.as_str());
        let is_about_asker = segments(request).any(|segment| ASKER.contains(&segment));
        if self.things.len() >= MOST || !(is_about_asker || self.texts.iter().any(is_named)) {
            return;
        }
        let Some(tree) = response.tree() else { return };
        let kinds: Vec<String> = segments(request).map(kind).collect();
        if is_about_asker && let Some(members) = tree.as_object() {
            self.keep(members, &kinds);
        }
        self.collect(&tree, &kinds);
    }

    fn keep(&mut self, members: &Map<String, Value>, kinds: &[String]) {
        let ids: Vec<String> =
            NAMES.iter().filter_map(|name| members.get(*name)).filter_map(scalar).collect();
        for id in ids {
            self.things.extend(kinds.iter().map(|kind| (kind.as_str().into(), id.as_str().into())));
        }
    }

    fn collect(&mut self, value: &Value, kinds: &[String]) {
        match value {
            Value::Array(elements) => {
                elements.iter().for_each(|element| self.collect(element, kinds));
            }
            Value::Object(members) => {
                let is_own = |member: &Value| {
                    member.as_str().is_some_and(|text| self.texts.iter().any(|own| own == text))
                };
                if members.values().any(is_own) {
                    self.keep(members, kinds);
                }
                members.values().for_each(|member| self.collect(member, kinds));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Whether the call would change one of them: a verb that changes, on a path that ends with it.
    pub(crate) fn is_threatened(&self, request: &HttpRequest) -> bool {
        let changes = [Method::PUT, Method::PATCH, Method::DELETE];
        if self.things.is_empty() || !changes.contains(&request.method) {
            return false;
        }
        let segments: Vec<&str> = segments(request).collect();
        let [before @ .., id] = segments.as_slice() else { return false };
        let Some(parent) = before.last() else { return false };
        self.things.contains(&(kind(parent).into(), (*id).into()))
    }
}

/// The segments of a path, without its query.
fn segments(request: &HttpRequest) -> impl Iterator<Item = &str> {
    request.path.path().split('/').filter(|segment| !segment.is_empty())
}

/// What a segment calls its things: in the singular and in lower case.
fn kind(segment: &str) -> String {
    let lower = segment.to_ascii_lowercase();
    match lower.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => lower.strip_suffix('s').unwrap_or(&lower).to_owned(),
    }
}

/// What a header names: the token behind a scheme, and the name in basic credentials.
fn credentials(value: &str) -> Vec<String> {
    use base64::Engine;
    let Some((scheme, token)) = value.split_once(' ') else { return vec![value.to_owned()] };
    let token = token.trim();
    let mut texts = vec![token.to_owned()];
    if scheme.eq_ignore_ascii_case("basic")
        && let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(token)
        && let Ok(pair) = String::from_utf8(bytes)
        && let Some((name, _)) = pair.split_once(':')
    {
        texts.push(name.to_owned());
    }
    texts
}

/// The texts of a login's payload, the names and not the passwords: those of answers are never own.
fn scalars(payload: &str) -> Vec<String> {
    let Ok(Value::Object(members)) = serde_json::from_str(payload) else { return Vec::new() };
    let is_name = |name: &str| !Secrets::is_secret_name(name);
    let named = members.into_iter().filter(|(name, _)| is_name(name));
    named.filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn request(method: Method, path: &str) -> HttpRequest {
        let (headers, body) = (HeaderMap::new(), bytes::Bytes::new());
        HttpRequest { method, path: path.parse().unwrap(), headers, body }
    }

    fn learnt(header: &str, path: &str, body: &str) -> OwnThings {
        let headers = vec![("authorization".to_owned(), header.to_owned())];
        let mut own = OwnThings::of(&[User::with_headers("admin", headers)]);
        let response =
            HttpResponse { status: 200, body: body.to_owned(), ..HttpResponse::default() };
        own.learn(&request(Method::GET, path), &response);
        own
    }

    #[test]
    fn the_own_token_is_not_deleted() {
        let body = r#"[{"id": 1, "token": "C1"}, {"id": 3, "token": "Cx81mPQ"}]"#;
        let own = learnt("Bearer Cx81mPQ", "/client", body);
        assert!(own.is_threatened(&request(Method::DELETE, "/client/3")));
        assert!(own.is_threatened(&request(Method::PUT, "/api/clients/3?x=1")));
        assert!(!own.is_threatened(&request(Method::DELETE, "/client/1")));
        assert!(!own.is_threatened(&request(Method::GET, "/client/3")));
        assert!(!own.is_threatened(&request(Method::DELETE, "/message/3")));
    }

    #[test]
    fn nor_is_the_own_account() {
        let body = r#"{"data": {"id": "9f-1", "name": "root", "email": "admin@example.org"}}"#;
        // admin@example.org:secret
        let own = learnt("Basic YWRtaW5AZXhhbXBsZS5vcmc6c2VjcmV0", "/users/me", body);
        assert!(own.is_threatened(&request(Method::DELETE, "/users/9f-1")));
        assert!(!own.is_threatened(&request(Method::DELETE, "/users/9f-2")));
    }

    #[test]
    fn whoever_asks_for_itself_is_told_of_itself() {
        let own = learnt("Cx81mPQ", "/current/user", r#"{"id": 1, "name": "root"}"#);
        assert!(own.is_threatened(&request(Method::DELETE, "/user/1")));
        assert!(!own.is_threatened(&request(Method::DELETE, "/user/2")));
        let list =
            learnt("Cx81mPQ", "/user", r#"[{"id": 1, "name": "admin"}, {"id": 2, "name": "x"}]"#);
        assert!(list.is_threatened(&request(Method::DELETE, "/user/1")), "it has the user's name");
        assert!(!list.is_threatened(&request(Method::DELETE, "/user/2")));
    }
}
