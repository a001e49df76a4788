//! A search from a test of the service's own, in Node and in Python, by this command.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NODE: &str = r#"
const parameters = [{ name: "coupon", in: "query", schema: { type: "string" } }];
const responses = { 200: { description: "the price" } };
const get = { parameters, responses };
const info = { title: "Prices", version: "1" };
const description = { openapi: "3.0.3", info, paths: { "/price": { get } } };
exports.app = (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  response.setHeader("content-type", "application/json");
  const isBroken = searchParams.get("coupon") === "HALF-PRICE";
  if (isBroken && process.env.IS_FLAWED) response.statusCode = 500;
  response.end(JSON.stringify(pathname === "/openapi.json" ? description : 1));
};
"#;

const NODE_TEST: &str = r#"
import { fuzz } from "wallace-driver";
import { app } from "./app.js";
await fuzz(app, { calls: 400 });
console.log("no fault");
process.exit();
"#;

const PYTHON: &str = r#"
import json, os
from urllib.parse import parse_qs
PARAMETERS = [{"name": "coupon", "in": "query", "schema": {"type": "string"}}]
GET = {"parameters": PARAMETERS, "responses": {"200": {"description": "the price"}}}
DESCRIPTION = {"openapi": "3.0.3", "info": {"title": "Prices", "version": "1"}, "paths": {"/price": {"get": GET}}}

def app(environ, start_response):
    coupon = parse_qs(environ["QUERY_STRING"]).get("coupon", [""])[0]
    status = "200 OK"
    if coupon == "HALF-PRICE" and os.environ.get("IS_FLAWED"):
        status = "500 No"
    start_response(status, [("content-type", "application/json")])
    return [json.dumps(DESCRIPTION if environ["PATH_INFO"] == "/openapi.json" else 1).encode()]
"#;

const PYTHON_TEST: &str = r#"
import pathlib
from wallace_driver.loading.hook import set_up
from wallace_driver.loading.ownership import Ownership
set_up(Ownership(patterns=["shop"]), pathlib.Path("cache"))
from shop import app
from wallace import fuzz
fuzz(app, calls=400)
print("no fault")
"#;

fn drivers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("drivers")
}

/// What a test prints that searches a service which is flawed, or is not.
fn run(folder: &Path, words: &[&str], is_flawed: bool) -> String {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(folder);
    command.env("WALLACE", env!("CARGO_BIN_EXE_wallace"));
    command.env("PYTHONPATH", drivers().join("python/src"));
    if is_flawed {
        command.env("IS_FLAWED", "1");
    }
    let output = command.output().unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

fn check(files: &[(&str, &str)], words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let modules = folder.path().join("node_modules");
    fs::create_dir(&modules).unwrap();
    std::os::unix::fs::symlink(drivers().join("node"), modules.join("wallace-driver")).unwrap();
    let shown = run(folder.path(), words, true);
    // Only code tells the text that breaks the service.
    for part in ["1 fault\n", "F100", "curl -sS", "coupon=HALF-PRICE", "-> 500"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = run(folder.path(), words, false);
    assert!(shown.contains("no fault") && !shown.contains("F100"), "{shown}");
}

#[test]
fn faults_of_a_node_listener_fail_its_test() {
    let files = [("package.json", "{}"), ("app.js", NODE), ("app.test.mjs", NODE_TEST)];
    check(&files, &["node", "--import", "wallace-driver/register", "app.test.mjs"]);
}

#[test]
fn faults_of_a_python_application_fail_its_test() {
    check(&[("shop.py", PYTHON), ("check.py", PYTHON_TEST)], &["python3", "check.py"]);
}
