//! Services that misbehave: a run on them ends in time, and says what happened.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wallace::{RunError, Settings, Summary};

use crate::{covered, run};

/// A service of which every connection is handled by one function, after the head of its request.
struct Hostile {
    address: String,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Hostile {
    fn start(answer: fn(&mut TcpStream)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopped);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                std::thread::spawn(move || {
                    stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
                    let mut head = [0; 4096];
                    if stream.read(&mut head).is_ok_and(|count| count > 0) {
                        answer(&mut stream);
                    }
                });
            }
        });
        Self { address, is_stopped, thread: Some(thread) }
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(&self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A run of some calls on a hostile service, and how long it took.
fn tested(answer: fn(&mut TcpStream), folder: &Path) -> (Result<Summary, RunError>, Duration) {
    let service = Hostile::start(answer);
    let file = folder.join("openapi.yaml");
    let text = "openapi: 3.0.0\npaths: {/x: {get: {responses: {'200': {description: ok, content: \
                {application/json: {schema: {type: object}}}}}}}}\n";
    std::fs::write(&file, text).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.join("out"));
    settings.rest.base_url = Some(format!("http://{}", service.address));
    settings.calls = Some(6);
    settings.call_timeout = Duration::from_millis(300);
    settings.force = true;
    let begun = Instant::now();
    (run(&settings), begun.elapsed())
}

/// Longest that any of these runs may take: far more than they need, far less than for ever.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_service_that_hangs_is_left_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let hang = |_: &mut TcpStream| std::thread::sleep(Duration::from_secs(3));
    let (summary, took) = tested(hang, folder.path());
    let summary = summary.unwrap();
    assert_eq!(covered(&summary, "fault:"), ["fault:909:GET /x:"]);
    assert!(took < PATIENCE, "{took:?}");
}

#[test]
fn bodies_without_end_are_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let endless = |stream: &mut TcpStream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
        let block = vec![b'['; 1 << 20];
        while stream.write_all(&block).is_ok() {}
    };
    let (summary, took) = tested(endless, folder.path());
    let summary = summary.unwrap();
    assert!(
        !covered(&summary, "http:too-large:").is_empty()
            || !covered(&summary, "http:timeout:").is_empty(),
        "{:?}",
        covered(&summary, "http:")
    );
    assert!(took < PATIENCE, "{took:?}");
}

#[test]
fn redirects_are_answers_and_lead_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let redirect = |stream: &mut TcpStream| {
        let _ = stream.write_all(
            b"HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        );
    };
    let (summary, took) = tested(redirect, folder.path());
    assert_eq!(covered(&summary.unwrap(), "http:302:"), ["http:302:GET /x"]);
    assert!(took < PATIENCE, "{took:?}");
}

#[test]
fn compressed_bodies_are_not_unpacked() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = |stream: &mut TcpStream| {
        // The head of a gzip stream; nobody asked for one.
        let body = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff];
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&body);
    };
    let (summary, took) = tested(bomb, folder.path());
    assert_eq!(covered(&summary.unwrap(), "http:200:"), ["http:200:GET /x"]);
    assert!(took < PATIENCE, "{took:?}");
}

#[test]
fn garbage_and_silence_are_failures_of_calls() {
    let folder = tempfile::tempdir().unwrap();
    for answer in [
        (|stream: &mut TcpStream| {
            let _ = stream.write_all(b"220 this is no HTTP\r\n\r\n");
        }) as fn(&mut TcpStream),
        |_| {},
    ] {
        let (summary, took) = tested(answer, folder.path());
        let summary = summary.unwrap();
        assert!(covered(&summary, "http:2").is_empty(), "{:?}", covered(&summary, "http:"));
        assert!(took < PATIENCE, "{took:?}");
    }
}

#[test]
fn a_description_that_does_not_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Hostile::start(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n");
        let block = vec![b'['; 1 << 20];
        while stream.write_all(&block).is_ok() {}
    });
    let place = format!("http://{}/openapi.json", service.address);
    let mut settings = Settings::rest(place, folder.path().join("out"));
    settings.call_timeout = Duration::from_secs(20);
    let begun = Instant::now();
    assert!(matches!(run(&settings), Err(RunError::NoAnswer(_))));
    assert!(begun.elapsed() < PATIENCE);
}
