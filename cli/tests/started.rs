//! `wallace node` and `wallace python`: a service is started under its driver, searched and ended.
//!
//! Node needs the packages of `drivers/node` (`npm ci` there); Python needs nothing but itself.

#![allow(clippy::unwrap_used)]

#[path = "common/interrupt.rs"]
mod interrupt;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use interrupt::interrupt;

const NODE: &str = r#"
const http = require("node:http");
require("node:fs").writeFileSync("service.pid", String(process.pid));
const parameters = ["coupon", "amount"].map((name) => ({ name, in: "query", schema: { type: "string" } }));
const responses = { 200: { description: "the price" } };
const info = { title: "Prices", version: "1" };
const description = { openapi: "3.0.3", info, paths: { "/price": { get: { parameters, responses } } } };
function price(coupon, amount) {
  if (coupon === "HALF-PRICE") {
    return amount / 2; // reached
  }
  return amount;
}
console.log("the service prints this");
http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const found = { "/openapi.json": description }[pathname];
  const value = found ?? price(searchParams.get("coupon"), Number(searchParams.get("amount")));
  response.setHeader("content-type", "application/json").end(JSON.stringify(value));
}).listen(0);
"#;

const PYTHON: &str = r#"
import json, os, pathlib
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server
pathlib.Path("service.pid").write_text(str(os.getpid()))
PARAMETERS = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in ("coupon", "amount")]
GET = {"parameters": PARAMETERS, "responses": {"200": {"description": "the price"}}}
DESCRIPTION = {"openapi": "3.0.3", "info": {"title": "Prices", "version": "1"}, "paths": {"/price": {"get": GET}}}

def price(coupon, amount):
    if coupon == "HALF-PRICE":
        return amount[:1]  # reached
    return amount

def application(environ, start_response):
    query = parse_qs(environ["QUERY_STRING"])
    asked = environ["PATH_INFO"] == "/openapi.json"
    answer = DESCRIPTION if asked else price(query.get("coupon", [""])[0], query.get("amount", [""])[0])
    start_response("200 OK", [("content-type", "application/json")])
    return [json.dumps(answer).encode()]

print("the service prints this", flush=True)
if __name__ == "__main__":
    make_server("127.0.0.1", 0, application).serve_forever()
"#;

/// A table without rows, which no operation fills.
const PYTHON_TABLE: &str = r#"
import json, os, pathlib, sqlite3
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server
pathlib.Path("service.pid").write_text(str(os.getpid()))
PARAMETERS = [{"name": "coupon", "in": "query", "schema": {"type": "string"}}]
GET = {"parameters": PARAMETERS, "responses": {"200": {"description": "the price"}}}
DESCRIPTION = {"openapi": "3.0.3", "info": {"title": "Prices", "version": "1"}, "paths": {"/price": {"get": GET}}}
coupons = sqlite3.connect("coupons.db")
coupons.execute("CREATE TABLE IF NOT EXISTS coupon (code TEXT NOT NULL, percent INTEGER NOT NULL)")

def price(code):
    found = coupons.execute("SELECT percent FROM coupon WHERE code = ?", (code,)).fetchone()
    if found is None:
        return 100
    return 100 - found[0]  # reached

def application(environ, start_response):
    query = parse_qs(environ["QUERY_STRING"])
    asked = environ["PATH_INFO"] == "/openapi.json"
    answer = DESCRIPTION if asked else price(query.get("coupon", [""])[0])
    start_response("200 OK", [("content-type", "application/json")])
    return [json.dumps(answer).encode()]

if __name__ == "__main__":
    make_server("127.0.0.1", 0, application).serve_forever()
"#;

/// A language of services, with a service of it in a folder.
struct Project {
    folder: tempfile::TempDir,
    language: &'static str,
    file: &'static str,
    command: [&'static str; 2],
}

impl Project {
    fn node() -> Self {
        let packages = drivers().join("node/node_modules");
        assert!(packages.is_dir(), "{} is not there: npm ci in drivers/node", packages.display());
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
            language: "node",
            file: "server.js",
            command: ["node", "server.js"],
        };
        project.write("package.json", "{}");
        project.write("server.js", NODE);
        project
    }

    fn python() -> Self {
        let project = Self {
            folder: tempfile::tempdir().unwrap(),
            language: "python",
            file: "server.py",
            command: ["python3", "server.py"],
        };
        project.write("requirements.txt", "");
        project.write("server.py", PYTHON);
        project
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// The command with options of its own, before that of the service.
    fn wallace(&self, options: &[&str]) -> Command {
        let mut command = plain(self.folder.path());
        let package = drivers().join(self.language);
        command.arg(self.language).arg("--driver-package").arg(package);
        command.args(options).arg("--").args(self.command);
        command
    }

    /// Whether the process of the service is there.
    fn is_alive(&self) -> bool {
        let text = fs::read_to_string(self.folder.path().join("service.pid")).unwrap();
        let state = fs::read_to_string(format!("/proc/{text}/stat")).unwrap_or_default();
        // One that has ended may not have been buried yet.
        state.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
    }

    /// The service is gone, or about to be: who ends it does not wait for its burial.
    fn ends(&self) {
        until("the service ends", || !self.is_alive());
    }

    /// Whether the line behind the coupon ran, as the run reports it.
    fn has_reached(&self) -> bool {
        let text = fs::read_to_string(self.folder.path().join(self.file)).unwrap();
        let line = 1 + text.lines().position(|line| line.contains("reached")).unwrap();
        let coverage = fs::read_to_string(self.folder.path().join("out/report/lcov.info")).unwrap();
        let told = coverage.lines().find_map(|it| it.strip_prefix(&format!("DA:{line},"))).unwrap();
        told.parse::<u64>().unwrap() > 0
    }
}

fn drivers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("drivers")
}

/// The command in a folder, without settings from the environment.
fn plain(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallace"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WALLACE_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder);
    command
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Waits until something is so.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < patience, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A service is searched white-box and ended, and its output is no result.
fn check_search(project: &Project) {
    let options = ["--calls", "600", "--out", "out", "--service-log", "service.log"];
    let (code, shown, complaint) = told(&project.wallace(&options).output().unwrap());
    assert_eq!(code, Some(0), "{shown}{complaint}");
    assert!(project.has_reached(), "{shown}{complaint}");
    project.ends();
    for words in ["starting `", "the service answers at http", "the service prints this"] {
        assert!(complaint.contains(words), "{words}: {complaint}");
    }
    assert!(!shown.contains("the service prints this"), "{shown}");
    let log = fs::read_to_string(project.folder.path().join("service.log")).unwrap();
    assert!(log.contains("the service prints this"), "{log}");
    let quiet = ["--calls", "5", "--out", "quiet", "--quiet"];
    let (code, _, complaint) = told(&project.wallace(&quiet).output().unwrap());
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
}

/// Ctrl-C writes what was found, and ends the service too.
fn check_interrupt(project: &Project) {
    let options = ["--time", "5m", "--out", "out", "--json-lines"];
    let mut child = project.wallace(&options).stdout(Stdio::piped()).spawn().unwrap();
    let progress = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut progress = progress.filter(|line| line.contains("\"progress\""));
    progress.next().expect("the search begins");
    assert!(project.is_alive());
    interrupt(&child);
    let rest = progress.count();
    assert_eq!(child.wait().unwrap().code(), Some(130), "after {rest} more lines");
    project.ends();
    assert!(project.folder.path().join("out/report.json").is_file());
}

/// Only the driver is served, for whoever comes, until Ctrl-C.
fn check_serve(project: &Project) {
    let options = ["--serve", "--driver-port", "0"];
    let mut command = project.wallace(&options);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (output, errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    for stream in [Box::new(output) as Box<dyn std::io::Read + Send>, Box::new(errors)] {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
    }
    let patience = Duration::from_secs(60);
    let prefix = "Started controller server on: ";
    let address = loop {
        let line = lines.recv_timeout(patience).expect("the driver says where it is");
        if let Some(url) = line.strip_prefix(prefix) {
            break url.trim_end_matches("/controller/api").to_owned();
        }
    };
    let fuzz = ["fuzz", "--driver", &address, "--calls", "100", "--out", "out"];
    let (code, _, complaint) = told(&plain(project.folder.path()).args(fuzz).output().unwrap());
    assert_eq!(code, Some(0), "{complaint}");
    assert!(project.is_alive());
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    project.ends();
}

/// A command that is killed takes the service along.
fn check_kill(project: &Project) {
    let options = ["--time", "5m", "--out", "out"];
    let mut child = project.wallace(&options).stderr(Stdio::null()).spawn().unwrap();
    until("the service starts", || project.folder.path().join("service.pid").is_file());
    // Some time into the search, or into the start on a busy machine: both have to end.
    std::thread::sleep(Duration::from_secs(2));
    child.kill().unwrap();
    child.wait().unwrap();
    project.ends();
}

#[test]
fn a_node_service_is_searched_and_ended() {
    check_search(&Project::node());
}

#[test]
fn a_python_service_is_searched_and_ended() {
    check_search(&Project::python());
}

#[test]
fn rows_open_what_a_python_service_hides_behind_them() {
    let project = Project::python();
    project.write("server.py", PYTHON_TABLE);
    for (sql, is_reached) in [("on", true), ("off", false)] {
        // Each begins with an empty table.
        let _ = std::fs::remove_file(project.folder.path().join("coupons.db"));
        let options = ["--calls", "300", "--sql", sql, "--out", "out", "--force"];
        let (code, shown, complaint) = told(&project.wallace(&options).output().unwrap());
        assert_eq!(code, Some(0), "{shown}{complaint}");
        assert_eq!(project.has_reached(), is_reached, "{sql}: {shown}{complaint}");
        project.ends();
    }
}

#[test]
fn an_interrupted_search_ends_the_service() {
    check_interrupt(&Project::node());
    check_interrupt(&Project::python());
}

#[test]
fn a_driver_is_served_until_it_is_interrupted() {
    check_serve(&Project::node());
    check_serve(&Project::python());
}

#[test]
fn a_service_does_not_outlive_the_command() {
    check_kill(&Project::node());
    check_kill(&Project::python());
}

#[test]
fn a_service_that_does_not_start_says_why() {
    for (project, text) in [
        (Project::node(), "console.error('no database here'); process.exit(7);"),
        (Project::python(), "import sys; sys.exit('no database here')"),
    ] {
        project.write(project.file, text);
        let output = project.wallace(&["--out", "out"]).output().unwrap();
        let (code, _, complaint) = told(&output);
        assert_eq!(code, Some(3), "{complaint}");
        assert!(complaint.contains("no database here"), "{complaint}");
        assert!(!project.folder.path().join("out").exists());
    }
}

#[test]
fn a_service_that_ends_during_the_search_says_what_it_printed_last() {
    let project = Project::python();
    let dies = "print('out of paper', flush=True)\n    os._exit(9)\n";
    let text = PYTHON.replace(
        "def price(coupon, amount):\n",
        &format!("def price(coupon, amount):\n    {dies}"),
    );
    project.write("server.py", &text);
    let (code, _, complaint) = told(&project.wallace(&["--calls", "50"]).output().unwrap());
    assert_eq!(code, Some(3), "{complaint}");
    // Connections are closed a little before the process has ended.
    assert!(complaint.contains("out of paper"), "{complaint}");
    assert!(complaint.contains("has ended"), "{complaint}");
}

#[test]
fn a_driver_that_is_nowhere_is_told_with_the_command_that_installs_it() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (["node", "--", "node"], "npm install --save-dev wallace-driver"),
        (["python", "--", "./bare"], "-m pip install wallace-driver"),
    ];
    // A Python without the package.
    let python = folder.path().join("python");
    fs::write(&python, "#!/bin/sh\necho 3.11.0\nexit 1\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&python, mode).unwrap();
    fs::write(folder.path().join("bare"), "").unwrap();
    for (arguments, install) in cases {
        let (code, _, complaint) = told(&plain(folder.path()).args(arguments).output().unwrap());
        assert_eq!(code, Some(3), "{complaint}");
        assert!(complaint.contains(install), "{complaint}");
    }
}

#[test]
fn the_options_of_a_search_are_those_of_fuzz() {
    let project = Project::node();
    project.write("wallace.toml", "[budget]\ncalls = 11\n[calls]\ninclude = [\"/price\"]\n");
    let shown = |options: &[&str]| told(&project.wallace(options).output().unwrap());
    let (code, settings, complaint) =
        shown(&["--show-config", "--include", "shop", "--schema", "/x"]);
    assert_eq!(code, Some(0), "{complaint}");
    let row = |key: &str| settings.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    assert!(row("budget.calls").contains("11"), "{settings}");
    // Modules and the place of the description are no settings of the calls.
    assert!(row("calls.include").contains("/price"), "{settings}");
    assert!(row("graphql.schema").contains(" - "), "{settings}");
    let (code, settings, _) = shown(&["--show-config", "--operations", "/other"]);
    assert!(code == Some(0) && settings.contains("/other"), "{settings}");
    let (code, _, complaint) = shown(&["--driver", "40100"]);
    assert!(code == Some(2) && complaint.contains("--driver"), "{complaint}");
    let (code, plan, complaint) = shown(&["--dry-run"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert!(plan.contains("white-box, 1 operations, 11 calls"), "{plan}");
    project.ends();
}

#[test]
fn init_and_doctor_know_projects() {
    for (project, command) in [
        (Project::node(), "wallace node -- node server.js"),
        (Project::python(), "wallace python -- "),
    ] {
        let run = |arguments: &[&str]| {
            told(&plain(project.folder.path()).args(arguments).output().unwrap())
        };
        let (code, shown, complaint) = run(&["init", "--yes"]);
        assert!(code == Some(0) && shown.contains(command), "{shown}{complaint}");
        let text = fs::read_to_string(project.folder.path().join("wallace.toml")).unwrap();
        assert!(text.contains(command), "{text}");
        let (code, _, complaint) = run(&["fuzz"]);
        assert!(code == Some(2) && complaint.contains(command), "{complaint}");
        let (code, shown, _) = run(&["doctor"]);
        assert!(code == Some(3) && shown.contains("wallace-driver"), "{shown}");
        if project.language == "node" {
            fs::create_dir(project.folder.path().join("node_modules")).unwrap();
            let package = project.folder.path().join("node_modules/wallace-driver");
            std::os::unix::fs::symlink(drivers().join("node"), package).unwrap();
            let (code, shown, _) = run(&["doctor"]);
            assert!(code == Some(0) && shown.contains(&format!("next: {command}")), "{shown}");
        }
    }
}
