//! Calls over HTTP, as a test makes them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use ::http::uri::PathAndQuery;
use ::http::{HeaderMap, Method};
use serde::{Deserialize, Serialize};
use wallace_engine::Action;
use wallace_genes::Specialisation;
use wallace_sut_driver::http::{HttpConnection, HttpError};

use crate::binding::Filled;
use crate::evaluator::HttpProblem;
use crate::sql::SqlOutcome;
use crate::store::StoreOutcome;

/// A request that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Verb.
    pub method: Method,
    /// Path and query.
    pub path: PathAndQuery,
    /// Headers besides those that every HTTP request has.
    pub headers: HeaderMap,
    /// Body; empty where there is none.
    pub body: bytes::Bytes,
}

/// A response as far as tests look at it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpResponse {
    /// Status code.
    pub status: u16,
    /// Media type with its parameters; empty where there is none.
    pub content_type: String,
    /// Other headers, names in lower case, without those that only carry the message (see
    /// [`HttpResponse::CARRYING`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(Box<str>, Box<str>)>,
    /// Body as text; bytes that are no UTF-8 are replaced.
    pub body: String,
    /// Whether only the beginning of the body is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// The status code that was sent, where `status` is 404 in its place: the answer is the page that the
    /// service has for whatever it does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<u16>,
}

impl HttpResponse {
    /// Headers that are not kept: they say how the message travelled and nothing of the service.
    pub const CARRYING: [&str; 6] =
        ["content-type", "content-length", "connection", "date", "keep-alive", "transfer-encoding"];

    /// Whether the status says that the call went well.
    #[must_use]
    pub fn is_success(&self) -> bool {
        is_success(self.status)
    }

    /// A response as it was received.
    #[must_use]
    pub fn new(status: u16, headers: &HeaderMap, body: Vec<u8>) -> Self {
        let content_type = headers.get("content-type").and_then(|value| value.to_str().ok());
        Self {
            status,
            headers: kept_headers(headers),
            content_type: content_type.unwrap_or_default().to_owned(),
            body: String::from_utf8(body)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            is_cut: false,
            told: None,
        }
    }

    /// The status code as it was sent.
    #[must_use]
    pub fn told_status(&self) -> u16 {
        self.told.unwrap_or(self.status)
    }

    /// Longest body that is kept whole once it was judged, in bytes. Tests are many and live long.
    pub const LONGEST_KEPT: usize = 1 << 17;

    /// Longest body that is read into a tree, in bytes: a tree takes a dozen times the space of its
    /// text, and all answers of a test are judged together.
    pub const LONGEST_TREE: usize = 1 << 20;

    /// The body as a tree; nothing when it is no JSON, nested too deeply, or longer than
    /// [`HttpResponse::LONGEST_TREE`].
    #[must_use]
    pub fn tree(&self) -> Option<serde_json::Value> {
        let is_short = self.body.len() <= Self::LONGEST_TREE;
        is_short.then(|| serde_json::from_str(&self.body).ok())?
    }

    /// The value at a JSON pointer of the body, a text as it is and anything else as JSON; nothing
    /// where there is none.
    #[must_use]
    pub fn text_at(&self, pointer: &str) -> Option<String> {
        match self.tree()?.pointer(pointer)? {
            serde_json::Value::String(text) => Some(text.clone()),
            value => Some(value.to_string()),
        }
    }

    /// Keeps only the beginning of a body that is longer than [`HttpResponse::LONGEST_KEPT`].
    pub(crate) fn cut(&mut self) {
        const BEGINNING: usize = 16 << 10;
        if self.body.len() > Self::LONGEST_KEPT {
            let end = (0..=BEGINNING).rev().find(|end| self.body.is_char_boundary(*end));
            self.body.truncate(end.unwrap_or_default());
            self.body.shrink_to_fit();
            self.is_cut = true;
        }
    }

    /// The first header of this name, given in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| &**known == name).map(|(_, value)| &**value)
    }

    /// The media type in lower case, without parameters.
    #[must_use]
    pub fn media_type(&self) -> String {
        self.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

/// Why a call gave no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallFailure {
    /// No complete response in time.
    TimedOut,
    /// The connection ended before the response was complete; it may have been idle for too long.
    Closed,
    /// The service ended a connection that was in use, without a complete response.
    Dropped,
    /// The response was larger than the limit.
    TooLarge,
    /// What came back is not HTTP.
    Malformed,
    /// Nothing listens any more.
    Refused,
}

impl CallFailure {
    /// The failure as a word of a target's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TimedOut => "timeout",
            Self::Closed => "closed",
            Self::Dropped => "dropped",
            Self::TooLarge => "too-large",
            Self::Malformed => "malformed",
            Self::Refused => "refused",
        }
    }
}

impl From<&HttpError> for CallFailure {
    fn from(error: &HttpError) -> Self {
        match error {
            HttpError::TimedOut { .. } => Self::TimedOut,
            HttpError::Closed { .. } => Self::Closed,
            HttpError::TooLarge { .. } => Self::TooLarge,
            HttpError::Malformed { .. } => Self::Malformed,
            HttpError::Refused { .. }
            | HttpError::Tls { .. }
            | HttpError::Proxy { .. }
            | HttpError::Io { .. } => Self::Refused,
        }
    }
}

/// How the system under test used a tainted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextUse {
    /// The text as it was seen; compare with genes ignoring case.
    pub tainted: String,
    /// What a better text looks like.
    pub specialisation: Specialisation,
}

/// What was observed when an action ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpOutcome {
    /// The request as it went out, but for credentials, which are never kept. Tests share it; it is
    /// not part of checkpoints, which would be twice as long: [`HttpOutcome::request`] makes it again
    /// for a test that was read from one.
    #[serde(skip)]
    pub request: Option<Arc<HttpRequest>>,
    /// What the bound genes of the action were filled with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<Filled>,
    /// The response, or why there is none.
    pub response: Result<HttpResponse, CallFailure>,
    /// The status of what the answer says was made at a place that no description tells of, where
    /// it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub located: Option<u16>,
    /// Uses of tainted texts that the driver reported.
    pub text_uses: Vec<TextUse>,
    /// Innermost statement reached last, where a driver tells it.
    pub last_statement: Option<String>,
    /// Parts of requests that the system asked for, documented or not, where a driver tells it.
    pub reads: RequestReads,
    /// Work on SQL databases, where a driver tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<Box<SqlOutcome>>,
    /// Work on documents and keys, where a driver tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stores: Option<Box<StoreOutcome>>,
}

/// Parts of a request that the system under test asked for by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestReads {
    /// Parameters of the query.
    pub query_parameters: Vec<String>,
    /// Headers.
    pub headers: Vec<String>,
}

impl HttpOutcome {
    /// The outcome of a call, before a driver tells more of it.
    #[must_use]
    pub fn new(response: Result<HttpResponse, CallFailure>) -> Self {
        Self {
            request: None,
            filled: Vec::new(),
            response,
            located: None,
            text_uses: Vec::new(),
            last_statement: None,
            reads: RequestReads::default(),
            sql: None,
            stores: None,
        }
    }

    /// The action as it was sent: bound genes hold what they were filled with.
    #[must_use]
    pub fn sent<'a, A: Action>(&self, action: &'a A) -> Cow<'a, A> {
        let mut sent = Cow::Borrowed(action);
        for filled in &self.filled {
            if let Some(place) = filled.path.find_mut(sent.to_mut().gene_mut()) {
                *place = filled.value.clone();
            }
        }
        sent
    }

    /// The request that was sent for an action.
    #[must_use]
    pub fn request<P: HttpProblem>(&self, problem: &P, action: &P::Action) -> Arc<HttpRequest> {
        let kept = self.request.clone();
        kept.unwrap_or_else(|| Arc::new(problem.request(&self.sent(action))))
    }

    /// The status code, where there is a response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.response.as_ref().ok().map(|response| response.status)
    }

    /// Whether there is a response whose status says that the call went well.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status().is_some_and(is_success)
    }
}

/// Whether a status says that a call went well.
pub(crate) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Carries requests to the system under test: over a socket, or to a service in this process.
pub trait Transport: Send {
    /// Sends one request and waits for the whole response.
    ///
    /// # Errors
    /// Why there is none; the next request may still succeed.
    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure>;

    /// Waits no longer than this for the answers that follow; none takes that back. A transport that has
    /// no limit of its own may leave it.
    fn wait_at_most(&mut self, _longest: Option<Duration>) {}
}

/// How long a connection may be unused before its end may be meant for an idle one: servers wait for
/// two seconds and more.
const IN_USE: Duration = Duration::from_secs(1);

impl Transport for HttpConnection {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let HttpRequest { method, path, headers, body } = request;
        let was_in_use = self.idle().is_none_or(|idle| idle < IN_USE);
        let sent = self.send(method.clone(), path.clone(), headers.clone(), body.clone());
        let response = sent.map_err(|error| match CallFailure::from(&error) {
            CallFailure::Closed if was_in_use && !self.is_ended() => CallFailure::Dropped,
            failure => failure,
        })?;
        let status = response.status.as_u16();
        Ok(HttpResponse::new(status, &response.headers, response.body.into()))
    }
}

fn kept_headers(headers: &HeaderMap) -> Vec<(Box<str>, Box<str>)> {
    let kept = headers.iter().filter(|(name, _)| !HttpResponse::CARRYING.contains(&name.as_str()));
    kept.map(|(name, value)| {
        (name.as_str().into(), String::from_utf8_lossy(value.as_bytes()).into())
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A peer that reads a request and ends the connection without an answer, twice.
    #[test]
    fn a_connection_in_use_that_ends_was_dropped() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let peer = std::thread::spawn(move || {
            for _ in 0..2 {
                let (mut stream, _) = listener.accept().unwrap();
                _ = std::io::Read::read(&mut stream, &mut [0; 1_000]).unwrap();
            }
        });
        let runtime = wallace_sut_driver::BlockingRuntime::new().unwrap();
        let settings = wallace_sut_driver::http::HttpSettings::default();
        let mut connection = HttpConnection::connect(address, settings, &runtime).unwrap();
        let request = HttpRequest {
            method: Method::POST,
            path: "/".parse().unwrap(),
            headers: HeaderMap::new(),
            body: "".into(),
        };
        assert_eq!(Transport::send(&mut connection, &request), Err(CallFailure::Dropped));
        connection.end_with(Arc::new(true.into()));
        assert_eq!(Transport::send(&mut connection, &request), Err(CallFailure::Closed), "by us");
        peer.join().unwrap();
    }

    /// A peer that ends the connection once it has told that it failed.
    #[test]
    fn what_ends_after_an_error_of_the_server_drops_nothing() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let peer = std::thread::spawn(move || {
            let (mut first, _) = listener.accept().unwrap();
            let answer = |stream: &mut std::net::TcpStream, status: &str| {
                _ = std::io::Read::read(stream, &mut [0; 1_000]).unwrap();
                let text = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
                std::io::Write::write_all(stream, text.as_bytes()).unwrap();
            };
            answer(&mut first, "500 Failed");
            let (mut second, _) = listener.accept().unwrap();
            answer(&mut second, "200 OK");
        });
        let runtime = wallace_sut_driver::BlockingRuntime::new().unwrap();
        let settings = wallace_sut_driver::http::HttpSettings::default();
        let mut connection = HttpConnection::connect(address, settings, &runtime).unwrap();
        let request = HttpRequest {
            method: Method::POST,
            path: "/".parse().unwrap(),
            headers: HeaderMap::new(),
            body: "".into(),
        };
        let mut status = || Transport::send(&mut connection, &request).unwrap().status;
        assert_eq!([status(), status()], [500, 200]);
        peer.join().unwrap();
    }

    #[test]
    fn only_the_beginning_of_a_long_body_is_kept() {
        let cut = |body: String| {
            let mut response = HttpResponse { body, ..HttpResponse::default() };
            response.cut();
            (response.body.len(), response.is_cut)
        };
        assert_eq!(cut("x".repeat(HttpResponse::LONGEST_KEPT)), (1 << 17, false));
        assert_eq!(cut("x".repeat(HttpResponse::LONGEST_KEPT + 1)), (16 << 10, true));
        let (length, is_cut) = cut("a\u{e9}".repeat(HttpResponse::LONGEST_KEPT));
        assert!(is_cut && length <= 16 << 10, "{length}");
    }
}
