//! The recording reverse proxy.
//!
//! Bytes are passed on exactly as they come, in both directions, and only a copy is looked into. So
//! nothing that is sent can be altered, whatever it is, and what cannot be understood is merely not
//! recorded.

mod message;
mod recorder;
mod watcher;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::mask::Masking;
use recorder::Recorder;
pub use recorder::RecordingStatistics;
use watcher::{Direction, Watcher};

/// Bytes passed on at once.
const BUFFER: usize = 32 * 1024;
/// What a client is told when the service cannot be reached.
const BAD_GATEWAY: &[u8] =
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// What is recorded, and where.
#[derive(Debug)]
pub struct RecordingSettings {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Host and port of the service, spoken to without encryption.
    pub upstream: String,
    /// The file that operations are added to, one a line.
    pub file: PathBuf,
    /// Largest size of the file in bytes; what comes after is counted and not kept. Default 256 MiB.
    pub limit: u64,
    /// Whether answers are kept too. Default true.
    pub keeps_answers: bool,
    /// What is secret.
    pub masking: Masking,
}

impl RecordingSettings {
    /// Recording what goes to `upstream` in `file`, on a free port of this machine.
    #[must_use]
    pub fn new(upstream: impl Into<String>, file: impl Into<PathBuf>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            upstream: upstream.into(),
            file: file.into(),
            limit: 256 << 20,
            keeps_answers: true,
            masking: Masking::default(),
        }
    }
}

/// A proxy that runs until it is dropped.
#[derive(Debug)]
pub struct RecordingProxy {
    address: SocketAddr,
    recorder: Arc<Mutex<Recorder>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RecordingProxy {
    /// Starts a proxy; its port answers when this returns.
    ///
    /// # Errors
    /// When the address of the service is none, the port is taken or the file cannot be written.
    pub fn start(settings: RecordingSettings) -> io::Result<Self> {
        let upstream: Arc<str> = host_and_port(&settings.upstream)?.into();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime
            .block_on(TcpListener::bind(settings.listen))
            .map_err(|error| named(&settings.listen, &error))?;
        let address = listener.local_addr()?;
        let file = settings.file.clone();
        let recorder = Recorder::open(settings).map_err(|error| named(&file.display(), &error))?;
        let recorder = Arc::new(Mutex::new(recorder));
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::clone(&recorder);
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, upstream, shared) => {}
                    _ = stopped => {}
                }
            });
        });
        Ok(Self { address, recorder, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it has done so far.
    #[must_use]
    pub fn statistics(&self) -> RecordingStatistics {
        locked(&self.recorder).statistics()
    }
}

/// The address of a service, which is spoken to without encryption.
fn host_and_port(text: &str) -> io::Result<&str> {
    let address = text.trim_start_matches("http://").trim_end_matches('/');
    let is_usable = address.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty() && !host.contains('/') && port.parse().is_ok_and(|port: u16| port > 0)
    });
    is_usable.then_some(address).ok_or_else(|| {
        let reason = format!("the service at {text:?} has no address of the form HOST:PORT");
        io::Error::new(io::ErrorKind::InvalidInput, reason)
    })
}

/// The error with what it is about.
fn named(subject: &dyn std::fmt::Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{subject}: {error}"))
}

impl Drop for RecordingProxy {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic there was already told; there is nothing to add here.
            let _ = thread.join();
        }
    }
}

fn locked(recorder: &Mutex<Recorder>) -> std::sync::MutexGuard<'_, Recorder> {
    recorder.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

async fn accept(listener: TcpListener, upstream: Arc<str>, recorder: Arc<Mutex<Recorder>>) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                tokio::spawn(serve(client, Arc::clone(&upstream), Arc::clone(&recorder)));
            }
            // Too many open files, say: others may close theirs.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    }
}

/// Passes on what one client and the service say, until both are silent.
async fn serve(mut client: TcpStream, upstream: Arc<str>, recorder: Arc<Mutex<Recorder>>) {
    let Ok(mut service) = TcpStream::connect(&*upstream).await else {
        let _ = client.write_all(BAD_GATEWAY).await;
        return;
    };
    // Small messages are not held back; a connection without this only waits longer.
    let _ = (client.set_nodelay(true), service.set_nodelay(true));
    let watcher = Mutex::new(Watcher::default());
    let (mut from_client, mut to_client) = client.split();
    let (mut from_service, mut to_service) = service.split();
    let requests = pass(&mut from_client, &mut to_service, Direction::Request, &watcher, &recorder);
    let answers = pass(&mut from_service, &mut to_client, Direction::Response, &watcher, &recorder);
    tokio::join!(requests, answers);
    let mut watcher = watcher.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    watcher.end(&mut |exchange| locked(&recorder).record(exchange));
}

async fn pass(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    direction: Direction,
    watcher: &Mutex<Watcher>,
    recorder: &Mutex<Recorder>,
) {
    let mut buffer = vec![0; BUFFER];
    // The end of one direction is passed on and leaves the other one open; where a side is gone,
    // closing is all that is left to do.
    while let Ok(length) = from.read(&mut buffer).await {
        if length == 0 || to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
        let mut watcher = watcher.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        watcher
            .see(direction, &buffer[..length], &mut |exchange| locked(recorder).record(exchange));
    }
    let _ = to.shutdown().await;
    if direction == Direction::Response {
        // No more answers come, whatever the client still has to say.
        let mut watcher = watcher.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        watcher.end(&mut |exchange| locked(recorder).record(exchange));
    }
}
