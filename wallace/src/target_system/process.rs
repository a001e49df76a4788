//! A service that the run itself starts, by a command of the shell, and that ends with the run.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, PipeReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wallace_engine::StopSignal;
use wallace_sut_driver::http::HttpAddress;

use crate::error::StartError;
use crate::process_group::ProcessGroup;

/// Time between two looks at a process or at its port.
const LOOK: Duration = Duration::from_millis(50);
/// Time that a service has to end by itself once it is asked to, and its port to be free then.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest wait for one connection.
const CONNECT: Duration = Duration::from_secs(1);
/// Longest wait for one answer.
const ANSWER: Duration = Duration::from_secs(5);
/// Bytes of an answer that are read to see whether it is one of the service.
const HEAD: u64 = 4_096;
/// Longest wait for the operations of a service that answers already, where its start may take as long.
const ROUTES: Duration = Duration::from_secs(30);
/// Bytes at the end of what a service printed that are shown when it fails.
const TAIL: usize = 2_000;

/// A service that this run starts. Clones are the same service; it ends with the last of them.
#[derive(Debug, Clone)]
pub(crate) struct ServiceProcess(Arc<Mutex<Process>>);

#[derive(Debug)]
struct Process {
    command: String,
    address: HttpAddress,
    timeout: Duration,
    stop: StopSignal,
    running: Option<(ProcessGroup, Tail)>,
    was_started: bool,
    /// Paths that a service which is ready knows, where these are known; else that of its address.
    paths: Vec<String>,
}

impl ServiceProcess {
    /// The service that `command` starts and that answers at `address`; not started yet. A start may
    /// take as long as `timeout`.
    pub(crate) fn new(
        command: &str,
        address: HttpAddress,
        timeout: Duration,
        stop: &StopSignal,
    ) -> Self {
        let (command, stop) = (command.to_owned(), stop.clone());
        let (running, was_started, paths) = (None, false, Vec::new());
        let process = Process { command, address, timeout, stop, running, was_started, paths };
        Self(Arc::new(Mutex::new(process)))
    }

    /// Ends the service where it runs, and starts it.
    pub(crate) fn start_anew(&self) -> Result<(), StartError> {
        let mut process = self.lock();
        process.end();
        process.start()
    }

    /// Waits until the service answers one of these paths otherwise than by a page of what serves them
    /// later: some listen before they know their operations. From then on each start waits for that. Where
    /// none of them is ever there, they are none to wait for.
    pub(crate) fn wait_for(&self, paths: Vec<String>) -> Result<(), StartError> {
        let mut process = self.lock();
        process.paths = paths;
        let begin = Instant::now();
        while !process.is_ready() {
            if process.stop.is_set() {
                return Err(StartError::Interrupted);
            }
            if begin.elapsed() > ROUTES.min(process.timeout) {
                process.paths.clear();
                break;
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Whether the service was started and does not run any more.
    pub(crate) fn has_ended(&self) -> bool {
        let mut process = self.lock();
        process.running.as_mut().is_some_and(|(group, _)| group.has_ended()) && !process.answers()
    }

    /// Starts the service again where it has ended.
    pub(crate) fn revive(&self) -> Result<(), StartError> {
        let mut process = self.lock();
        if process.running.as_mut().is_some_and(|(group, _)| !group.has_ended()) {
            return Ok(());
        }
        process.end();
        process.start()
    }

    fn lock(&self) -> MutexGuard<'_, Process> {
        // What is half-started is ended by the next start.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process {
    fn start(&mut self) -> Result<(), StartError> {
        if self.answers() {
            let address = self.address.to_string();
            return Err(match self.was_started {
                true => StartError::StillThere(address),
                false => StartError::InTheWay(address),
            });
        }
        self.was_started = true;
        self.running = Some(spawn(&self.command).map_err(StartError::CannotStart)?);
        let outcome = self.wait();
        if outcome.is_err() {
            self.end();
        }
        outcome
    }

    /// Waits until the service answers.
    fn wait(&mut self) -> Result<(), StartError> {
        let begin = Instant::now();
        loop {
            if self.is_ready() {
                return Ok(());
            }
            if self.stop.is_set() {
                return Err(StartError::Interrupted);
            }
            let address = self.address.to_string();
            let Some((group, printed)) = &mut self.running else { continue };
            // A command that only starts a service elsewhere ends well, and the service comes later.
            if let Some(status) = group.status()
                && !status.success()
            {
                return Err(StartError::Ended { status, address, tail: printed.text() });
            }
            if begin.elapsed() > self.timeout {
                let waited = self.timeout;
                return Err(StartError::NoAnswer { address, waited, tail: printed.text() });
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Whether something listens where the service should be.
    fn answers(&self) -> bool {
        self.connect().is_some()
    }

    fn connect(&self) -> Option<TcpStream> {
        let addresses = self.address.resolve();
        addresses.iter().find_map(|address| TcpStream::connect_timeout(address, CONNECT).ok())
    }

    /// Whether the service answers, and not only a gateway before it that waits for it, too.
    fn is_ready(&self) -> bool {
        if self.address.is_secure() {
            return self.answers();
        }
        let is_gateway =
            |head: &str| ["502", "503", "504"].iter().any(|it| head[9..].starts_with(it));
        if self.paths.is_empty() {
            let path = self.address.path();
            let path = if path.is_empty() { "/" } else { path };
            return self.ask(path).is_some_and(|head| !is_gateway(&head));
        }
        let is_page = |head: &str| head[9..].starts_with("404") && head.contains("text/html");
        let mut heads = self.paths.iter().filter_map(|path| self.ask(path));
        heads.any(|head| !is_gateway(&head) && !is_page(&head))
    }

    /// The head of the answer to a reading of a path, in lower case; none where it is none of HTTP.
    fn ask(&self, path: &str) -> Option<String> {
        let mut stream = self.connect()?;
        let host = self.address.authority();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.set_read_timeout(Some(ANSWER)).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        let mut head = Vec::new();
        let mut lines = BufReader::new(stream.take(HEAD));
        while lines.read_until(b'\n', &mut head).is_ok_and(|read| read > 2) {}
        let head = String::from_utf8_lossy(&head).to_lowercase();
        let is_http = head.starts_with("http/1.") && head.is_char_boundary(9) && head.len() >= 12;
        is_http.then_some(head)
    }

    /// Ends the group of the service, and waits until its port is free.
    fn end(&mut self) {
        if self.running.take().is_none() {
            return;
        }
        let deadline = Instant::now() + PATIENCE;
        while self.answers() && Instant::now() < deadline {
            std::thread::sleep(LOOK);
        }
    }
}

fn spawn(command: &str) -> std::io::Result<(ProcessGroup, Tail)> {
    let (reader, writer) = std::io::pipe()?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null());
    shell.stdout(writer.try_clone()?).stderr(writer);
    Ok((ProcessGroup::spawn(&mut shell, PATIENCE)?, Tail::of(reader)))
}

/// The last that a service printed.
#[derive(Debug, Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Follows what comes, until nobody can write there any more.
    fn of(mut reader: PipeReader) -> Self {
        let tail = Self::default();
        let kept = tail.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let mut kept = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&buffer[..count]);
                let excess = kept.len().saturating_sub(TAIL);
                kept.drain(..excess);
            }
        });
        tail
    }

    fn text(&self) -> String {
        // What was printed last may still be on its way.
        std::thread::sleep(LOOK);
        let bytes: Vec<u8> =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        match String::from_utf8_lossy(&bytes).trim() {
            "" => "it printed nothing".to_owned(),
            text => format!("it printed\n{text}"),
        }
    }
}
