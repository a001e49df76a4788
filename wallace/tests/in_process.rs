//! Searching services in this process: the same results as over sockets, and messages that help.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use axum::Router;
use emb_fixtures::{Fixture, Options, Switches};
use wallace::{ServiceTest, report::TargetResult, settings::SearchSettings};
use wallace_engine::{Budget, Search, Solution};
use wallace_problems::graphql::{
    GraphqlAction, GraphqlProblem, INTROSPECTION_QUERY, Schema, Templates,
};
use wallace_problems::{Driven, HttpEvaluator, HttpRequest, Transport};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient,
    http::{HttpAddress, HttpConnection, HttpSettings},
};

const CALLS: u64 = 600;

fn settings(seed: u64) -> SearchSettings {
    SearchSettings { seed, ..SearchSettings::default() }
}

fn test_of(fixture: &Fixture, switches: Switches) -> ServiceTest {
    let test = wallace::test(fixture.router(switches)).calls(CALLS);
    fixture.unit_prefixes().iter().fold(test, |test, prefix| test.unit_prefix(prefix))
}

/// The same search through sockets.
fn over_sockets(fixture: &Fixture, seed: u64) -> (Arc<GraphqlProblem>, Solution<GraphqlAction>) {
    let running = fixture.start(Options::default()).unwrap();
    let runtime = BlockingRuntime::new().unwrap();
    let mut driver =
        DriverClient::connect(running.driver_url.as_deref().unwrap(), &runtime).unwrap();
    let info = driver.start_sut().unwrap();
    let address: HttpAddress = info.base_url.parse().unwrap();
    let mut connection =
        HttpConnection::connect(address, HttpSettings::default(), &runtime).unwrap();
    let mut headers = http::HeaderMap::new();
    headers.insert("content-type", http::HeaderValue::from_static("application/json"));
    let request = HttpRequest {
        method: http::Method::POST,
        path: "/graphql".parse().unwrap(),
        headers,
        body: serde_json::json!({ "query": INTROSPECTION_QUERY }).to_string().into(),
    };
    let schema = Transport::send(&mut connection, &request).unwrap().body;
    let schema = Schema::from_introspection(schema.as_bytes()).unwrap();
    let templates = Arc::new(Templates::new(Arc::new(schema)).unwrap());
    let problem = GraphqlProblem::new(templates, request.path, &settings(seed)).unwrap();
    let problem = Arc::new(problem);
    driver.new_search().unwrap();
    let driven = Driven { driver, connect: Box::new(|_| unreachable!("nothing crashes")) };
    let mut evaluator =
        HttpEvaluator::new(Arc::clone(&problem), Box::new(connection), Some(driven));
    let search = Search::new(&*problem, settings(seed), Budget::calls(CALLS));
    let solution = search.run(&mut evaluator);
    (problem, solution)
}

/// Everything a solution says: scores by target, and the requests of its tests.
fn told(
    problem: &GraphqlProblem,
    solution: &Solution<GraphqlAction>,
) -> (Vec<String>, Vec<String>) {
    let tests = solution.tests.iter().map(|test| &test.evaluated);
    let calls = tests.flat_map(|test| test.individual.actions().iter().zip(&test.outcomes));
    let body = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let requests = calls.map(|((_, action), outcome)| body(&outcome.request(problem, action).body));
    (scores(&solution.targets), requests.collect())
}

fn scores(targets: &[TargetResult]) -> Vec<String> {
    let mut targets: Vec<String> =
        targets.iter().map(|it| format!("{} {:?}", it.name.as_str(), it.score)).collect();
    targets.sort();
    targets
}

#[test]
fn the_same_seed_finds_the_same_as_over_sockets() {
    for (name, seed) in [("graphql-scs", 3), ("graphql-ncs", 4)] {
        let fixture = Fixture::find(name).unwrap();
        let (problem, solution) = over_sockets(fixture, seed);
        let run = test_of(fixture, Switches::default()).search(settings(seed)).run().unwrap();
        let bodies = run.tests().iter().flatten().map(|step| step.body.clone());
        let found = (scores(run.targets()), bodies.collect::<Vec<_>>());
        assert_eq!(found, told(&problem, &solution), "{name}");
        assert!(run.branches().covered > 50 && run.lines().total > 0, "{name}");
        run.assert_no_faults();
    }
}

/// A GraphQL service of one operation, which fails for one text.
mod failing {
    use axum::response::IntoResponse;
    use axum::routing::post;
    use axum::{Json, Router};
    use serde_json::{Value, json};
    use wallace_instrument::white_box;

    #[white_box]
    pub(super) fn checkout(coupon: &str) -> Result<u32, &'static str> {
        if coupon == "FREE-LUNCH" {
            return Err("no price");
        }
        if coupon.strip_prefix("half-").is_some_and(|rest| rest == "moon") {
            panic!("the moon is full");
        }
        Ok(3)
    }

    fn schema() -> Value {
        let text = json!({"kind": "NON_NULL", "name": null,
            "ofType": {"kind": "SCALAR", "name": "String", "ofType": null}});
        let field = json!({"name": "checkout", "isDeprecated": false, "args": [
            {"name": "coupon", "type": text, "defaultValue": null}],
            "type": {"kind": "SCALAR", "name": "Int", "ofType": null}});
        json!({"data": {"__schema": {"queryType": {"name": "Query"}, "mutationType": null,
            "subscriptionType": null, "directives": [], "types": [
            {"kind": "OBJECT", "name": "Query", "fields": [field], "interfaces": []},
            {"kind": "SCALAR", "name": "Int"}, {"kind": "SCALAR", "name": "String"}]}}})
    }

    async fn graphql(Json(body): Json<Value>) -> axum::response::Response {
        let query = body["query"].as_str().unwrap_or_default();
        if query.contains("__schema") {
            return Json(schema()).into_response();
        }
        let coupon = query.split('"').nth(1).unwrap_or_default();
        match checkout(coupon) {
            Ok(price) => Json(json!({"data": {"checkout": price}})).into_response(),
            Err(reason) => (axum::http::StatusCode::INTERNAL_SERVER_ERROR, reason).into_response(),
        }
    }

    pub(super) fn router() -> Router {
        Router::new().route("/graphql", post(graphql))
    }
}

#[test]
fn a_failure_shows_the_requests_and_a_test_to_paste() {
    let run = wallace::test(failing::router()).unit_prefix("in_process::failing");
    let run = run.calls(400).run().unwrap();
    let faults = run.faults();
    let fault = faults.iter().find(|fault| fault.to_string().contains("FREE-LUNCH")).unwrap();
    assert_eq!(fault.steps.len(), 1, "{fault}");
    let asserted = std::panic::AssertUnwindSafe(|| run.assert_no_faults());
    let panic = std::panic::catch_unwind(asserted).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("-> 500 no price"), "{message}");
    assert!(message.contains("wallace::in_process::InProcess::new(router())"), "{message}");
    assert!(message.contains("service.call(\"POST\", \"/graphql\""), "{message}");
    let paste = fault.test(1);
    assert!(paste.contains("assert!(answer.status < 500"), "{paste}");
    assert!(paste.contains("FREE-LUNCH"), "{paste}");
    // What is pasted shows the fault.
    let step = &fault.steps[0];
    let headers: Vec<(&str, &str)> =
        step.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut service = wallace::in_process::InProcess::new(failing::router()).unwrap();
    let answer = service.call(&step.method, &step.path, &headers, &step.body).unwrap();
    assert_eq!(answer.status, 500);
}

#[test]
fn a_handler_that_panics_is_no_end() {
    let mut service = wallace::in_process::InProcess::new(failing::router()).unwrap();
    let body = r#"{"query":"{checkout(coupon:\"half-moon\")}"}"#;
    let headers = [("content-type", "application/json")];
    let ended = service.call("POST", "/graphql", &headers, body).unwrap_err();
    assert_eq!(ended.to_string(), "the call got no response: dropped");
    let fine =
        service.call("POST", "/graphql", &headers, r#"{"query":"{checkout(coupon:\"a\")}"}"#);
    assert_eq!(fine.unwrap().status, 200);
}

#[test]
fn what_is_no_graphql_service_is_told_apart() {
    let error = wallace::test(Router::new()).run().unwrap_err().to_string();
    assert!(error.contains(".openapi(") && error.contains(".graphql("), "{error}");
    let error = wallace::test(Router::new()).graphql("/api").run().unwrap_err().to_string();
    assert!(error.contains("status 404") && error.contains("/api"), "{error}");
}
