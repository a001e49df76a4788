//! A bare client: sends recorded requests again and reads the bodies, nothing more.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// A request as bytes, and the peer it was meant for.
pub type Recorded = (SocketAddr, Vec<u8>);

/// A request that is ready to be sent.
#[derive(Debug, Clone)]
pub struct Prepared {
    peer: SocketAddr,
    request: Request<Full<Bytes>>,
}

/// Requests from recorded bytes.
///
/// # Panics
/// When the bytes are no HTTP/1.1 request.
#[must_use]
pub fn prepare(recording: &[Recorded]) -> Vec<Prepared> {
    recording.iter().map(|(peer, bytes)| Prepared { peer: *peer, request: parse(bytes) }).collect()
}

fn parse(bytes: &[u8]) -> Request<Full<Bytes>> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head ends");
    let head = std::str::from_utf8(&bytes[..end]).expect("heads are text");
    let mut lines = head.lines();
    let mut words = lines.next().expect("a request line").split(' ');
    let method: Method = words.next().expect("a method").parse().expect("a known method");
    let mut builder = Request::builder().method(method).uri(words.next().expect("a path"));
    for line in lines {
        let (name, value) = line.split_once(':').expect("a header");
        if !name.eq_ignore_ascii_case("content-length") {
            builder = builder.header(name, value.trim());
        }
    }
    let body = Bytes::copy_from_slice(&bytes[end + 4..]);
    builder.body(Full::new(body)).expect("the request was sent before")
}

async fn connect(peer: SocketAddr) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(peer).await.expect("the peer listens");
    stream.set_nodelay(true).expect("the option is known");
    let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("it is open");
    tokio::spawn(connection);
    sender
}

/// Sends all requests in order, one keep-alive connection to each peer. Returns the bytes read.
///
/// # Panics
/// When a peer is gone.
pub async fn replay(requests: &[Prepared]) -> usize {
    let mut connections: BTreeMap<SocketAddr, SendRequest<Full<Bytes>>> = BTreeMap::new();
    let mut read = 0;
    for prepared in requests {
        let sender = match connections.entry(prepared.peer) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => place.insert(connect(prepared.peer).await),
        };
        sender.ready().await.expect("the connection stays open");
        let response = sender.send_request(prepared.request.clone()).await.expect("an answer");
        read += response.into_body().collect().await.expect("a body").to_bytes().len();
    }
    read
}
