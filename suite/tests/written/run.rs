//! The generated crate, compiled and run against the service it was made for.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Method, Response, Uri, header};
use wallace_suite::{OutputFolder, RustWriter, Writer};

use crate::shop::{self, Shop};

/// Set to 1 to run what takes minutes on a first build.
const SLOW_TESTS: &str = "RUN_SLOW_TESTS";

async fn answer(
    State(shop): State<Arc<Mutex<Shop>>>,
    method: Method,
    uri: Uri,
    body: String,
) -> Response<Body> {
    let answer = shop.lock().unwrap().answer(method.as_str(), uri.path(), &body);
    let mut response = Response::builder().status(answer.status);
    if !answer.content_type.is_empty() {
        response = response.header(header::CONTENT_TYPE, answer.content_type);
    }
    response.body(Body::from(answer.body)).unwrap()
}

/// Starts the service on a free port and gives its base URL.
fn serve(shop: Arc<Mutex<Shop>>) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let router = Router::new().fallback(answer).with_state(shop);
            axum::serve(listener, router).await.unwrap();
        });
    });
    format!("http://{address}")
}

/// Where generated crates and what is built of them stay until the next time.
fn scratch() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join("generated-suites")
}

/// Runs cargo in the generated crate.
fn cargo(folder: &Path, base_url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(folder).env("WALLACE_BASE_URL", base_url);
    command.env("CARGO_TARGET_DIR", std::path::absolute(scratch()).unwrap());
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn the_crate_passes_and_fails_when_the_service_changes() {
    if std::env::var(SLOW_TESTS).as_deref() != Ok("1") {
        println!("skipped: set {SLOW_TESTS}=1 to compile and run a generated crate");
        return;
    }
    let folder = scratch().join("book-shop");
    let files = RustWriter.write(&shop::suite_with_large_tests());
    OutputFolder::prepare(&folder, true).unwrap().write(&files).unwrap();
    let shop = Arc::new(Mutex::new(Shop { next_author: 4_711, is_broken: false }));
    let url = serve(Arc::clone(&shop));

    let unchanged = cargo(&folder, &url, &["test", "--no-fail-fast"]);
    assert!(unchanged.status.success(), "{}", text(&unchanged));
    assert_eq!(text(&unchanged).matches(" ... ok").count(), 11, "{}", text(&unchanged));

    shop.lock().unwrap().is_broken = true;
    let changed = cargo(&folder, &url, &["test", "--no-fail-fast"]);
    let told = text(&changed);
    assert!(!changed.status.success());
    assert!(told.contains("triangle_classification_returns_3 ... FAILED"), "{told}");
    assert!(told.contains("/data/triangleClassification: expected 3, found 2"), "{told}");
    assert!(told.contains("triangleClassification(a: 1, b: 1, c: 1)"), "{told}");

    let unreachable = cargo(&folder, "http://127.0.0.1:1", &["test", "--no-fail-fast"]);
    assert!(text(&unreachable).contains("Is the service running?"), "{}", text(&unreachable));

    let format = cargo(&folder, &url, &["fmt", "--check"]);
    assert!(format.status.success(), "{}", text(&format));
    let lints = cargo(&folder, &url, &["clippy", "--all-targets", "--", "-D", "warnings"]);
    assert!(lints.status.success(), "{}", text(&lints));
}
