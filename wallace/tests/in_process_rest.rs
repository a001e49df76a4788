//! REST services in this process: found out, searched with identifiers that the service makes, and
//! tested without a marked line.

#![allow(clippy::unwrap_used)]

mod notes;
mod todos;

use std::convert::Infallible;

use axum::body::Body;
use http::{Request, Response};
use http_body_util::Full;
use tower::ServiceExt;
use wallace::in_process::LocalService;

use notes::Notes;
use todos::Todos;
use wallace::{RunError, TestRun};

/// Names of what was reached and is not covered.
fn open(run: &TestRun) -> Vec<&str> {
    let targets = run.targets().iter().filter(|target| !target.score.is_covered());
    targets.map(|target| target.name.as_str()).collect()
}

#[test]
fn a_rest_router_is_searched_with_the_identifiers_that_it_makes() {
    let todos = Todos::default();
    let state = todos.clone();
    let test = wallace::test(todos.router()).unit_prefix("in_process_rest::todos");
    let run = test.on_reset(move || state.reset()).calls(2_000).run().unwrap();
    let open = open(&run);
    assert_eq!(run.branches().covered, run.branches().total, "{open:?}");
    // The fault needs a thing that the service named: the test takes the name from its answer.
    let fault = run.faults().iter().find(|fault| fault.name.starts_with("100:")).unwrap();
    assert_eq!(fault.steps.len(), 2, "{fault}");
    assert_eq!(fault.steps[1].method, "PUT", "{fault}");
    let paste = fault.test(1);
    assert!(paste.contains("answer_0.text_at(\"/id\").unwrap()"), "{paste}");
}

#[test]
fn the_same_fault_is_found_through_a_description_that_is_handed_over() {
    let description = todos::description().to_string();
    let router = todos::unmarked(Todos::default());
    // No module has this name: what other tests of this process mark does not guide this one.
    let test = wallace::test(router).openapi(&description).unit_prefix("in_process_rest::none");
    let run = test.calls(1_500).run().unwrap();
    assert_eq!(run.branches().total, 0, "no code is marked");
    let names: Vec<&String> = run.faults().iter().map(|fault| &fault.name).collect();
    assert!(names.iter().any(|name| name.starts_with("100:DELETE:/todos/{id}")), "{names:?}");
}

/// Any `tower` service, of any body.
#[test]
fn a_service_without_a_framework_is_searched() {
    let service = tower::service_fn(|request: Request<Body>| async move {
        let number = request.uri().path().strip_prefix("/squares/");
        let number = number.and_then(|number| number.parse::<i32>().ok());
        let (status, body) = match number {
            Some(negative) if negative < 0 => (500, "no root"),
            Some(_) => (200, "{}"),
            None => (404, "{}"),
        };
        let response = Response::builder().status(status).header("content-type", "text/plain");
        Ok::<_, Infallible>(response.body(Full::from(body)).unwrap())
    });
    let description = "openapi: 3.0.3\ninfo: {title: squares, version: '1'}\npaths:\n  \
                       /squares/{number}:\n    get:\n      parameters:\n      - {name: number, in: \
                       path, required: true, schema: {type: integer}}\n      responses: {'200': \
                       {description: fine}, '404': {description: none}}\n";
    let test = wallace::test(service).openapi(description).unit_prefix("in_process_rest::none");
    let run = test.calls(200).run().unwrap();
    let fault = run.faults().iter().find(|fault| fault.name.starts_with("100:")).unwrap();
    assert!(fault.steps[0].path.starts_with("/squares/-"), "{fault}");
    let asserted = std::panic::catch_unwind(|| run.assert_no_faults());
    assert!(asserted.is_err());
}

fn search_of_notes<S: Into<LocalService>>(service: impl Fn(Notes) -> S) -> TestRun {
    let folder = tempfile::tempdir().unwrap();
    let users = folder.path().join("auth.yaml");
    std::fs::write(&users, notes::USERS).unwrap();
    let notes = Notes::open();
    let state = notes.clone();
    let test = wallace::test(service(notes)).unit_prefix("in_process_rest::notes").auth(users);
    test.on_async_reset(move || state.clone().roll_back()).calls(1_500).run().unwrap()
}

fn has_all_of_notes(run: &TestRun) {
    let open = open(run);
    assert_eq!(run.lines().covered, run.lines().total, "{open:?}");
    // The slice that panics hangs up, as over sockets.
    let fault = run.faults().iter().find(|fault| fault.name.starts_with("910:PUT:")).unwrap();
    assert_eq!(fault.steps.len(), 2, "{fault}");
    let paste = fault.test(1);
    assert!(paste.contains("std::env::var(\"WALLACE_CREDENTIALS_"), "{paste}");
}

#[tokio::test(flavor = "multi_thread")]
async fn users_and_a_transaction_are_searched_from_a_test_that_waits() {
    has_all_of_notes(&search_of_notes(Notes::router));
}

#[test]
fn users_and_a_transaction_are_searched_behind_any_tower_service() {
    let service = |notes: Notes| {
        let router = notes.router();
        tower::service_fn(move |request: Request<Body>| router.clone().oneshot(request))
    };
    has_all_of_notes(&search_of_notes(service));
}

#[tokio::test]
async fn a_test_of_one_thread_is_told_to_have_more() {
    let told = wallace::test(Todos::default().router()).calls(10).run().unwrap_err();
    assert!(
        matches!(&told, RunError::Settings(reason) if reason.contains("multi_thread")),
        "{told}"
    );
}
