//! Peers that are no drivers, and drivers that misbehave: typed errors, one line each, no hang.

#![allow(clippy::unwrap_used)]

mod common;

use std::net::TcpListener;
use std::time::{Duration, Instant};

use common::peer::{Peer, Reaction, answer, controller_info, json};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, DriverOptions, ResultsQuery, http::HttpError,
};

fn options() -> DriverOptions {
    DriverOptions {
        exchange_timeout: Duration::from_millis(300),
        start_timeout: Duration::from_millis(300),
        restart_pause: Duration::from_millis(10),
        body_limit: 100_000,
        ..DriverOptions::default()
    }
}

fn connect(url: &str) -> Result<DriverClient, DriverError> {
    DriverClient::connect_with(url, &BlockingRuntime::new().unwrap(), options())
}

fn refusal(reaction: impl Fn() -> Reaction + Send + 'static) -> DriverError {
    let peer = Peer::start(move |_| reaction());
    connect(&peer.url()).unwrap_err()
}

/// A peer that is a driver in the first exchange and does as told in all others.
fn client_of(mut react: impl FnMut(usize) -> Reaction + Send + 'static) -> (Peer, DriverClient) {
    let mut count = 0;
    let peer = Peer::start(move |message| {
        if message.path().contains("controllerInfo") {
            return Reaction::Answer(controller_info());
        }
        count += 1;
        react(count)
    });
    let client = connect(&peer.url()).unwrap();
    (peer, client)
}

fn assert_one_line(error: &DriverError, part: &str) {
    let message = error.to_string();
    assert!(message.contains(part), "{message}");
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
}

#[test]
fn nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let error = connect(&port.to_string()).unwrap_err();
    assert!(matches!(error, DriverError::Unreachable { .. }), "{error:?}");
    assert_one_line(
        &error,
        &format!("nothing listens at http://localhost:{port}: start the driver"),
    );
}

#[test]
fn no_address() {
    for text in ["", "ftp://localhost:40100", "localhost:port", "http://"] {
        let error = connect(text).unwrap_err();
        assert!(matches!(error, DriverError::Address(_)), "{text}: {error:?}");
        assert_one_line(&error, "http://");
    }
}

#[test]
fn another_service_listens() {
    let page = "<!DOCTYPE html><html><body>Hello</body></html>";
    let cases: [(&str, Vec<u8>); 7] = [
        ("answered HTML", answer(200, "text/html", page)),
        ("status 404 (HTML)", answer(404, "text/html", page)),
        ("status 404 (no reason given)", answer(404, "", "")),
        ("status 500 (no reason given)", answer(500, "", "")),
        ("other JSON", json(r#"{"errors":[{"message":"x"}]}"#)),
        ("other text", answer(200, "text/plain", "pong")),
        ("an empty body", answer(204, "", "")),
    ];
    for (part, bytes) in cases {
        let error = refusal(move || Reaction::Answer(bytes.clone()));
        assert!(matches!(error, DriverError::NotADriver { .. }), "{part}: {error:?}");
        assert_one_line(&error, part);
        assert_one_line(&error, "the driver's default is 40100");
    }
}

#[test]
fn the_peer_does_not_speak_http() {
    for bytes in [b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec(), vec![0; 5_000]] {
        let error = refusal(move || Reaction::Last(bytes.clone()));
        assert!(matches!(error, DriverError::NotADriver { .. }), "{error:?}");
        assert_one_line(&error, "not HTTP");
    }
    let error = refusal(|| Reaction::Last(Vec::new()));
    assert_one_line(&error, "hung up");
}

#[test]
fn the_peer_keeps_silent() {
    let begin = Instant::now();
    let error = refusal(|| Reaction::Silence(Duration::from_secs(5)));
    assert!(matches!(error, DriverError::TimedOut { .. }), "{error:?}");
    assert_one_line(&error, "within 300ms");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

#[test]
fn half_an_answer_and_then_silence() {
    let (_peer, mut client) = client_of(|_| {
        Reaction::Answer(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":".to_vec())
    });
    let error = client.results(ResultsQuery::default()).unwrap_err();
    assert!(matches!(error, DriverError::TimedOut { .. }), "{error:?}");
}

#[test]
fn half_an_answer_and_then_the_end() {
    let (peer, mut client) = client_of(|_| {
        Reaction::Last(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":".to_vec())
    });
    let error = client.results(ResultsQuery::default()).unwrap_err();
    assert!(matches!(error, DriverError::Disconnected { .. }), "{error:?}");
    assert_one_line(&error, "during testResults");
    assert_eq!(peer.connections(), 2, "one more try on a new connection");
}

#[test]
fn an_answer_that_is_garbage() {
    let nested = "[".repeat(50_000);
    let long_id = r#"{"data":{"targets":[{"id":-5,"value":1.0}]},"error":null}"#;
    for body in ["{\"data\":", "null", "[]", "\"x\"", "{}", nested.as_str(), long_id, "\u{0}"] {
        let bytes = json(body);
        let (_peer, mut client) = client_of(move |_| Reaction::Answer(bytes.clone()));
        let error = client.results(ResultsQuery::default()).unwrap_err();
        assert!(matches!(error, DriverError::Malformed { .. }), "{error:?}");
        assert_one_line(&error, "answer to testResults cannot be read");
        assert!(matches!(
            client.info(),
            Err(DriverError::Malformed { .. } | DriverError::UnsupportedProblem { .. })
        ));
    }
}

#[test]
fn a_huge_body_is_not_read() {
    let announced = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec();
    let mut endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..20 {
        endless.extend_from_slice(b"2710\r\n");
        endless.extend_from_slice(&[b' '; 10_000]);
        endless.extend_from_slice(b"\r\n");
    }
    for bytes in [announced, endless] {
        let (_peer, mut client) = client_of(move |_| Reaction::Answer(bytes.clone()));
        let error = client.info().unwrap_err();
        let source = HttpErrorKind::of(&error);
        assert_eq!(source, HttpErrorKind::TooLarge, "{error:?}");
        assert_one_line(&error, "more than 100000 bytes");
    }
}

#[derive(Debug, PartialEq)]
enum HttpErrorKind {
    TooLarge,
    Other,
}

impl HttpErrorKind {
    fn of(error: &DriverError) -> Self {
        match error {
            DriverError::Http { source: HttpError::TooLarge { .. }, .. } => Self::TooLarge,
            _ => Self::Other,
        }
    }
}

#[test]
fn a_connection_closed_after_an_error_is_opened_again() {
    let (peer, mut client) = client_of(|count| match count {
        1 => Reaction::Last(b"HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\n".to_vec()),
        _ => Reaction::Answer(answer(204, "", "")),
    });
    let error = client.new_search().unwrap_err();
    assert!(matches!(error, DriverError::Rejected { status: 500, .. }), "{error:?}");
    assert_one_line(&error, "no reason given");
    client.new_search().unwrap();
    assert_eq!(peer.connections(), 2);
}

#[test]
fn a_connection_closed_without_an_answer_is_tried_once_more() {
    let (peer, mut client) = client_of(|count| match count {
        1 => Reaction::Last(Vec::new()),
        _ => Reaction::Answer(answer(204, "", "")),
    });
    client.begin_action(0, "a", &[]).unwrap();
    assert_eq!(peer.connections(), 2);
}

#[test]
fn a_start_that_comes_too_soon_is_tried_once_more() {
    let too_soon = r#"{"data":null,"error":"Instrumentation is not active"}"#;
    let info = r#"{"data":{"graphQLProblem":{"endpoint":"/g"},"baseUrlOfSUT":"http://localhost:1"},"error":null}"#;
    let (_peer, mut client) = client_of(move |count| match count {
        1 => Reaction::Answer(answer(500, "application/json", too_soon)),
        2 => Reaction::Answer(answer(204, "", "")),
        _ => Reaction::Answer(json(info)),
    });
    assert_eq!(client.start_sut().unwrap().base_url, "http://localhost:1");

    let (_peer, mut client) =
        client_of(move |_| Reaction::Answer(answer(500, "application/json", too_soon)));
    let error = client.start_sut().unwrap_err();
    assert_one_line(&error, "Instrumentation is not active");
}

#[test]
fn a_system_without_instrumentation_is_refused() {
    let info = r#"{"data":{"graphQLProblem":{"endpoint":"/g"},"baseUrlOfSUT":"http://localhost:1"},"error":null}"#;
    let peer = Peer::start(move |message| {
        let off = r#"{"data":{"fullName":"a","isInstrumentationOn":false},"error":null}"#;
        Reaction::Answer(match message.path() {
            path if path.contains("controllerInfo") => json(off),
            path if path.contains("infoSUT") => json(info),
            _ => answer(204, "", ""),
        })
    });
    let error = connect(&peer.url()).unwrap().start_sut().unwrap_err();
    assert!(matches!(error, DriverError::NotInstrumented { .. }), "{error:?}");
}

#[test]
fn a_dead_system_makes_the_client_forget_its_numbers() {
    let first = r#"{"data":{"targets":[{"id":4,"descriptiveId":"a","value":1.0,"actionIndex":0}]},"error":null}"#;
    let dead = r#"{"data":null,"error":"Failed to collect target information for all ids"}"#;
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = asked.clone();
    let peer = Peer::start(move |message| {
        if message.path().contains("controllerInfo") {
            return Reaction::Answer(controller_info());
        }
        let mut log = log.lock().unwrap();
        log.push(message.path().to_owned());
        Reaction::Answer(match log.len() {
            2 => answer(500, "application/json", dead),
            _ => json(first),
        })
    });
    let mut client = connect(&peer.url()).unwrap();
    let wanted: [std::sync::Arc<str>; 1] = ["a".into()];
    let query = ResultsQuery { wanted: &wanted, ..ResultsQuery::default() };
    assert_eq!(client.results(ResultsQuery::default()).unwrap().targets.len(), 1);
    let lost = client.results(query).unwrap_err();
    assert!(matches!(lost, DriverError::SutLost { .. }), "{lost:?}");
    client.results(query).unwrap();
    let asked = asked.lock().unwrap();
    assert!(asked[1].contains("?ids=4&") && asked[2].contains("?ids=%2C&"), "{asked:?}");
}
