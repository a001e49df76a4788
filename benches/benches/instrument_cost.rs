//! What instrumentation costs: CPU time of the case studies for each operation, instrumented and
//! recorded, against the same code as it was written.
//!
//! The same bench, built with the attribute switched off, is the other side; both take turns. One
//! operation is a request of the random sampler, from its text to that of the response, without
//! sockets.
//!
//! Run: `cargo bench -p benches --bench instrument_cost`

#![allow(clippy::print_stdout, missing_docs)]

use std::process::Command;
use std::sync::Arc;

use benches::statistic::median;
use benches::usage::thread_time;
use emb_fixtures::{Fixture, Switches};
use http::uri::PathAndQuery;
use wallace::in_process::InProcess;
use wallace_engine::{Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, GeneSettings};
use wallace_instrument::{Driver, ProblemInfo, Recorder};
use wallace_problems::graphql::{GraphqlProblem, INTROSPECTION_QUERY, Schema, Templates};
use wallace_problems::{HttpProblem, HttpRequest, Transport};
use wallace_sut_driver::DriverClient;

const NAMES: [&str; 2] = ["graphql-ncs", "graphql-scs"];
const PAIRS: usize = 7;

fn main() {
    if std::env::args().any(|argument| argument == "--once") {
        let means = NAMES.map(|name| format!("{:.3}", mean(name)));
        return println!("means {}", means.join(" "));
    }
    println!(
        "fixture      us an operation with, without; median of the ratios (at most 1.3) [all]"
    );
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = (0..PAIRS).map(|_| (once(true), once(false))).collect();
    for (place, name) in NAMES.iter().enumerate() {
        let with = median(&pairs.iter().map(|pair| pair.0[place]).collect::<Vec<_>>());
        let without = median(&pairs.iter().map(|pair| pair.1[place]).collect::<Vec<_>>());
        let ratios: Vec<f64> = pairs.iter().map(|pair| pair.0[place] / pair.1[place]).collect();
        let all: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        println!("{name:12} {with:.1}, {without:.1}; {:.2} [{}]", median(&ratios), all.join(" "));
    }
}

/// The means of one process, as they are built with or without instrumentation.
fn once(is_instrumented: bool) -> Vec<f64> {
    let own = std::env::current_exe().expect("the bench has a path");
    let mut command = Command::new(if is_instrumented { own } else { env!("CARGO").into() });
    if !is_instrumented {
        command.args(["bench", "-q", "-p", "benches", "--bench", "instrument_cost"]);
        command.args(["--features", "uninstrumented", "--"]);
    }
    let output = command.arg("--once").output().expect("the bench can start itself");
    let text = String::from_utf8_lossy(&output.stdout);
    let means = text.lines().find_map(|line| line.strip_prefix("means "));
    let means = means.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    means.split(' ').map(|mean| mean.parse().expect("it is a number")).collect()
}

/// Microseconds of CPU for each operation.
fn mean(name: &str) -> f64 {
    const REQUESTS: usize = 20_000;
    let fixture = Fixture::find(name).expect("the fixture exists");
    let router = fixture.router(Switches::default());
    let recorder = Recorder::new(fixture.unit_prefixes());
    let service = recorder.record(router.clone());
    let endpoint = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let driver = Driver::new("service in this process", endpoint).recorder(recorder);
    let controller = driver.in_process().controller().expect("a recorder was given");
    let mut driver = DriverClient::in_process(controller);
    driver.start_sut().expect("nothing needs to start");
    driver.new_search().expect("it is in this process");
    // As it was written, nothing is recorded either.
    let transport: &mut dyn Transport = if cfg!(feature = "uninstrumented") {
        &mut InProcess::new(router).expect("a runtime can be made")
    } else {
        &mut InProcess::new(service).expect("a runtime can be made")
    };
    let requests = requests(transport, REQUESTS);
    let mut spent = 0.0;
    for request in &requests {
        driver.reset().expect("it is in this process");
        driver.begin_action(0, "operation", &[]).expect("it is the first");
        let begin = thread_time();
        transport.send(request).expect("the service answers");
        spent += (thread_time() - begin).as_secs_f64();
    }
    spent / requests.len() as f64 * 1e6
}

/// Calls that a search begins with.
fn requests(transport: &mut dyn Transport, count: usize) -> Vec<HttpRequest> {
    let path = PathAndQuery::from_static("/graphql");
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", http::HeaderValue::from_static("application/json"));
    let body = serde_json::json!({ "query": INTROSPECTION_QUERY }).to_string().into();
    let introspection =
        HttpRequest { method: http::Method::POST, path: path.clone(), headers, body };
    let schema = transport.send(&introspection).expect("the service answers").body;
    let schema = Schema::from_introspection(schema.as_bytes()).expect("it is a schema");
    let templates = Arc::new(Templates::new(Arc::new(schema)).expect("it has operations"));
    let settings = SearchSettings::default();
    let problem = GraphqlProblem::new(templates, path, &settings).expect("it can be called");
    let learnt = Learnt::default();
    let mut draw = Draw::new(1, 0, Arc::new(GeneSettings::default()));
    let mut requests = Vec::new();
    while requests.len() < count {
        let test = problem.sample(&learnt, &mut draw);
        requests.extend(test.actions().iter().map(|(_, action)| problem.request(action)));
    }
    requests
}
