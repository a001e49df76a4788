//! Reading HTTP/1.1 messages from a copy of what was sent.

/// Largest message that is looked into, in bytes.
const LARGEST: usize = 2 << 20;

/// A whole message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    /// The first line.
    pub(super) start: String,
    /// Headers, names in small letters.
    pub(super) headers: Vec<(String, String)>,
    /// The body; empty where it was too large.
    pub(super) body: Vec<u8>,
}

impl Message {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }
}

/// Takes bytes and gives messages.
#[derive(Debug, Default)]
pub(super) struct MessageReader {
    buffer: Vec<u8>,
    /// Bytes of a large body that are passed over.
    skipped: usize,
    /// Set when what comes cannot be understood: the rest is not looked into.
    is_off: bool,
}

/// How far a message is.
enum Progress {
    Incomplete,
    Complete(Message, usize),
    Unreadable,
}

impl MessageReader {
    pub(super) fn is_off(&self) -> bool {
        self.is_off
    }

    /// Adds bytes; `has_no_body` says so of answers whose request or status forbids one.
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        has_no_body: impl Fn(&str) -> bool,
    ) -> Vec<Message> {
        if self.is_off {
            return Vec::new();
        }
        let skipped = self.skipped.min(bytes.len());
        self.skipped -= skipped;
        self.buffer.extend_from_slice(&bytes[skipped..]);
        let mut messages = Vec::new();
        while !self.buffer.is_empty() {
            match progress(&self.buffer, &has_no_body) {
                Progress::Incomplete if self.buffer.len() <= LARGEST => break,
                Progress::Complete(message, length) => {
                    let here = length.min(self.buffer.len());
                    self.buffer.drain(..here);
                    self.skipped = length - here;
                    messages.push(message);
                }
                Progress::Incomplete | Progress::Unreadable => {
                    self.is_off = true;
                    self.buffer = Vec::new();
                }
            }
        }
        messages
    }
}

fn progress(bytes: &[u8], has_no_body: &impl Fn(&str) -> bool) -> Progress {
    let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else {
        return Progress::Incomplete;
    };
    let Ok(head) = std::str::from_utf8(&bytes[..end]) else { return Progress::Unreadable };
    let mut lines = head.split("\r\n");
    let start = lines.next().unwrap_or_default().to_owned();
    if !start.contains("HTTP/1.") {
        return Progress::Unreadable;
    }
    let split = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers: Vec<(String, String)> = lines.filter_map(split).collect();
    let mut message = Message { start, headers, body: Vec::new() };
    let rest = end + 4;
    if has_no_body(&message.start) {
        return Progress::Complete(message, rest);
    }
    let is_chunked = message
        .header("transfer-encoding")
        .is_some_and(|it| it.to_ascii_lowercase().contains("chunked"));
    if is_chunked {
        return match chunks(&bytes[rest..]) {
            Some(Some((body, length))) => {
                message.body = body;
                Progress::Complete(message, rest + length)
            }
            Some(None) => Progress::Incomplete,
            None => Progress::Unreadable,
        };
    }
    match message.header("content-length").map(str::parse::<usize>) {
        Some(Err(_)) => Progress::Unreadable,
        Some(Ok(length)) if length > LARGEST => {
            Progress::Complete(message, rest.saturating_add(length))
        }
        Some(Ok(length)) if bytes.len() < rest + length => Progress::Incomplete,
        Some(Ok(length)) => {
            message.body = bytes[rest..rest + length].to_vec();
            Progress::Complete(message, rest + length)
        }
        // An answer without a length lasts until the end of the connection.
        None if message.start.starts_with("HTTP/") => Progress::Unreadable,
        None => Progress::Complete(message, rest),
    }
}

/// The body in chunks and its length on the wire; nothing inside while it is not complete, nothing
/// at all when it is no such body.
fn chunks(bytes: &[u8]) -> Option<Option<(Vec<u8>, usize)>> {
    let (mut body, mut place) = (Vec::new(), 0);
    loop {
        let Some(length) = bytes[place..].windows(2).position(|it| it == b"\r\n") else {
            return Some(None);
        };
        let line = std::str::from_utf8(&bytes[place..place + length]).ok()?;
        let size = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        place += length + 2;
        if size == 0 {
            // Trailers end with an empty line.
            if bytes[place..].starts_with(b"\r\n") {
                return Some(Some((body, place + 2)));
            }
            let end = bytes[place..].windows(4).position(|it| it == b"\r\n\r\n");
            return Some(end.map(|end| (body, place + end + 4)));
        }
        let end = place.checked_add(size)?;
        if bytes.len() < end.checked_add(2)? {
            return Some(None);
        }
        body.extend_from_slice(&bytes[place..end]);
        place = end + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[u8] = b"POST /graphql HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello\
        POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";

    #[test]
    fn messages_are_read_wherever_they_are_cut() {
        for cut in 0..TWO.len() {
            let mut reader = MessageReader::default();
            let mut messages = reader.read(&TWO[..cut], |_| false);
            messages.extend(reader.read(&TWO[cut..], |_| false));
            let bodies: Vec<&[u8]> = messages.iter().map(|it| &*it.body).collect();
            assert_eq!(bodies, [b"hello", b"abcde"], "{cut}");
        }
    }

    #[test]
    fn what_is_no_http_turns_the_reader_off() {
        for bytes in [
            &b"\x16\x03\x01\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n",
        ] {
            let mut reader = MessageReader::default();
            assert!(reader.read(bytes, |_| false).is_empty());
            assert!(reader.is_off());
        }
    }

    #[test]
    fn large_bodies_are_passed_over() {
        let mut reader = MessageReader::default();
        let head = format!("POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n", LARGEST + 10);
        assert_eq!(reader.read(head.as_bytes(), |_| false).len(), 1);
        assert!(reader.read(&vec![b'x'; LARGEST + 10], |_| false).is_empty());
        assert_eq!(reader.read(TWO, |_| false).len(), 2);
    }
}
