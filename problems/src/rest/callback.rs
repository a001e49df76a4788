//! A place on this machine that services under test may be made to call: whoever calls it was told
//! to by a request.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::action::{Deviation, RestAction};

/// Most bytes that are read of a call: its first line is enough.
const MOST_BYTES: usize = 4096;
/// Most different paths that are remembered.
const MOST_PATHS: usize = 10_000;
/// Longest wait for the first line of a call.
const READ_TIMEOUT: Duration = Duration::from_millis(500);
/// Longest wait for a call that a service makes after it has answered.
const PATIENCE: Duration = Duration::from_millis(30);

/// Listens on a free port of the loopback address, and notes which paths are called.
#[derive(Debug)]
pub struct CallbackListener {
    address: SocketAddr,
    called: Arc<Mutex<BTreeSet<String>>>,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CallbackListener {
    /// Starts to listen.
    ///
    /// # Errors
    /// When there is no free port, or no thread.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let called = Arc::new(Mutex::new(BTreeSet::new()));
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (notes, stop) = (Arc::clone(&called), Arc::clone(&is_stopped));
        let thread = std::thread::Builder::new()
            .name("wallace-callback".to_owned())
            .spawn(move || listen(&listener, &notes, &stop))?;
        Ok(Self { address, called, is_stopped, thread: Some(thread) })
    }

    /// The URL of a path, which is given without its slash.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Whether a path was called since the last question for it.
    #[must_use]
    pub fn take(&self, path: &str) -> bool {
        let begun = Instant::now();
        loop {
            let is_called = self.called.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
            if is_called || begun.elapsed() > PATIENCE {
                return is_called;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for CallbackListener {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        // Wakes the thread, which waits for a call.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The path of the listener that a call is made to lead to, if it is.
pub(super) fn path_of(action: &RestAction) -> Option<String> {
    let Some(Deviation::Callback { parameter, pointer }) = action.deviation.as_deref() else {
        return None;
    };
    let parameter = parameter.map_or_else(|| "body".to_owned(), |index| index.to_string());
    let pointer: String =
        pointer.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    Some(format!("wallace/{}/{parameter}{pointer}", action.template.0))
}

fn listen(listener: &TcpListener, called: &Mutex<BTreeSet<String>>, is_stopped: &AtomicBool) {
    for stream in listener.incoming() {
        if is_stopped.load(Ordering::Relaxed) {
            return;
        }
        let Some(path) = stream.ok().and_then(answer) else { continue };
        let mut called = called.lock().unwrap_or_else(PoisonError::into_inner);
        if called.len() < MOST_PATHS {
            called.insert(path);
        }
    }
}

/// Reads the path of a call, without its slash, and answers with nothing.
fn answer(mut stream: TcpStream) -> Option<String> {
    stream.set_read_timeout(Some(READ_TIMEOUT)).ok()?;
    stream.set_write_timeout(Some(READ_TIMEOUT)).ok()?;
    let mut text = Vec::new();
    let mut buffer = [0; 512];
    while !text.contains(&b'\n') && text.len() < MOST_BYTES {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
        }
    }
    let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    let text = String::from_utf8_lossy(&text);
    let path = text.lines().next()?.split(' ').nth(1)?;
    Some(path.trim_start_matches('/').split('?').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_noted_once_and_garbage_is_survived() {
        let listener = CallbackListener::start().unwrap();
        assert!(listener.url("a/b").starts_with("http://127.0.0.1:"));
        let send = |text: &[u8]| {
            let mut stream = TcpStream::connect(listener.address).unwrap();
            stream.write_all(text).unwrap();
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            answer
        };
        assert!(send(b"GET /a/b?x=1 HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 204"));
        send(b"\xff\xff\n");
        assert!(listener.take("a/b") && !listener.take("a/b") && !listener.take("c"));
    }
}
