//! Production traffic, recorded by the proxy, becomes tests that pass on a service that is brought
//! back before each: what a mutation makes there is what later operations use.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub)]

#[path = "../../suite/tests/written/runner.rs"]
#[allow(dead_code, reason = "a part of the runners is of the suites that every writer gets")]
mod runner;

use std::sync::Arc;

use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::{Method, uri::PathAndQuery};
use emb_fixtures::{Fixture, Options, Running};
use runner::{Language, Written};
use serde_json::{Value, json};
use tests::{cargo_test, is_slow_stage};
use wallace::replay::{ReplayTarget, TestRunner, Verdict};
use wallace_harvest::{
    Harvest, HarvestSettings, RecordingProxy, RecordingSettings, read_text, write,
};
use wallace_problems::graphql::{INTROSPECTION_QUERY, Schema};
use wallace_problems::{HttpRequest, Transport};
use wallace_suite::{Format, Provenance, TestSuite};
use wallace_sut_driver::{
    BlockingRuntime,
    http::{HttpConnection, HttpSettings},
};

/// A client of the clinic.
struct Client {
    connection: HttpConnection,
    _runtime: BlockingRuntime,
}

impl Client {
    fn new(base_url: &str) -> Self {
        let runtime = BlockingRuntime::new().unwrap();
        let address = base_url.parse().unwrap();
        let connection =
            HttpConnection::connect(address, HttpSettings::default(), &runtime).unwrap();
        Self { connection, _runtime: runtime }
    }

    fn ask(&mut self, query: &str, variables: &Value) -> Value {
        let body = json!({ "query": query, "variables": variables }).to_string();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let path = PathAndQuery::from_static("/graphql");
        let request = HttpRequest { method: Method::POST, path, headers, body: body.into() };
        let response = Transport::send(&mut self.connection, &request).unwrap();
        serde_json::from_str(&response.body).unwrap()
    }
}

const ADD_OWNER: &str = "mutation AddOwner($input: AddOwnerInput!) { addOwner(input: $input) { owner { id lastName } } }";
const ADD_PET: &str = "mutation AddPet($input: AddPetInput!) { addPet(input: $input) { pet { id name owner { id } } } }";
const MOVE: &str = "mutation Move($input: UpdateOwnerInput!) { updateOwner(input: $input) { owner { id city lastName } } }";
const PET: &str =
    "query Pet($id: Int!) { pet(id: $id) { name birthDate owner { lastName city } } }";
const OWNER: &str = "query Owner($id: Int!) { owner(id: $id) { id lastName city pets { name } } }";
const VISIT: &str = "mutation Visit($input: AddVisitInput!) { addVisit(input: $input) { visit { description pet { name } } } }";

/// A morning at the desk: two owners, a pet of the second, a visit, and reads of all that.
fn use_the_clinic(client: &mut Client) {
    let owner = |name: &str| {
        json!({ "input": { "firstName": "Ada", "lastName": name, "address": "Main Street 1",
                "city": "Springfield", "telephone": "5551234" } })
    };
    client.ask(ADD_OWNER, &owner("Byron"));
    let added = client.ask(ADD_OWNER, &owner("King"));
    let owner = &added["data"]["addOwner"]["owner"]["id"];
    let pet = json!({ "input": { "ownerId": owner, "name": "Rex", "birthDate": "2020/01/02", "typeId": 2 } });
    let added = client.ask(ADD_PET, &pet);
    let pet = &added["data"]["addPet"]["pet"]["id"];
    assert!(owner.is_i64() && pet.is_i64(), "{added}");
    client.ask(MOVE, &json!({ "input": { "ownerId": owner, "city": "Shelbyville" } }));
    let visit = json!({ "input": { "petId": pet, "description": "a limp", "date": "2021/03/04" } });
    client.ask(VISIT, &visit);
    client.ask(PET, &json!({ "id": pet }));
    client.ask(OWNER, &json!({ "id": owner }));
}

fn start(switches: &[&str]) -> Running {
    let fixture = Fixture::find("petclinic").unwrap();
    let names: Vec<String> = switches.iter().map(|name| (*name).to_owned()).collect();
    let switches = fixture.parse_switches(&names).unwrap();
    fixture.start(Options { switches, ..Options::default() }).unwrap()
}

/// What the proxy recorded of a morning, as tests.
fn harvest(compares_answers: bool) -> Harvest {
    let clinic = start(&[]);
    let schema = Client::new(&clinic.base_url).ask(INTROSPECTION_QUERY, &json!({})).to_string();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.ndjson");
    let proxy = RecordingProxy::start(RecordingSettings::new(&clinic.base_url, &log)).unwrap();
    use_the_clinic(&mut Client::new(&format!("http://{}", proxy.address())));
    drop(proxy);
    let text = std::fs::read_to_string(&log).unwrap();
    let schema = Arc::new(Schema::from_text(&schema).unwrap());
    let mut settings = HarvestSettings { compares_answers, ..HarvestSettings::default() };
    let harvest = Harvest::new(schema, read_text("log", &text), &mut settings);
    assert!(harvest.rejected().is_empty(), "{:?}", harvest.rejected());
    harvest
}

/// Tests that do not pass on a clinic that is brought back before each, by name.
fn failing(harvest: &Harvest, clinic: &Running) -> Vec<String> {
    let driver = ReplayTarget::Driver(clinic.driver_url.clone().unwrap());
    let mut runner = TestRunner::connect(&driver, false).unwrap();
    let mut tests = harvest.tests();
    // Twice, and in both directions: nothing is left of the test before.
    tests.extend(harvest.tests().into_iter().rev());
    let failed = tests.into_iter().filter_map(|test| {
        let verdict = runner.run(&test).unwrap();
        (verdict != Verdict::Passed).then(|| format!("{}: {verdict:?}", test.name))
    });
    failed.collect()
}

#[test]
fn what_was_recorded_is_replayed_on_a_clean_service() {
    for compares_answers in [false, true] {
        let harvest = harvest(compares_answers);
        // The two owners are alike, as long as nobody compares them.
        assert_eq!(harvest.operations().len(), if compares_answers { 7 } else { 6 });
        let failed = failing(&harvest, &start(&[]));
        assert_eq!(failed, [""; 0], "answers compared: {compares_answers}");
    }
    let failed = failing(&harvest(true), &start(&["update-owner-nothing"]));
    let told = |name: &str| failed.iter().filter(|test| test.starts_with(name)).count();
    // The change itself answers as if it had been made: only the reads behind it show that not.
    assert_eq!((told("owner"), told("pet"), failed.len()), (2, 2, 4), "{failed:?}");
}

#[test]
fn every_language_replays_it() {
    if !is_slow_stage() {
        return;
    }
    let harvest = harvest(false);
    let clinic = start(&[]);
    let driver = clinic.driver_url.as_deref().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    write(&harvest, &clinic.base_url, &[Format::Rust], &out, false).unwrap();
    let (passes, told) = cargo_test(&out.join("rust"), ("WALLACE_DRIVER", driver));
    assert!(passes, "{told}");
    let suite = TestSuite {
        provenance: Provenance { tool: "Wallace".to_owned(), version: String::new(), seed: 0 },
        service: "production".to_owned(),
        default_base_url: clinic.base_url.clone(),
        start_command: None,
        tests: harvest.tests(),
    };
    let languages = [
        Language::Pytest,
        Language::Jest,
        Language::VitestTs,
        Language::Phpunit,
        Language::Java,
        Language::Kotlin,
        Language::Curl,
    ];
    for language in languages.into_iter().filter(|language| language.is_there()) {
        let written = Written::new(language, "harvest", &suite);
        let (results, told) = written.run(("WALLACE_DRIVER", driver), 1);
        assert_eq!(results.len(), 6, "{language:?}: {told}");
        assert!(results.values().all(|passed| *passed), "{language:?}: {told}");
    }
}
