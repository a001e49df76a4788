//! A service on a loopback port, in a thread of its own.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// Serves until dropped; dropping closes the port and all connections.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves `router` on `port`; 0 takes a free one. The port answers when this returns.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub(crate) fn start(router: Router, port: u16) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name(format!("fixture-{}", address.port()))
            .spawn(move || serve(&runtime, listener, router, stopped))?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where the service answers.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Runs until `stopped` resolves, which it also does when its sender is dropped.
fn serve(runtime: &Runtime, listener: TcpListener, router: Router, stopped: oneshot::Receiver<()>) {
    runtime.block_on(async {
        let listener = listener.tap_io(send_at_once);
        tokio::select! {
            _ = axum::serve(listener, router) => {}
            _ = stopped => {}
        }
    });
}

/// Small answers must not wait for Nagle's algorithm. A socket that is closed already may refuse;
/// then nothing is lost.
fn send_at_once(socket: &mut TcpStream) {
    let _ = socket.set_nodelay(true);
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has stopped serving too, which is all that is wanted here.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Server;
    use axum::Router;
    use std::io::Read;
    use std::net::TcpStream;
    use std::time::Duration;

    #[test]
    fn connections_are_closed_by_the_drop() {
        let server = Server::start(Router::new(), 0).unwrap();
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        drop(server);
        let end = connection.read(&mut [0]);
        assert!(
            end.as_ref().map_or_else(
                |error| error.kind() == std::io::ErrorKind::ConnectionReset,
                |length| *length == 0
            ),
            "{end:?}"
        );
    }

    #[test]
    fn a_taken_port_is_an_error() {
        let server = Server::start(Router::new(), 0).unwrap();
        assert!(Server::start(Router::new(), server.address.port()).is_err());
    }
}
