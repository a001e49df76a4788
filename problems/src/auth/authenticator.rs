//! Credentials during a run: users are logged in when they are first needed.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::{Duration, Instant, SystemTime};

use http::header::{CONTENT_TYPE, COOKIE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue};
use thiserror::Error;
use wallace_sut_driver::http::HttpAddress;

use super::expiry::{Ends, USED, lifetime};
use super::secret::Secrets;
use super::user::{
    Endpoint, Login, LoginPayload, Place, SignUp, TokenSource, User, percent_encoded,
};
use crate::binding::child_pointer;
use crate::http::{HttpRequest, HttpResponse, Transport};
use crate::limit::retry_after;

/// Longest time that a login may ask to be left alone.
const LONGEST_LOCK: Duration = Duration::from_secs(300);

/// Why a user has no credentials. The texts hold no secrets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AuthError {
    /// The login could not be sent, or was refused.
    #[error("{user} cannot log in at {endpoint}: {reason}")]
    Login {
        /// Name of the user.
        user: String,
        /// Where the login goes.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// The answer of the login holds no token where it should be.
    #[error(
        "the login of {user} at {endpoint} gives no token at {selector}; its answer holds {answer}"
    )]
    NoToken {
        /// Name of the user.
        user: String,
        /// Where the login goes.
        endpoint: String,
        /// Pointer or header.
        selector: String,
        /// What the answer holds instead, without any of its values.
        answer: String,
    },
}

/// Opens a connection to another server, for logins that go there.
pub type OpenConnection = Box<dyn FnMut(&HttpAddress) -> Result<Box<dyn Transport>, String> + Send>;

/// What a user puts into its requests.
#[derive(Clone, Default)]
struct Credentials {
    headers: HeaderMap,
    query: Vec<(String, String)>,
    /// How long they are good, where that was told.
    life: Option<Duration>,
}

/// Credentials of a user, and since when.
#[derive(Clone)]
struct Issued {
    credentials: Credentials,
    since: Instant,
}

/// The users of a run and their credentials.
///
/// A login happens when its user is first needed, once more after [`Authenticator::renew`], and before
/// what it gave runs out.
/// Users are known by their position.
pub struct Authenticator {
    users: Vec<User>,
    credentials: Vec<Option<Issued>>,
    ends: BTreeMap<usize, Ends>,
    /// Values of the placeholders of users that were created.
    created: BTreeMap<usize, Vec<(String, String)>>,
    secrets: Secrets,
    /// What logins answered and nobody has looked at yet.
    answers: Vec<HttpResponse>,
    nonce: u64,
    open: Option<OpenConnection>,
    /// Until when the last login asked to be left alone.
    locked: Option<Instant>,
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Authenticator").field("users", &self.users).finish_non_exhaustive()
    }
}

impl Authenticator {
    /// Tries to create a user whose name may be taken.
    const MOST_SIGN_UPS: u64 = 5;
    /// Most characters of an answer that an error shows.
    const SHOWN: usize = 200;

    /// The users, none of them logged in. `nonce` makes the names of created users unique to a
    /// run.
    #[must_use]
    pub fn new(users: Vec<User>, nonce: u64) -> Self {
        let mut secrets = Secrets::default();
        for user in &users {
            user.headers.iter().for_each(|(_, value)| secrets.add(value));
            if let Some(login) = &user.login {
                login.payload.secrets(&mut secrets);
                login.headers.iter().for_each(|(_, value)| secrets.add(value));
            }
        }
        let credentials = vec![None; users.len()];
        let (ends, created) = (BTreeMap::new(), BTreeMap::new());
        let answers = Vec::new();
        Self {
            users,
            credentials,
            ends,
            created,
            secrets,
            answers,
            nonce,
            open: None,
            locked: None,
        }
    }

    /// Lets logins go to other servers, over connections that `open` opens.
    #[must_use]
    pub fn with_other_servers(mut self, open: OpenConnection) -> Self {
        self.open = Some(open);
        self
    }

    /// For how long the last login asks to be left alone, where it does.
    pub(crate) fn locked_for(&self) -> Option<Duration> {
        self.locked.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// The users, by position.
    #[must_use]
    pub fn users(&self) -> &[User] {
        &self.users
    }

    /// What must not be written; grows with every login.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// What logins answered since this was asked last: mostly who the user is.
    pub(crate) fn take_answers(&mut self) -> Vec<HttpResponse> {
        std::mem::take(&mut self.answers)
    }

    /// Puts the credentials of a user into a request, after a login where one is needed. Does
    /// nothing when there is no such user.
    ///
    /// # Errors
    /// [`AuthError`]; the request is as it was.
    pub fn authenticate(
        &mut self,
        user: usize,
        request: &mut HttpRequest,
        transport: &mut dyn Transport,
    ) -> Result<(), AuthError> {
        if self.credentials.get(user).is_some_and(Option::is_none) {
            self.issue(user, transport)?;
        } else if self.runs_out(user) && self.issue(user, transport).is_err() {
            // As long as they last.
            self.ends.remove(&user);
            self.credentials[user].iter_mut().for_each(|issued| issued.credentials.life = None);
        }
        let Some(Some(Issued { credentials, .. })) = self.credentials.get(user) else {
            return Ok(());
        };
        for (name, value) in &credentials.headers {
            request.headers.insert(name.clone(), value.clone());
        }
        if !credentials.query.is_empty() {
            request.path = with_query(&request.path, &credentials.query);
        }
        Ok(())
    }

    /// Forgets the credentials of a user, so that the next call logs in again: they may have
    /// expired when a call is answered with 401. Returns whether there was a login to repeat.
    pub fn renew(&mut self, user: usize) -> bool {
        let has_login = self.has_login(user);
        let given_up = if has_login { self.credentials[user].take() } else { None };
        if let Some(Issued { credentials, since }) = &given_up {
            self.ends.entry(user).or_default().last = Some((since.elapsed(), credentials.life));
        }
        given_up.is_some()
    }

    /// Whether the credentials of a user that were given up last, since they were refused, had come to
    /// their end by themselves: it was told that they would, or those before ended at the same age.
    pub(crate) fn has_run_out(&mut self, user: usize) -> bool {
        self.ends.entry(user).or_default().are_of_age()
    }

    /// Whether the credentials of a user will soon be good no more.
    fn runs_out(&self, user: usize) -> bool {
        let Some(Some(issued)) = self.credentials.get(user) else { return false };
        let seen = self.ends.get(&user).and_then(|ends| ends.seen);
        let life = issued.credentials.life.or(seen).filter(|_| self.has_login(user));
        life.is_some_and(|life| issued.since.elapsed() > life.mul_f64(USED))
    }

    fn has_login(&self, user: usize) -> bool {
        self.users.get(user).is_some_and(|user| user.login.is_some())
    }

    fn issue(&mut self, user: usize, transport: &mut dyn Transport) -> Result<(), AuthError> {
        let since = Instant::now();
        let credentials = self.log_in(user, transport)?;
        self.credentials[user] = Some(Issued { credentials, since });
        Ok(())
    }

    /// Logs every user in, to see before a run who can.
    pub fn check(&mut self, transport: &mut dyn Transport) -> Vec<AuthError> {
        let users = 0..self.users.len();
        users.filter_map(|user| self.issue(user, transport).err()).collect()
    }

    fn log_in(
        &mut self,
        index: usize,
        transport: &mut dyn Transport,
    ) -> Result<Credentials, AuthError> {
        let user = self.users[index].clone();
        let mut credentials = Credentials::default();
        for (name, value) in &user.headers {
            insert(&mut credentials.headers, name, value);
        }
        if let Some(sign_up) = &user.sign_up
            && !self.created.contains_key(&index)
        {
            let values = self.sign_up(index, &user, sign_up, transport)?;
            self.created.insert(index, values);
        }
        if let Some(login) = &user.login {
            let values = self.created.get(&index).cloned().unwrap_or_default();
            let response = self.call(&user.name, &login_call(login, &values), transport)?;
            self.take(&user.name, login, &response, &mut credentials)?;
            if self.answers.len() < self.users.len() {
                self.answers.push(response);
            }
        }
        Ok(credentials)
    }

    /// Creates the user; the names tried differ until one is free.
    fn sign_up(
        &mut self,
        index: usize,
        user: &User,
        sign_up: &SignUp,
        transport: &mut dyn Transport,
    ) -> Result<Vec<(String, String)>, AuthError> {
        let mut tries = 0;
        loop {
            let number = self.nonce.wrapping_add(index as u64 * Self::MOST_SIGN_UPS + tries);
            let value = |generator: &super::Generator| {
                (generator.placeholder.clone(), generator.text(number))
            };
            let values: Vec<(String, String)> = sign_up.generators.iter().map(value).collect();
            let call = Call {
                method: &sign_up.method,
                endpoint: &sign_up.endpoint,
                content_type: &sign_up.content_type,
                headers: &[],
                body: filled(&sign_up.payload, &values),
            };
            tries += 1;
            match self.call(&user.name, &call, transport) {
                Err(_) if tries < Self::MOST_SIGN_UPS => {}
                outcome => return outcome.map(|_| values),
            }
        }
    }

    /// Sends a call that must succeed.
    fn call(
        &mut self,
        user: &str,
        call: &Call<'_>,
        transport: &mut dyn Transport,
    ) -> Result<HttpResponse, AuthError> {
        let endpoint = call.endpoint.as_str().to_owned();
        let failed = |reason: String| AuthError::Login {
            user: user.to_owned(),
            endpoint: endpoint.clone(),
            reason,
        };
        let mut other: Option<Box<dyn Transport>> = None;
        let path = match call.endpoint {
            Endpoint::Path(path) => path.clone(),
            Endpoint::Url(url) => {
                let (address, path) = split(url).map_err(failed)?;
                let open = self.open.as_mut();
                let open =
                    open.ok_or_else(|| failed("other servers are not allowed".to_owned()))?;
                other = Some(open(&address).map_err(failed)?);
                path
            }
        };
        let request = call.request(&path).map_err(failed)?;
        let response = match &mut other {
            Some(other) => other.send(&request),
            None => transport.send(&request),
        };
        let response = response.map_err(|failure| failed(failure.as_str().to_owned()))?;
        let wanted = Some(&response).filter(|response| matches!(response.status, 429 | 503));
        let wanted = wanted.and_then(|response| response.header("retry-after"));
        let wanted = wanted.and_then(|wanted| retry_after(wanted.trim(), SystemTime::now()));
        self.locked = wanted.map(|wanted| Instant::now() + wanted.min(LONGEST_LOCK));
        if !(200..400).contains(&response.status) {
            let answer = self.shown(&response);
            return Err(failed(format!("status {}, {answer}", response.status)));
        }
        Ok(response)
    }

    /// Takes token or cookies from the answer of a login.
    fn take(
        &mut self,
        user: &str,
        login: &Login,
        response: &HttpResponse,
        credentials: &mut Credentials,
    ) -> Result<(), AuthError> {
        let no_token = |selector: &str, answer: String| AuthError::NoToken {
            user: user.to_owned(),
            endpoint: login.endpoint.as_str().to_owned(),
            selector: selector.to_owned(),
            answer,
        };
        let Some(rule) = &login.token else {
            let cookies = cookies(response);
            if cookies.is_empty() {
                return Err(no_token("Set-Cookie", held(response)));
            }
            self.secrets.add(&cookies);
            insert(&mut credentials.headers, COOKIE.as_str(), &cookies);
            return Ok(());
        };
        let (selector, token) = match &rule.source {
            TokenSource::Header(name) => {
                (name, response.header(&name.to_ascii_lowercase()).map(str::to_owned))
            }
            TokenSource::Body(pointer) => (pointer, token_at(&response.body, pointer)),
        };
        // A login that answers 200 with an error has no token either.
        let token = token.ok_or_else(|| no_token(selector, held(response)))?;
        self.secrets.add(&token);
        let pointer = match &rule.source {
            TokenSource::Body(pointer) => Some(pointer.as_str()),
            TokenSource::Header(_) => None,
        };
        credentials.life = lifetime(&response.body, pointer, &token);
        let text = rule.template.replace("{token}", &token);
        match &rule.place {
            Place::Header(name) => insert(&mut credentials.headers, name, &text),
            Place::Query(name) => credentials.query.push((name.clone(), text)),
        }
        Ok(())
    }

    fn shown(&self, response: &HttpResponse) -> String {
        let text: String = response.body.chars().take(Self::SHOWN).collect();
        format!("{:?}", self.secrets.redact(&text))
    }
}

/// Where an answer to a login holds something: what stands there may be a token.
fn held(response: &HttpResponse) -> String {
    const MOST: usize = 8;
    let Ok(body) = serde_json::from_str::<serde_json::Value>(&response.body) else {
        return format!("{} bytes that are no JSON", response.body.len());
    };
    let mut places = Vec::new();
    collect_places(&body, "", &mut places);
    places.truncate(MOST);
    if places.is_empty() { "nothing".to_owned() } else { places.join(", ") }
}

fn collect_places(value: &serde_json::Value, place: &str, places: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(members) => {
            for (name, member) in members {
                collect_places(member, &child_pointer(place, name), places);
            }
        }
        serde_json::Value::Null => {}
        _ => places.push(if place.is_empty() { "a value".to_owned() } else { place.to_owned() }),
    }
}

/// A call that is no part of a test.
struct Call<'c> {
    method: &'c http::Method,
    endpoint: &'c Endpoint,
    content_type: &'c str,
    headers: &'c [(String, String)],
    body: String,
}

impl Call<'_> {
    fn request(&self, path: &str) -> Result<HttpRequest, String> {
        let path = PathAndQuery::from_str(path).map_err(|error| format!("{path:?}: {error}"))?;
        let mut headers = HeaderMap::new();
        insert(&mut headers, "accept", "application/json, */*;q=0.8");
        if !self.content_type.is_empty() {
            insert(&mut headers, CONTENT_TYPE.as_str(), self.content_type);
        }
        for (name, value) in self.headers {
            insert(&mut headers, name, value);
        }
        Ok(HttpRequest {
            method: self.method.clone(),
            path,
            headers,
            body: self.body.clone().into(),
        })
    }
}

fn login_call<'l>(login: &'l Login, values: &[(String, String)]) -> Call<'l> {
    Call {
        method: &login.method,
        endpoint: &login.endpoint,
        content_type: if matches!(login.payload, LoginPayload::None) {
            ""
        } else {
            &login.content_type
        },
        headers: &login.headers,
        body: filled(&login.payload.render(&login.content_type), values),
    }
}

fn filled(text: &str, values: &[(String, String)]) -> String {
    values.iter().fold(text.to_owned(), |text, (placeholder, value)| {
        text.replace(placeholder.as_str(), value)
    })
}

/// Adds a header; one that HTTP cannot carry is left out, since no service could want it.
fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::from_str(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

fn split(url: &str) -> Result<(HttpAddress, String), String> {
    let address: HttpAddress = url.parse().map_err(|error| format!("{error}"))?;
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |start| &rest[start..]);
    Ok((address, path.to_owned()))
}

fn cookies(response: &HttpResponse) -> String {
    let all = response.headers.iter().filter(|(name, _)| &**name == "set-cookie");
    let pairs = all.filter_map(|(_, value)| value.split(';').next()).map(str::trim);
    pairs.collect::<Vec<_>>().join("; ")
}

fn token_at(body: &str, pointer: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(body).ok()?;
    match value.pointer(pointer)? {
        serde_json::Value::String(text) if !text.is_empty() => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn with_query(path: &PathAndQuery, query: &[(String, String)]) -> PathAndQuery {
    let mut text = path.as_str().to_owned();
    for (name, value) in query {
        text.push(if text.contains('?') { '&' } else { '?' });
        text.push_str(&format!("{}={}", percent_encoded(name), percent_encoded(value)));
    }
    PathAndQuery::from_str(&text).unwrap_or_else(|_| path.clone())
}

#[cfg(test)]
mod tests;
