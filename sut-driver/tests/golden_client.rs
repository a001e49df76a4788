//! The client against recorded drivers: the same calls, the recorded answers, and every request
//! compared with the recorded one, field by field.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use common::peer::{Message, Peer, Reaction, answer, controller_info, json};
use common::session::{Exchange, session};
use serde_json::{Value, json};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, DriverOptions, ProblemInfo, ResultsQuery, SutInfo,
    TestResults,
    database::{SqlRow, SqlValue},
};

const SESSIONS: [&str; 4] =
    ["graphql-ncs.ndjson", "features-service.ndjson", "scout-api.ndjson", "rest-news.ndjson"];

/// Plays a recording: the answers in their order, whatever is asked.
struct Player {
    exchanges: Vec<Exchange>,
    next: usize,
    /// Names of numbers, as far as the recording tells them anywhere.
    names: Arc<HashMap<i64, String>>,
    requests: Arc<Mutex<Vec<Message>>>,
}

impl Player {
    fn react(&mut self, message: &Message) -> Reaction {
        let is_extra = message.path().contains("&descriptiveIds=true");
        if is_extra {
            return Reaction::Answer(json(&self.named(message.path())));
        }
        self.requests.lock().unwrap().push(message.clone());
        let Some(exchange) = self.exchanges.get(self.next) else {
            return Reaction::Answer(controller_info());
        };
        self.next += 1;
        let (status, content_type) = (exchange.status, &exchange.content_type);
        let bytes = answer(status, content_type, &exchange.response_body());
        if exchange.closes { Reaction::Last(bytes) } else { Reaction::Answer(bytes) }
    }

    /// The recordings leave tests out, so names can be missing that a real driver knows.
    fn named(&self, path: &str) -> String {
        let list = path.split("ids=").nth(1).unwrap().split('&').next().unwrap();
        let ids = list.split("%2C").map(|id| id.parse::<i64>().unwrap());
        let targets = ids.map(|id| {
            json!({"id": id, "descriptiveId": self.names.get(&id), "value": 1.0, "actionIndex": 0})
        });
        let targets: Vec<Value> = targets.collect();
        json!({"data": {"targets": targets}, "error": null}).to_string()
    }
}

/// Every name that a recording tells after the search began.
fn names(exchanges: &[Exchange]) -> HashMap<i64, String> {
    let results = exchanges.iter().filter(|exchange| exchange.endpoint() == "testResults");
    let targets = results.flat_map(|exchange| exchange.targets());
    let named = targets.filter_map(|target| {
        let name = target["descriptiveId"].as_str()?.to_owned();
        Some((target["id"].as_i64()?, name))
    });
    named.collect()
}

/// What a test reached, by name, according to the recording.
fn expected(exchange: &Exchange, names: &HashMap<i64, String>) -> BTreeMap<String, (f64, usize)> {
    let reached = exchange.targets().iter().filter_map(|target| {
        let score = target["value"].as_f64().filter(|score| *score > 0.0)?;
        let action = usize::try_from(target["actionIndex"].as_i64()?).ok()?;
        Some((names.get(&target["id"].as_i64()?)?.clone(), (score, action)))
    });
    reached.collect()
}

/// The recordings are older than the category of Redis.
fn recorded_options() -> DriverOptions {
    let method_replacement_categories = "BASE,SQL,EXT_0,MONGO".to_owned();
    DriverOptions { method_replacement_categories, ..DriverOptions::default() }
}

struct Replay {
    client: DriverClient,
    exchanges: Vec<Exchange>,
    names: Arc<HashMap<i64, String>>,
    requests: Arc<Mutex<Vec<Message>>>,
    _peer: Peer,
}

fn replay(file: &str) -> Option<Replay> {
    let exchanges: Vec<Exchange> = session(file)?.into_iter().filter(Exchange::is_core).collect();
    let names = Arc::new(names(&exchanges));
    let requests = Arc::new(Mutex::new(Vec::new()));
    let mut player = Player {
        exchanges: exchanges.clone(),
        next: 0,
        names: names.clone(),
        requests: requests.clone(),
    };
    let peer = Peer::start(move |message| player.react(message));
    let runtime = BlockingRuntime::new().unwrap();
    Some(Replay {
        client: DriverClient::connect_with(&peer.url(), &runtime, recorded_options()).unwrap(),
        exchanges,
        names,
        requests,
        _peer: peer,
    })
}

impl Replay {
    /// Makes the call that an exchange is the record of.
    fn call(&mut self, exchange: &Exchange) {
        let request = &exchange.request;
        match exchange.endpoint() {
            "runSUT" => self.client.reset().unwrap(),
            "newAction" => {
                let index = usize::try_from(request["index"].as_u64().unwrap()).unwrap();
                let inputs: Vec<String> =
                    serde_json::from_value(request["inputVariables"].clone()).unwrap();
                let name = request["name"].as_str().unwrap();
                self.client.begin_action(index, name, &inputs).unwrap();
            }
            "testResults" => self.call_results(exchange),
            "infoSUT" => drop(self.client.info().unwrap()),
            other => panic!("no call for {other}"),
        }
    }

    fn call_results(&mut self, exchange: &Exchange) {
        let ids = exchange.parameter("ids").unwrap();
        let ids = ids.split(',').filter(|id| !id.is_empty());
        let ids = ids.map(|id| id.parse::<i64>().unwrap());
        let wanted: Vec<Arc<str>> = ids.map(|id| self.names[&id].as_str().into()).collect();
        let is_set = |name: &str| exchange.parameter(name).unwrap() == "true";
        let query = ResultsQuery {
            wanted: &wanted,
            kill_switch: is_set("killSwitch"),
            fully_covered: is_set("fullyCovered"),
            query_from_database: is_set("queryFromDatabase"),
        };
        let results = self.client.results(query).unwrap();
        self.compare(exchange, &results);
    }

    fn compare(&self, exchange: &Exchange, results: &TestResults) {
        let number = exchange.number;
        let targets = results.targets.iter();
        let reached = targets
            .map(|target| (target.target.name.to_string(), (target.score, target.action.unwrap())));
        assert_eq!(
            reached.collect::<BTreeMap<_, _>>(),
            expected(exchange, &self.names),
            "{number}"
        );
        let infos = exchange.response["data"]["additionalInfoList"].as_array().unwrap();
        assert_eq!(results.actions.len(), infos.len(), "{number}");
        for (action, info) in results.actions.iter().zip(infos) {
            assert_eq!(action.last_statement.as_deref(), info["lastExecutedStatement"].as_str());
            let uses = info["stringSpecializations"].as_object().unwrap();
            let count: usize = uses.values().map(|list| list.as_array().unwrap().len()).sum();
            assert_eq!(action.specialisations.len(), count, "{number}");
        }
    }
}

fn compare_requests(file: &str, exchanges: &[Exchange], requests: &[Message]) {
    assert_eq!(requests.len(), exchanges.len(), "{file}");
    for (request, exchange) in requests.iter().zip(exchanges) {
        let at = format!("{file}, exchange {}", exchange.number);
        assert_eq!(request.method(), exchange.method, "{at}");
        // A plain comma in a query means the same as an encoded one.
        assert_eq!(request.path(), exchange.path.replace(',', "%2C"), "{at}");
        assert_eq!(request.json(), exchange.request, "{at}");
        assert_eq!(request.header("connection"), Some("keep-alive"), "{at}");
        assert_eq!(request.pieces, 1, "{at}: one write a message");
        if !exchange.request.is_null() {
            assert_eq!(request.header("content-type"), Some("application/json"), "{at}");
        }
    }
}

#[test]
fn every_session_replays_with_the_recorded_requests() {
    for file in SESSIONS {
        let Some(mut replay) = replay(file) else {
            return;
        };
        replay.client.start_sut().unwrap();
        replay.client.new_search().unwrap();
        let exchanges = replay.exchanges.clone();
        let first_test = exchanges.iter().position(|one| one.endpoint() == "newSearch");
        for exchange in &exchanges[first_test.unwrap() + 1..] {
            replay.call(exchange);
        }
        compare_requests(file, &exchanges, &replay.requests.lock().unwrap());
    }
}

fn start(file: &str) -> Option<SutInfo> {
    Some(replay(file)?.client.start_sut().unwrap())
}

#[test]
fn the_recorded_systems_are_described() {
    let Some(info) = start("graphql-ncs.ndjson") else {
        return;
    };
    let endpoint = "/graphql".to_owned();
    assert_eq!(info.problem, ProblemInfo::GraphQl { endpoint });
    assert_eq!(info.base_url, "http://localhost:12345");
    assert_eq!(info.driver_name, "em.external.org.graphqlncs.ExternalEvoMasterController");
    assert_eq!(info.executable.as_deref(), Some("graphql-ncs-sut.jar"));
    assert_eq!((info.units.lines, info.units.branches, info.units.names.len()), (329, 256, 10));
    assert_eq!(info.boot_targets.len(), 62);
    assert!(!info.has_sql_database && info.authentication.is_empty());

    let info = start("scout-api.ndjson").unwrap();
    assert!(matches!(info.problem, ProblemInfo::Rest { .. }));
    assert!(info.has_sql_database);
    let user = &info.authentication[0];
    assert_eq!(user.name, "user");
    assert_eq!(user.headers, [("Authorization".to_owned(), "ApiKey user".to_owned())]);
    assert!(!user.needs_login);

    let info = start("proxyprint-startup.ndjson").unwrap();
    assert_eq!((info.authentication.len(), info.endpoints_to_skip.len()), (4, 25));
}

#[test]
fn sql_work_of_recorded_actions_is_summed_up() {
    let Some(exchanges) = session("features-service.ndjson") else {
        return;
    };
    let mut replay = replay("features-service.ndjson").unwrap();
    replay.client.start_sut().unwrap();
    replay.client.new_search().unwrap();
    let (mut actions, mut with_distance) = (0, 0);
    let tests = exchanges.iter().filter(|one| one.is_core());
    for exchange in tests.skip_while(|one| one.endpoint() != "newSearch").skip(1) {
        if exchange.endpoint() != "testResults" {
            replay.call(exchange);
            continue;
        }
        let results = replay.client.results(ResultsQuery::default()).unwrap();
        let sql = results.actions.iter().filter_map(|action| action.sql);
        for summary in sql {
            actions += 1;
            with_distance += usize::from(summary.mean_distance.is_some());
            assert!(summary.commands > 0);
        }
    }
    assert!(actions > with_distance && with_distance > 0, "{actions} {with_distance}");
}

/// The rows of a recorded insertion.
fn rows(insertions: &Value) -> Vec<SqlRow> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entry = |entry: &Value| {
        let value = match entry["foreignKeyToPreviouslyGeneratedRow"].as_i64() {
            Some(id) => SqlValue::KeyOf(id),
            None => SqlValue::Literal(text(&entry["printableValue"])),
        };
        (text(&entry["variableName"]), value)
    };
    let row = |row: &Value| SqlRow {
        id: row["id"].as_i64(),
        table: text(&row["targetTable"]),
        values: row["data"].as_array().unwrap().iter().map(entry).collect(),
    };
    insertions.as_array().unwrap().iter().map(row).collect()
}

#[test]
fn recorded_commands_to_databases_are_sent_and_read_alike() {
    let runtime = BlockingRuntime::new().unwrap();
    let (mut queries, mut insertions) = (0, 0);
    for file in SESSIONS {
        let Some(exchanges) = session(file) else { return };
        let commands = exchanges.into_iter().filter(|one| one.endpoint() == "databaseCommand");
        for exchange in commands.filter(|exchange| exchange.status == 200) {
            let recorded = exchange.clone();
            let sent = Arc::new(Mutex::new(Value::Null));
            let seen = Arc::clone(&sent);
            let peer = Peer::start(move |message| {
                if message.path().contains("controllerInfo") {
                    return Reaction::Answer(controller_info());
                }
                *seen.lock().unwrap() = message.json();
                let body = recorded.response_body();
                Reaction::Answer(answer(recorded.status, &recorded.content_type, &body))
            });
            let mut client = DriverClient::connect(&peer.url(), &runtime).unwrap();
            let (asked, told) = (&exchange.request, &exchange.response["data"]);
            if let Some(statement) = asked["command"].as_str() {
                let found = client.query(statement).unwrap();
                let rows = told["rows"].as_array().unwrap().iter();
                let rows: Vec<Value> = rows.map(|row| row["columnData"].clone()).collect();
                assert_eq!(json!(found), json!(rows), "{file}, {}", exchange.number);
                queries += 1;
            } else {
                let done = client.insert(&rows(&asked["insertions"])).unwrap();
                assert_eq!(json!(done.is_inserted), told["executionResults"], "{file}");
                let keys: BTreeMap<String, i64> =
                    done.keys.into_iter().map(|(id, key)| (id.to_string(), key)).collect();
                assert_eq!(json!(keys), told["idMapping"], "{file}");
                insertions += 1;
            }
            let mut ours = sent.lock().unwrap().clone();
            assert!(asked["idCounter"].is_null() || ours["idCounter"].is_i64());
            ours["idCounter"] = asked["idCounter"].clone();
            assert_eq!(ours, *asked, "{file}, exchange {}", exchange.number);
        }
    }
    assert!(queries > 10 && insertions > 0, "{queries} {insertions}");
}

#[test]
fn recorded_schemas_are_read_whole() {
    for file in &SESSIONS[1..] {
        let Some(exchanges) = session(file) else { return };
        let told = exchanges.iter().find(|one| one.endpoint() == "infoSUT" && one.status == 200);
        let told = &told.unwrap().response["data"]["sqlSchemaDto"];
        let schema = start(file).unwrap().sql_schema.unwrap();
        let tables = told["tables"].as_array().unwrap();
        assert_eq!(schema.tables.len(), tables.len(), "{file}");
        for (table, told) in schema.tables.iter().zip(tables) {
            let count = |list: &str| told[list].as_array().unwrap().len();
            assert_eq!(json!(table.name), told["id"]["name"]);
            assert_eq!(table.insertion_name, format!("PUBLIC.{}", table.name));
            assert_eq!(table.columns.len(), count("columns"));
            assert_eq!(table.foreign_keys.len(), count("foreignKeys"));
            assert_eq!(table.checks.len(), count("tableCheckExpressions"));
            assert_eq!(json!(table.primary_key), told["primaryKeySequence"]);
        }
        let constraints = told["extraConstraintDtos"].as_array().map_or(0, Vec::len);
        assert_eq!(schema.constraints.len(), constraints, "{file}");
    }
}

/// The client's call of a recorded exchange, given an address where it gets the recorded answer.
fn repeat(exchange: &Exchange, url: &str, runtime: &BlockingRuntime) -> Result<(), DriverError> {
    let mut client = DriverClient::connect_with(url, runtime, DriverOptions::default())?;
    match exchange.endpoint() {
        "controllerInfo" => Ok(()),
        "infoSUT" => client.info().map(drop),
        "newSearch" => client.new_search(),
        "runSUT" => client.reset(),
        "newAction" => client.begin_action(0, "x", &[]),
        _ => client.results(ResultsQuery::default()).map(drop),
    }
}

#[test]
fn every_recorded_answer_is_read_or_becomes_a_typed_error_on_one_line() {
    let Some(exchanges) = session("errors.ndjson") else {
        return;
    };
    let runtime = BlockingRuntime::new().unwrap();
    for exchange in exchanges.into_iter().filter(Exchange::is_core) {
        let at = format!("exchange {} ({})", exchange.number, exchange.note);
        let recorded = exchange.clone();
        let peer = Peer::start(move |message| {
            let is_probe = message.path().contains("controllerInfo");
            if is_probe && recorded.endpoint() != "controllerInfo" {
                return Reaction::Answer(controller_info());
            }
            let (status, content_type) = (recorded.status, &recorded.content_type);
            let bytes = answer(status, content_type, &recorded.response_body());
            if recorded.closes { Reaction::Last(bytes) } else { Reaction::Answer(bytes) }
        });
        let outcome = repeat(&exchange, &peer.url(), &runtime);
        // The recorded requests have other verbs and numbers than ours in some places, so only
        // the reading of the answers is compared.
        assert_eq!(outcome.is_ok(), exchange.status < 300, "{at}: {outcome:?}");
        if let Err(error) = outcome {
            let message = error.to_string();
            assert!(!message.contains('\n') && message.len() < 500, "{at}: {message}");
            let is_expected =
                matches!(error, DriverError::Rejected { .. } | DriverError::SutLost { .. });
            assert!(is_expected, "{at}: {error:?}");
        }
    }
}
