//! What a client did about drivers that misbehaved.

use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

/// Pause between two looks at a port.
const PAUSE: Duration = Duration::from_millis(20);

/// How often a client had to help itself. Each trouble is met once; what comes again is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DriverRecoveries {
    /// Exchanges sent again because the connection broke.
    pub repeated_exchanges: u64,
    /// Resets sent again because the driver failed in them.
    pub repeated_resets: u64,
    /// Starts sent again because the system had not yet gone.
    pub repeated_starts: u64,
    /// Times when the numbers of targets had lost their meaning, by a start of the system that
    /// nobody announced.
    pub lost_numbers: u64,
    /// Whether the driver tells only targets that are seen for the first time unless it is asked
    /// for others by number, which costs an exchange more for each test.
    pub asks_by_number: bool,
    /// Whether the driver took no documents for a test, and will not: it is older, or is not
    /// connected to what it reports on.
    pub takes_no_documents: bool,
    /// The same of keys.
    pub takes_no_keys: bool,
}

/// Waits until nobody listens at the system's address: a stop returns before the system has gone.
/// Drivers start their systems on their own machine; other addresses are left alone.
pub(super) fn await_silence(base_url: &str, longest: Duration) {
    let authority = base_url.split("://").last().unwrap_or(base_url);
    let authority = authority.split('/').next().unwrap_or(authority);
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let is_literal = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    if host != "localhost" && !is_literal {
        return;
    }
    let Ok(addresses) = authority.to_socket_addrs() else { return };
    let addresses: Vec<SocketAddr> = addresses.filter(|it| it.ip().is_loopback()).collect();
    let deadline = Instant::now() + longest;
    let answers = |address: &SocketAddr| TcpStream::connect_timeout(address, PAUSE).is_ok();
    while Instant::now() < deadline && addresses.iter().any(answers) {
        thread::sleep(PAUSE);
    }
}
