//! A service in this process, and what a search has to know of it.

mod interface;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::{Request, Response};
use tower::ServiceExt;
use tower::util::BoxCloneService;
use tower_service::Service;
use wallace_instrument::{Driver, ProblemInfo, Recorder};
use wallace_problems::{CallFailure, HttpRequest, HttpResponse, Transport};
use wallace_sut_driver::{DriverClient, SutInfo};

use crate::error::RunError;
use crate::in_process::InProcess;
pub(crate) use interface::{Description, Interface, elsewhere, is_description};

/// What the service is called in the suite and the report.
const NAME: &str = "service in this process";

/// Brings the state of a service back.
enum Reset {
    AtOnce(Box<dyn Fn() -> Result<(), String> + Send + Sync>),
    Waiting(Box<dyn Fn() -> Waiting + Send + Sync>),
}

type Waiting = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

/// A service in this process: an `axum::Router`, or any other `tower` service of HTTP requests.
///
/// Whether it serves GraphQL or REST is found out: an OpenAPI description is looked for at the paths
/// where frameworks put it, then a GraphQL endpoint. Where neither is found, say which with
/// [`openapi`](Self::openapi) or [`graphql`](Self::graphql).
///
/// Code of the service that is marked with `#[white_box]` guides the search; without any, the search
/// knows only the responses.
///
/// ```
/// use axum::{Router, routing::get};
/// use wallace::in_process::LocalService;
///
/// let router = Router::new().route("/price", get(|| async { "3" }));
/// let service = LocalService::new(router).openapi("docs/openapi.yaml").on_reset(|| Ok(()));
/// ```
pub struct LocalService {
    service: BoxCloneService<Request<Body>, Response<Body>, BoxError>,
    interface: Interface,
    prefixes: Vec<String>,
    reset: Reset,
}

impl std::fmt::Debug for LocalService {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LocalService").field("interface", &self.interface).finish()
    }
}

impl<S, B> From<S> for LocalService
where
    S: Service<Request<Body>, Response = Response<B>, Error: Into<BoxError>, Future: Send>,
    S: Clone + Send + 'static,
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    fn from(service: S) -> Self {
        Self::new(service)
    }
}

impl LocalService {
    /// Takes a service.
    #[must_use]
    pub fn new<S, B>(service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>, Error: Into<BoxError>, Future: Send>,
        S: Clone + Send + 'static,
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        let service = service.map_response(|response| response.map(Body::new));
        Self {
            service: BoxCloneService::new(service.map_err(Into::into)),
            interface: Interface::Unknown,
            prefixes: Vec::new(),
            reset: Reset::AtOnce(Box::new(|| Ok(()))),
        }
    }

    /// Says that it serves GraphQL, at this path.
    #[must_use]
    pub fn graphql(mut self, endpoint: &str) -> Self {
        self.interface = Interface::Graphql(endpoint.to_owned());
        self
    }

    /// Says that it serves REST, and where its description is: the text itself, as JSON or YAML, a
    /// file, or a path that the service answers.
    ///
    /// One line that begins with `/` is a path of the service where no file has that name.
    #[must_use]
    pub fn openapi(mut self, text_or_place: &str) -> Self {
        self.interface = Interface::OpenApi(text_or_place.to_owned());
        self
    }

    /// Looks only at the module `prefix` and all below it; may be called several times. Name the
    /// service's own modules where tests of several services run at once in one process.
    #[must_use]
    pub fn unit_prefix(mut self, prefix: &str) -> Self {
        self.prefixes.push(prefix.to_owned());
        self
    }

    /// Calls `reset` before each test: it must bring the state of the service back. The default does
    /// nothing, which fits services without state.
    #[must_use]
    pub fn on_reset(
        mut self,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.reset = Reset::AtOnce(Box::new(reset));
        self
    }

    /// As [`on_reset`](Self::on_reset), of a reset that waits: a transaction that is rolled back, tables
    /// that are emptied. It runs where the requests run.
    #[must_use]
    pub fn on_async_reset<F>(mut self, reset: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.reset = Reset::Waiting(Box::new(move || Box::pin(reset())));
        self
    }

    /// Starts to record it, and finds out what it serves.
    pub(crate) fn start(self) -> Result<LocalSystem, RunError> {
        let prefixes: Vec<&str> = self.prefixes.iter().map(String::as_str).collect();
        let recorder = Recorder::new(&prefixes);
        let mut transport = SharedTransport::new(InProcess::new(recorder.record(self.service))?);
        // What it serves is only known when it can be asked, which is after the start.
        let unknown = ProblemInfo::GraphQl { endpoint: String::new() };
        let driver = Driver::new(NAME, unknown).recorder(recorder).in_process();
        let shared = transport.clone();
        let reset = self.reset;
        let driver = driver.on_quick_reset(move || match &reset {
            Reset::AtOnce(reset) => reset(),
            Reset::Waiting(reset) => shared.service().block_on(reset()),
        });
        let controller = driver.controller();
        let controller = controller.map_err(|error| RunError::Internal(error.to_string()))?;
        let mut driver = DriverClient::in_process(controller);
        let info = driver.start_sut()?;
        let description = self.interface.find(&mut transport)?;
        Ok(LocalSystem { driver, info, transport, description })
    }
}

/// A service in this process that can be called.
pub(crate) struct LocalSystem {
    pub(crate) driver: DriverClient,
    pub(crate) info: SutInfo,
    pub(crate) transport: SharedTransport,
    pub(crate) description: Description,
}

impl LocalSystem {
    /// Whether none of its code is marked: then only responses can guide a search.
    pub(crate) fn is_blind(&self) -> bool {
        self.info.units.lines == 0
    }
}

/// One service in this process for all that call it: it has one runtime, in which its tasks live.
#[derive(Clone)]
pub(crate) struct SharedTransport(Arc<Mutex<InProcess>>);

impl SharedTransport {
    fn new(service: InProcess) -> Self {
        Self(Arc::new(Mutex::new(service)))
    }

    /// A panic of the service is caught below, and leaves nothing half done here.
    fn service(&self) -> MutexGuard<'_, InProcess> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for SharedTransport {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.service().wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        self.service().send(request)
    }
}
