//! A service that answers nobody who does not say for which tenant, its description included.

use wallace::Settings;
use wallace_suite::record::{FaultRecord, RunRecord};

use crate::service::{Request, reply, serve};
use crate::{covered, run};

const DESCRIPTION: &str = "{openapi: 3.0.0, paths: {/things: {get: {parameters: [{name: X-Tenant, in: \
                           header, required: true, schema: {type: string}}, {name: X-Api-Key, in: \
                           header, required: true, schema: {type: string}}], responses: {'200': {description: d}}}}}}";

fn answer(request: &Request) -> String {
    match (request.header("x-tenant"), request.path.as_str()) {
        (Some("acme"), "/openapi.yaml") => reply(200, "", DESCRIPTION),
        (Some("acme"), _) if request.header("x-api-key") == Some("key-of-acme") => {
            reply(200, "", "[{\"id\": 1}]")
        }
        (Some("acme"), _) => reply(401, "", "{\"message\": \"which key\"}"),
        _ => reply(400, "", "{\"message\": \"which tenant\"}"),
    }
}

#[test]
fn every_request_has_the_headers_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let url = serve(answer);
    let mut settings = Settings::rest(format!("{url}/openapi.yaml"), folder.path().join("out"));
    settings.calls = Some(60);
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    settings.headers = vec![header("X-Tenant", "acme"), header("X-Api-Key", "key-of-acme")];
    let summary = run(&settings).unwrap();
    assert_eq!(covered(&summary, "rest:ok:").len(), 1, "{:?}", summary.warnings);
    let text = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    let record: RunRecord = serde_json::from_str(&text).unwrap();
    assert!(!record.suite.tests.is_empty());
    assert!(text.contains("acme") && !text.contains("key-of-acme"), "{text}");

    // What the run gives is never missing.
    let of_header = |it: &&FaultRecord| it.fault.code == 102 && it.fault.context.contains("X-");
    assert!(record.faults.iter().find(of_header).is_none(), "{:?}", record.faults);

    settings.headers.clear();
    settings.out = folder.path().join("without");
    assert!(run(&settings).is_err(), "the description is not read");
}
