//! What a newcomer meets: a wrong prefix, a limit on one operation, an answer that never comes, and
//! a budget that is one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wallace::{Settings, StopReason, StopSignal};

use crate::run;
use crate::service::{reply, serve};

/// Paths of the service, all of them read.
const PATHS: [&str; 4] = ["/orders", "/items", "/busy", "/slow"];

/// How often each path was called.
type Calls = Arc<Mutex<BTreeMap<String, u64>>>;

/// A service that answers as told, below a prefix.
fn start(answer: fn(&str) -> String) -> (String, Calls) {
    let calls = Calls::default();
    let counted = Arc::clone(&calls);
    let url = serve(move |request| {
        let path = request.path.split('?').next().unwrap_or_default();
        *counted.lock().unwrap().entry(path.to_owned()).or_default() += 1;
        answer(path)
    });
    (url, calls)
}

fn settings(url: &str, paths: &[&str], calls: u64, folder: &Path) -> Settings {
    let file = folder.join("openapi.yaml");
    let operation = "{get: {parameters: [{name: q, in: query, schema: {type: string}}], \
                     responses: {'200': {description: ok}}}}";
    let paths: String = paths.iter().map(|path| format!("  {path}: {operation}\n")).collect();
    std::fs::write(&file, format!("openapi: 3.0.0\npaths:\n{paths}")).unwrap();
    let mut settings = Settings::rest(file.to_str().unwrap(), folder.join("out"));
    settings.rest.base_url = Some(url.to_owned());
    settings.calls = Some(calls);
    settings
}

#[test]
fn a_prefix_that_answers_is_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _) = start(|path| match path.strip_prefix("/api") {
        Some(_) => reply(200, "", "{\"id\": 1}"),
        None => reply(404, "", "{\"detail\": \"Not Found\"}"),
    });
    let summary = run(&settings(&url, &PATHS, 400, folder.path())).unwrap();
    let StopReason::Unreachable(reason) = &summary.reason else { panic!("{}", summary.reason) };
    assert!(reason.contains(&format!("--base-url {url}/api")), "{reason}");
    assert!(summary.calls <= 60, "{} calls until then", summary.calls);
    assert!(summary.report.exists(), "what was found is written");
}

#[test]
fn a_prefix_is_proposed_where_what_is_below_wants_a_login() {
    for is_proposed in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let url = serve(move |request| {
            let path = request.path.split('?').next().unwrap_or_default();
            match path.strip_prefix("/api") {
                Some(path) if !is_proposed || PATHS.contains(&path) => {
                    reply(401, "", "{\"detail\": \"who are you?\"}")
                }
                _ => reply(404, "", "{\"detail\": \"Not Found\"}"),
            }
        });
        let summary = run(&settings(&url, &PATHS, 400, folder.path())).unwrap();
        let StopReason::Unreachable(reason) = &summary.reason else { panic!("{}", summary.reason) };
        // Where all below it is refused, what is not there as well, the prefix is but a guess.
        assert_eq!(reason.contains(&format!("--base-url {url}/api")), is_proposed, "{reason}");
    }
}

#[test]
fn a_prefix_is_asked_with_what_its_readings_need() {
    let folder = tempfile::tempdir().unwrap();
    let url = serve(move |request| match request.path.strip_prefix("/api") {
        Some(path) if path.contains("?q=") => reply(200, "", "{\"id\": 1}"),
        _ => reply(404, "", "{\"detail\": \"Not Found\"}"),
    });
    let settings = settings(&url, &PATHS, 400, folder.path());
    let file = folder.path().join("openapi.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("in: query,", "in: query, required: true,")).unwrap();
    let summary = run(&settings).unwrap();
    let StopReason::Unreachable(reason) = &summary.reason else { panic!("{}", summary.reason) };
    assert!(reason.contains(&format!("--base-url {url}/api")), "{reason}");
}

#[test]
fn a_service_sees_no_more_calls_than_allowed() {
    for (seed, most) in [(1, 300), (2, 100), (3, 40)] {
        let folder = tempfile::tempdir().unwrap();
        let (url, calls) = start(|path| match path {
            "/busy" => reply(500, "", "{\"message\": \"no column a\"}"),
            _ => reply(200, "", "[{\"id\": 1}]"),
        });
        let mut settings = settings(&url, &PATHS, most, folder.path());
        settings.search.seed = seed;
        let summary = run(&settings).unwrap();
        let seen: u64 = calls.lock().unwrap().values().sum();
        assert!(seen <= most, "{seen} of {most}");
        assert_eq!(seen, summary.calls + summary.calls_after, "seed {seed}");
        let booked: u64 = summary.ledger.iter().map(|row| row.calls).sum();
        assert_eq!(seen, booked, "{:#?}", summary.ledger);
        assert!(seen >= most / 2, "{seen} of {most}");
    }
}

#[test]
fn an_operation_that_asks_for_a_pause_rests_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (url, calls) = start(|path| match path {
        "/busy" => reply(429, "Retry-After: 60\r\n", "{}"),
        _ => reply(200, "", "[{\"id\": 1}]"),
    });
    let begun = Instant::now();
    let summary = run(&settings(&url, &PATHS, 200, folder.path())).unwrap();
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    assert!(begun.elapsed() < Duration::from_secs(45), "{:?}", begun.elapsed());
    let calls = calls.lock().unwrap();
    assert_eq!(calls["/busy"], 1, "{calls:?}");
    assert!(calls["/orders"] > 10 && calls["/items"] > 10, "{calls:?}");
}

#[test]
fn an_interrupt_ends_the_wait_for_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _) = start(|path| {
        if path == "/slow" {
            std::thread::sleep(Duration::from_secs(60));
        }
        reply(200, "", "[]")
    });
    let settings = settings(&url, &PATHS, 100_000, folder.path());
    let stop = StopSignal::default();
    let asked = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1_500));
        asked.stop();
    });
    let begun = Instant::now();
    let summary = wallace::run(&settings, &stop, &mut |_| {}).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    assert_eq!(summary.reason, StopReason::Interrupted);
    assert!(summary.report.exists(), "what was found is written");
}

/// The search has about four fifths of the calls: what comes after it is cut short, and that is told.
#[test]
fn an_interrupt_after_the_search_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let (stop, most, late) = (StopSignal::default(), 300, 250);
    let (asked, counted) = (stop.clone(), Mutex::new(0));
    let url = serve(move |_| {
        let mut counted = counted.lock().unwrap();
        *counted += 1;
        if *counted == late {
            asked.stop();
        }
        reply(200, "", "[{\"id\": 1}]")
    });
    let settings = settings(&url, &PATHS, most, folder.path());
    let summary = wallace::run(&settings, &stop, &mut |_| {}).unwrap();
    assert!(summary.calls < late, "the search had ended by then: {}", summary.calls);
    assert_eq!(summary.reason, StopReason::Interrupted);
    let told = summary.warnings.join("\n");
    assert!(told.contains("interrupted after the search"), "{told}");
    assert!(summary.report.exists(), "what was found is written");
}
