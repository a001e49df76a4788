//! Fixtures in processes of their own, so that what they use is not counted as the client's.
//!
//! A bench starts itself as the service.

#![allow(clippy::print_stdout, reason = "the service tells its ports there")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use emb_fixtures::{Fixture, Options};

/// To be called first in `main`: serves, and does not come back, where this process was started to.
pub fn serve_if_asked() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--serve") {
        let numbers = arguments[place + 1].split_once(',');
        let numbers = numbers.and_then(|(one, other)| one.parse().ok().zip(other.parse().ok()));
        match numbers {
            Some((request, answer)) => serve_raw(request, answer),
            None => serve(&arguments[place + 1]),
        }
    }
}

/// Answers each so many bytes with so many on one connection after the other.
fn serve_raw(request: usize, answer: usize) -> ! {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has free ports");
    let port = listener.local_addr().expect("the listener is bound").port();
    println!("localhost:{port} localhost:{port}");
    let (mut request, answer) = (vec![0; request], vec![0; answer]);
    for mut stream in listener.incoming().flatten() {
        let _ = stream.set_nodelay(true);
        while stream.read_exact(&mut request).is_ok() && stream.write_all(&answer).is_ok() {}
    }
    std::process::exit(0);
}

/// Serves a fixture until standard input ends; tells its ports.
fn serve(name: &str) -> ! {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    println!(
        "{} {}",
        running.base_url,
        running.driver_url.as_deref().expect("a driver was asked for")
    );
    let _ = std::io::stdin().read_line(&mut String::new());
    std::process::exit(0);
}

/// A fixture in a process of its own, which ends when this is dropped.
#[derive(Debug)]
pub struct Service {
    child: Child,
    /// Where it answers.
    pub sut: SocketAddr,
    /// Where its driver answers.
    pub driver: SocketAddr,
}

impl Service {
    /// Starts a fixture.
    ///
    /// # Panics
    /// When there is none of this name, or no process can be started.
    #[must_use]
    pub fn start(name: &str) -> Self {
        Self::serving(name)
    }

    /// Starts a peer that answers each `request` bytes with `answer` bytes; it is there as both.
    ///
    /// # Panics
    /// When no process can be started.
    #[must_use]
    pub fn start_raw(request: usize, answer: usize) -> Self {
        Self::serving(&format!("{request},{answer}"))
    }

    fn serving(name: &str) -> Self {
        let own = std::env::current_exe().expect("the bench has a path");
        let mut command = Command::new(own);
        command.args(["--serve", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the bench can start itself");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the service tells its ports");
        let address = |url: &str| {
            let port = url.trim_end_matches('/').rsplit(':').next().expect("a port");
            let digits: String = port.chars().take_while(char::is_ascii_digit).collect();
            SocketAddr::from((Ipv4Addr::LOCALHOST, digits.parse().expect("a port")))
        };
        let (sut, driver) = line.trim().split_once(' ').expect("two addresses");
        let (sut, driver) = (address(sut), address(driver));
        Self { child, sut, driver }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
