//! A login as an operation: it goes well with an account that was made, and a test of it makes one.

use std::collections::BTreeSet;
use std::sync::Mutex;

use wallace::Settings;
use wallace::replay::{ReplayChoice, ReplayTarget, Replayed, Verdict, replay};
use wallace_suite::record::RunRecord;

use crate::run;
use crate::service::{Request, reply, serve};

const DESCRIPTION: &str = "openapi: 3.0.0\npaths:\n  /members:\n    post: {requestBody: {content: \
    {application/json: {schema: {type: object, properties: {email: {type: string}}}}}}, responses: \
    {'201': {description: made}}}\n  /sessions:\n    post: {requestBody: {content: {application/json: \
    {schema: {type: object, properties: {email: {type: string}}}}}}, responses: {'200': {description: \
    open}}}\n";

fn answer(members: &mut BTreeSet<String>, request: &Request) -> String {
    let told = serde_json::from_str::<serde_json::Value>(&request.body).unwrap_or_default();
    match (request.path.as_str(), told["email"].as_str()) {
        ("/members", Some(email)) if email.len() > 2 => {
            members.insert(email.to_owned());
            reply(201, "", "{}")
        }
        ("/sessions", Some(email)) if members.contains(email) => {
            reply(200, "", r#"{"role":"any"}"#)
        }
        ("/sessions", Some(_)) => reply(403, "", r#"{"message":"who is that?"}"#),
        _ => reply(422, "", r#"{"message":"email is a text of three letters"}"#),
    }
}

fn start() -> String {
    let members = Mutex::new(BTreeSet::new());
    serve(move |request| answer(&mut members.lock().unwrap(), request))
}

#[test]
fn who_logs_in_is_made_by_the_same_test() {
    for seed in 1..=5 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("openapi.yaml");
        std::fs::write(&file, DESCRIPTION).unwrap();
        let mut settings = Settings::rest(file.to_str().unwrap(), folder.path().join("out"));
        settings.rest.base_url = Some(start());
        settings.calls = Some(300);
        settings.search.seed = seed;
        let summary = run(&settings).unwrap();
        assert_eq!(summary.answered, 2, "a session was opened");
        let record = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
        let record: RunRecord = serde_json::from_str(&record).unwrap();
        let mut failed = Vec::new();
        let mut tell = |it: &Replayed| {
            if it.verdict != Verdict::Passed {
                failed.push(format!("{} {:?}", it.test, it.verdict));
            }
        };
        replay(&record, &ReplayTarget::Url(start()), &ReplayChoice::All, true, &mut tell).unwrap();
        assert!(failed.is_empty(), "seed {seed}: {failed:#?}");
    }
}
