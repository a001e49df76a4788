//! What services make of conditions, of foreign origins, and of injected waiting.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use wallace::{Settings, Summary};

use crate::service::{Request, reply, serve};
use crate::{covered, run};

/// One text with a version, at `/things/1`.
struct Thing {
    text: String,
    version: u32,
}

fn answer(request: &Request, thing: &Mutex<Thing>, is_careful: bool) -> String {
    let mut thing = thing.lock().unwrap();
    let tag = format!("\"v{}\"", thing.version);
    let verbs: &[&str] =
        if request.path.starts_with("/search") { &["GET"] } else { &["GET", "PUT"] };
    if !verbs.contains(&request.verb.as_str()) {
        return reply(405, &format!("Allow: {}\r\n", verbs.join(", ")), "{}");
    }
    let mut headers = format!("ETag: {tag}\r\n");
    if let (Some(origin), false) = (request.header("origin"), is_careful) {
        headers += &format!(
            "Access-Control-Allow-Origin: {origin}\r\nAccess-Control-Allow-Credentials: true\r\n"
        );
    }
    if is_careful && request.header("if-match").is_some_and(|told| told != tag) {
        return reply(412, "", "{}");
    }
    if is_careful && request.header("if-none-match") == Some(&tag) {
        return reply(304, &headers, "");
    }
    if let Some((_, query)) = request.path.split_once("?q=") {
        let query = query.replace("%28", "(").replace("%29", ")");
        let seconds = query.split("sleep(").nth(1).and_then(|rest| rest.split(')').next());
        let seconds = seconds.and_then(|number| number.parse::<f64>().ok()).unwrap_or(0.0);
        drop(thing);
        if !is_careful && !query.contains("pg_") {
            std::thread::sleep(Duration::from_secs_f64(seconds.min(2.0)));
        }
        return reply(200, "", "[]");
    }
    if request.verb == "PUT" {
        thing.text.clone_from(&request.body);
        thing.version += 1;
    }
    let body = thing.text.clone();
    reply(200, &headers, &body)
}

fn start(is_careful: bool) -> String {
    let thing = Mutex::new(Thing { text: "{\"text\":\"\"}".to_owned(), version: 1 });
    serve(move |request| answer(request, &thing, is_careful))
}

const DESCRIPTION: &str = "\
openapi: 3.0.0
paths:
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {'200': {description: ok}, '304': {description: same}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {'200': {description: ok}, '412': {description: changed}}
  /search:
    get:
      parameters: [{name: q, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: ok}}
components:
  schemas:
    Thing: {type: object, required: [text], properties: {text: {type: string}}}
";

fn tested(is_careful: bool, folder: &Path) -> Summary {
    let file = folder.join("openapi.yaml");
    std::fs::write(&file, DESCRIPTION).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.join("out"));
    settings.rest.base_url = Some(start(is_careful));
    settings.security = true;
    // A look at origins is rare: it comes once in some 800 calls here.
    settings.calls = Some(1_000);
    // It checks no input.
    settings.oracles_off = [102].into();
    settings.force = true;
    run(&settings).unwrap()
}

#[test]
fn conditions_origins_and_waiting_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let careless = tested(false, folder.path());
    let faults = covered(&careless, "fault:");
    for wanted in [
        "fault:200:GET /search:",
        "fault:966:GET /things/{id}:",
        "fault:988:GET /things/{id}:If-None-Match is ignored",
        "fault:988:PUT /things/{id}:a stale If-Match is ignored",
    ] {
        assert!(faults.contains(&wanted), "{wanted} is not among {faults:#?}");
    }
}

#[test]
fn a_careful_service_is_not_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let careful = tested(true, folder.path());
    assert_eq!(covered(&careful, "fault:"), [""; 0]);
}
