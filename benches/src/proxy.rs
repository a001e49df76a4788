//! A proxy on loopback that notes what a client sends.
//!
//! It copies bytes and knows nothing of HTTP but that a client waits for the answer before it sends
//! the next request, so a request ends where the answer begins.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as bytes, and the peer it was meant for.
pub type Recorded = (SocketAddr, Vec<u8>);

/// Requests of all proxies of a recording, in the order in which they were sent.
pub type Recording = Arc<Mutex<Vec<Recorded>>>;

/// Starts a proxy to `upstream`. In its answers the port `hidden` is replaced by `shown`, which must
/// have as many digits.
///
/// # Panics
/// When loopback has no free port.
#[must_use]
pub fn start(upstream: SocketAddr, replaced: Option<(u16, u16)>, recording: &Recording) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has free ports");
    let port = listener.local_addr().expect("the listener is bound").port();
    let recording = Arc::clone(recording);
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(upstream) else { continue };
            let recording = Arc::clone(&recording);
            std::thread::spawn(move || forward(client, server, upstream, replaced, &recording));
        }
    });
    port
}

/// Forwards one connection, request by request.
fn forward(
    mut client: TcpStream,
    mut server: TcpStream,
    upstream: SocketAddr,
    replaced: Option<(u16, u16)>,
    recording: &Recording,
) {
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let Some(request) = read_message(&mut client, &mut buffer) else { return };
        recording.lock().expect("no holder panics").push((upstream, request.clone()));
        if server.write_all(&request).is_err() {
            return;
        }
        let Some(mut answer) = read_message(&mut server, &mut buffer) else { return };
        if let Some((hidden, shown)) = replaced {
            replace(&mut answer, hidden.to_string().as_bytes(), shown.to_string().as_bytes());
        }
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
