//! A proxy on loopback that sees what a client sends.
//!
//! It copies bytes and knows nothing of HTTP but that a client waits for the answer before it sends
//! the next request, so a request ends where the answer begins.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A proxy that runs.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// Port on which it listens.
    pub port: u16,
    busy: Arc<AtomicU64>,
    exchanges: Arc<AtomicU64>,
}

impl Proxy {
    /// Starts a proxy to `upstream`, which shows each request before it is passed on. In answers the
    /// port `hidden` is replaced by `shown`, which must have as many digits.
    ///
    /// # Panics
    /// When loopback has no free port.
    pub fn start(
        upstream: SocketAddr,
        replaced: Option<(u16, u16)>,
        see: impl Fn(&[u8]) + Clone + Send + 'static,
    ) -> Self {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has free ports");
        let port = listener.local_addr().expect("the listener is bound").port();
        let proxy = Self { port, busy: Arc::default(), exchanges: Arc::default() };
        let tally = proxy.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(upstream) else { continue };
                let (see, tally) = (see.clone(), tally.clone());
                std::thread::spawn(move || forward(client, server, replaced, &see, &tally));
            }
        });
        proxy
    }

    /// Time between the arrival of each request and that of its answer, summed up.
    #[must_use]
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy.load(Ordering::Relaxed))
    }

    /// Requests that were answered.
    #[must_use]
    pub fn exchanges(&self) -> u64 {
        self.exchanges.load(Ordering::Relaxed)
    }
}

/// Forwards one connection, request by request.
fn forward(
    mut client: TcpStream,
    mut server: TcpStream,
    replaced: Option<(u16, u16)>,
    see: &impl Fn(&[u8]),
    tally: &Proxy,
) {
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let Some(request) = read_message(&mut client, &mut buffer) else { return };
        let begin = Instant::now();
        see(&request);
        if server.write_all(&request).is_err() {
            return;
        }
        let Some(mut answer) = read_message(&mut server, &mut buffer) else { return };
        if let Some((hidden, shown)) = replaced {
            replace(&mut answer, hidden.to_string().as_bytes(), shown.to_string().as_bytes());
        }
        let nanoseconds = begin.elapsed().as_nanos() as u64;
        tally.busy.fetch_add(nanoseconds, Ordering::Relaxed);
        tally.exchanges.fetch_add(1, Ordering::Relaxed);
        if client.write_all(&answer).is_err() {
            return;
        }
    }
}

/// Reads one HTTP message whose length its head tells.
fn read_message(stream: &mut TcpStream, buffer: &mut [u8]) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    loop {
        if let Some(length) = message_length(&message)
            && message.len() >= length
        {
            return Some(message);
        }
        match stream.read(buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => message.extend_from_slice(&buffer[..count]),
        }
    }
}

/// Bytes of the whole message, once its head is there. Messages without a length have no body.
fn message_length(message: &[u8]) -> Option<usize> {
    let head = message.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&message[..head]).ok()?.to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    Some(head + length.and_then(|length| length.trim().parse::<usize>().ok()).unwrap_or(0))
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len(), "ports of different width would change the length");
    let mut place = 0;
    while place + from.len() <= bytes.len() {
        if bytes[place..].starts_with(from) {
            bytes[place..place + to.len()].copy_from_slice(to);
        }
        place += 1;
    }
}
