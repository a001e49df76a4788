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
use crate::limit::CallCount;
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
    count: CallCount,
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
        Self { inner, address, limits, protocol: None, count: CallCount::default() }
    }

    /// Adds the attempts that found no stream to a count, besides the call that they are made for: a budget
    /// is what the service sees.
    #[must_use]
    pub fn counting(mut self, count: CallCount) -> Self {
        self.count = count;
        self
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
            Some(Protocol::None) => &[],
            Some(protocol) => std::slice::from_ref(protocol),
            None => &[Protocol::WebSocket, Protocol::EventStream],
        };
        for protocol in candidates {
            match self.attempt(*protocol, request) {
                Attempt::NotOffered => self.count.add_again(),
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::str::FromStr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use http::uri::PathAndQuery;
    use http::{HeaderMap, Method};

    use super::*;

    /// Answers every call with one result.
    struct Plain;

    impl Transport for Plain {
        fn send(&mut self, _request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
            Ok(HttpResponse { status: 200, ..HttpResponse::default() })
        }
    }

    #[test]
    fn attempts_that_found_no_stream_are_calls_and_are_not_made_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = HttpAddress::from_str(&format!("http://{}", listener.local_addr().unwrap()));
        let seen = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&seen);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 8_192]);
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
            }
        });
        let count = CallCount::default();
        let limits = SubscriptionLimits::default();
        let transport = SubscriptionTransport::new(Box::new(Plain), address.unwrap(), limits);
        let mut transport = transport.counting(count.clone());
        let request = HttpRequest {
            method: Method::POST,
            path: PathAndQuery::from_static("/graphql"),
            headers: HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(STREAM))]),
            body: r#"{"query":"subscription{a}"}"#.into(),
        };
        for _ in 0..3 {
            assert_eq!(transport.send(&request).unwrap().status, 200);
            assert_eq!((count.get(), seen.load(Ordering::SeqCst)), (2, 2));
        }
    }
}
