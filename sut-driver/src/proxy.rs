//! A proxy between a tool and a driver that counts, whoever is driving.
//!
//! Tools count calls and targets each in their own way. Benchmarks need one measure for all, so it
//! is taken where they meet: on the wire.

mod forward;
mod tally;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use axum::serve::ListenerExt;
use tokio::sync::oneshot;

use crate::http::HttpAddress;
use forward::{Shared, router};
pub use tally::{CurvePoint, Tally};

/// A driver's stand-in that passes everything on unchanged, and keeps a [`Tally`].
///
/// After each `testResults` of the tool it asks the driver, in the same test, for all targets that
/// are covered. Tools that ask only for some of their targets would else be measured by what they
/// happened to ask for. The exchange costs the tool time and never a call.
///
/// ```no_run
/// use wallace_sut_driver::CountingProxy;
///
/// let proxy = CountingProxy::start("http://localhost:40100".parse()?, 0)?;
/// println!("give {} to the tool", proxy.url());
/// // ... the tool runs ...
/// let tally = proxy.tally();
/// println!("{} calls cover {} targets", tally.calls, tally.covered.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CountingProxy {
    address: SocketAddr,
    tally: Arc<Mutex<Tally>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl CountingProxy {
    /// Listens on 127.0.0.1 and `port`, 0 for any free one, and passes everything on to `driver`.
    ///
    /// # Errors
    /// When the port is taken, or the operating system refuses a socket, runtime or thread.
    pub fn start(driver: HttpAddress, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let (stop, stopped) = oneshot::channel();
        let tally = Arc::new(Mutex::new(Tally::default()));
        let router = router(Shared::new(driver, Arc::clone(&tally)));
        let thread = thread::Builder::new().name("counting-proxy".to_owned()).spawn(move || {
            let listener = listener.tap_io(|stream| {
                let _ = stream.set_nodelay(true);
            });
            runtime.block_on(async {
                tokio::select! {
                    served = axum::serve(listener, router).into_future() => {
                        if let Err(error) = served {
                            tracing::warn!(%error, "the counting proxy has stopped serving");
                        }
                    }
                    _ = stopped => {}
                }
            });
            runtime.shutdown_background();
        })?;
        Ok(Self { address, tally, stop: Some(stop), thread: Some(thread) })
    }

    /// What the tool is given in place of the driver's address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What was counted so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for CountingProxy {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by itself.
            drop(thread.join());
        }
    }
}
