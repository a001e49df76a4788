//! The server against recorded engines: the recorded requests, and the shape of every answer
//! compared with the recorded one.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::peer::{Message, send_raw};
use common::session::{Exchange, session};
use common::system::System;
use serde_json::Value;
use wallace_sut_driver::{DriverServer, ProblemInfo};

/// Members that hold null or something else.
const NULLABLE: [&str; 7] = [
    "sqlSchemaDto",
    "infoForAuthentication",
    "executableFullPath",
    "descriptiveId",
    "lastExecutedStatement",
    "value",
    "data",
];

/// Objects whose keys are data.
const MAPS: [&str; 7] = [
    "stringSpecializations",
    "parsedDtos",
    "extractedSpecifiedDtos",
    "queriedData",
    "updatedData",
    "insertedData",
    "failedWhere",
];

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// Asserts that two values have the same keys and kinds, all the way down.
fn assert_same_shape(ours: &Value, golden: &Value, at: &str) {
    let name = at.rsplit('.').next().unwrap();
    let has_null = ours.is_null() || golden.is_null();
    if has_null && NULLABLE.contains(&name) {
        return;
    }
    assert_eq!(kind(ours), kind(golden), "{at}: {ours} against {golden}");
    match (ours, golden) {
        (Value::Array(ours), Value::Array(golden)) => {
            for one in ours {
                golden.iter().take(1).for_each(|model| assert_same_shape(one, model, at));
            }
        }
        (Value::Object(ours), Value::Object(golden)) if MAPS.contains(&name) => {
            let both = ours.values().zip(golden.values());
            both.for_each(|(one, model)| assert_same_shape(one, model, "a map's value"));
        }
        (Value::Object(ours), Value::Object(golden)) => {
            let keys: BTreeSet<&String> = ours.keys().collect();
            assert_eq!(keys, golden.keys().collect(), "keys at {at}");
            for (key, value) in ours {
                assert_same_shape(value, &golden[key], &format!("{at}.{key}"));
            }
        }
        _ => {}
    }
}

fn media_type(content_type: &str) -> &str {
    content_type.split(';').next().unwrap().trim()
}

fn send(server: &DriverServer, exchange: &Exchange) -> Message {
    let kept = ["Accept", "Content-Type", "Connection"];
    let headers = exchange.request_headers.iter();
    let headers: Vec<_> =
        headers.filter(|(name, _)| kept.contains(&name.as_str())).cloned().collect();
    let body = exchange.request_body();
    send_raw(server.address(), &exchange.method, &exchange.path, &headers, &body)
}

fn problem(exchanges: &[Exchange]) -> ProblemInfo {
    let info = exchanges.iter().find(|exchange| exchange.endpoint() == "infoSUT").unwrap();
    let graphql = &info.response["data"]["graphQLProblem"];
    match graphql["endpoint"].as_str() {
        Some(endpoint) => ProblemInfo::GraphQl { endpoint: endpoint.to_owned() },
        None => ProblemInfo::Rest { open_api_url: "http://localhost:12345/v3/api-docs".to_owned() },
    }
}

#[test]
fn recorded_sessions_get_answers_of_the_recorded_shape() {
    for file in ["graphql-ncs", "features-service", "scout-api", "rest-news"] {
        let Some(exchanges) = session(&format!("{file}.ndjson")) else {
            return;
        };
        let mut system = System::new(problem(&exchanges));
        system.knows_all_ids = true;
        system.boot = vec![("Class_demo", 1.0)];
        let server = DriverServer::start(Arc::new(system), 0).unwrap();
        let mut compared = 0;
        for exchange in exchanges.iter().filter(|exchange| exchange.is_core()) {
            let at = format!("{file} {} {}", exchange.number, exchange.endpoint());
            let ours = send(&server, exchange);
            assert_eq!(ours.status(), exchange.status, "{at}");
            assert_eq!(
                ours.header("content-type"),
                Some("application/json;charset=utf8;version=1"),
                "{at}"
            );
            assert_same_shape(&ours.json(), &exchange.response, &at);
            compared += usize::from(!ours.json().is_null());
        }
        assert!(compared > 25, "{file}: only {compared} bodies compared");
    }
}

/// Exchanges that depend on a system in a process of its own, or on endpoints left out here.
fn is_left_out(exchange: &Exchange) -> bool {
    let number = exchange.number;
    let other_process = (107..=110).contains(&number) || (117..=122).contains(&number);
    let other_endpoint =
        matches!(exchange.endpoint(), "deriveParams" | "scheduleTasksCommand" | "postSearchAction");
    let is_insertion = exchange.endpoint().ends_with("nsertion");
    let is_database = is_insertion || exchange.endpoint() == "databaseCommand";
    let before_start = number < 41 && is_database;
    let null_insertions = number == 87;
    number > 124 || null_insertions || other_process || other_endpoint || before_start
}

#[test]
fn recorded_errors_get_the_recorded_status() {
    let Some(exchanges) = session("errors.ndjson") else {
        return;
    };
    let system = Arc::new(System::graphql());
    let server = DriverServer::start(system, 0).unwrap();
    for exchange in exchanges.iter().filter(|exchange| !is_left_out(exchange)) {
        let at = format!("{} ({})", exchange.number, exchange.note);
        let ours = send(&server, exchange);
        assert_eq!(ours.status(), exchange.status, "{at}: {:?}", ours.json());
        let content_type = ours.header("content-type").unwrap_or_default();
        assert_eq!(media_type(content_type), media_type(&exchange.content_type), "{at}");
        let closes = ours.header("connection") == Some("close");
        assert!(closes || !exchange.closes, "{at}: the connection must be closed");
        let error = &exchange.response["error"];
        let is_remote_procedure_call = exchange.note.starts_with("rpcCall");
        if error.is_string() {
            assert_eq!(ours.json()["error"], *error, "{at}");
        } else if exchange.response.is_null() {
            assert!(ours.body.is_empty(), "{at}");
        } else if !exchange.content_type.contains("text") && !is_remote_procedure_call {
            let ours_keys: Vec<String> = keys(&ours.json());
            let servlet = "servlet".to_owned();
            let golden = keys(&exchange.response);
            assert!(
                ours_keys == golden
                    || ours_keys.iter().all(|key| golden.contains(key) || *key == servlet),
                "{at}: {ours_keys:?}"
            );
        }
    }
}

fn keys(value: &Value) -> Vec<String> {
    value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

fn targets(server: &DriverServer, query: &str) -> Vec<(i64, bool, f64, i64)> {
    let path = format!("/controller/api/testResults?{query}");
    let answer = send_raw(server.address(), "GET", &path, &[], b"");
    assert_eq!(answer.status(), 200, "{query}: {:?}", answer.json());
    let json = answer.json();
    let targets = json["data"]["targets"].as_array().unwrap().iter();
    let targets = targets.map(|target| {
        (
            target["id"].as_i64().unwrap(),
            target["descriptiveId"].is_string(),
            target["value"].as_f64().unwrap(),
            target["actionIndex"].as_i64().unwrap(),
        )
    });
    targets.collect()
}

fn put(server: &DriverServer, endpoint: &str, body: &str) -> u16 {
    let path = format!("/controller/api/{endpoint}");
    send_raw(server.address(), "PUT", &path, &[], body.as_bytes()).status()
}

#[test]
fn the_choice_of_targets_follows_the_query() {
    use common::system::name;

    let system = Arc::new(System::graphql());
    let server = DriverServer::start(system.clone(), 0).unwrap();
    let reset = r#"{"run":true,"resetState":true}"#;
    assert_eq!(put(&server, "runSUT", reset), 204);
    system.hit(name(0), 1.0);
    // New targets are named in every mode; before the first action all counts as action 0.
    assert_eq!(targets(&server, ""), [(0, true, 1.0, 0)]);
    assert_eq!(targets(&server, "ids=,"), [(0, true, 1.0, 0)]);
    assert_eq!(targets(&server, "ids=0"), [(0, false, 1.0, 0), (0, true, 1.0, 0)]);
    assert_eq!(put(&server, "runSUT", reset), 204);
    system.hit(name(0), 0.5);
    assert_eq!(targets(&server, "ids="), [(0, false, 0.5, 0)]);
    assert_eq!(targets(&server, "ids=&descriptiveIds=TRUE"), [(0, true, 0.5, 0)]);
    assert_eq!(targets(&server, "ids=&descriptiveIds=maybe"), [(0, false, 0.5, 0)]);
    assert_eq!(targets(&server, "ids=,"), []);
    assert_eq!(targets(&server, "ids=0&fullyCovered=true"), []);
    assert_eq!(put(&server, "runSUT", reset), 204);
    assert_eq!(targets(&server, "ids=0"), [(0, false, 0.0, -1)]);
    assert_eq!(targets(&server, "ids=0&descriptiveIds=true"), [(0, false, 0.0, -1)]);
}

#[test]
fn actions_out_of_order_succeed_and_change_nothing() {
    let system = Arc::new(System::graphql());
    let server = DriverServer::start(system.clone(), 0).unwrap();
    put(&server, "runSUT", r#"{"run":true,"resetState":true}"#);
    for index in [0, 0, 5, -1, 2_147_483_647, 1, 0] {
        assert_eq!(put(&server, "newAction", &format!("{{\"index\":{index}}}")), 204);
    }
    let announced: Vec<u32> = system.state().announced.iter().map(|(index, ..)| *index).collect();
    assert_eq!(announced, [0, 1]);
}

#[test]
fn sql_is_reported_only_where_it_is_wanted() {
    let server = DriverServer::start(Arc::new(System::graphql()), 0).unwrap();
    let path = "/controller/api/testResults";
    for (flags, is_reported) in [("", false), (r#","calculateSqlHeuristics":true"#, true)] {
        put(&server, "runSUT", &format!(r#"{{"run":true,"resetState":true{flags}}}"#));
        let answer = send_raw(server.address(), "GET", path, &[], b"").json();
        assert_eq!(answer["data"]["extraHeuristics"].as_array().unwrap().len(), 0);
        put(&server, "newAction", r#"{"index":0}"#);
        let answer = send_raw(server.address(), "GET", path, &[], b"").json();
        let sql = &answer["data"]["extraHeuristics"][0]["sqlSqlExecutionsDto"];
        assert_eq!(sql.is_object(), is_reported, "{answer}");
    }
}

#[test]
fn a_large_body_is_refused() {
    let server = DriverServer::start(Arc::new(System::graphql()), 0).unwrap();
    let body = vec![b' '; 3 << 20];
    let path = "/controller/api/runSUT";
    assert_eq!(send_raw(server.address(), "PUT", path, &[], &body).status(), 413);
}
