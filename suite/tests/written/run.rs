//! The generated crate, compiled and run against the service it was made for.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, Response, Uri, header};
use wallace_suite::{OutputFolder, TestSuite, Writer, writer::RustWriter};

use crate::runner::{Language, Written, is_slow_stage, scratch, text};
use crate::shop::{self, Shop};

async fn answer(
    State(shop): State<Arc<Mutex<Shop>>>,
    method: Method,
    uri: Uri,
    body: String,
) -> Response<Body> {
    let answer = shop.lock().unwrap().answer(method.as_str(), uri.path(), &body);
    // What a handler that panics looks like from outside.
    let Some(answer) = answer else { std::panic::resume_unwind(Box::new(())) };
    let mut response = Response::builder().status(answer.status);
    if !answer.content_type.is_empty() {
        response = response.header(header::CONTENT_TYPE, answer.content_type);
    }
    if let Some(location) = answer.location {
        response = response.header(header::LOCATION, location);
    }
    response.body(Body::from(answer.body)).unwrap()
}

/// Starts the service on a free port and gives its base URL.
pub(crate) fn serve(shop: Arc<Mutex<Shop>>) -> String {
    serve_router(Router::new().fallback(answer).with_state(shop))
}

/// Serves on a free port and gives the base URL.
pub(crate) fn serve_router(router: Router) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
    });
    format!("http://{address}")
}

/// Runs cargo in the generated crate.
pub(crate) fn cargo(folder: &Path, base_url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(folder).env("WALLACE_BASE_URL", base_url);
    command.env("CARGO_TARGET_DIR", scratch());
    command.output().unwrap()
}

#[test]
fn the_crate_passes_and_fails_when_the_service_changes() {
    if !is_slow_stage() {
        return;
    }
    let folder = scratch().join("book-shop");
    let files = RustWriter.write(&shop::suite_with_large_tests());
    OutputFolder::prepare(&folder, true).unwrap().write(&files).unwrap();
    let shop = Arc::new(Mutex::new(Shop { next_author: 4_711, is_broken: false }));
    let url = serve(Arc::clone(&shop));

    let unchanged = cargo(&folder, &url, &["test", "--no-fail-fast"]);
    assert!(unchanged.status.success(), "{}", text(&unchanged));
    assert_eq!(text(&unchanged).matches(" ... ok").count(), 14, "{}", text(&unchanged));

    shop.lock().unwrap().is_broken = true;
    let changed = cargo(&folder, &url, &["test", "--no-fail-fast"]);
    let told = text(&changed);
    assert!(!changed.status.success());
    assert!(told.contains("triangle_classification_returns_3 ... FAILED"), "{told}");
    assert!(told.contains("/data/triangleClassification: expected 3, found 2"), "{told}");
    assert!(told.contains("header location: expected some, found none"), "{told}");
    assert!(told.contains("answer: expected none, found status 200"), "{told}");
    assert!(told.contains("triangleClassification(a: 1, b: 1, c: 1)"), "{told}");

    let unreachable = cargo(&folder, "http://127.0.0.1:1", &["test", "--no-fail-fast"]);
    assert!(text(&unreachable).contains("Is the service running?"), "{}", text(&unreachable));

    let format = cargo(&folder, &url, &["fmt", "--check"]);
    assert!(format.status.success(), "{}", text(&format));
    let lints = cargo(&folder, &url, &["clippy", "--all-targets", "--", "-D", "warnings"]);
    assert!(lints.status.success(), "{}", text(&lints));
}

/// The names of the tests that fail on the changed service, in order: of the triangle, of the
/// location, and of what is not answered, which not all clients can expect.
fn changed(written: &Written, suite: &TestSuite) -> Vec<String> {
    let names = written.names();
    let not_answered = suite.tests.iter().position(|test| test.name == shop::NOT_ANSWERED);
    let places = [Some(0), Some(4), not_answered].into_iter().flatten();
    let mut changed: Vec<String> = places.filter_map(|it| names.get(&it).cloned()).collect();
    changed.sort();
    changed
}

/// The sample in a language: all pass on the service, in three orders; one fails when it changes,
/// and says why.
fn the_sample_is_run(language: Language) {
    if !is_slow_stage() || !language.is_there() {
        return;
    }
    let suite = shop::suite_with_large_tests();
    let written = Written::new(language, "book-shop", &suite);
    let shop = Arc::new(Mutex::new(Shop { next_author: 4_711, is_broken: false }));
    let url = serve(Arc::clone(&shop));
    let place = ("WALLACE_BASE_URL", url.as_str());
    for seed in 1..=3 {
        let (results, told) = written.run(place, seed);
        let names: Vec<&String> = results.keys().collect();
        let mut expected: Vec<String> = written.names().into_values().collect();
        expected.sort();
        assert_eq!(names, expected.iter().collect::<Vec<_>>(), "{told}");
        assert!(results.values().all(|passed| *passed), "{told}");
    }
    shop.lock().unwrap().is_broken = true;
    let (results, told) = written.run(place, 4);
    let failed: Vec<&String> =
        results.iter().filter(|(_, passed)| !**passed).map(|(name, _)| name).collect();
    assert_eq!(failed, changed(&written, &suite).iter().collect::<Vec<_>>(), "{told}");
    assert!(told.contains("/data/triangleClassification: expected 3, found 2"), "{told}");
    assert!(told.contains("triangleClassification(a: 1, b: 1, c: 1)"), "{told}");
    assert!(told.contains("header location: expected some, found none"), "{told}");
    assert!(told.contains("answer: expected none, found status"), "{told}");
    let (results, told) = written.run(("WALLACE_BASE_URL", "http://127.0.0.1:1"), 5);
    assert!(results.values().all(|passed| !*passed), "{told}");
    assert!(told.contains("Is the service running?"), "{told}");
}

#[test]
fn pytest_runs_the_sample() {
    the_sample_is_run(Language::Pytest);
}

#[test]
fn jest_runs_the_sample() {
    the_sample_is_run(Language::Jest);
}

#[test]
fn jest_runs_the_sample_in_typescript() {
    the_sample_is_run(Language::JestTs);
}

#[test]
fn vitest_runs_the_sample() {
    the_sample_is_run(Language::Vitest);
}

#[test]
fn vitest_runs_the_sample_in_typescript() {
    the_sample_is_run(Language::VitestTs);
}

#[test]
fn phpunit_runs_the_sample() {
    the_sample_is_run(Language::Phpunit);
}

#[test]
fn junit_runs_the_sample_in_java() {
    the_sample_is_run(Language::Java);
}

#[test]
fn junit_runs_the_sample_in_kotlin() {
    the_sample_is_run(Language::Kotlin);
}

/// Formats whose runner has no order of its own: all pass, and what changed fails.
fn the_sample_is_played(language: Language) {
    if !is_slow_stage() || !language.is_there() {
        return;
    }
    let suite = shop::suite_with_large_tests();
    let written = Written::new(language, "book-shop", &suite);
    let shop = Arc::new(Mutex::new(Shop { next_author: 4_711, is_broken: false }));
    let url = serve(Arc::clone(&shop));
    let place = ("WALLACE_BASE_URL", url.as_str());
    let (results, told) = written.run(place, 1);
    assert_eq!(results.len(), written.names().len(), "{told}");
    let left_out = usize::from(language == Language::Postman);
    assert_eq!(results.len() + left_out, suite.tests.len(), "what is not answered alone");
    assert!(results.values().all(|passed| *passed), "{results:?} {told}");
    shop.lock().unwrap().is_broken = true;
    let (results, told) = written.run(place, 1);
    let failed: Vec<&String> =
        results.iter().filter(|(_, passed)| !**passed).map(|(name, _)| name).collect();
    assert_eq!(failed, changed(&written, &suite).iter().collect::<Vec<_>>(), "{told}");
}

#[test]
fn the_shell_runs_the_sample() {
    the_sample_is_played(Language::Curl);
}

#[test]
fn newman_runs_the_sample() {
    the_sample_is_played(Language::Postman);
}
