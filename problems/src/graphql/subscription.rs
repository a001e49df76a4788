//! Subscriptions: the first events of a stream, within bounds.
//!
//! A call of a subscription asks for a stream. [`SubscriptionTransport`] opens it over
//! graphql-transport-ws, or over server-sent events where the service does not speak that, and
//! gives the first events as one response of the media type [`EVENTS`]: a JSON list of execution
//! results. Everything else passes it untouched.

mod deadline;
mod event_stream;
mod websocket;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use http::HeaderValue;
use http::header::ACCEPT;
use serde_json::Value;
use wallace_sut_driver::http::HttpAddress;

use crate::http::{CallFailure, HttpRequest, HttpResponse, Transport};
use deadline::Deadline;

/// Media type of the events of a stream, as this transport gives them.
pub(crate) const EVENTS: &str = "application/graphql-events+json";

/// What a request for a stream accepts; by this it is known.
pub(crate) const STREAM: &str = "text/event-stream";

/// What other requests accept.
pub(crate) const ACCEPTED: &str = "application/graphql-response+json, application/json;q=0.9";

/// How much of a stream is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubscriptionLimits {
    /// Most events. Default 3.
    pub events: usize,
    /// Longest time from the request to the last event. Default 1 s.
    pub wait: Duration,
    /// Most bytes of all events together. Default 1 MiB.
    pub bytes: usize,
}

impl Default for SubscriptionLimits {
    fn default() -> Self {
        Self { events: 3, wait: Duration::from_secs(1), bytes: 1 << 20 }
    }
}

/// How a service streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    WebSocket,
    EventStream,
    /// Neither.
    None,
}

/// What came of asking for a stream.
enum Attempt {
    /// The first events; none when nothing happened in time.
    Events(Vec<Value>),
    /// The service does not speak the protocol.
    NotOffered,
    /// The call got no answer.
    Failed(CallFailure),
}

/// A transport that also carries subscriptions.
pub struct SubscriptionTransport {
    inner: Box<dyn Transport>,
    address: HttpAddress,
    limits: SubscriptionLimits,
    /// Known after the first subscription.
    protocol: Option<Protocol>,
}

impl std::fmt::Debug for SubscriptionTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SubscriptionTransport")
            .field("address", &self.address)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl SubscriptionTransport {
    /// Streams come from `address`, from the path of each request; all else goes through `inner`.
    #[must_use]
    pub fn new(
        inner: Box<dyn Transport>,
        address: HttpAddress,
        limits: SubscriptionLimits,
    ) -> Self {
        Self { inner, address, limits, protocol: None }
    }

    fn attempt(&self, protocol: Protocol, request: &HttpRequest) -> Attempt {
        let deadline = Instant::now() + self.limits.wait;
        let Some(stream) = self.connect() else { return Attempt::Failed(CallFailure::Refused) };
        let stream = Deadline::new(stream, deadline);
        let authority = self.address.authority();
        match protocol {
            Protocol::WebSocket => websocket::run(stream, &authority, request, &self.limits),
            Protocol::EventStream => event_stream::run(stream, &authority, request, &self.limits),
            Protocol::None => Attempt::NotOffered,
        }
    }

    fn connect(&self) -> Option<TcpStream> {
        let addresses = self.address.resolve();
        addresses.iter().find_map(|it| TcpStream::connect_timeout(it, self.limits.wait).ok())
    }

    fn stream(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let known = self.protocol;
        let candidates: &[Protocol] = match &known {
            Some(protocol) => std::slice::from_ref(protocol),
            None => &[Protocol::WebSocket, Protocol::EventStream],
        };
        for protocol in candidates {
            match self.attempt(*protocol, request) {
                Attempt::NotOffered => {}
                Attempt::Failed(failure) => return Err(failure),
                Attempt::Events(events) => {
                    self.protocol = Some(*protocol);
                    return Ok(response(events));
                }
            }
        }
        self.protocol = known.or(Some(Protocol::None));
        // Some services answer with one result.
        let mut request = request.clone();
        request.headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        self.inner.send(&request)
    }
}

impl Transport for SubscriptionTransport {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.inner.wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let accepted = request.headers.get(ACCEPT);
        match accepted.is_some_and(|it| it.as_bytes() == STREAM.as_bytes()) {
            true => self.stream(request),
            false => self.inner.send(request),
        }
    }
}

fn response(events: Vec<Value>) -> HttpResponse {
    HttpResponse {
        status: 200,
        content_type: EVENTS.to_owned(),
        body: Value::Array(events).to_string(),
        ..HttpResponse::default()
    }
}

/// The body of a request as a tree.
fn payload(request: &HttpRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_default()
}

/// An event that says why a stream was refused or ended, with the code that the reason stands for.
fn refusal(code: u16, reason: &str) -> Value {
    let class = match code {
        4401 => "UNAUTHENTICATED",
        4403 => "FORBIDDEN",
        4400 | 4406 | 4408 | 4409 | 4429 => "BAD_REQUEST",
        _ => "INTERNAL_SERVER_ERROR",
    };
    let message = format!("the stream was closed with {code}: {reason}");
    serde_json::json!({ "errors": [{ "message": message, "extensions": { "code": class } }] })
}
