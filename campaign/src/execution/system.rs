//! The system under test of one run, as a process.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use super::template::Values;
use crate::definition::{Origin, System};

/// Most bytes of output of a system that are kept.
const LOG_LIMIT: u64 = 16 << 20;

/// What a fixture prints when its ports answer.
const FIXTURE_READY: &str = "is ready: base URL";

/// Ports of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ports {
    pub(super) driver: u16,
    pub(super) sut: u16,
}

impl Ports {
    /// The first two of the given ten that are free, or any free ones.
    pub(super) fn take(first: Option<u16>) -> Result<Self, String> {
        let slot: u16 =
            std::env::var("WALLACE_SLOT").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
        let Some(first) = first else {
            // Held together, so that they differ.
            let (one, other) = (free(0)?, free(0)?);
            return Ok(Self { driver: one.0, sut: other.0 });
        };
        let first = first.saturating_add(slot.saturating_mul(10));
        let mut free_ones = (first..first.saturating_add(10)).filter(|port| free(*port).is_ok());
        match (free_ones.next(), free_ones.next()) {
            (Some(driver), Some(sut)) => Ok(Self { driver, sut }),
            _ => Err(format!(
                "the ports {first} to {} are taken: set resources.ports to another range, or leave it out",
                first.saturating_add(9)
            )),
        }
    }
}

fn free(port: u16) -> Result<(u16, TcpListener), String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.map_err(|error| format!("no port on loopback: {error}"))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    Ok((port, listener))
}

/// A system that answers; it is stopped when this is dropped.
#[derive(Debug)]
pub(super) struct RunningSystem(Option<Child>);

impl RunningSystem {
    /// Starts the system and waits until it says that it is ready.
    pub(super) fn start(system: &System, values: &Values, logs: &Path) -> Result<Self, String> {
        let (command, ready) = match system.origin() {
            Origin::Running => return Ok(Self(None)),
            Origin::Command(command) => {
                let filled = command.iter().map(|part| values.fill(part)).collect();
                (filled, system.ready.as_deref().unwrap_or_default())
            }
            Origin::Fixture(name) => (fixture_command(name, system, values), FIXTURE_READY),
        };
        let name = &command[0];
        let mut guarded = Command::new(values.get("wallace"));
        guarded.args(["campaign", "guard", "--"]).args(&command);
        guarded.envs(system.environment.iter().map(|(key, value)| (key, values.fill(value))));
        guarded.current_dir(
            system
                .folder
                .as_ref()
                .map_or_else(|| values.get("out").to_owned(), |folder| values.fill(folder)),
        );
        guarded.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child =
            guarded.spawn().map_err(|error| format!("{name} cannot be started: {error}"))?;
        let mut running = Self(Some(child));
        running.wait_until_ready(name, ready, Duration::from_secs(system.ready_seconds), logs)?;
        Ok(running)
    }

    fn wait_until_ready(
        &mut self,
        name: &str,
        ready: &str,
        limit: Duration,
        logs: &Path,
    ) -> Result<(), String> {
        let child = self.0.as_mut().expect("it was started");
        let (sender, lines) = channel();
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|stream| Box::new(stream) as _),
            child.stderr.take().map(|stream| Box::new(stream) as _),
        ];
        for (stream, file) in streams.into_iter().zip(["system.out", "system.err"]) {
            let path = logs.join(file);
            let log =
                File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let sender = sender.clone();
            let stream = stream.expect("both streams are piped");
            std::thread::spawn(move || copy(stream, log, &sender));
        }
        drop(sender);
        let start = Instant::now();
        let log = logs.display();
        let mut last = String::new();
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match lines.recv_timeout(left) {
                Ok(line) if line.contains(ready) => return Ok(()),
                Ok(line) if !line.trim().is_empty() => last = line,
                Ok(_) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                    let seconds = limit.as_secs();
                    return Err(format!(
                        "{name} did not say '{ready}' within {seconds} s: see {log}, or set ready_seconds"
                    ));
                }
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(format!(
                        "{name} ended before it was ready ({}): see {log}",
                        last.trim()
                    ));
                }
            }
        }
    }
}

impl Drop for RunningSystem {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn fixture_command(name: &str, system: &System, values: &Values) -> Vec<String> {
    let mut command = vec![
        values.get("wallace").to_owned(),
        "fixture".to_owned(),
        name.to_owned(),
        format!("--port={}", values.get("sut_port")),
        format!("--driver-port={}", values.get("driver_port")),
    ];
    command.extend(system.switches.iter().map(|switch| format!("--switch={switch}")));
    command
}

/// Copies lines to the log, up to its limit, and to whoever still waits for one.
fn copy(stream: Box<dyn Read + Send>, mut log: File, lines: &Sender<String>) {
    let mut reader = BufReader::new(stream);
    let mut written = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        // A system that never ends its line must not fill the memory.
        match (&mut reader).take(64 << 10).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(count) => {
                if written < LOG_LIMIT {
                    let _ = log.write_all(&line);
                    written += count as u64;
                }
                let _ = lines.send(String::from_utf8_lossy(&line).into_owned());
            }
        }
    }
}
