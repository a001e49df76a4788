//! Suites of a service that keeps what tests leave: each test makes what it needs.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

use wallace::Settings;
use wallace::replay::{ReplayChoice, ReplayTarget, Replayed, Verdict, replay};
use wallace_suite::record::RunRecord;

use crate::run;
use crate::service::{Request, reply, serve};

/// Notes by their ids; no two have the same title, and the next id is kept. They are stored where a setting
/// says, and no longer once it says nonsense. Labels are known by names that are chosen for them.
struct Notes {
    notes: Vec<(u64, String)>,
    labels: BTreeSet<String>,
    next: u64,
    is_lost: bool,
}

impl Notes {
    fn answer(&mut self, request: &Request) -> String {
        let path = request.path.split('?').next().unwrap_or_default();
        let id = path.strip_prefix("/notes/").map(|id| id.parse::<u64>().unwrap_or(0));
        let place = self.notes.iter().position(|(known, _)| Some(*known) == id);
        if path == "/store" {
            return self.store(&request.verb, &request.body);
        }
        if let Some(name) = path.strip_prefix("/labels") {
            return self.label(&request.verb, name.trim_start_matches('/'), &request.body);
        }
        match (request.verb.as_str(), id, place) {
            ("GET", None, _) => {
                let all: Vec<String> =
                    self.notes.iter().map(|(id, title)| note(*id, title)).collect();
                reply(200, "", &format!("[{}]", all.join(",")))
            }
            ("POST", None, _) => self.make(&request.body),
            ("GET", Some(_), Some(place)) => {
                reply(200, "", &note(self.notes[place].0, &self.notes[place].1))
            }
            ("DELETE", Some(_), Some(place)) => {
                self.notes.remove(place);
                reply(204, "", "")
            }
            (_, Some(_), None) => reply(404, "", r#"{"message":"there is no such note"}"#),
            _ => reply(405, "", "{}"),
        }
    }

    fn label(&mut self, verb: &str, name: &str, body: &str) -> String {
        let told = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
        match (verb, told["name"].as_str()) {
            ("POST", Some(name)) if !name.is_empty() => {
                self.labels.insert(name.to_owned());
                reply(201, "", &serde_json::json!({ "name": name }).to_string())
            }
            ("GET", _) => {
                let label = |name: &String| serde_json::json!({ "name": name });
                let all: Vec<_> = self.labels.iter().map(label).collect();
                reply(200, "", &serde_json::json!(all).to_string())
            }
            ("POST", _) => reply(422, "", r#"{"message":"name is required"}"#),
            _ if self.labels.contains(name) => reply(200, "", "{}"),
            _ => reply(404, "", r#"{"message":"there is no such label"}"#),
        }
    }

    fn store(&mut self, verb: &str, body: &str) -> String {
        match (verb, self.is_lost) {
            ("GET", true) => reply(500, "", r#"{"message":"the store is lost"}"#),
            ("GET", false) => reply(200, "", r#"{"at":"here"}"#),
            _ => {
                self.is_lost |= body.contains("\"at\"");
                reply(204, "", "")
            }
        }
    }

    fn make(&mut self, body: &str) -> String {
        let told = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
        let Some(title) = told["title"].as_str().filter(|title| title.len() > 2) else {
            return reply(422, "", r#"{"message":"title is a text of three letters"}"#);
        };
        if self.notes.iter().any(|(_, known)| known == title) {
            return reply(500, "", r#"{"message":"UNIQUE constraint failed: note.title"}"#);
        }
        self.next += 1;
        self.notes.push((self.next, title.to_owned()));
        reply(201, "", &note(self.next, title))
    }
}

fn note(id: u64, title: &str) -> String {
    serde_json::json!({ "id": id, "title": title }).to_string()
}

/// The service, freshly started; ids go on from `first`.
fn start(first: u64) -> String {
    let notes = Mutex::new(Notes {
        notes: Vec::new(),
        labels: BTreeSet::new(),
        next: first,
        is_lost: false,
    });
    serve(move |request| notes.lock().unwrap().answer(request))
}

fn settings(url: &str, folder: &Path) -> Settings {
    let file = folder.join("openapi.yaml");
    let note = "{type: object, required: [title], properties: {title: {type: string}}}";
    let store = "{type: object, properties: {at: {type: string}}}";
    let text = |name: &str| {
        format!(
            "{{content: {{application/json: {{schema: {{type: object, properties: {{{name}: {{type: string}}}}}}}}}}}}"
        )
    };
    let (named, coloured) = (text("name"), text("colour"));
    let described = format!(
        "openapi: 3.0.0\npaths:\n  /store:\n    get: {{responses: {{'200': {{description: where}}}}}}\n    \
         put: {{requestBody: {{content: {{application/json: {{schema: {store}}}}}}}, responses: {{'204': \
         {{description: set}}}}}}\n  /notes:\n    get: {{responses: {{'200': {{description: all}}}}}}\n    \
         post: {{requestBody: {{content: {{application/json: {{schema: {note}}}}}}}, responses: \
         {{'201': {{description: made}}}}}}\n  /notes/{{id}}:\n    parameters: [{{name: id, in: path, \
         required: true, schema: {{type: integer}}}}]\n    get: {{responses: {{'200': {{description: one}}, \
         '404': {{description: none}}}}}}\n    delete: {{responses: {{'204': {{description: gone}}, '404': \
         {{description: none}}}}}}\n  /labels:\n    get: {{responses: {{'200': {{description: all}}}}}}\n    \
         post: {{requestBody: {named}, responses: {{'201': {{description: made}}}}}}\n  /labels/{{name}}:\n    \
         patch: {{parameters: [{{name: name, in: path, required: true, schema: {{type: string}}}}], \
         requestBody: {coloured}, responses: {{'200': {{description: set}}, '404': {{description: \
         none}}}}}}\n"
    );
    std::fs::write(&file, described).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.join("out"));
    settings.rest.base_url = Some(url.to_owned());
    settings.calls = Some(600);
    settings
}

/// On the fresh start ids are others, and nothing is there that the run made.
#[test]
fn each_test_of_a_service_that_keeps_things_makes_what_it_needs() {
    for seed in 1..=3 {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(&start(0), folder.path());
        settings.search.seed = seed;
        let summary = run(&settings).unwrap();
        let told = summary.warnings.join("\n");
        let record = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
        let record: RunRecord = serde_json::from_str(&record).unwrap();
        let names: Vec<&str> = record.suite.tests.iter().map(|test| &*test.name).collect();
        for wanted in ["then_get_notes_by_id", "then_delete_notes_by_id", "100"] {
            let mut own = names.iter().filter(|name| name.starts_with("post_notes"));
            assert!(own.any(|name| name.contains(wanted)), "{seed}: {wanted} in {names:?}; {told}");
        }
        let target = ReplayTarget::Url(start(5_000));
        let mut failed = Vec::new();
        let mut tell = |it: &Replayed| {
            if it.verdict != Verdict::Passed {
                failed.push(format!("{} {:?}", it.test, it.verdict));
            }
        };
        replay(&record, &target, &ReplayChoice::All, true, &mut tell).unwrap();
        assert!(failed.is_empty(), "seed {seed}: {failed:#?}");
    }
}
