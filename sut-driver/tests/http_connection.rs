//! The HTTP connection by itself, as the calls of a system under test use it.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::peer::{Message, Peer, Reaction, answer};
use wallace_sut_driver::{
    BlockingRuntime,
    http::{Bytes, HeaderMap, HttpConnection, HttpError, HttpSettings, Method, PathAndQuery},
};

fn connect(peer: &Peer) -> HttpConnection {
    let settings = HttpSettings {
        read_timeout: Duration::from_millis(300),
        body_limit: 1_000,
        ..HttpSettings::default()
    };
    let runtime = BlockingRuntime::new().unwrap();
    HttpConnection::connect(peer.url().parse().unwrap(), settings, &runtime).unwrap()
}

fn post(connection: &mut HttpConnection, body: &str) -> Result<(u16, String), HttpError> {
    let path = PathAndQuery::from_static("/graphql?x=1");
    let body = Bytes::copy_from_slice(body.as_bytes());
    let response = connection.send(Method::POST, path, HeaderMap::new(), body)?;
    let text = String::from_utf8(response.body.to_vec()).unwrap();
    Ok((response.status.as_u16(), text))
}

fn echo() -> (Peer, Arc<Mutex<Vec<Message>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let messages = log.clone();
    let peer = Peer::start(move |message| {
        messages.lock().unwrap().push(message.clone());
        let body = String::from_utf8(message.body.clone()).unwrap();
        Reaction::Answer(answer(200, "text/plain", &body))
    });
    (peer, log)
}

#[test]
fn exchanges_share_a_connection_and_take_one_write_each() {
    let (peer, log) = echo();
    let mut connection = connect(&peer);
    for number in 0..50 {
        let body = "x".repeat(number * 10);
        assert_eq!(post(&mut connection, &body).unwrap(), (200, body));
    }
    assert_eq!(peer.connections(), 1);
    let log = log.lock().unwrap();
    assert!(log.iter().all(|message| message.pieces == 1));
    assert_eq!(log[0].first_line, "POST /graphql?x=1 HTTP/1.1");
    assert_eq!(log[0].header("host"), Some(peer.address.to_string().as_str()));
    assert_eq!(log[0].header("connection"), Some("keep-alive"));
}

#[test]
fn an_answer_that_comes_late_after_quick_ones_is_awaited() {
    let peer = Peer::start(|message| {
        if message.body == b"late" {
            std::thread::sleep(Duration::from_millis(50));
        }
        Reaction::Answer(answer(200, "text/plain", "here"))
    });
    let mut connection = connect(&peer);
    for body in ["", "", "", "late", "", "late", "late", ""] {
        assert_eq!(post(&mut connection, body).unwrap(), (200, "here".to_owned()));
    }
    assert_eq!(peer.connections(), 1);
}

#[test]
fn bodies_come_in_every_framing() {
    let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n";
    let until_the_end = "HTTP/1.0 200 OK\r\n\r\nabcdefg";
    let after_continue =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nabcdefg";
    for (text, closes) in [(chunked, false), (until_the_end, true), (after_continue, false)] {
        let peer = Peer::start(move |_| {
            if closes { Reaction::Last(text.into()) } else { Reaction::Answer(text.into()) }
        });
        let mut connection = connect(&peer);
        for _ in 0..3 {
            assert_eq!(post(&mut connection, "").unwrap(), (200, "abcdefg".to_owned()), "{text}");
        }
        assert_eq!(peer.connections(), if closes { 3 } else { 1 }, "{text}");
    }
}

#[test]
fn a_connection_that_the_peer_closed_while_idle_is_replaced() {
    let count = Arc::new(Mutex::new(0));
    let received = count.clone();
    let peer = Peer::start(move |_| {
        *received.lock().unwrap() += 1;
        Reaction::Last(answer(200, "", "fine"))
    });
    let mut connection = connect(&peer);
    for _ in 0..4 {
        assert_eq!(post(&mut connection, "x").unwrap().1, "fine");
        // The end of the stream needs a moment to arrive.
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((*count.lock().unwrap(), peer.connections()), (4, 4));
}

#[test]
fn a_request_that_may_have_had_its_effect_is_not_sent_again() {
    let count = Arc::new(Mutex::new(0));
    let received = count.clone();
    let peer = Peer::start(move |_| {
        *received.lock().unwrap() += 1;
        Reaction::Last(Vec::new())
    });
    let mut connection = connect(&peer);
    assert!(matches!(post(&mut connection, "x"), Err(HttpError::Closed { .. })));
    assert_eq!(*count.lock().unwrap(), 1);
    assert!(matches!(post(&mut connection, "x"), Err(HttpError::Closed { .. })));
    assert_eq!(*count.lock().unwrap(), 2);
}

#[test]
fn after_each_failure_the_connection_works_again() {
    let mut count = 0;
    let peer = Peer::start(move |_| {
        count += 1;
        match count {
            1 => Reaction::Silence(Duration::from_secs(2)),
            3 => Reaction::Answer(answer(200, "", &"x".repeat(1_001))),
            5 => Reaction::Last(b"nonsense\r\n\r\n".to_vec()),
            7 => Reaction::Answer(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_vec(),
            ),
            _ => Reaction::Answer(answer(200, "", "fine")),
        }
    });
    let mut connection = connect(&peer);
    let fine = (200, "fine".to_owned());
    // The silent peer holds the others up until it gives in.
    let silent = post(&mut connection, "");
    assert!(matches!(silent, Err(HttpError::TimedOut { .. })), "{silent:?}");
    connection.set_read_timeout(Duration::from_secs(10));
    assert_eq!(post(&mut connection, "").unwrap(), fine);
    let large = post(&mut connection, "");
    assert!(matches!(large, Err(HttpError::TooLarge { limit: 1_000, .. })), "{large:?}");
    assert_eq!(post(&mut connection, "").unwrap(), fine);
    for _ in 0..2 {
        let malformed = post(&mut connection, "");
        assert!(matches!(malformed, Err(HttpError::Malformed { .. })), "{malformed:?}");
        assert_eq!(post(&mut connection, "").unwrap(), fine);
    }
}

#[test]
fn bytes_that_nobody_asked_for_are_not_taken_for_the_next_answer() {
    let mut count = 0;
    let peer = Peer::start(move |_| {
        count += 1;
        let mut bytes = answer(200, "", &count.to_string());
        if count == 1 {
            bytes.extend(answer(200, "", "injected"));
        }
        Reaction::Answer(bytes)
    });
    let mut connection = connect(&peer);
    assert_eq!(post(&mut connection, "").unwrap().1, "1");
    assert_eq!(post(&mut connection, "").unwrap().1, "2");
}

#[test]
fn redirects_are_answers_like_others() {
    let peer = Peer::start(|_| {
        Reaction::Answer(
            b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".to_vec(),
        )
    });
    assert_eq!(post(&mut connect(&peer), "").unwrap().0, 302);
}
