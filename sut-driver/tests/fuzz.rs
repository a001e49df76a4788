//! Ten thousand mutated answers for the client, and ten thousand mutated requests for the server,
//! from a fixed seed: typed errors and nothing else.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::peer::{Peer, Reaction, answer, controller_info, json, send_raw};
use common::session::{Exchange, session};
use common::system::System;
use serde_json::{Value, json};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, DriverOptions, DriverServer, ProblemInfo,
    ResultsQuery,
    database::{SqlRow, SqlValue},
};

const MUTATIONS: usize = 10_000;

/// A small generator (the steps of PCG), so that every run is the same.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Changes one value somewhere in a JSON tree.
fn mutate_value(value: &mut Value, draw: &mut Draw) {
    let odd = [
        json!(null),
        json!(-1),
        json!(4_000_000_000_u64),
        json!(u64::MAX),
        json!(1e308),
        json!(0.5),
        json!("NaN"),
        json!(""),
        json!("x".repeat(5_000)),
        json!([]),
        json!({}),
        json!([[[[null]]]]),
        json!(true),
        json!("http://127.0.0.1:1"),
        json!("\u{0}\u{ffff}"),
        json!(2_000_000),
    ];
    match value {
        Value::Object(members) if !members.is_empty() && draw.below(8) > 0 => {
            let index = draw.below(members.len());
            let name = members.keys().nth(index).unwrap().clone();
            match draw.below(10) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(format!("{name}x"), draw.one(&odd).clone())),
                _ => mutate_value(members.get_mut(&name).unwrap(), draw),
            }
        }
        Value::Array(elements) if !elements.is_empty() && draw.below(8) > 0 => {
            let index = draw.below(elements.len());
            match draw.below(10) {
                0 => drop(elements.remove(index)),
                1 => elements.push(elements[index].clone()),
                _ => mutate_value(&mut elements[index], draw),
            }
        }
        leaf => *leaf = draw.one(&odd).clone(),
    }
}

/// Changes bytes, or values if the bytes are JSON.
fn mutated(body: &str, draw: &mut Draw) -> String {
    if draw.below(3) > 0
        && let Ok(mut value) = serde_json::from_str::<Value>(body)
    {
        (0..=draw.below(3)).for_each(|_| mutate_value(&mut value, draw));
        return value.to_string();
    }
    let mut characters: Vec<char> = body.chars().collect();
    for _ in 0..=draw.below(4) {
        let at = draw.below(characters.len() + 1);
        match draw.below(4) {
            0 => characters.truncate(at),
            1 => characters.insert(at, *draw.one(&['"', '{', ']', '\\', '\u{0}', '9', '-', 'é'])),
            2 if at < characters.len() => drop(characters.remove(at)),
            _ => {
                let end = (at + draw.below(200)).min(characters.len());
                let part: Vec<char> = characters[at..end].to_vec();
                characters.splice(at..at, part);
            }
        }
    }
    characters.into_iter().collect()
}

/// Answers by endpoint: recorded ones, or ones of the same shape where there are none.
fn answers() -> Vec<(String, String)> {
    let files = ["graphql-ncs.ndjson", "rest-news.ndjson", "features-service.ndjson"];
    let sessions = files.iter().filter_map(|file| session(file)).flatten();
    let small =
        sessions.filter(|it: &Exchange| it.status == 200 && it.response_body().len() < 20_000);
    let mut answers: Vec<(String, String)> =
        small.map(|it| (it.endpoint().to_owned(), it.response_body())).collect();
    let info = json!({"data": {"graphQLProblem": {"endpoint": "/graphql"}, "isSutRunning": true,
        "baseUrlOfSUT": "http://127.0.0.1:1", "infoForAuthentication": [{"name": "a", "fixedHeaders": [],
        "loginEndpointAuth": {"endpoint": "/l", "token": {"extractFromField": "/t"}}}],
        "sqlSchemaDto": {"tables": [{"name": "T", "columns": [{"name": "C"}]}]},
        "unitsInfoDto": {"numberOfLines": 3}, "bootTimeInfoDto": {"targets": []}}, "error": null});
    let results = json!({"data": {"targets": [{"id": 0, "descriptiveId": "Line_at_a_00001", "value": 1.0,
        "actionIndex": 0}], "additionalInfoList": [{"stringSpecializations": {"_EM_0_XYZ_":
        [{"stringSpecialization": "CONSTANT", "value": "x", "type": "FULL_MATCH"}]}}],
        "extraHeuristics": [{"heuristics": [{"type": "SQL", "objective": "MINIMIZE_TO_ZERO", "id": "S",
        "value": 1.0}]}]}, "error": null});
    let rows = json!({"data": {"idMapping": {"0": 1}, "executionResults": [true], "rows":
        [{"columnData": ["1"]}]}, "error": null});
    for (endpoint, body) in [("infoSUT", info), ("testResults", results), ("databaseCommand", rows)]
    {
        answers.push((endpoint.to_owned(), body.to_string()));
    }
    answers
}

/// The peer of the client: mutated answers, sometimes with other statuses, seldom cut off.
fn react(path: &str, answers: &[(String, String)], draw: &mut Draw) -> Reaction {
    let endpoint = path.rsplit('/').next().unwrap().split('?').next().unwrap();
    if endpoint == "controllerInfo" && draw.below(4) > 0 {
        return Reaction::Answer(controller_info());
    }
    let fitting: Vec<_> = answers.iter().filter(|(name, _)| name == endpoint).collect();
    let body =
        if fitting.is_empty() { "{\"data\":null,\"error\":null}" } else { &draw.one(&fitting).1 };
    let body = if draw.below(5) == 0 { body.to_owned() } else { mutated(body, draw) };
    match draw.below(60) {
        0 => Reaction::Last(answer(500, "application/json", &body)),
        1 => Reaction::Answer(answer(*draw.one(&[400, 404, 500, 503]), "text/html", &body)),
        2 => Reaction::Answer(answer(204, "", "")),
        3 => {
            let mut bytes = json(&body);
            let at = draw.below(bytes.len().min(40));
            bytes[at] = draw.below(256) as u8;
            Reaction::Last(bytes)
        }
        4 => {
            let bytes = json(&body);
            Reaction::Last(bytes[..draw.below(bytes.len())].to_vec())
        }
        _ => Reaction::Answer(json(&body)),
    }
}

#[test]
fn the_client_survives_mutated_answers() {
    let answers = answers();
    let count = Arc::new(Mutex::new(0));
    let seen = Arc::clone(&count);
    let mut draw = Draw(7);
    let peer = Peer::start(move |message| {
        *seen.lock().unwrap() += 1;
        react(message.path(), &answers, &mut draw)
    });
    let options = DriverOptions {
        exchange_timeout: Duration::from_millis(500),
        start_timeout: Duration::from_millis(500),
        restart_pause: Duration::from_millis(1),
        body_limit: 1 << 20,
        ..DriverOptions::default()
    };
    let runtime = BlockingRuntime::new().unwrap();
    let mut client = None;
    let (mut draw, mut errors) = (Draw(9), 0);
    let mut wanted: Vec<Arc<str>> = Vec::new();
    while *count.lock().unwrap() < MUTATIONS {
        let Some(driver) = &mut client else {
            client = DriverClient::connect_with(&peer.url(), &runtime, options.clone()).ok();
            continue;
        };
        errors += usize::from(step(driver, &mut draw, &mut wanted).is_err());
        if draw.below(50) == 0 {
            client = None;
        }
    }
    assert!(errors > 1_000, "{errors}");
}

fn step(
    driver: &mut DriverClient,
    draw: &mut Draw,
    wanted: &mut Vec<Arc<str>>,
) -> Result<(), DriverError> {
    let row = SqlRow {
        id: Some(0),
        table: "T".to_owned(),
        values: vec![("C".to_owned(), SqlValue::Literal("1".to_owned()))],
    };
    match draw.below(12) {
        0 => driver.start_sut().map(drop),
        1 => driver.new_search(),
        2 => driver.reset(),
        3 => match driver.begin_action(0, "a", &["_EM_1_XYZ_".to_owned()]) {
            Err(DriverError::ActionOutOfOrder { expected, .. }) => {
                driver.begin_action(expected, "a", &[])
            }
            other => other,
        },
        4 => driver.info().map(drop),
        5 => driver.stop_sut(),
        6 => driver.insert(&[row]).map(drop),
        7 => driver.query("SELECT 1").map(drop),
        _ => {
            let query = ResultsQuery { wanted, ..ResultsQuery::default() };
            let found = driver.results(query)?;
            assert!(found.targets.iter().all(|it| it.score > 0.0 && it.score <= 1.0));
            *wanted = found.targets.into_iter().map(|it| it.target.name.clone()).take(20).collect();
            Ok(())
        }
    }
}

/// Requests of the recordings, or of the same kind where there are none.
fn requests() -> Vec<(String, String, String)> {
    let files = ["graphql-ncs.ndjson", "rest-news.ndjson", "errors.ndjson"];
    let sessions = files.iter().filter_map(|file| session(file)).flatten();
    let request = |it: Exchange| {
        let body = String::from_utf8_lossy(&it.request_body()).into_owned();
        (it.method, it.path, body)
    };
    let own = [
        ("PUT", "runSUT", r#"{"run":true,"resetState":true,"calculateSqlHeuristics":true}"#),
        ("PUT", "runSUT", r#"{"run":false}"#),
        ("PUT", "newAction", r#"{"index":0,"name":"a","inputVariables":["x"]}"#),
        ("POST", "newSearch", "{}"),
        ("GET", "testResults?ids=0%2C1&killSwitch=true&fullyCovered=false", ""),
        ("GET", "controllerInfo?methodReplacementCategories=BASE", ""),
        ("POST", "databaseCommand", r#"{"command":"SELECT 1"}"#),
    ];
    let own = own.map(|(method, path, body)| {
        (method.to_owned(), format!("/controller/api/{path}"), body.to_owned())
    });
    sessions.map(request).chain(own).collect()
}

/// Sends bytes and gives the status, or nothing where the server hangs up.
fn status_of(server: &DriverServer, request: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request).ok()?;
    stream.shutdown(std::net::Shutdown::Write).ok()?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the server answers or hangs up");
    let line = String::from_utf8_lossy(&bytes[..bytes.len().min(12)]).into_owned();
    line.strip_prefix("HTTP/1.1 ").and_then(|status| status.parse().ok())
}

#[test]
fn the_server_survives_mutated_requests() {
    let problem = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let server = DriverServer::start(Arc::new(System::new(problem)), 0).unwrap();
    let (requests, mut draw) = (requests(), Draw(11));
    let methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"];
    let (begin, mut answered) = (Instant::now(), 0);
    for _ in 0..MUTATIONS {
        let (method, path, body) = draw.one(&requests).clone();
        let method = if draw.below(20) == 0 { draw.one(&methods).to_string() } else { method };
        let path = if draw.below(4) == 0 { mutated(&path, &mut draw) } else { path };
        let path = path.replace(['\r', '\n'], "");
        let body = if draw.below(4) == 0 { body } else { mutated(&body, &mut draw) };
        let kind = draw.one(&["application/json", "text/plain", ""]);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nConnection: keep-alive\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let status = status_of(&server, &[head.as_bytes(), body.as_bytes()].concat());
        assert!(status.is_none_or(|status| (200..600).contains(&status)), "{method} {path} {body}");
        answered += usize::from(status.is_some());
    }
    assert!(answered > MUTATIONS / 2, "{answered}");
    let alive = send_raw(server.address(), "GET", "/controller/api/controllerInfo", &[], b"");
    assert_eq!(alive.status(), 200);
    eprintln!("{answered} of {MUTATIONS} requests answered in {:?}", begin.elapsed());
}
