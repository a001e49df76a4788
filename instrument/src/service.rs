//! The system under test on a loopback port, in threads of its own.

use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use wallace_sut_driver::{driver_host, url_of};

use crate::recorder::Recorder;

/// How long a stop waits for handlers that still run before it leaves them to themselves.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

impl Recorder {
    /// A router whose requests are recorded here; see [`Recorder::layer`] for other services.
    pub fn watch(self: &Arc<Self>, router: Router) -> Router {
        router.layer(self.layer())
    }
}

/// A service that answers until it is dropped; then its port and connections are closed.
#[derive(Debug)]
pub(crate) struct Service {
    address: SocketAddr,
    runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    stopped: mpsc::Receiver<()>,
}

impl Service {
    /// Serves the router that `make` gives on `port`, 0 for any free one.
    ///
    /// `make` runs inside the runtime of the service, so that it may start tasks.
    ///
    /// # Errors
    /// When the port is taken, or the operating system refuses a socket, runtime or thread.
    pub(crate) fn start(port: u16, make: impl FnOnce() -> Router) -> io::Result<Self> {
        // One worker also waits for the sockets, so that no other thread has to be woken for a
        // request; the listener is elsewhere, so that a handler that never ends does not keep it.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("wallace-sut")
            .enable_all()
            .build()?;
        let listener = TcpListener::bind((driver_host()?, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let router = {
            let _inside = runtime.enter();
            make()
        };
        let handle = runtime.handle().clone();
        let (stop, stopping) = oneshot::channel();
        let (ended, stopped) = mpsc::channel();
        thread::Builder::new().name("wallace-sut-listener".to_owned()).spawn(move || {
            serve(runtime, listener, router, stopping);
            // Nobody may be waiting any more.
            drop(ended);
        })?;
        Ok(Self { address, runtime: handle, stop: Some(stop), stopped })
    }

    /// For example `http://127.0.0.1:40100`.
    pub(crate) fn base_url(&self) -> String {
        url_of(self.address)
    }

    /// Where its requests run.
    pub(crate) fn runtime(&self) -> &Handle {
        &self.runtime
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.stop.take());
        // Ends when the thread drops its sender; nothing is ever sent.
        let _ = self.stopped.recv_timeout(2 * STOP_TIMEOUT);
    }
}

fn serve(runtime: Runtime, listener: TcpListener, router: Router, stopping: oneshot::Receiver<()>) {
    runtime.block_on(async {
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
            return;
        };
        let listener = listener.tap_io(|stream| {
            // Small answers must not wait for Nagle's algorithm; a socket that refuses is slow,
            // not wrong.
            let _ = stream.set_nodelay(true);
        });
        let mut served = pin!(axum::serve(listener, router).into_future());
        let mut stopping = pin!(stopping);
        poll_fn(|context| match stopping.as_mut().poll(context) {
            Poll::Ready(_) => Poll::Ready(()),
            Poll::Pending => served.as_mut().poll(context).map(drop),
        })
        .await;
    });
    runtime.shutdown_timeout(STOP_TIMEOUT);
}
