//! What a service or its driver can get wrong before the search begins: told in one line, with
//! nothing written.

#![allow(clippy::unwrap_used, missing_docs)]

mod served;

use axum::Router;
use axum::routing::{get, post};
use served::served;
use wallace::{RunError, Settings, StopSignal};
use wallace_instrument::{Driver, ProblemInfo};

/// Runs against a service that gives every introspection this answer.
fn refusal(answer: &'static str) -> RunError {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let problem = ProblemInfo::GraphQl { endpoint: "/graphql".to_owned() };
    let router = move || Router::new().route("/graphql", post(move || async move { answer }));
    let driver = Driver::new("broken", problem).service(0, router).start(0).unwrap();
    let settings = Settings::new(driver.url(), &out);
    let error = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap_err();
    assert!(!out.exists(), "nothing is left behind");
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    error
}

#[test]
fn a_schema_without_operations_is_told() {
    let error = refusal(
        r#"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[
            {"kind":"OBJECT","name":"Query","fields":[],"interfaces":[]}]}}}"#,
    );
    assert!(matches!(error, RunError::Schema(_)), "{error}");
}

#[test]
fn introspection_that_is_refused_or_no_json_is_told() {
    let refused = refusal(r#"{"errors":[{"message":"introspection is disabled"}]}"#);
    assert!(refused.to_string().contains("introspection is disabled"), "{refused}");
    assert!(matches!(refused, RunError::Schema(_)), "{refused}");
    let page = refusal("<html><body>hello</body></html>");
    assert!(matches!(page, RunError::Schema(_)), "{page}");
}

#[test]
fn a_description_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let problem = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("rest", problem).service(0, Router::new).start(0).unwrap();
    let settings = Settings::new(driver.url(), folder.path().join("out"));
    let error = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("/openapi.json (status 404)"), "{error}");
}

#[test]
fn a_description_at_another_place_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let description = r#"{"openapi":"3.0.0","paths":{"/a":{"get":{"responses":{}}}}}"#;
    let router = Router::new()
        .route("/v3/api-docs", get(move || async move { description }))
        .route("/swagger-ui", get(|| async { "<html><body>openapi</body></html>" }));
    let service = format!("http://{}", served(router));
    for (place, reason) in
        [("/openapi.json", "status 404"), ("/swagger-ui", "what is there is none")]
    {
        let settings = Settings::rest(format!("{service}{place}"), folder.path().join("out"));
        let error = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap_err();
        let next = format!("{place} ({reason}), but one at {service}/v3/api-docs: --openapi");
        assert!(error.to_string().contains(&next), "{error}");
    }
}
