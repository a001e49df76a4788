//! Server-sent events, one subscription a request (the "distinct connections" mode of GraphQL over
//! SSE; the format of the stream is the HTML standard's, section 9.2).

use std::io::{ErrorKind, Read, Write};

use serde_json::Value;

use super::deadline::Deadline;
use super::{Attempt, STREAM, SubscriptionLimits};
use crate::http::{CallFailure, HttpRequest};

/// Most bytes of the head of the response.
const HEAD: usize = 64 << 10;

/// Asks for the stream of a request and reads its first events.
pub(super) fn run(
    mut stream: Deadline,
    authority: &str,
    request: &HttpRequest,
    limits: &SubscriptionLimits,
) -> Attempt {
    if stream.write_all(&written(authority, request)).is_err() {
        return Attempt::Failed(CallFailure::Closed);
    }
    let mut received = Vec::new();
    let mut body_start = None;
    let mut is_chunked = false;
    loop {
        if body_start.is_none()
            && let Some(end) = received.windows(4).position(|bytes| bytes == b"\r\n\r\n")
        {
            let head = String::from_utf8_lossy(&received[..end]).to_ascii_lowercase();
            if !head.starts_with("http/1.1 200") || !head.contains(STREAM) {
                return Attempt::NotOffered;
            }
            is_chunked = head.contains("transfer-encoding: chunked");
            body_start = Some(end + 4);
        }
        let body = body_start.map_or(&[][..], |start| &received[start..]);
        let text = if is_chunked { unchunked(body) } else { body.to_vec() };
        let (mut events, is_complete) = events(&String::from_utf8_lossy(&text));
        events.truncate(limits.events);
        let is_full = events.len() == limits.events || text.len() > limits.bytes;
        if is_complete || is_full {
            return Attempt::Events(events);
        }
        if body_start.is_none() && received.len() > HEAD {
            return Attempt::Failed(CallFailure::Malformed);
        }
        let mut buffer = [0; 16 << 10];
        match stream.read(&mut buffer) {
            Ok(0) if body_start.is_none() => return Attempt::Failed(CallFailure::Closed),
            Ok(0) => return Attempt::Events(events),
            Ok(length) => received.extend_from_slice(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() != ErrorKind::TimedOut => {
                return Attempt::Failed(CallFailure::Closed);
            }
            // Nothing happened in time. A service that did not even begin to answer hangs.
            Err(_) if body_start.is_none() => return Attempt::Failed(CallFailure::TimedOut),
            Err(_) => return Attempt::Events(events),
        }
    }
}

/// The request as it travels.
fn written(authority: &str, request: &HttpRequest) -> Vec<u8> {
    let mut text = format!(
        "{} {} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\ncontent-length: {}\r\n",
        request.method,
        request.path,
        request.body.len()
    )
    .into_bytes();
    for (name, value) in &request.headers {
        text.extend_from_slice(name.as_str().as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b"\r\n");
    text.extend_from_slice(&request.body);
    text
}

/// The bytes of a chunked body (RFC 9112, section 7.1), as far as they came.
fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(body.len());
    while let Some(end) = body.windows(2).position(|bytes| bytes == b"\r\n") {
        let size = String::from_utf8_lossy(&body[..end]);
        let size = size.split(';').next().unwrap_or_default().trim();
        let Ok(size) = usize::from_str_radix(size, 16) else { break };
        body = &body[end + 2..];
        whole.extend_from_slice(&body[..size.min(body.len())]);
        match body.get(size.saturating_add(2)..) {
            Some(rest) if size > 0 => body = rest,
            _ => break,
        }
    }
    whole
}

/// The execution results in a stream, and whether it says that no more come.
fn events(text: &str) -> (Vec<Value>, bool) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut events = Vec::new();
    // What follows the last empty line is not complete yet.
    let Some((whole, _)) = text.rsplit_once("\n\n") else { return (events, false) };
    for block in whole.split("\n\n") {
        let field = |name: &str| {
            let lines = block.lines().filter_map(|line| line.split_once(':'));
            let values = lines.filter(|(key, _)| *key == name);
            values.map(|(_, value)| value.strip_prefix(' ').unwrap_or(value)).collect::<Vec<_>>()
        };
        match field("event").first() {
            Some(&"complete") => return (events, true),
            Some(&"next") | None => {
                let data = field("data").join("\n");
                if let Ok(event) = serde_json::from_str(&data) {
                    events.push(event);
                }
            }
            Some(_) => {}
        }
    }
    (events, false)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_end_at_empty_lines_and_comments_are_none() {
        let text = ": hello\n\nevent: next\ndata: {\"data\":\ndata: {\"a\":1}}\n\n\
                    event: ping\ndata: x\n\nevent: next\ndata: {\"data\":{\"a\":2}}\n\nevent: next\nda";
        let expected = vec![json!({"data": {"a": 1}}), json!({"data": {"a": 2}})];
        assert_eq!(events(text), (expected.clone(), false));
        assert_eq!(events(&text.replace('\n', "\r\n")), (expected, false));
        assert_eq!(events("event: complete\ndata:\n\n"), (vec![], true));
        assert_eq!(events("event: comp"), (vec![], false));
    }

    #[test]
    fn chunks_are_joined_as_far_as_they_came() {
        assert_eq!(unchunked(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), b"abcde");
        assert_eq!(unchunked(b"5\r\nabc"), b"abc");
        for nonsense in [&b"zz\r\nabc"[..], b"", b"3", b"ffffffffffffffff\r\nabc", b"-1\r\na"] {
            assert!(unchunked(nonsense).len() <= 3);
        }
    }
}
