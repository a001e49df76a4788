//! Runs without a driver: the service is seen by its answers only.

#![allow(clippy::unwrap_used, missing_docs)]

mod served;

use std::path::Path;

use emb_fixtures::{Fixture, Options, Running};
use served::served;
use wallace::{Call, Fault, Fuzz, Oracle, RunError, Settings, StopReason, StopSignal, Summary};

fn start(name: &str) -> Running {
    let options = Options { driver_port: None, ..Options::default() };
    Fixture::find(name).unwrap().start(options).unwrap()
}

fn run(settings: &Settings) -> Result<Summary, RunError> {
    wallace::run(settings, &StopSignal::default(), &mut |_| {})
}

fn settings(service: &Running, calls: u64, out: &Path) -> Settings {
    let mut settings = Settings::black_box(format!("{}/graphql", service.base_url), out);
    settings.calls = Some(calls);
    settings
}

#[test]
fn a_service_without_a_driver_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let summary = run(&settings(&service, 600, &folder.path().join("out"))).unwrap();
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    assert!(!summary.is_white_box);
    assert_eq!((summary.operations, summary.answered, summary.faults), (6, 6, 0));
    assert!(summary.tests > 0);
}

#[test]
fn the_schema_may_come_from_a_file_and_filters_choose() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let file = folder.path().join("schema.graphql");
    std::fs::write(&file, "type Query { triangle(a: Int, b: Int, c: Int): String gone: Int }")
        .unwrap();
    let mut settings = settings(&service, 100, &folder.path().join("out"));
    settings.graphql.schema = Some(file);
    settings.exclude = vec!["Query\\.g.*".to_owned()];
    assert_eq!(run(&settings).unwrap().operations, 1);
    settings.exclude = vec![".*".to_owned()];
    settings.force = true;
    assert!(matches!(run(&settings), Err(RunError::Schema(_))));
    settings.exclude = vec!["(".to_owned()];
    assert!(matches!(run(&settings), Err(RunError::Settings(_))));
}

/// Without them, the first calls of a run are those of its sweep over the operations.
#[test]
fn production_operations_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let log = folder.path().join("requests.ndjson");
    let lines = [
        r#"{"query":"query T($c: Int!) { triangleClassification(a: 3, b: 4, c: $c) remainder(a: 7, b: 2) }","variables":{"c":5}}"#,
        r#"{"query":"{ gone }"}"#,
    ];
    std::fs::write(&log, lines.join("\n")).unwrap();
    let mut settings = settings(&service, 2, &folder.path().join("out"));
    settings.seeds = vec![log];
    let summary = run(&settings).unwrap();
    assert_eq!((summary.calls, summary.answered), (2, 2));
    let notes = summary.warnings.join("\n");
    assert!(notes.contains("requests.ndjson:2: not used as a seed"), "{notes}");
    assert!(notes.contains("begins with 1 of 2 different operations"), "{notes}");
}

/// Whoever sends a negative number is at fault, to this oracle.
struct NoNegatives;

impl Oracle for NoNegatives {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let body = String::from_utf8_lossy(&call.request.body);
        let context = "a negative number was sent".to_owned();
        if body.contains(":-") { vec![Fault { code: 990, context }] } else { Vec::new() }
    }

    fn judge_test(&self, calls: &[Call<'_>]) -> Vec<(usize, Fault)> {
        let context = "a test of three calls".to_owned();
        if calls.len() == 3 { vec![(2, Fault { code: 991, context })] } else { Vec::new() }
    }
}

#[test]
fn oracles_of_the_user_judge_calls_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("graphql-ncs");
    let settings = settings(&service, 600, &folder.path().join("out"));
    let summary = Fuzz::of(settings).oracle(NoNegatives).run().unwrap();
    let has = |name: &str| summary.targets.iter().any(|it| it.name.as_str().starts_with(name));
    assert!(has("fault:990:Query.") && has("fault:991:Query."), "{:?}", summary.faults);
}

/// What a run used of the schema stands in a file of its own.
#[test]
fn coverage_of_the_schema_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let service = start("petclinic");
    let out = folder.path().join("out");
    run(&settings(&service, 300, &out)).unwrap();
    let text = std::fs::read_to_string(out.join("schema-coverage.json")).unwrap();
    let coverage: serde_json::Value = serde_json::from_str(&text).unwrap();
    let total = |name: &str| {
        let mut totals = coverage["totals"].as_array().unwrap().iter();
        let total = totals.find(|it| it["name"] == name).unwrap();
        (total["covered"].as_u64().unwrap(), total["total"].as_u64().unwrap())
    };
    let (selected, fields) = total("fields selected");
    let (with_value, _) = total("fields with a value");
    assert!(fields > 50 && selected > fields / 2, "{selected} of {fields}");
    assert!(with_value > 0 && with_value <= selected, "{with_value}");
    let report = std::fs::read_to_string(out.join("report.json")).unwrap();
    assert!(report.contains("fields selected"));
}

/// Whatever the oracles look for, they find nothing in services that behave well.
#[test]
fn nothing_is_reported_where_nothing_is_wrong() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    for fixture in ["flawed-shop-graphql", "graphql-scs", "graphql-ncs", "petclinic"] {
        for seed in 1..=3 {
            let folder = tempfile::tempdir().unwrap();
            let service = start(fixture);
            let mut settings = settings(&service, 3_000, &folder.path().join("out"));
            settings.search.seed = seed;
            if let Some(users) = Fixture::find(fixture).unwrap().auth() {
                let file = folder.path().join("auth.yaml");
                std::fs::write(&file, users).unwrap();
                settings.auth = Some(file);
                // The shop has limits on documents; the others need none.
                settings.graphql.checks.overload = true;
                settings.security = true;
            }
            let summary = run(&settings).unwrap();
            let faults = summary.targets.iter().map(|target| target.name.as_str());
            let faults: Vec<&str> = faults.filter(|name| name.starts_with("fault:")).collect();
            assert!(faults.is_empty(), "{fixture}, seed {seed}: {faults:?}");
        }
    }
}

/// A service at `/graphql` that is none of the fixtures.
fn serve(answer: axum::routing::MethodRouter) -> std::net::SocketAddr {
    served(axum::Router::new().route("/graphql", answer))
}

/// Runs of a hundred calls on a service that counts them: with several workers calls are under way at a
/// time, and the service never sees more than were asked for.
#[test]
fn several_calls_are_made_at_a_time_within_the_common_rate() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let run_with = |workers: usize| {
        let (now, most, all) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let counts = (Arc::clone(&now), Arc::clone(&most), Arc::clone(&all));
        let answer = move || {
            let (now, most, all) = counts.clone();
            async move {
                all.fetch_add(1, Ordering::SeqCst);
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                now.fetch_sub(1, Ordering::SeqCst);
                axum::Json(serde_json::json!({ "data": { "a": 1 } }))
            }
        };
        let address = serve(axum::routing::post(answer));
        let folder = tempfile::tempdir().unwrap();
        let schema = folder.path().join("schema.graphql");
        std::fs::write(&schema, "type Query { a(b: Int, c: String): Int }").unwrap();
        let mut settings =
            Settings::black_box(format!("http://{address}/graphql"), folder.path().join("out"));
        settings.graphql.schema = Some(schema);
        settings.calls = Some(100);
        settings.workers = workers;
        let summary = run(&settings).unwrap();
        assert_eq!((summary.reason, summary.answered), (StopReason::BudgetUsed, 1));
        (most.load(Ordering::SeqCst), all.load(Ordering::SeqCst))
    };
    let ((one, calls), (several, as_many)) = (run_with(1), run_with(4));
    assert_eq!(one, 1);
    assert!((2..=4).contains(&several), "{several}");
    // What is kept back for the end, and too little for one more test, is little.
    for calls in [calls, as_many] {
        assert!((80..=100).contains(&calls), "{calls}");
    }
}

/// A service whose schema says that all arguments may be left out. Its refusals know better: one must
/// be there, one must not, and one takes two values.
#[test]
fn refusals_say_which_arguments_a_service_wants() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let answer = move |body: String| {
        let has = |text: &str| body.contains(text);
        let refusal = if !has("email:") {
            Some("Argument 'email' is required.")
        } else if !has(r#"plan:\"gold"#) && !has(r#"plan:\"silver"#) {
            Some("plan must be one of 'gold', 'silver'")
        } else if has("referrer:") {
            Some("referrer is not supported here")
        } else {
            count.fetch_add(1, Ordering::SeqCst);
            None
        };
        let answer = refusal.map_or_else(
            || serde_json::json!({ "data": { "register": true } }),
            |message| serde_json::json!({ "data": null, "errors": [{ "message": message }] }),
        );
        async { axum::Json(answer) }
    };
    let address = serve(axum::routing::post(answer));
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("schema.graphql");
    let sdl = "type Query { register(email: String, plan: String, referrer: String, note: Int, size: Int): Boolean }";
    std::fs::write(&schema, sdl).unwrap();
    let mut settings =
        Settings::black_box(format!("http://{address}/graphql"), folder.path().join("out"));
    settings.graphql.schema = Some(schema);
    settings.calls = Some(300);
    let summary = run(&settings).unwrap();
    let taken = taken.load(Ordering::SeqCst);
    assert!(summary.answered == 1 && taken >= 100, "{taken} of 300 calls");
}
