//! Requests to a service in this process, without sockets.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, HttpBody, to_bytes};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use tower::ServiceExt;
use tower_service::Service;
use wallace_problems::{CallFailure, HttpRequest, HttpResponse, Transport};

use crate::error::RunError;
use crate::runtime::Surroundings;

pub use crate::local_service::LocalService;

/// Largest body of a response, in bytes; as over sockets.
const BODY_LIMIT: usize = 64 << 20;

type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, CallFailure>> + Send>>;
type Serve = Box<dyn FnMut(Request<Body>) -> Answer + Send>;

/// A service that is called where it is: an `axum::Router`, or any other `tower` service of HTTP
/// requests.
///
/// Each call waits for its response. Tasks that the service has started go on during later calls; from
/// a task of a runtime of several threads, they go on there.
///
/// ```
/// use axum::{Router, routing::get};
/// use wallace::in_process::InProcess;
///
/// let router = Router::new().route("/health", get(|| async { "fine" }));
/// let mut service = InProcess::new(router)?;
/// let answer = service.call("GET", "/health", &[], "")?;
/// assert_eq!((answer.status, answer.body.as_str()), (200, "fine"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct InProcess {
    serve: Serve,
    runtime: Surroundings,
    call_timeout: Duration,
    longest: Option<Duration>,
}

impl std::fmt::Debug for InProcess {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("InProcess").finish_non_exhaustive()
    }
}

/// A call got no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the call got no response: {}", .0.as_str())]
pub struct NoResponse(pub CallFailure);

impl InProcess {
    /// Takes a service.
    ///
    /// # Errors
    /// [`RunError::Settings`] in a runtime of one thread, which would wait for itself, and
    /// [`RunError::Internal`] when the operating system refuses what a runtime needs.
    pub fn new<S, B>(service: S) -> Result<Self, RunError>
    where
        S: Service<Request<Body>, Response = Response<B>, Error: Into<BoxError>, Future: Send>,
        S: Clone + Send + 'static,
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        let runtime = Surroundings::find()?;
        let serve = move |request: Request<Body>| -> Answer {
            let answer = service.clone().oneshot(request);
            Box::pin(async move {
                let response = answer.await.map_err(|_| CallFailure::Dropped)?;
                Ok(response.map(Body::new))
            })
        };
        let call_timeout = Duration::from_secs(30);
        Ok(Self { serve: Box::new(serve), runtime, call_timeout, longest: None })
    }

    /// Longest wait for a response. Default 30 s. A handler that neither waits nor ends cannot be
    /// interrupted.
    #[must_use]
    pub fn call_timeout(mut self, call_timeout: Duration) -> Self {
        self.call_timeout = call_timeout;
        self
    }

    /// Waits for what is none of its requests where these run.
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Sends a request.
    ///
    /// # Errors
    /// [`NoResponse`] when the handler panicked or took too long, and for what is no request.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<HttpResponse, NoResponse> {
        let malformed = NoResponse(CallFailure::Malformed);
        let mut request = HttpRequest {
            method: Method::from_bytes(method.as_bytes()).map_err(|_| malformed)?,
            path: path.parse().map_err(|_| malformed)?,
            headers: HeaderMap::new(),
            body: body.to_owned().into(),
        };
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| malformed)?;
            let value = HeaderValue::from_str(value).map_err(|_| malformed)?;
            request.headers.append(name, value);
        }
        self.send(&request).map_err(NoResponse)
    }
}

impl Transport for InProcess {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.longest = longest;
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let answer = (self.serve)(as_received(request));
        let call_timeout =
            self.longest.map_or(self.call_timeout, |longest| longest.min(self.call_timeout));
        let exchange = async {
            let answered = async {
                let (head, body) = answer.await?.into_parts();
                let body = to_bytes(body, BODY_LIMIT).await.map_err(|_| CallFailure::Dropped)?;
                Ok(HttpResponse::new(head.status.as_u16(), &head.headers, body.into()))
            };
            let in_time = tokio::time::timeout(call_timeout, answered).await;
            in_time.unwrap_or(Err(CallFailure::TimedOut))
        };
        // Over sockets a handler that panics hangs up.
        catch_unwind(AssertUnwindSafe(|| self.runtime.block_on(exchange)))
            .unwrap_or(Err(CallFailure::Dropped))
    }
}

/// The request with the headers that every HTTP request has.
fn as_received(request: &HttpRequest) -> Request<Body> {
    let mut received = Request::new(Body::from(request.body.clone()));
    *received.method_mut() = request.method.clone();
    *received.uri_mut() = request.path.clone().into();
    *received.headers_mut() = request.headers.clone();
    let headers = received.headers_mut();
    headers.entry("host").or_insert(HeaderValue::from_static("localhost"));
    if !request.body.is_empty() {
        headers.insert("content-length", HeaderValue::from(request.body.len()));
    }
    received
}
