//! A service that the run starts and ends itself.

use std::net::{TcpListener, TcpStream};

use crate::support::{text, wallace};

const BINARY: &str = env!("CARGO_BIN_EXE_wallace");

/// A port that nothing listens at.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has free ports");
    listener.local_addr().expect("it is bound").port()
}

fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

fn start_command(port: u16) -> String {
    format!("{BINARY} fixture flawed-shop --no-driver --port {port}")
}

/// What a run writes passes on the next fresh start, and nothing is left running.
#[test]
fn the_suite_passes_on_a_fresh_start() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a plain path");
    let port = free_port();
    let (url, start) = (format!("http://127.0.0.1:{port}"), start_command(port));
    let openapi = format!("{url}/openapi.json");
    let output = wallace(&[
        "fuzz",
        "--openapi",
        &openapi,
        "--start-command",
        &start,
        "--calls",
        "1500",
        "--out",
        out,
        "--quiet",
    ]);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{told}");
    assert!(!answers(port), "the service is ended");
    let mut command = std::process::Command::new(BINARY);
    command.args(["fixture", "flawed-shop", "--no-driver", "--port", &port.to_string()]);
    let mut service = command.spawn().expect("the command runs");
    while !answers(port) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let replay = wallace(&["replay", out, "--url", &url]);
    let _ = service.kill();
    let _ = service.wait();
    let told = text(&replay.stdout);
    assert_eq!(replay.status.code(), Some(0), "{told}");
    assert!(told.lines().count() > 10, "there are tests: {told}");
}

/// What cannot be started is told with what it printed, and so is a service that runs already.
#[test]
fn a_service_that_does_not_start_is_told() {
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}/graphql");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a plain path");
    let told = |command: &str, more: &[&str]| {
        let mut arguments = vec!["fuzz", "--url", &url, "--start-command", command, "--out", out];
        arguments.extend(more);
        let output = wallace(&arguments);
        (output.status.code(), text(&output.stderr))
    };
    let (code, error) = told("echo no database; exit 7", &[]);
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains("no database") && error.contains("7"), "{error}");
    let (code, error) = told("sleep 60", &["--start-timeout", "1s"]);
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains("--start-timeout"), "{error}");
    let _listener = TcpListener::bind(("127.0.0.1", port)).expect("it is free again");
    let (code, error) = told("sleep 60", &[]);
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains("already"), "{error}");
}

/// A service that leaves its group cannot be ended: that is said, and what was found is written.
#[test]
fn a_service_that_outlives_its_command_is_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let port = free_port();
    let id = path("id");
    let start = format!("setsid {} > /dev/null 2>&1 & echo $! > {id}", start_command(port));
    let openapi = format!("http://127.0.0.1:{port}/openapi.json");
    let out = path("out");
    let arguments = ["--openapi", &openapi, "--start-command", &start, "--out", &out];
    let output = wallace(&[&["fuzz", "--calls", "200"], &arguments[..]].concat());
    let id = std::fs::read_to_string(id).expect("the service was started");
    let killed = std::process::Command::new("kill").arg(id.trim()).status();
    assert!(killed.expect("kill runs").success(), "it runs on");
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{told}");
    assert!(told.contains("stay in the foreground"), "{told}");
    assert!(folder.path().join("out/run.json").is_file());
}

/// A server that listens two seconds before it knows its operations.
const LATE: &str = r#"
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
begin = time.time()
class Late(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        is_there = time.time() - begin > 2
        body = b'{"name": "x"}' if is_there else b"<html>Cannot GET it</html>"
        self.send_response(200 if is_there else 404)
        self.send_header("content-type", "application/json" if is_there else "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
HTTPServer(("127.0.0.1", int(sys.argv[1])), Late).serve_forever()
"#;

/// Where a file describes it, nothing of the service itself shows that it listens too early.
#[test]
fn a_service_is_ready_once_it_knows_its_operations() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (script, openapi, out) = (path("late.py"), path("openapi.yaml"), path("out"));
    let description = "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {/thing: {get: {responses: \
                       {'200': {description: d}}}}}\n";
    std::fs::write(&script, LATE).expect("the folder is there");
    std::fs::write(&openapi, description).expect("the folder is there");
    let port = free_port();
    let (base_url, start) =
        (format!("http://127.0.0.1:{port}"), format!("exec python3 {script} {port}"));
    let mut arguments = vec!["fuzz", "--openapi", &openapi, "--base-url", &base_url];
    arguments.extend(["--start-command", &start, "--calls", "60", "--out", &out]);
    let output = wallace(&arguments);
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("1 of 1"), "{told}");
}
