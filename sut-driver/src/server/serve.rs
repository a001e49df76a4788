//! A driver on a socket, in a thread of its own.

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::serve::ListenerExt;
use tokio::sync::oneshot;

use super::driver_router;
use crate::controller::SutController;

/// The environment variable that says on which address drivers listen.
const HOST: &str = "WALLACE_DRIVER_HOST";

/// A driver that listens on this machine until it is dropped.
///
/// It runs in a thread and runtime of its own, so that neither the system under test nor the
/// engine delays it.
///
/// ```no_run
/// use std::sync::Arc;
/// use wallace_sut_driver::{DriverServer, SutController};
///
/// fn serve(controller: Arc<dyn SutController>) -> std::io::Result<()> {
///     let driver = DriverServer::start(controller, 40100)?;
///     println!("driver listens at {}", driver.url());
///     std::thread::park();
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct DriverServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl DriverServer {
    /// Listens on `port` of [`driver_host`], 0 for any free one, and serves the driver of `controller`.
    ///
    /// # Errors
    /// When the port is taken, or the operating system refuses a socket, runtime or thread.
    pub fn start(controller: Arc<dyn SutController>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((driver_host()?, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let (stop, stopped) = oneshot::channel();
        let router = driver_router(controller);
        let thread = thread::Builder::new().name("wallace-driver".to_owned()).spawn(move || {
            runtime.block_on(serve(listener, router, stopped));
            // A controller that still blocks must not hold up whoever drops the server.
            runtime.shutdown_background();
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What an engine is given, for example `http://127.0.0.1:40100`.
    #[must_use]
    pub fn url(&self) -> String {
        url_of(self.address)
    }
}

/// On which address of this machine a driver listens, and the system that it serves: 127.0.0.1, or what the
/// environment variable `WALLACE_DRIVER_HOST` says. Whoever reaches a driver rules its system, so that
/// another address is for networks of one's own.
///
/// # Errors
/// When the variable holds no address.
pub fn driver_host() -> io::Result<IpAddr> {
    let Some(text) = std::env::var_os(HOST).filter(|text| !text.is_empty()) else {
        return Ok(Ipv4Addr::LOCALHOST.into());
    };
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    let wrong = || format!("{HOST} is {text:?}: give an address, such as 0.0.0.0");
    parsed.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, wrong()))
}

/// The URL of who listens there, as seen from this machine.
#[must_use]
pub fn url_of(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://127.0.0.1:{}", address.port()),
        false => format!("http://{address}"),
    }
}

impl Drop for DriverServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        let Some(thread) = self.thread.take() else {
            return;
        };
        // The last owner may be the served controller itself, in this very thread.
        if thread.thread().id() != thread::current().id() {
            // A panic of the server has been reported by its own thread.
            drop(thread.join());
        }
    }
}

async fn serve(listener: tokio::net::TcpListener, router: Router, stopped: oneshot::Receiver<()>) {
    let listener = listener.tap_io(|stream| {
        // Without this, an answer in two segments waits 40 ms for a delayed acknowledgement.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "no TCP_NODELAY on a connection");
        }
    });
    let mut served = pin!(axum::serve(listener, router).into_future());
    let mut stopped = pin!(stopped);
    poll_fn(|context| {
        // Dropping the sender ends the wait as well.
        if stopped.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        served.as_mut().poll(context).map(|served| {
            if let Err(error) = served {
                tracing::warn!(%error, "the driver has stopped serving");
            }
        })
    })
    .await;
}
