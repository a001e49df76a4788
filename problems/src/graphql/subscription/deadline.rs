//! A stream that ends in time, however slowly its peer sends.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection that fails with [`ErrorKind::TimedOut`] once its time is over.
#[derive(Debug)]
pub(super) struct Deadline {
    stream: TcpStream,
    end: Instant,
}

impl Deadline {
    pub(super) fn new(stream: TcpStream, end: Instant) -> Self {
        Self { stream, end }
    }

    fn left(&self) -> Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(Error::from(ErrorKind::TimedOut)) } else { Ok(left) }
    }
}

/// Systems tell of a time limit in two ways.
fn told(error: Error) -> Error {
    match error.kind() {
        ErrorKind::WouldBlock => ErrorKind::TimedOut.into(),
        _ => error,
    }
}

impl Read for Deadline {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer).map_err(told)
    }
}

impl Write for Deadline {
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(buffer).map_err(told)
    }

    fn flush(&mut self) -> Result<()> {
        self.stream.flush()
    }
}
