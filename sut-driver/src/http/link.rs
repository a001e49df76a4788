//! One open connection, and one exchange over it.

use std::future::{Future, poll_fn};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper::header::CONTENT_TYPE;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;

use super::HttpAddress;
use super::connection::HttpResponse;
use super::error::Failure;
use super::media_type::is_stream;
use super::route::{HttpRoute, OpenError};
use super::stream::Stream;

type Io = TokioIo<Stream>;
/// The head of a response, once it is there.
type Head = Pin<Box<dyn Future<Output = hyper::Result<Response<Incoming>>> + Send>>;

/// Longest time for which an answer is looked for before this thread sleeps. Falling asleep and
/// being woken takes longer than a quick service takes to answer; what it costs is this much CPU
/// time, and only where the answer before came that quickly.
const WATCH: Duration = Duration::from_micros(200);
/// Longest time for which the body of such a response is read.
const STREAM_WAIT: Duration = Duration::from_secs(1);
/// Bytes of it after which it is read no further.
const STREAM_LIMIT: usize = 64 << 10;

/// An open connection. The protocol machine (`connection`) is polled in place instead of being
/// spawned: an exchange then needs no wake-up between tasks.
pub(super) struct Link {
    sender: SendRequest<Full<Bytes>>,
    connection: Connection<Io, Full<Bytes>>,
    /// A second handle of the socket, to look whether the peer has closed it.
    probe: TcpStream,
    /// The head of the response to the request that was begun.
    begun: Option<Head>,
    is_finished: bool,
    /// How long the answer before took.
    waited: Duration,
}

impl std::fmt::Debug for Link {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Link").field("connection", &self.connection).finish_non_exhaustive()
    }
}

impl Link {
    /// Connects to `socket`, which is that of `address` or of the proxy on the way to it. Must run
    /// inside the runtime.
    pub(super) async fn open(
        socket: SocketAddr,
        address: &HttpAddress,
        route: &HttpRoute,
        timeout: Duration,
    ) -> Result<Self, OpenError> {
        let stream = TcpStream::connect_timeout(&socket, timeout)?;
        // Without this, a message in two segments waits 40 ms for a delayed acknowledgement.
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let probe = stream.try_clone()?;
        let stream = tokio::net::TcpStream::from_std(stream)?;
        let stream = tokio::time::timeout(timeout, route.prepare(stream, address)).await;
        let stream = stream.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let (sender, connection) =
            handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let waited = Duration::MAX;
        Ok(Self { sender, connection, probe, begun: None, is_finished: false, waited })
    }

    /// Whether a next exchange can be tried. A healthy idle connection has nothing to read; an
    /// end of file or unasked bytes mean that it must not be used.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_finished && !self.sender.is_closed() && self.is_silent()
    }

    /// Whether there is nothing to read: no bytes, and no end of file.
    fn is_silent(&self) -> bool {
        let waiting = self.probe.peek(&mut [0]);
        matches!(waiting, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Sends `request` and reads the response with at most `limit` bytes of body.
    pub(super) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        limit: usize,
    ) -> Result<HttpResponse, Failure> {
        let begin = Instant::now();
        self.begin(request);
        self.watch(begin);
        let outcome = self.finish(limit).await;
        self.waited = begin.elapsed();
        outcome
    }

    /// Looks for the answer to what was sent at `begin`, until it comes or would take too long.
    fn watch(&self, begin: Instant) {
        while self.waited < WATCH && begin.elapsed() < WATCH && self.is_silent() {
            // Where there are fewer processors than who wants one, the service comes first.
            std::thread::yield_now();
        }
    }

    /// Hands `request` to the socket, and comes back before it is answered. Must run inside the
    /// runtime.
    pub(super) fn begin(&mut self, request: Request<Full<Bytes>>) {
        self.begun = Some(Box::pin(self.sender.send_request(request)));
        if !self.is_finished {
            self.is_finished = Pin::new(&mut self.connection).poll(&mut silent()).is_ready();
        }
    }

    /// Reads the response to the request that was begun, as [`Link::exchange`] does.
    pub(super) async fn finish(&mut self, limit: usize) -> Result<HttpResponse, Failure> {
        let begun = self.begun.take().ok_or(Failure::Closed)?;
        drive(begun, &mut self.connection, &mut self.is_finished, limit).await
    }
}

/// Waits for the response while the protocol machine runs.
async fn drive(
    sent: impl Future<Output = hyper::Result<Response<Incoming>>>,
    connection: &mut Connection<Io, Full<Bytes>>,
    is_finished: &mut bool,
    limit: usize,
) -> Result<HttpResponse, Failure> {
    let mut head = pin!(async move { sent.await.map_err(Failure::from) });
    let response = poll_fn(|context| step(head.as_mut(), connection, is_finished, context)).await?;
    if is_endless(&response) {
        return beginning(response, connection, is_finished).await;
    }
    let mut body = pin!(read(response, limit));
    let outcome = poll_fn(|context| step(body.as_mut(), connection, is_finished, context)).await;
    // Lets the machine note the end of the response, so that it is ready for the next one.
    if outcome.is_ok() && !*is_finished {
        *is_finished = Pin::new(connection).poll(&mut silent()).is_ready();
    }
    outcome
}

/// Whether a response is a success whose body may never end.
fn is_endless(response: &Response<Incoming>) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    response.status().is_success() && media_type.is_some_and(is_stream)
}

/// Reads what comes of a stream within a short time. The connection is good for nothing else then.
async fn beginning(
    response: Response<Incoming>,
    connection: &mut Connection<Io, Full<Bytes>>,
    is_finished: &mut bool,
) -> Result<HttpResponse, Failure> {
    let (head, mut body) = response.into_parts();
    let mut all = Vec::new();
    let mut records = pin!(async {
        while let Some(Ok(frame)) = body.frame().await {
            all.extend_from_slice(frame.data_ref().map_or(&[], |data| data));
            if all.len() >= STREAM_LIMIT {
                break;
            }
        }
        Ok(())
    });
    let read = poll_fn(|context| step(records.as_mut(), connection, is_finished, context));
    // However it ends: what came is the answer.
    let _ = tokio::time::timeout(STREAM_WAIT, read).await;
    *is_finished = true;
    Ok(HttpResponse { status: head.status, headers: head.headers, body: all.into() })
}

/// One round of the exchange and the protocol machine.
///
/// Whatever the exchange waits for is done by the machine in the same round, so only the machine
/// gets the real waker: each wake-up would cost two system calls.
fn step<F, T>(
    mut exchange: Pin<&mut F>,
    connection: &mut Connection<Io, Full<Bytes>>,
    is_finished: &mut bool,
    context: &mut Context<'_>,
) -> Poll<F::Output>
where
    F: Future<Output = Result<T, Failure>>,
{
    if let Poll::Ready(outcome) = exchange.as_mut().poll(&mut silent()) {
        return Poll::Ready(outcome);
    }
    if !*is_finished {
        *is_finished = Pin::new(connection).poll(context).is_ready();
    }
    match exchange.poll(&mut silent()) {
        Poll::Pending if *is_finished => Poll::Ready(Err(Failure::Closed)),
        other => other,
    }
}

fn silent() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// Reads the whole body, in one piece where it came in one.
async fn read(response: Response<Incoming>, limit: usize) -> Result<HttpResponse, Failure> {
    let (head, mut body) = response.into_parts();
    if body.size_hint().lower() > limit as u64 {
        return Err(Failure::TooLarge);
    }
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        if first.len() + all.len() + data.len() > limit {
            return Err(Failure::TooLarge);
        }
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
    }
    let body = if all.is_empty() { first } else { all.into() };
    Ok(HttpResponse { status: head.status, headers: head.headers, body })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpListener};

    use hyper::{HeaderMap, Method};

    use super::*;
    use crate::http::{HttpConnection, HttpSettings, PathAndQuery};
    use crate::runtime::BlockingRuntime;

    /// A stream sends its head and one record and then stays silent; the next request gets another
    /// connection.
    #[test]
    fn the_beginning_of_a_stream_is_an_answer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let stream = "Content-Type: application/x-ndjson; charset=utf-8\r\n\
                          Transfer-Encoding: chunked\r\n\r\n8\r\n{\"a\":1}\n\r\n";
            let document = "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";
            let mut open = Vec::new();
            for answer in [stream, document] {
                let (mut socket, _) = listener.accept().unwrap();
                let _ = socket.read(&mut [0; 4096]).unwrap();
                write!(socket, "HTTP/1.1 200 OK\r\n{answer}").unwrap();
                open.push(socket);
            }
            open.iter().for_each(|socket| drop(socket.shutdown(Shutdown::Write)));
        });
        let runtime = BlockingRuntime::new().unwrap();
        let settings =
            HttpSettings { read_timeout: Duration::from_secs(20), ..HttpSettings::default() };
        let mut connection =
            HttpConnection::connect(address.parse().unwrap(), settings, &runtime).unwrap();
        let mut get = || {
            let path = PathAndQuery::from_static("/");
            let (method, headers) = (Method::GET, HeaderMap::new());
            connection.send(method, path, headers, Bytes::new()).unwrap().body
        };
        assert_eq!(get(), "{\"a\":1}\n");
        assert_eq!(get(), "ok");
        server.join().unwrap();
    }
}
