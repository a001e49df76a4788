//! Drivers that misbehave in known ways: the client helps itself once, and counts it.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use common::peer::{Message, Peer, Reaction, answer, controller_info, json};
use common::session::{Exchange, session};
use serde_json::{Value, json};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, DriverOptions, ResultsQuery,
    database::{SqlRow, SqlValue},
    login::LoginProof,
};

type Messages = Arc<Mutex<Vec<Message>>>;

/// A client of a peer that is a driver in the first exchange and does as told in all others.
fn client_of(
    mut react: impl FnMut(&Message) -> Reaction + Send + 'static,
) -> (Peer, Messages, DriverClient) {
    let messages = Messages::default();
    let seen = Arc::clone(&messages);
    let peer = Peer::start(move |message| {
        if message.path().contains("controllerInfo") {
            return Reaction::Answer(controller_info());
        }
        seen.lock().unwrap().push(message.clone());
        react(message)
    });
    let options = DriverOptions {
        restart_pause: Duration::from_millis(5),
        slow_reset: Duration::from_millis(100),
        ..DriverOptions::default()
    };
    let runtime = BlockingRuntime::new().unwrap();
    let client = DriverClient::connect_with(&peer.url(), &runtime, options).unwrap();
    (peer, messages, client)
}

fn results(targets: &Value) -> Vec<u8> {
    json(&json!({"data": {"targets": targets}, "error": null}).to_string())
}

fn target(id: u32, name: Option<&str>) -> Value {
    json!({"id": id, "descriptiveId": name, "value": 1.0, "actionIndex": 0})
}

#[test]
fn a_poisoned_reset_is_repeated_once() {
    let mut crashes = vec![true, true, false, true];
    let (_peer, _, mut client) = client_of(move |_| match crashes.pop() {
        Some(true) => Reaction::Last(answer(500, "", "")),
        _ => Reaction::Answer(answer(204, "", "")),
    });
    client.reset().unwrap();
    assert_eq!(client.recoveries().repeated_resets, 1);
    assert!(matches!(client.reset(), Err(DriverError::Rejected { status: 500, .. })));
    client.reset().unwrap();
    assert_eq!(client.recoveries().repeated_resets, 2);
}

#[test]
fn a_stale_number_ends_the_epoch_and_the_test_keeps_its_results() {
    let (_peer, messages, mut client) = client_of(|message| {
        let path = message.path();
        if path.contains("ids=5&") {
            let error = "Failed to collect target information for 1 ids";
            return Reaction::Answer(answer(
                500,
                "application/json",
                &json!({"data": null, "error": error}).to_string(),
            ));
        }
        let is_named = path.contains("descriptiveIds=true");
        let targets =
            if is_named { json!([target(0, Some("b"))]) } else { json!([target(5, Some("b"))]) };
        Reaction::Answer(results(&targets))
    });
    let first = client.results(ResultsQuery::default()).unwrap();
    let wanted = [Arc::clone(&first.targets[0].target.name)];
    let second = client.results(ResultsQuery { wanted: &wanted, ..ResultsQuery::default() });
    assert_eq!(second.unwrap().targets[0].target.name, wanted[0]);
    assert_eq!(client.recoveries().lost_numbers, 1);
    // The number of the new epoch is asked for now.
    client.results(ResultsQuery { wanted: &wanted, ..ResultsQuery::default() }).unwrap();
    let messages = messages.lock().unwrap();
    assert!(messages.last().unwrap().path().contains("ids=0&"), "{messages:?}");
}

#[test]
fn a_reset_that_takes_as_long_as_a_start_may_be_one() {
    let (_peer, messages, mut client) = client_of(|message| {
        if message.path().contains("runSUT") {
            std::thread::sleep(Duration::from_millis(150));
            return Reaction::Answer(answer(204, "", ""));
        }
        Reaction::Answer(results(&json!([target(0, Some("a"))])))
    });
    let wanted: [Arc<str>; 1] = ["a".into()];
    let query = || ResultsQuery { wanted: &wanted, ..ResultsQuery::default() };
    client.reset().unwrap();
    client.results(query()).unwrap();
    client.results(query()).unwrap();
    let messages = messages.lock().unwrap();
    assert!(messages[1].path().contains("ids=&") && messages[1].path().contains("Ids=true"));
    assert!(messages[2].path().contains("ids=0&") && messages[2].path().contains("Ids=false"));
}

#[test]
fn a_dead_system_is_told_apart_from_a_stale_number() {
    let (_peer, _, mut client) = client_of(|_| {
        let error = "Failed to collect target information for all ids";
        let body = json!({"data": null, "error": error}).to_string();
        Reaction::Answer(answer(500, "application/json", &body))
    });
    let lost = client.results(ResultsQuery::default());
    assert!(matches!(lost, Err(DriverError::SutLost { .. })));
    assert_eq!(client.recoveries().lost_numbers, 0);
}

#[test]
fn rows_that_would_harm_the_next_test_are_refused() {
    let (_peer, messages, mut client) = client_of(|_| Reaction::Answer(answer(204, "", "")));
    let row = |id, table: &str, value| SqlRow {
        id: Some(id),
        table: table.to_owned(),
        values: vec![("ID".to_owned(), value)],
    };
    let literal = || SqlValue::Literal("1".to_owned());
    for rows in [
        vec![],
        vec![row(0, " ", literal())],
        vec![row(0, "A", SqlValue::KeyOf(7))],
        vec![row(0, "A", SqlValue::KeyOf(1)), row(1, "A", literal())],
    ] {
        assert!(matches!(client.insert(&rows), Err(DriverError::InvalidInsertion { .. })));
    }
    assert!(messages.lock().unwrap().is_empty());
    for _ in 0..2 {
        let rows = [row(0, "A", literal()), row(1, "A", SqlValue::KeyOf(0))];
        assert!(client.insert(&rows).unwrap().is_inserted.is_empty());
    }
    let messages = messages.lock().unwrap();
    let counters: Vec<_> = messages.iter().map(|it| it.json()["idCounter"].as_i64()).collect();
    assert_eq!(counters, [Some(1), Some(2)]);
}

/// The rows of a recorded request.
fn rows(request: &Value) -> Vec<SqlRow> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let value = |entry: &Value| match entry["printableValue"].as_str() {
        Some(literal) => SqlValue::Literal(literal.to_owned()),
        None => SqlValue::KeyOf(entry["foreignKeyToPreviouslyGeneratedRow"].as_i64().unwrap()),
    };
    let entries = |row: &Value| {
        let entries = row["data"].as_array().unwrap().iter();
        entries.map(|entry| (text(&entry["variableName"]), value(entry))).collect()
    };
    let rows = request["insertions"].as_array().unwrap().iter();
    rows.map(|row| SqlRow {
        id: row["id"].as_i64(),
        table: text(&row["targetTable"]),
        values: entries(row),
    })
    .collect()
}

#[test]
fn database_commands_are_those_of_the_recordings() {
    let files = ["rest-news.ndjson", "features-service.ndjson", "scout-api.ndjson"];
    let sessions = files.iter().filter_map(|file| session(file)).flatten();
    let is_command = |it: &Exchange| it.endpoint() == "databaseCommand" && it.status == 200;
    let recorded: Vec<Exchange> = sessions.filter(is_command).collect();
    let mut answers = recorded.clone().into_iter();
    let (_peer, messages, mut client) =
        client_of(move |_| Reaction::Answer(json(&answers.next().unwrap().response_body())));
    for exchange in &recorded {
        if let Some(command) = exchange.request["command"].as_str() {
            let found = client.query(command).unwrap();
            let count = exchange.response["data"]["rows"].as_array().unwrap().len();
            assert_eq!(found.len(), count);
        } else {
            let inserted = client.insert(&rows(&exchange.request)).unwrap();
            let count = exchange.response["data"]["executionResults"].as_array().unwrap().len();
            assert_eq!(inserted.is_inserted.len(), count);
        }
        let mut sent = messages.lock().unwrap().last().unwrap().json();
        sent["idCounter"] = exchange.request["idCounter"].clone();
        assert_eq!(sent, exchange.request);
    }
}

#[test]
fn schemas_and_users_of_the_recordings_are_read() {
    for (file, tables, users) in [
        ("features-service.ndjson", 1, 0),
        ("scout-api.ndjson", 1, 3),
        ("proxyprint-startup.ndjson", 1, 4),
    ] {
        let Some(session) = session(file) else { return };
        let info = session.iter().find(|it| it.endpoint() == "infoSUT" && it.status == 200);
        let body = info.unwrap().response_body();
        let (_peer, _, mut client) = client_of(move |_| Reaction::Answer(json(&body)));
        let info = client.info().unwrap();
        let schema = info.sql_schema.unwrap();
        assert!(schema.tables.len() >= tables, "{file}");
        for table in &schema.tables {
            assert!(!table.columns.is_empty() && table.insertion_name.contains(&table.name));
            assert!(table.columns.iter().all(|column| !column.sql_type.is_empty()));
        }
        assert_eq!(info.authentication.len(), users, "{file}");
        for user in &info.authentication {
            assert!(!user.headers.is_empty() && user.login.is_none());
        }
        assert_eq!(schema.database_type, "H2");
    }
    let none = LoginProof::Nothing;
    assert_ne!(none, LoginProof::Cookies);
}

#[test]
fn what_actions_did_with_databases_is_kept_with_them() {
    let Some(session) = session("rest-news.ndjson") else { return };
    let (mut statements, mut failed) = (0, 0);
    for exchange in session.iter().filter(|it| it.endpoint() == "testResults") {
        let body = exchange.response_body();
        let (_peer, _, mut client) = client_of(move |message| {
            if message.path().contains("descriptiveIds=true") {
                return Reaction::Answer(results(&json!([])));
            }
            Reaction::Answer(json(&body))
        });
        let found = client.results(ResultsQuery::default()).unwrap();
        let golden = exchange.response["data"]["extraHeuristics"].as_array().unwrap();
        for (action, golden) in found.actions.iter().zip(golden) {
            let log = golden["sqlSqlExecutionsDto"]["sqlExecutionLogDtoList"].as_array().unwrap();
            let activity = action.database.as_deref().cloned().unwrap_or_default();
            assert_eq!(activity.statements.len(), log.len());
            let distances = golden["heuristics"].as_array().unwrap().len();
            assert_eq!(activity.distances.len(), distances);
            statements += log.len();
            failed += activity.failed_conditions.len();
        }
    }
    assert!(statements > 0 && failed > 0, "{statements} {failed}");
}

#[test]
fn a_reset_that_was_begun_is_made_once_and_ends_with_the_next_call() {
    let (_peer, messages, mut client) = client_of(|message| match message.path() {
        path if path.contains("runSUT") => Reaction::Answer(answer(204, "", "")),
        path if path.contains("newAction") => Reaction::Answer(answer(204, "", "")),
        _ => Reaction::Answer(results(&json!([target(0, Some("a"))]))),
    });
    let paths = |name: &str| {
        let messages = messages.lock().unwrap();
        messages.iter().filter(|message| message.path().contains(name)).count()
    };
    for test in 1..=3 {
        client.reset().unwrap();
        assert_eq!(paths("runSUT"), test);
        client.begin_action(0, "a", &[]).unwrap();
        client.results(ResultsQuery::default()).unwrap();
        client.begin_reset();
    }
    // Somebody else asks: the answer to the reset is not taken for that to the question.
    assert_eq!(client.results(ResultsQuery::default()).unwrap().targets.len(), 1);
    assert_eq!(paths("runSUT"), 4);
    client.reset().unwrap();
    assert_eq!((paths("runSUT"), client.recoveries().repeated_exchanges), (5, 0));
}

#[test]
fn a_reset_that_was_begun_and_broke_is_made_anew() {
    let mut breaks = vec![false, false, true];
    let (_peer, _, mut client) = client_of(move |_| match breaks.pop() {
        Some(true) => Reaction::Silence(Duration::ZERO),
        _ => Reaction::Answer(answer(204, "", "")),
    });
    client.begin_reset();
    client.reset().unwrap();
    assert_eq!(client.recoveries().repeated_exchanges, 1);
    client.begin_action(0, "a", &[]).unwrap();
}

/// A driver that tells of an empty list what is seen for the first time, as those of older releases
/// do, or everything. In each test target 0 is covered and target 1 comes nearer; 2 is new in the
/// second.
fn listing_peer(is_older: bool) -> (Peer, Messages, DriverClient) {
    let mut test = 0;
    client_of(move |message| {
        let path = message.path();
        if path.contains("runSUT") {
            test += 1;
            return Reaction::Answer(answer(204, "", ""));
        }
        let near = f64::from(test) / 10.0;
        let reached = [(0, "a", 1.0, 1), (1, "b", near, 1), (2, "c", 1.0, 2)];
        let asked = path.split_once("ids=").unwrap().1.split_once('&').unwrap().0;
        let asked: Vec<u32> = asked.split("%2C").filter_map(|id| id.parse().ok()).collect();
        let is_told = |id: u32, first: i32| {
            first == test || asked.contains(&id) || (asked.is_empty() && !is_older && first < test)
        };
        let reached = reached.into_iter().filter(|(id, .., first)| is_told(*id, *first));
        let reached = reached.map(|(id, name, score, first)| {
            let name = (first == test).then_some(name);
            json!({"id": id, "descriptiveId": name, "value": score, "actionIndex": 0})
        });
        Reaction::Answer(results(&reached.collect()))
    })
}

#[test]
fn older_drivers_are_asked_by_number_for_what_they_leave_out() {
    for is_older in [true, false] {
        let (_peer, messages, mut client) = listing_peer(is_older);
        for test in 1..=3 {
            client.reset().unwrap();
            let found = client.results(ResultsQuery::default()).unwrap();
            // Asked again within the same test, which tells nothing about the driver.
            assert_eq!(client.results(ResultsQuery::default()).unwrap().targets, found.targets);
            let names = found.targets.iter().map(|it| (it.target.name.to_string(), it.score));
            let near = f64::from(test) / 10.0;
            let all = [("a", 1.0), ("b", near), ("c", 1.0)].map(|(name, it)| (name.to_owned(), it));
            let count = if test == 1 { 2 } else { 3 };
            assert_eq!(names.collect::<Vec<_>>(), all[..count], "older: {is_older}, test {test}");
        }
        assert_eq!(client.recoveries().asks_by_number, is_older);
        let messages = messages.lock().unwrap();
        let count = messages.iter().filter(|it| it.path().contains("testResults")).count();
        // Six queries, and for the older driver one to find out and one for each from then on.
        assert_eq!(count, if is_older { 6 + 1 + 4 } else { 6 });
    }
}

#[test]
fn what_cannot_be_tested_is_said_before_the_start_where_the_driver_knows_it() {
    let told = |status: u16, body: &'static str| {
        let (_peer, messages, mut client) =
            client_of(move |_| Reaction::Answer(answer(status, "application/json", body)));
        let preview = client.preview();
        let messages = messages.lock().unwrap();
        assert!(messages.iter().all(|it| it.path().contains("infoSUT")), "{messages:?}");
        preview
    };
    let calls = told(200, r#"{"data":{"rpcProblem":{},"baseUrlOfSUT":null},"error":null}"#);
    assert!(matches!(calls, Err(DriverError::UnsupportedProblem { .. })), "{calls:?}");
    let body = r#"{"data":{"graphQLProblem":{"endpoint":"/graphql"},"baseUrlOfSUT":null,
        "infoForAuthentication":[{"name":"ann","sessionLogin":{"user":"u"}}]},"error":null}"#;
    let users = told(200, body).unwrap();
    assert_eq!(users[0].unknown, ["sessionLogin"]);
    // Drivers that start a process know nothing before.
    let later = told(500, r#"{"data":null,"error":"Failed to extract units info"}"#);
    assert_eq!(later.unwrap(), []);
}
