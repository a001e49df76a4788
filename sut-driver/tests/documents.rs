//! Documents and keys: what drivers of each release report, and how they take what is inserted.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use common::peer::{Peer, Reaction, answer, controller_info, json as ok, send_raw};
use serde_json::{Value, json};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverServer, ProblemInfo, Recorded, RecordedAction,
    ResultsQuery, SutController, Units,
    database::{DatabaseActivity, MongoCollection, MongoDocument, RedisCommand, RedisKey},
};

type Sent = Arc<Mutex<Vec<(String, Value)>>>;

/// A client of a driver that gives these answers in their order, and what was sent to it.
fn client(answers: Vec<Vec<u8>>) -> (Peer, Sent, DriverClient) {
    let mut answers = VecDeque::from(answers);
    let sent = Sent::default();
    let seen = Arc::clone(&sent);
    let peer = Peer::start(move |message| {
        if message.path().contains("controllerInfo") {
            return Reaction::Answer(controller_info());
        }
        let endpoint = message.path().rsplit('/').next().unwrap().to_owned();
        seen.lock().unwrap().push((endpoint, message.json()));
        Reaction::Answer(answers.pop_front().unwrap())
    });
    let client = DriverClient::connect(&peer.url(), &BlockingRuntime::new().unwrap()).unwrap();
    (peer, sent, client)
}

fn refused(body: &Value) -> Vec<u8> {
    answer(400, "application/json;charset=utf8;version=1", &body.to_string())
}

fn document(name: &str) -> MongoDocument {
    MongoDocument {
        database: "shop".to_owned(),
        collection: "pets".to_owned(),
        data: json!({ "name": name }).to_string(),
    }
}

fn key(command: &str, key: &str, field: Option<&str>) -> RedisKey {
    let field = field.map(str::to_owned);
    RedisKey { command: command.to_owned(), key: key.to_owned(), field, value: "v".to_owned() }
}

/// What is told of one action.
fn activity(heuristics: &Value) -> DatabaseActivity {
    let body = json!({ "data": {
        "targets": [], "additionalInfoList": [{}], "extraHeuristics": [heuristics],
    }, "error": null });
    let (_peer, _, mut client) = client(vec![ok(&body.to_string())]);
    let results = client.results(ResultsQuery::default()).unwrap();
    results.actions[0].database.as_deref().cloned().unwrap_or_default()
}

#[test]
fn queries_that_found_nothing_are_read_in_every_shape() {
    let schema = r#""com.Pet":{"type":"object", "properties": {"name":{"type":"string"}}}"#;
    let query = json!({ "database": "shop", "collection": "pets", "documentsType": schema });
    let expected = MongoCollection {
        database: "shop".to_owned(),
        collection: "pets".to_owned(),
        document_type: schema.to_owned(),
    };
    for name in ["mongoExecutionsDto", "mongoExecutionDto"] {
        let told = activity(&json!({ "heuristics": [], name: { "failedQueries": [query] } }));
        assert_eq!(told.empty_collections, std::slice::from_ref(&expected), "{name}");
    }
    let object = json!({ "type": "object" });
    let query = json!({ "database": "shop", "collection": "pets", "documentsType": object });
    let told = activity(&json!({ "mongoExecutionsDto": { "failedQueries": [query] } }));
    assert_eq!(told.empty_collections[0].document_type, object.to_string());
    let nothing = activity(&json!({ "mongoExecutionsDto": null, "redisExecutionsDto": null }));
    assert_eq!(nothing, DatabaseActivity::default());
}

#[test]
fn commands_that_found_nothing_are_read_in_every_shape() {
    let commands = json!([
        { "command": "HGET", "keys": ["pet:1"], "pattern": null, "field": "name" },
        { "command": "KEYS", "keys": [], "pattern": "pet:.*", "field": null },
        { "command": "GET", "type": "string", "key": "pet:2" },
    ]);
    let told = activity(&json!({ "redisExecutionsDto": { "failedCommands": commands } }));
    let command =
        |command: &str, keys: &[&str], pattern: Option<&str>, field: Option<&str>| RedisCommand {
            command: command.to_owned(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            pattern: pattern.map(str::to_owned),
            field: field.map(str::to_owned),
        };
    let expected = [
        command("HGET", &["pet:1"], None, Some("name")),
        command("KEYS", &[], Some("pet:.*"), None),
        command("GET", &["pet:2"], None, None),
    ];
    assert_eq!(told.failed_redis_commands, expected);
}

#[test]
fn documents_behind_one_that_is_refused_are_sent_again_without_it() {
    let told = |results: &[bool], index: i32| {
        let told = json!({ "executionResults": results, "failedInsertionIndex": index });
        json!({ "data": told, "error": null })
    };
    let (_peer, sent, mut client) =
        client(vec![refused(&told(&[true, false, false], 1)), ok(&told(&[true], -1).to_string())]);
    let documents = ["a", "b", "c"].map(document);
    assert_eq!(client.insert_documents(&documents).unwrap(), [true, false, true]);
    let message = |names: &[&str]| {
        let insertion = |name: &&str| {
            let data = json!({ "name": name }).to_string();
            json!({ "databaseName": "shop", "collectionName": "pets", "data": data })
        };
        let insertions: Vec<Value> = names.iter().map(insertion).collect();
        ("mongoInsertion".to_owned(), json!({ "insertions": insertions }))
    };
    assert_eq!(*sent.lock().unwrap(), [message(&["a", "b", "c"]), message(&["c"])]);
    assert!(!client.recoveries().takes_no_documents);
    assert!(client.insert_documents(&[]).unwrap().is_empty());
}

#[test]
fn drivers_without_a_store_are_asked_once() {
    let message = |message: &str| json!({ "data": null, "error": message });
    for nothing in [
        answer(404, "application/json", r#"{"message":"Not Found","status":"404"}"#),
        refused(&message("No active database connection")),
    ] {
        let (_peer, sent, mut client) = client(vec![nothing]);
        for _ in 0..2 {
            let taken = client.insert_documents(&[document("a"), document("b")]).unwrap();
            assert_eq!(taken, [false, false]);
        }
        assert!(client.recoveries().takes_no_documents && !client.recoveries().takes_no_keys);
        assert_eq!(sent.lock().unwrap().len(), 1);
    }
    let (_peer, sent, mut client) = client(vec![refused(&message("No active Redis connection"))]);
    for _ in 0..2 {
        assert_eq!(client.insert_keys(&[key("SET", "a", None)]).unwrap(), [false]);
    }
    assert!(client.recoveries().takes_no_keys);
    assert_eq!(sent.lock().unwrap().len(), 1);
}

#[test]
fn keys_are_sent_as_the_release_of_the_driver_knows_them() {
    let done = |results: &[bool]| {
        ok(&json!({ "data": { "executionResults": results }, "error": null }).to_string())
    };
    let keys = [key("SET", "a", None), key("HSET", "b", Some("f")), key("SET", "c", None)];
    let failed =
        "Failed to execute Redis command: Failed Redis insertion at index 1 for key 'b': x";
    let failed = refused(&json!({ "data": null, "error": failed }));
    let (_peer, sent, mut newer) = client(vec![failed, done(&[true])]);
    assert_eq!(newer.insert_keys(&keys).unwrap(), [true, false, true]);
    let insertions = json!([
        { "command": "SET", "key": "a", "value": "v" },
        { "command": "HSET", "key": "b", "field": "f", "value": "v" },
        { "command": "SET", "key": "c", "value": "v" },
    ]);
    let first = ("redisInsertion".to_owned(), json!({ "insertions": insertions }));
    assert_eq!(sent.lock().unwrap()[0], first);

    // A driver before 6.1 refuses fields that it does not know, and takes texts alone.
    let strict =
        answer(400, "text/plain", "Unrecognized field \"command\" (class RedisInsertionDto)");
    let (_peer, sent, mut older) = client(vec![strict, done(&[true]), done(&[true])]);
    assert_eq!(older.insert_keys(&keys).unwrap(), [true, false, true]);
    let plain = |key: &str| {
        let insertions = json!([{ "key": key, "value": "v" }]);
        ("redisInsertion".to_owned(), json!({ "insertions": insertions }))
    };
    assert_eq!(sent.lock().unwrap()[1..], [plain("a"), plain("c")]);
}

/// A system with documents and keys, which refuses what is called `bad`.
struct System(bool);

impl SutController for System {
    fn full_name(&self) -> String {
        "demo".to_owned()
    }
    fn start(&self) -> Result<String, String> {
        Ok("http://127.0.0.1:1".to_owned())
    }
    fn stop(&self) {}
    fn base_url(&self) -> Option<String> {
        Some("http://127.0.0.1:1".to_owned())
    }
    fn problem(&self) -> ProblemInfo {
        ProblemInfo::graphql("/graphql")
    }
    fn reset(&self) -> Result<(), String> {
        Ok(())
    }
    fn new_search(&self) {}
    fn new_test(&self) {}
    fn begin_action(&self, _: u32, _: &str, _: &[String]) {}
    fn recorded(&self) -> Recorded {
        let activity = DatabaseActivity {
            empty_collections: vec![MongoCollection {
                database: "shop".to_owned(),
                collection: "pets".to_owned(),
                document_type: r#""Pet":{"type":"object"}"#.to_owned(),
            }],
            failed_redis_commands: vec![RedisCommand {
                command: "GET".to_owned(),
                keys: vec!["pet:1".to_owned()],
                pattern: None,
                field: None,
            }],
            ..DatabaseActivity::default()
        };
        let database = Some(Box::new(activity));
        let action = RecordedAction { database, ..RecordedAction::default() };
        Recorded { targets: Vec::new(), actions: vec![action] }
    }
    fn target_name(&self, _: u32) -> Option<&'static str> {
        None
    }
    fn boot_targets(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
    fn units(&self) -> Units {
        Units::default()
    }
    fn set_kill_switch(&self, _: bool) {}
    fn insert_documents(&self, documents: &[MongoDocument]) -> Result<Vec<bool>, String> {
        let is_good = |it: &MongoDocument| !it.data.contains("bad");
        self.0.then(|| documents.iter().map(is_good).collect()).ok_or("No active x".to_owned())
    }
    fn insert_keys(&self, keys: &[RedisKey]) -> Result<Vec<bool>, String> {
        let is_good = |it: &RedisKey| it.key != "bad";
        self.0.then(|| keys.iter().map(is_good).collect()).ok_or("No active y".to_owned())
    }
}

#[test]
fn the_server_tells_and_takes_what_the_client_reads_and_sends() {
    for is_remote in [true, false] {
        let controller = Arc::new(System(true));
        let server = DriverServer::start(controller.clone(), 0).unwrap();
        let runtime = BlockingRuntime::new().unwrap();
        let mut client = match is_remote {
            true => DriverClient::connect(&server.url(), &runtime).unwrap(),
            false => DriverClient::in_process(controller.clone()),
        };
        client.reset().unwrap();
        client.begin_action(0, "pets", &[]).unwrap();
        let results = client.results(ResultsQuery::default()).unwrap();
        let expected = controller.recorded().actions[0].database.clone();
        assert_eq!(results.actions[0].database, expected);
        let documents = ["a", "bad", "b"].map(document);
        assert_eq!(client.insert_documents(&documents).unwrap(), [true, false, true]);
        let keys = ["a", "bad", "b"].map(|name| key("SET", name, None));
        assert_eq!(client.insert_keys(&keys).unwrap(), [true, false, true]);
    }
}

#[test]
fn the_server_answers_as_the_drivers_of_the_field() {
    let post = |has_store: bool, endpoint: &str, body: &Value| {
        let server = DriverServer::start(Arc::new(System(has_store)), 0).unwrap();
        let path = format!("/controller/api/{endpoint}");
        let headers = [("Content-Type".to_owned(), "application/json".to_owned())];
        let body = body.to_string();
        let answer = send_raw(server.address(), "POST", &path, &headers, body.as_bytes());
        (answer.status(), answer.json())
    };
    let error = |message: &str| (400, json!({ "data": null, "error": message }));
    let empty = json!({ "insertions": [] });
    assert_eq!(post(false, "mongoInsertion", &empty), error("No active x"));
    assert_eq!(post(false, "redisInsertion", &empty), error("No active y"));
    assert_eq!(post(true, "mongoInsertion", &empty), error("No input command"));
    assert_eq!(post(true, "redisInsertion", &empty), error("No input command"));
    let insertion = |collection: &str, data: &str| json!({ "databaseName": "d", "collectionName": collection, "data": data });
    let nowhere = json!({ "insertions": [insertion("", "{}")] });
    let reason = "Insertion with no target collection or database";
    assert_eq!(post(true, "mongoInsertion", &nowhere), error(reason));
    let some = ["{}", "bad", "{}"].map(|data| insertion("c", data));
    let told = json!({ "executionResults": [true, false, false], "failedInsertionIndex": 1 });
    let answer = post(true, "mongoInsertion", &json!({ "insertions": some }));
    assert_eq!(answer, (400, json!({ "data": told, "error": null })));
    let good = json!({ "insertions": [insertion("c", "{}")] });
    let told = json!({ "executionResults": [true], "failedInsertionIndex": -1 });
    assert_eq!(post(true, "mongoInsertion", &good).1["data"], told);
    let key = json!({ "command": "SET", "key": "k", "field": null, "value": "v" });
    let answer = post(true, "redisInsertion", &json!({ "insertions": [key] }));
    assert_eq!(answer, (200, json!({ "data": { "executionResults": [true] }, "error": null })));
}
