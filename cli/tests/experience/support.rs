//! What the tests of the command share.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

/// The command with arguments, without settings from the environment.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallace"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WALLACE_") {
            command.env_remove(name);
        }
    }
    command.args(arguments);
    command
}

/// Runs the command.
pub(crate) fn wallace(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A service that keeps what it is sent, and answers it with `answer`.
pub(crate) struct Recording {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Recording {
    pub(crate) fn start(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has free ports");
        let port = listener.local_addr().expect("it is bound").port();
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let (kept, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &kept, &*answer));
            }
        });
        Self { port, requests }
    }

    /// Heads and bodies of all requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panicked").clone()
    }
}

fn serve(
    mut stream: std::net::TcpStream,
    kept: &Mutex<Vec<String>>,
    answer: &(dyn Fn(&str) -> String + Send + Sync),
) {
    let mut buffer: Vec<u8> = Vec::new();
    let mut chunk = [0; 65_536];
    loop {
        while let Some(length) = whole(&buffer) {
            let request = text(&buffer[..length]);
            buffer.drain(..length);
            kept.lock().expect("nobody panicked").push(request.clone());
            let body = answer(&request);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            if stream.write_all((head + &body).as_bytes()).is_err() {
                return;
            }
        }
        match stream.read(&mut chunk) {
            Ok(count) if count > 0 => buffer.extend_from_slice(&chunk[..count]),
            _ => return,
        }
    }
}

/// Length of the first request in the bytes, when all of it is there.
fn whole(buffer: &[u8]) -> Option<usize> {
    let head = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let lines = text(&buffer[..head]).to_ascii_lowercase();
    let length =
        lines.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let end = head + length.unwrap_or(0);
    (buffer.len() >= end).then_some(end)
}

/// A built-in service with its driver; it ends with the test.
pub(crate) struct Fixture {
    /// Address of its driver.
    pub(crate) driver: String,
    child: Child,
}

impl Fixture {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = command(&["fixture"]);
        let child = command.args(arguments).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("the command runs");
        let mut line = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it is");
        let mut words = line.split_whitespace().map(|word| word.trim_matches([',', ';', '.']));
        let driver = words.rfind(|word| word.contains("127.0.0.1:"));
        let driver = driver.unwrap_or_else(|| panic!("no driver is told: {line}")).to_owned();
        Self { driver, child }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
