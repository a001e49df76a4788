//! The recording proxy, between real sockets.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use wallace_harvest::{RecordingProxy, RecordingSettings, read_text};

/// Answers every request with its own body inside of `data`, with odd spelling in its head.
fn echo_service() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::Builder::new().stack_size(64 << 10).spawn(move || echo(stream)).unwrap();
        }
    });
    address
}

fn echo(mut stream: TcpStream) {
    stream.set_nodelay(true).unwrap();
    while let Some((head, body)) = message(&mut stream) {
        if head.contains("/die") {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"da");
            return;
        }
        if stream.write_all(&answer(&body)).is_err() {
            return;
        }
    }
}

fn answer(body: &str) -> Vec<u8> {
    let body = format!("{{ \"data\":\t{{\"length\": {}, \"text\": \"\u{e9}\"}} }}\n", body.len());
    let head =
        format!("HTTP/1.1 200 Fine\r\nX-ODD:  Spelled \r\ncontent-LENGTH: {}\r\n\r\n", body.len());
    [head.into_bytes(), body.into_bytes()].concat()
}

/// Head and body of a message with a length.
fn message(stream: &mut TcpStream) -> Option<(String, String)> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let end = bytes.windows(4).position(|it: &[u8]| it == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head.to_lowercase();
            let length =
                length.split("content-length:").nth(1).and_then(|it| it.split_whitespace().next());
            let length: usize = length.map_or(0, |it| it.parse().unwrap());
            if bytes.len() >= end + 4 + length {
                return Some((head, String::from_utf8_lossy(&bytes[end + 4..]).into_owned()));
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

fn request(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("POST {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: shop\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

fn body(number: usize) -> String {
    json!({ "query": "query Q($n: Int) { user(id: $n) { name } }", "variables": { "n": number } })
        .to_string()
}

fn start(service: SocketAddr, limit: u64) -> (RecordingProxy, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let settings = RecordingSettings {
        limit,
        ..RecordingSettings::new(service.to_string(), folder.path().join("log"))
    };
    (RecordingProxy::start(settings).unwrap(), folder)
}

fn log(folder: &tempfile::TempDir) -> String {
    std::fs::read_to_string(folder.path().join("log")).unwrap()
}

/// Sends a request and reads exactly the bytes of the answer.
fn ask(stream: &mut TcpStream, request: &[u8], expected: usize) -> Vec<u8> {
    stream.write_all(request).unwrap();
    let mut found = vec![0; expected];
    stream.read_exact(&mut found).unwrap();
    found
}

#[test]
fn no_byte_is_altered_and_every_operation_is_kept_once() {
    let (proxy, folder) = start(echo_service(), 1 << 20);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    for number in [1, 2, 1, 3, 2] {
        let expected = answer(&body(number));
        assert_eq!(ask(&mut stream, &request("/graphql", &body(number)), expected.len()), expected);
    }
    // Something else than GraphQL passes through and is not kept.
    let expected = answer("\u{0}\u{1}not JSON");
    assert_eq!(
        ask(&mut stream, &request("/upload", "\u{0}\u{1}not JSON"), expected.len()),
        expected
    );
    drop(stream);
    wait(|| proxy.statistics().operations == 5);
    let statistics = proxy.statistics();
    assert_eq!((statistics.stored, statistics.repeated, statistics.dropped), (3, 2, 0));
    let reading = read_text("log", &log(&folder));
    assert_eq!(reading.operations.len(), 3);
    assert_eq!(reading.operations[0].consumer, "shop");
    assert_eq!(reading.operations[2].variables, Some(json!({ "n": 3 })));
    assert_eq!(reading.operations[0].answer.as_ref().unwrap().body["data"]["text"], "\u{e9}");
}

#[track_caller]
fn wait(is_done: impl Fn() -> bool) {
    for _ in 0..1000 {
        if is_done() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not happen within ten seconds");
}

#[test]
fn secrets_are_masked_before_they_are_written() {
    let (proxy, folder) = start(echo_service(), 1 << 20);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    let secret = json!({ "query": "mutation { login(email: \"ann@shop.org\", password: \"hunter2\") }",
        "variables": { "token": "abc" } });
    let expected = answer(&secret.to_string());
    ask(&mut stream, &request("/graphql", &secret.to_string()), expected.len());
    wait(|| proxy.statistics().stored == 1);
    for text in ["ann@", "hunter2", "abc"] {
        assert!(!log(&folder).contains(text), "{text}");
    }
}

#[test]
fn the_file_has_a_limit() {
    let (proxy, folder) = start(echo_service(), 600);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    for number in 0..20 {
        let expected = answer(&body(number));
        ask(&mut stream, &request("/graphql", &body(number)), expected.len());
    }
    wait(|| proxy.statistics().operations == 20);
    let statistics = proxy.statistics();
    assert!(statistics.dropped > 10 && statistics.stored + statistics.dropped == 20);
    assert!(log(&folder).len() <= 600);
}

#[test]
fn disconnects_of_either_side_hurt_nobody_else() {
    let (proxy, folder) = start(echo_service(), 1 << 20);
    // The service ends in the middle of an answer.
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    stream.write_all(&request("/die", &body(1))).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"{\"da"));
    // A client ends in the middle of a request, another one before it reads the answer.
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    stream.write_all(&request("/graphql", &body(2))[..40]).unwrap();
    drop(stream);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    stream.write_all(&request("/graphql", &body(3))).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, answer(&body(3)));
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    let expected = answer(&body(4));
    assert_eq!(ask(&mut stream, &request("/graphql", &body(4)), expected.len()), expected);
    drop(stream);
    wait(|| proxy.statistics().stored == 3);
    assert!(!log(&folder).contains("\"n\":2"));
}

#[test]
fn a_service_that_is_not_there_is_told() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let nobody = listener.local_addr().unwrap();
    drop(listener);
    let (proxy, _folder) = start(nobody, 1 << 20);
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    let mut told = String::new();
    stream.read_to_string(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 502"), "{told}");
}

#[test]
fn a_thousand_requests_at_once_lose_nothing() {
    let (proxy, folder) = start(echo_service(), 64 << 20);
    let (address, count) = (proxy.address(), 1000);
    let barrier = Arc::new(Barrier::new(count));
    let client = |number: usize| {
        let barrier = Arc::clone(&barrier);
        let run = move || {
            let mut stream = TcpStream::connect(address).unwrap();
            barrier.wait();
            let expected = answer(&body(number));
            assert_eq!(
                ask(&mut stream, &request("/graphql", &body(number)), expected.len()),
                expected
            );
        };
        thread::Builder::new().stack_size(64 << 10).spawn(run).unwrap()
    };
    let clients: Vec<_> = (0..count).map(client).collect();
    clients.into_iter().for_each(|client| client.join().unwrap());
    wait(|| proxy.statistics().stored == 1000);
    assert_eq!(proxy.statistics().dropped, 0);
    let numbers: std::collections::BTreeSet<String> = read_text("log", &log(&folder))
        .operations
        .iter()
        .map(|operation| operation.variables.as_ref().unwrap()["n"].to_string())
        .collect();
    assert_eq!(numbers.len(), 1000);
}

/// Prints what the proxy adds to a request; how long that takes is for the reader to judge.
#[test]
fn overhead_is_measured() {
    let service = echo_service();
    let (proxy, _folder) = start(service, 64 << 20);
    let median = |address: SocketAddr| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut times: Vec<Duration> = (0..2000)
            .map(|number| {
                let (request, expected) =
                    (request("/graphql", &body(number)), answer(&body(number)));
                let start = Instant::now();
                ask(&mut stream, &request, expected.len());
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let (direct, through) = (median(service), median(proxy.address()));
    println!(
        "median direct {direct:?}, through the proxy {through:?}, added {:?}",
        through.saturating_sub(direct)
    );
}
