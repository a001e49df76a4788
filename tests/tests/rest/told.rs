//! What a driver tells of a REST service besides its code: paths that shall not be called, and the
//! description itself.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use wallace::{Settings, Summary, report::Phase};
use wallace_instrument::{Driver, ProblemInfo};

use crate::run;

const DESCRIPTION: &str = r#"{"openapi":"3.0.0","servers":[{"url":"/api"}],"paths":{
    "/items":{"get":{"parameters":[{"name":"q","in":"query","schema":{"type":"string"}}],
        "responses":{"200":{"description":"ok"}}}},
    "/items/{id}":{"get":{"parameters":[{"name":"id","in":"path","required":true,
        "schema":{"type":"integer"}}],"responses":{"200":{"description":"ok"}}}},
    "/health":{"get":{"responses":{"200":{"description":"ok"}}}},
    "/users/{id}/error":{"get":{"parameters":[{"name":"id","in":"path","required":true,
        "schema":{"type":"integer"}}],"responses":{"200":{"description":"ok"}}},
        "post":{"parameters":[{"name":"id","in":"path","required":true,
        "schema":{"type":"integer"}}],"responses":{"200":{"description":"ok"}}}}}}"#;

/// How often each path was called.
type Calls = Arc<Mutex<BTreeMap<String, u64>>>;

fn driver(problem: ProblemInfo) -> (Driver, Calls) {
    let calls = Calls::default();
    let counted = Arc::clone(&calls);
    let make = move || {
        let counted = Arc::clone(&counted);
        Router::new().fallback(move |request: Request| {
            let path = request.uri().path().to_owned();
            let answer = if path == "/openapi.json" { DESCRIPTION } else { "[{\"id\": 1}]" };
            *counted.lock().unwrap().entry(path).or_default() += 1;
            async move { ([("content-type", "application/json")], answer) }
        })
    };
    (Driver::new("told", problem).service(0, make), calls)
}

fn tested(driver: Driver, folder: &Path) -> Summary {
    let running = driver.start(0).unwrap();
    let mut settings = Settings::new(running.url(), folder.join("out"));
    settings.calls = Some(200);
    settings.exclude = vec!["/nowhere".to_owned()];
    run(&settings).unwrap()
}

#[test]
fn paths_to_skip_are_not_called_and_every_call_is_booked() {
    let folder = tempfile::tempdir().unwrap();
    let (driver, calls) = driver(ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() });
    let driver = driver.skip_endpoint("/health").skip_endpoint("/api/users/{name}/error");
    let summary = tested(driver.skip_endpoint("/gone"), folder.path());
    let calls = calls.lock().unwrap();
    let skipped = |path: &&String| path.contains("health") || path.contains("error");
    assert_eq!(calls.keys().find(skipped), None);
    assert!(calls["/api/items"] > 10, "{calls:?}");
    assert_eq!(summary.operations, 2);
    for note in [
        "not called, as the driver asks: GET:/health, GET:/users/{id}/error, POST:/users/{id}/error",
        "the driver asks not to call \"/gone\", which the description does not have",
        "no operation matches the filter \"/nowhere\"",
    ] {
        assert!(summary.warnings.iter().any(|it| it.starts_with(note)), "{:?}", summary.warnings);
    }
    let seen: u64 = calls.values().sum();
    let booked: u64 = summary.ledger.iter().map(|row| row.calls).sum();
    assert_eq!(booked, seen, "{:#?}", summary.ledger);
    let of = |phase| {
        let rows = summary.ledger.iter().filter(move |row| row.phase == phase);
        rows.map(|row| row.calls).sum::<u64>()
    };
    assert_eq!((of(Phase::Before), of(Phase::Beside)), (1, 0));
    assert_eq!((of(Phase::Search), of(Phase::After)), (summary.calls, summary.calls_after));
    let covered: u64 = summary.ledger.iter().map(|row| row.covered).sum();
    assert_eq!(covered, summary.covered as u64);
}

#[test]
fn a_description_that_the_driver_hands_over_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let (driver, calls) = driver(ProblemInfo::RestInline { open_api: DESCRIPTION.to_owned() });
    let summary = tested(driver, folder.path());
    assert_eq!((summary.operations, summary.answered), (5, 5));
    let calls = calls.lock().unwrap();
    assert!(!calls.contains_key("/openapi.json") && calls.contains_key("/api/health"), "{calls:?}");
}
