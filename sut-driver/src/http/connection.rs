//! A connection that opens itself again when the peer has closed it between two exchanges.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use hyper::http::uri::PathAndQuery;
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};

use super::error::Failure;
use super::link::Link;
use super::route::OpenError;
use super::{HttpAddress, HttpError, HttpRoute};
use crate::runtime::BlockingRuntime;

/// Who calls, where requests do not say it: some services let in nobody who does not (GitHub's among them).
const AGENT: &str = concat!("wallace/", env!("CARGO_PKG_VERSION"));

/// Limits of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HttpSettings {
    /// Longest wait for one address to accept the connection. Default 10 s.
    pub connect_timeout: Duration,
    /// Longest wait from sending a request to the end of its response. Default 30 s.
    pub read_timeout: Duration,
    /// Most bytes of a response body. Default 64 MiB.
    pub body_limit: usize,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            body_limit: 64 << 20,
        }
    }
}

/// A complete response. Redirects are not followed.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// Status code.
    pub status: StatusCode,
    /// Headers as received.
    pub headers: HeaderMap,
    /// Body without transfer encoding.
    pub body: Bytes,
}

impl HttpResponse {
    /// Media type of the body, with its parameters; empty where the response has none.
    #[must_use]
    pub fn content_type(&self) -> &str {
        let value = self.headers.get(CONTENT_TYPE);
        value.and_then(|v| v.to_str().ok()).unwrap_or_default()
    }
}

/// Time between two looks at the flag that ends a wait.
const LOOK: Duration = Duration::from_millis(100);

/// Waits until a flag is set; for ever where there is none.
async fn stopped(flag: Option<&AtomicBool>) {
    let Some(flag) = flag else { return std::future::pending().await };
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

/// A blocking HTTP/1.1 client connection to one peer, kept alive over exchanges.
///
/// Exchanges are strictly sequential. A connection that the peer closed *between* two exchanges
/// is opened again without notice, because no request was on its way; one that breaks *during*
/// an exchange gives [`HttpError::Closed`] and leaves it to the caller whether to send again.
#[derive(Debug)]
pub struct HttpConnection {
    address: HttpAddress,
    runtime: BlockingRuntime,
    settings: HttpSettings,
    route: HttpRoute,
    host: HeaderValue,
    link: Option<Link>,
    /// Whether nobody waits for responses any more.
    stop: Option<Arc<AtomicBool>>,
    longest: Option<Duration>,
    /// When the last response came over the link.
    used: Option<Instant>,
}

impl HttpConnection {
    /// Connects to `address` directly, with TLS where that says so; its path is not used.
    ///
    /// # Errors
    /// [`HttpError::Refused`], [`HttpError::TimedOut`], [`HttpError::Tls`] or [`HttpError::Io`].
    pub fn connect(
        address: HttpAddress,
        settings: HttpSettings,
        runtime: &BlockingRuntime,
    ) -> Result<Self, HttpError> {
        Self::connect_by(HttpRoute::default(), address, settings, runtime)
    }

    /// Connects to `address` in the way that `route` says.
    ///
    /// # Errors
    /// As of [`HttpConnection::connect`], and [`HttpError::Proxy`].
    pub fn connect_by(
        route: HttpRoute,
        address: HttpAddress,
        settings: HttpSettings,
        runtime: &BlockingRuntime,
    ) -> Result<Self, HttpError> {
        let host = HeaderValue::from_str(&address.authority())
            .map_err(|error| Failure::Malformed(error.to_string()).at(&address, 0))?;
        route.warm_up(&address);
        let runtime = runtime.clone();
        let mut connection = Self {
            address,
            runtime,
            settings,
            route,
            host,
            link: None,
            stop: None,
            used: None,
            longest: None,
        };
        connection.link = Some(connection.open()?);
        Ok(connection)
    }

    /// The peer.
    #[must_use]
    pub fn address(&self) -> &HttpAddress {
        &self.address
    }

    /// How long the connection was not used; none where the next exchange opens a new one, or is the
    /// first. Peers end connections that are idle for some seconds, and may do so as a request comes.
    #[must_use]
    pub fn idle(&self) -> Option<Duration> {
        self.link.as_ref().filter(|link| link.is_usable())?;
        self.used.map(|used| used.elapsed())
    }

    /// Whether waits for responses were ended by [`HttpConnection::end_with`].
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.stop.as_deref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Ends waits for responses as if the connection was closed once the flag is set.
    pub fn end_with(&mut self, stop: Arc<AtomicBool>) {
        self.stop = Some(stop);
    }

    /// Waits no longer than this for the exchanges that follow, where the settings say more; none takes
    /// that back.
    pub fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.longest = longest;
    }

    /// Changes the longest wait of the exchanges that follow.
    pub fn set_read_timeout(&mut self, timeout: Duration) {
        self.settings.read_timeout = timeout;
    }

    /// Sends one request and waits for the whole response, whatever its status.
    ///
    /// Adds `Host`; `Connection: keep-alive` and `User-Agent: wallace/VERSION` unless `headers` say otherwise.
    ///
    /// # Errors
    /// Any [`HttpError`]; after [`HttpError::TimedOut`] and [`HttpError::Closed`] the request may
    /// have had its effect. The next exchange uses a new connection.
    pub fn send(
        &mut self,
        method: Method,
        path: PathAndQuery,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<HttpResponse, HttpError> {
        let request = self.request(method, path, headers, body);
        let mut link = self.usable()?;
        let limit = self.settings.body_limit;
        let outcome = self.within(link.exchange(request, limit))?;
        if outcome.status == StatusCode::PROXY_AUTHENTICATION_REQUIRED
            && self.route.is_forwarded(&self.address)
        {
            let reason = "status 407: it wants to know who asks, http://NAME:PASSWORD@HOST:PORT";
            return Err(HttpError::Proxy {
                address: self.address.clone(),
                reason: reason.to_owned(),
            });
        }
        // Servers end a connection on which they failed (uvicorn does so after the answer), and the next
        // request would seem to be dropped. Costs a connection for each such answer.
        self.link = Some(link).filter(|_| !outcome.status.is_server_error());
        self.used = Some(Instant::now());
        Ok(outcome)
    }

    /// Sends one request as [`send`](Self::send) does, without waiting for the response:
    /// [`finish`](Self::finish) does that, and must be called before anything else is sent.
    ///
    /// # Errors
    /// As of [`HttpConnection::connect`]; nothing is on its way then.
    pub fn begin(
        &mut self,
        method: Method,
        path: PathAndQuery,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<(), HttpError> {
        let request = self.request(method, path, headers, body);
        let mut link = self.usable()?;
        self.runtime.block_on(async { link.begin(request) });
        self.link = Some(link);
        Ok(())
    }

    /// Waits for the response to the request that was begun last.
    ///
    /// # Errors
    /// As of [`send`](Self::send); [`HttpError::Closed`] where nothing was begun.
    pub fn finish(&mut self) -> Result<HttpResponse, HttpError> {
        let limit = self.settings.body_limit;
        let closed = || Failure::Closed.at(&self.address, limit);
        let mut link = self.link.take().ok_or_else(closed)?;
        let outcome = self.within(link.finish(limit))?;
        self.link = Some(link);
        self.used = Some(Instant::now());
        Ok(outcome)
    }

    /// The open connection, or a new one; whoever takes it gives it back after a good exchange.
    fn usable(&mut self) -> Result<Link, HttpError> {
        self.link.take().filter(Link::is_usable).map_or_else(|| self.open(), Ok)
    }

    /// What an exchange gives within the longest wait.
    fn within(
        &self,
        exchange: impl Future<Output = Result<HttpResponse, Failure>>,
    ) -> Result<HttpResponse, HttpError> {
        let HttpSettings { read_timeout, body_limit, .. } = self.settings;
        let read_timeout = self.longest.map_or(read_timeout, |longest| longest.min(read_timeout));
        // The timer must be made inside the runtime, hence the async block.
        let outcome = async {
            tokio::select! {
                biased;
                outcome = tokio::time::timeout(read_timeout, exchange) => outcome,
                () = stopped(self.stop.as_deref()) => Ok(Err(Failure::Closed)),
            }
        };
        match self.runtime.block_on(outcome) {
            Ok(outcome) => outcome.map_err(|failure| failure.at(&self.address, body_limit)),
            Err(_) => Err(self.timed_out(read_timeout)),
        }
    }

    fn request(
        &self,
        method: Method,
        path: PathAndQuery,
        headers: HeaderMap,
        body: Bytes,
    ) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = Uri::from(path);
        *request.headers_mut() = headers;
        self.route.adapt(&mut request, &self.address);
        let headers = request.headers_mut();
        headers.insert(HOST, self.host.clone());
        headers.entry(CONNECTION).or_insert(HeaderValue::from_static("keep-alive"));
        headers.entry(USER_AGENT).or_insert(HeaderValue::from_static(AGENT));
        request
    }

    /// Tries each address of the host in order; the last error is told.
    fn open(&self) -> Result<Link, HttpError> {
        let timeout = self.settings.connect_timeout;
        let mut last = OpenError::from(io::Error::from(io::ErrorKind::NotFound));
        for socket in self.route.first(&self.address).resolve() {
            let link = Link::open(socket, &self.address, &self.route, timeout);
            let link = async {
                tokio::select! {
                    biased;
                    link = link => link,
                    () = stopped(self.stop.as_deref()) => {
                        Err(OpenError::from(io::Error::from(io::ErrorKind::Interrupted)))
                    }
                }
            };
            match self.runtime.block_on(link) {
                Ok(link) => return Ok(link),
                Err(error @ OpenError::Io(_)) => last = error,
                // The peer is there: another of its addresses would say the same.
                Err(error) => return Err(self.unopened(error)),
            }
        }
        Err(self.unopened(last))
    }

    fn unopened(&self, error: OpenError) -> HttpError {
        let address = self.address.clone();
        match error {
            // What answered began otherwise than TLS does.
            OpenError::Tls(reason) if reason.contains("InvalidContentType") => {
                let reason = "it does not speak TLS; try http://".to_owned();
                HttpError::Malformed { address, reason }
            }
            OpenError::Tls(reason) => HttpError::Tls { address, reason },
            OpenError::Proxy(reason) => HttpError::Proxy { address, reason },
            OpenError::Io(error) => match error.kind() {
                io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
                    match self.route.first(&self.address) {
                        first if *first == address => HttpError::Refused { address },
                        proxy => {
                            let reason = format!("nothing listens at {proxy}");
                            HttpError::Proxy { address, reason }
                        }
                    }
                }
                io::ErrorKind::TimedOut => self.timed_out(self.settings.connect_timeout),
                _ => Failure::Io(error).at(&address, 0),
            },
        }
    }

    fn timed_out(&self, after: Duration) -> HttpError {
        HttpError::TimedOut { address: self.address.clone(), after }
    }
}
