//! The 15 seeded faults of the paper's toy service: which oracle finds which, and how fast.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::print_stdout, reason = "the test prints the table")]

use std::sync::Arc;

use emb_fixtures::{Fixture, Options};
use http::uri::PathAndQuery;
use serde_json::json;
use wallace_problems::graphql::{INTROSPECTION_QUERY, Schema};
use wallace_problems::{Call, Fault, HttpRequest, Oracle, Transport};
use wallace_properties::{
    ArgumentFamily, Check, CheckSettings, Failure, GeneratorSettings, Outcome, RecordedQuery,
    UserOracle, WhiteBox, read_saved, saved,
};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient,
    http::{HttpConnection, HttpSettings},
};

const SEEDS: u64 = 10;

/// Faults of the paper's table in its order, the ones it found, and the oracle that finds each here.
const FAULTS: [(&str, bool, &str); 15] = [
    ("p1", true, "A (status)"),
    ("p2", true, "A (status)"),
    ("p3", true, "A (status)"),
    ("p4", false, "echo"),
    ("p5", true, "C (errors)"),
    ("p6", true, "A (status)"),
    ("o1", true, "A (status)"),
    ("o2", false, "recorded answer"),
    ("o3", true, "C (errors)"),
    ("m1", true, "A (status)"),
    ("m2", false, "inverse relation"),
    ("m3", true, "C (errors)"),
    ("u1", true, "A (status)"),
    ("u2", false, "inverse relation"),
    ("u3", true, "C (errors)"),
];

fn path() -> PathAndQuery {
    PathAndQuery::from_static("/graphql")
}

fn post(connection: &mut HttpConnection, document: &str) -> serde_json::Value {
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", http::HeaderValue::from_static("application/json"));
    let body = json!({ "query": document }).to_string().into();
    let request = HttpRequest { method: http::Method::POST, path: path(), headers, body };
    serde_json::from_str(&Transport::send(connection, &request).unwrap().body).unwrap()
}

/// Checks the toy with these faults; in white-box mode through its driver.
fn check(
    faults: &[&str],
    is_white_box: bool,
    settings: &CheckSettings,
    oracles: &[UserOracle],
) -> Outcome {
    let fixture = Fixture::find("karlsson-toy").unwrap();
    let names: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let switches = fixture.parse_switches(&names).unwrap();
    let driver_port = is_white_box.then_some(0);
    let running = fixture.start(Options { switches, driver_port, ..Options::default() }).unwrap();
    let runtime = BlockingRuntime::new().unwrap();
    let mut base_url = running.base_url.clone();
    let mut white_box = running.driver_url.as_ref().map(|url| {
        let mut driver = DriverClient::connect(url, &runtime).unwrap();
        base_url = driver.start_sut().unwrap().base_url;
        driver.new_search().unwrap();
        WhiteBox::new(driver)
    });
    let address = base_url.parse().unwrap();
    let mut connection =
        HttpConnection::connect(address, HttpSettings::default(), &runtime).unwrap();
    let answer = post(&mut connection, INTROSPECTION_QUERY).to_string();
    let schema = Arc::new(Schema::from_introspection(answer.as_bytes()).unwrap());
    Check::new(&schema, settings, &mut connection, oracles).run(white_box.as_mut())
}

fn settings(seed: u64) -> CheckSettings {
    let arguments = ArgumentFamily::Mixed { ids: vec!["1".to_owned(), "2".to_owned()] };
    let generator = GeneratorSettings { arguments, ..GeneratorSettings::default() };
    CheckSettings { seed, generator, ..CheckSettings::new(path()) }
}

/// Only the paper's properties.
fn paper(seed: u64) -> CheckSettings {
    CheckSettings { follows_relations: false, ..settings(seed) }
}

/// Answers of the unchanged service.
fn recorded() -> Vec<RecordedQuery> {
    let documents = [
        "{ projects(id: \"1\") { id name owner { id name } members { id } } }",
        "{ projects(id: \"2\") { description owner { age projects { id } } } }",
    ];
    let fixture = Fixture::find("karlsson-toy").unwrap();
    let running = fixture.start(Options { driver_port: None, ..Options::default() }).unwrap();
    let runtime = BlockingRuntime::new().unwrap();
    let address = running.base_url.parse().unwrap();
    let mut connection =
        HttpConnection::connect(address, HttpSettings::default(), &runtime).unwrap();
    let record = |document: &&str| RecordedQuery {
        document: (*document).to_owned(),
        variables: None,
        answer: post(&mut connection, document),
    };
    documents.iter().map(record).collect()
}

fn found_by<'o>(outcome: &'o Outcome, oracle: &str) -> Option<&'o Failure> {
    outcome.failures.iter().find(|failure| failure.oracle == oracle)
}

#[test]
fn every_seeded_fault_is_found_by_its_oracle() {
    let recorded = recorded();
    println!("fault  oracle            paper  seeds  queries  size  smallest query");
    let (mut by_paper, mut all) = (0, 0);
    for (fault, is_published, oracle) in FAULTS {
        let run = |seed: u64| match oracle {
            "echo" => check(&[fault], true, &settings(seed), &[]),
            "recorded answer" => {
                let settings = CheckSettings { recorded: recorded.clone(), ..settings(seed) };
                check(&[fault], false, &settings, &[])
            }
            "inverse relation" => check(&[fault], false, &settings(seed), &[]),
            _ => check(&[fault], false, &paper(seed), &[]),
        };
        let outcomes: Vec<Outcome> = (0..SEEDS).map(run).collect();
        let found: Vec<&Failure> =
            outcomes.iter().filter_map(|outcome| found_by(outcome, oracle)).collect();
        let mut queries: Vec<usize> = found.iter().map(|failure| failure.queries).collect();
        queries.sort_unstable();
        let smallest = found.iter().min_by_key(|failure| failure.size);
        println!(
            "{fault:5}  {oracle:16}  {:5}  {:2}/10  {:7}  {:4}  {}",
            if is_published { "found" } else { "-" },
            found.len(),
            queries.get(queries.len() / 2).copied().unwrap_or_default(),
            smallest.map_or(0, |failure| failure.size),
            smallest.map_or("", |failure| &failure.shrunk),
        );
        let is_found = found.len() >= 9;
        by_paper += usize::from(is_published && is_found);
        all += usize::from(is_found);
    }
    assert_eq!((by_paper, all), (11, 15));
}

#[test]
fn the_unchanged_service_has_no_faults() {
    for seed in 0..SEEDS {
        let settings = CheckSettings { recorded: recorded(), ..settings(seed) };
        assert_eq!(check(&[], seed % 2 == 0, &settings, &[]).failures, []);
        assert_eq!(check(&[], false, &paper(seed), &[]).failures, []);
    }
}

#[test]
fn queries_shrink_to_the_true_minimum() {
    for (fault, smallest) in [
        ("p1", "query{projects(id:\"\"){id}}"),
        ("o1", "query{projects(id:\"1\"){owner{id}}}"),
        ("u1", "query{projects(id:\"1\"){owner{projects{id}}}}"),
        ("m3", "query{projects(id:\"1\"){members{id}}}"),
    ] {
        let outcome = check(&[fault], false, &paper(1), &[]);
        let failure = &outcome.failures[0];
        // Which leaf remains, and which of the two ways to a user, is a matter of chance.
        let plain = |text: &str| {
            let text = text.replace("members", "owner");
            ["{name}", "{age}", "{description}"]
                .iter()
                .fold(text, |text, leaf| text.replace(leaf, "{id}"))
        };
        assert_eq!(plain(&failure.shrunk), plain(smallest), "{fault}");
        assert!(failure.original.len() >= failure.shrunk.len());
        assert!(failure.replays <= 200);
    }
}

#[test]
fn saved_failures_are_replayed_first() {
    let first = check(&["o1"], false, &paper(1), &[]);
    let text = saved(&first.failures);
    let again = CheckSettings { saved: read_saved(&text), queries: 0, ..paper(2) };
    let second = check(&["o1"], false, &again, &[]);
    assert_eq!((second.queries, second.failures.len()), (1, 1));
    assert_eq!(second.failures[0].shrunk, first.failures[0].shrunk);
    assert_eq!(check(&[], false, &again, &[]).failures, [], "it is mended");
    assert_eq!(read_saved("no JSON\n{}\n"), []);
}

struct NoEarnie;

impl Oracle for NoEarnie {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let body = call.outcome.response.as_ref().map_or("", |response| &response.body);
        let is_there = body.contains("Earnie");
        is_there.then(|| Fault { code: 999, context: "Earnie".to_owned() }).into_iter().collect()
    }
}

#[test]
fn users_add_properties_of_their_own() {
    let own = UserOracle { name: "nobody is called Earnie".to_owned(), oracle: Box::new(NoEarnie) };
    let outcome = check(&[], false, &paper(1), &[own]);
    let [failure] = &*outcome.failures else { panic!("{:?}", outcome.failures) };
    assert_eq!((failure.code, failure.oracle.as_str()), (999, "nobody is called Earnie"));
    assert!(failure.size <= 4, "{}", failure.shrunk);
}
