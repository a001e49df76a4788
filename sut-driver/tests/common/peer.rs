//! A peer on a real socket that answers as the test says, byte by byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// A message as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// Request line or status line.
    pub(crate) first_line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// In how many reads it came.
    pub(crate) pieces: usize,
}

impl Message {
    pub(crate) fn method(&self) -> &str {
        self.first_line.split(' ').next().unwrap()
    }

    pub(crate) fn path(&self) -> &str {
        self.first_line.split(' ').nth(1).unwrap()
    }

    pub(crate) fn status(&self) -> u16 {
        self.path().parse().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null where it is empty; a text where it is something else.
    pub(crate) fn json(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        let text = String::from_utf8_lossy(&self.body).into_owned();
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }
}

/// Reads one message with a `Content-Length` body; `None` at the end of the stream.
pub(crate) fn read_message(stream: &mut TcpStream) -> Option<Message> {
    let (mut bytes, mut pieces) = (Vec::new(), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        pieces += 1;
        bytes.extend_from_slice(&buffer[..count]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines().map(str::to_owned);
        let first_line = lines.next()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": ").map(|(a, b)| (a.to_owned(), b.to_owned())))
            .collect();
        let mut message = Message { first_line, headers, body: Vec::new(), pieces };
        let length = message.header("content-length").map_or(0, |text| text.parse().unwrap());
        if bytes.len() >= end + 4 + length {
            message.body = bytes[end + 4..end + 4 + length].to_vec();
            return Some(message);
        }
    }
}

/// The bytes of an answer.
pub(crate) fn answer(status: u16, content_type: &str, body: &str) -> Vec<u8> {
    let content_type = if content_type.is_empty() {
        String::new()
    } else {
        format!("Content-Type: {content_type}\r\n")
    };
    let length =
        if status == 204 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    format!("HTTP/1.1 {status} Status\r\n{content_type}{length}\r\n{body}").into_bytes()
}

/// 200 with JSON.
pub(crate) fn json(body: &str) -> Vec<u8> {
    answer(200, "application/json;charset=utf8;version=1", body)
}

/// The answer of a driver that just started its system.
pub(crate) fn controller_info() -> Vec<u8> {
    json(
        r#"{"data":{"fullName":"a.Driver","isInstrumentationOn":true,"executableFullPath":null},"error":null}"#,
    )
}

/// What a peer does with a request.
pub(crate) enum Reaction {
    /// Writes these bytes and keeps the connection.
    Answer(Vec<u8>),
    /// Writes these bytes and closes the connection.
    Last(Vec<u8>),
    /// Keeps silent for this long and closes the connection.
    Silence(Duration),
}

type Reactions = dyn FnMut(&Message) -> Reaction + Send;

/// A server whose every answer is made by the test.
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    is_stopped: Arc<AtomicBool>,
}

impl Peer {
    pub(crate) fn start(react: impl FnMut(&Message) -> Reaction + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            is_stopped: Arc::default(),
        };
        let (connections, is_stopped) = (peer.connections.clone(), peer.is_stopped.clone());
        let react: Arc<Mutex<Reactions>> = Arc::new(Mutex::new(react));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if is_stopped.load(Ordering::SeqCst) {
                    return;
                }
                connections.fetch_add(1, Ordering::SeqCst);
                let react = Arc::clone(&react);
                thread::spawn(move || converse(stream.unwrap(), &react));
            }
        });
        peer
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How many connections were opened so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

fn converse(mut stream: TcpStream, react: &Mutex<Reactions>) {
    stream.set_nodelay(true).unwrap();
    while let Some(message) = read_message(&mut stream) {
        let reaction = (react.lock().unwrap())(&message);
        match reaction {
            Reaction::Answer(bytes) if stream.write_all(&bytes).is_ok() => {}
            Reaction::Answer(_) => return,
            Reaction::Last(bytes) => return drop(stream.write_all(&bytes)),
            Reaction::Silence(duration) => return thread::sleep(duration),
        }
    }
}

/// Sends one request in the raw and reads the answer.
pub(crate) fn send_raw(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Message {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
    read_message(&mut stream).unwrap_or_else(|| panic!("no answer to {method} {path}"))
}
