//! A handler that panics: what is seen of it from outside is a connection that ends without an answer.

use std::sync::atomic::{AtomicBool, Ordering};

use wallace::Settings;
use wallace::replay::{ReplayChoice, ReplayTarget, Replayed, Verdict, replay};
use wallace_suite::record::{FaultRecord, RunRecord};

use crate::run;
use crate::service::{reply, serve_some};

const DESCRIPTION: &str = "openapi: 3.0.0\npaths:\n  /slices/{end}:\n    post:\n      parameters: \
    [{name: end, in: path, required: true, schema: {type: integer}}]\n      \
    responses: {'200': {description: a slice}, '400': {description: no number}}\n";

/// Slices of ten letters, asked for by a verb that is not sent again; unless they are looked at, ends behind
/// the last letter are a panic.
fn start(is_mended: bool) -> String {
    serve_some(move |request| {
        let end: Option<i64> = request.path.strip_prefix("/slices/").and_then(|it| it.parse().ok());
        match end.map(usize::try_from) {
            Some(Ok(0..=10)) => Some(reply(200, "", r#"{"slice":"abc"}"#)),
            Some(_) if !is_mended => None,
            _ => Some(reply(400, "", r#"{"message":"no end"}"#)),
        }
    })
}

#[test]
fn a_call_that_is_not_answered_has_a_test() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.yaml");
    std::fs::write(&file, DESCRIPTION).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.path().join("out"));
    settings.rest.base_url = Some(start(false));
    settings.calls = Some(200);
    run(&settings).unwrap();
    let record = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    let record: RunRecord = serde_json::from_str(&record).unwrap();
    let fault = record.faults.iter().find(|found| found.fault.code == 910).unwrap();
    assert!(!fault.tests.is_empty(), "{fault:?}");

    let failed = |url: String| {
        let mut failed = Vec::new();
        let mut tell = |it: &Replayed| {
            if it.verdict != Verdict::Passed {
                failed.push(format!("{} {:?}", it.test, it.verdict));
            }
        };
        replay(&record, &ReplayTarget::Url(url), &ReplayChoice::All, true, &mut tell).unwrap();
        failed
    };
    assert_eq!(failed(start(false)), Vec::<String>::new());
    let told = failed(start(true)).join("\n");
    assert!(
        told.contains("shows_fault_910") && told.contains("expected none, found 400"),
        "{told}"
    );
}

/// A service that answers with a server error and ends the next connection for it, whoever has it.
#[test]
fn what_ends_after_its_answer_is_not_blamed_on_the_next_call() {
    let description = "openapi: 3.0.0\npaths:\n  /bombs:\n    post:\n      \
        responses: {'200': {description: it is lit}}\n  /flowers:\n    post:\n      \
        responses: {'200': {description: it grows}}\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openapi.yaml");
    std::fs::write(&file, description).unwrap();
    let is_lit = AtomicBool::new(false);
    let url = serve_some(move |request| {
        let was_lit = is_lit.load(Ordering::SeqCst);
        is_lit.store(!was_lit && request.path == "/bombs", Ordering::SeqCst);
        match (was_lit, request.path.as_str()) {
            (true, _) => None,
            (false, "/bombs") => Some(reply(500, "", r#"{"message":"the fuse burns"}"#)),
            (false, _) => Some(reply(200, "", "{}")),
        }
    });
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.path().join("out"));
    settings.rest.base_url = Some(url);
    settings.calls = Some(100);
    let summary = run(&settings).unwrap();
    let record = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    let record: RunRecord = serde_json::from_str(&record).unwrap();
    let blamed = |found: &&FaultRecord| found.fault.operation == "POST:/flowers";
    assert!(record.faults.iter().find(blamed).is_none(), "{:?}", record.faults);
    let told = summary.warnings.join("\n");
    assert!(told.contains("right after POST /bombs"), "{told}");
}
