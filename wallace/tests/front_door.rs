//! The front door: targets and oracles of the user on real services, whichever way a run comes to them.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use emb_fixtures::{Fixture, Options, Running, Switches};
use wallace::{
    Call, Fuzz, OwnTarget, Summary, TargetKind, in_process::LocalService, report::RunRecord,
};

fn start(name: &str, driver_port: Option<u16>) -> Running {
    Fixture::find(name).unwrap().start(Options { driver_port, ..Options::default() }).unwrap()
}

/// The largest remainder that a test was answered, as three targets of which the last is out of reach.
fn remainders(calls: &[Call<'_>]) -> Vec<OwnTarget> {
    let mut targets = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        assert!(call.elapsed.as_nanos() > 0, "the time of each call is told");
        let answer = call.outcome.response.as_ref().ok();
        let result = answer.and_then(|answer| {
            let value = answer.text_at("/resultAsInt").or(answer.text_at("/data/remainder"));
            value?.parse::<f64>().ok()
        });
        if let (true, Some(result)) = (call.operation.contains("remainder"), result) {
            targets.extend([50.0, 2_000.0, 20_000.0].map(|goal| {
                OwnTarget::at_least(format!("remainder {goal}"), result, goal).by_call(place)
            }));
        }
    }
    targets
}

/// The scores of the three, and that suite and reports tell them apart from those of the service.
fn check(summary: &Summary, out: &Path) {
    let own: Vec<(&str, bool)> =
        summary.own_targets().map(|it| (it.name.as_str(), it.score.is_covered())).collect();
    let expected =
        [("own:remainder 2000", true), ("own:remainder 20000", false), ("own:remainder 50", true)];
    assert_eq!(own, expected);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let record: RunRecord = serde_json::from_str(&read("run.json")).unwrap();
    let of_kind = record.targets.iter().filter(|target| target.kind == TargetKind::Own);
    let tests: Vec<bool> = of_kind.map(|target| target.test.is_some()).collect();
    assert_eq!(tests.iter().filter(|has_test| **has_test).count(), 2, "{tests:?}");
    let purposes: Vec<&String> = record.suite.tests.iter().flat_map(|it| &it.purpose).collect();
    let says = |text: &str| purposes.iter().any(|purpose| purpose.contains(text));
    assert!(says("Covers own:remainder 2000."), "{purposes:?}");
    assert!(read("report.html").contains("<h2>Own targets</h2>"));
    assert!(read("summary.md").contains("| own targets | 2 of 3"), "{}", read("summary.md"));
    assert!(read("report.json").contains("\"own targets\""));
}

#[test]
fn own_targets_are_climbed_behind_a_driver() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let service = start("rest-ncs", Some(0));
    let fuzz = Fuzz::driver(service.driver_url.as_deref().unwrap()).calls(3_000).seed(5);
    check(&fuzz.targets(remainders).out(&out).run().unwrap(), &out);
}

#[test]
fn own_targets_are_climbed_without_a_driver() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let service = start("graphql-ncs", None);
    let mut seen = 0;
    let fuzz = Fuzz::black_box(format!("{}/graphql", service.base_url)).calls(3_000);
    let fuzz = fuzz.targets(remainders).out(&out).observe(|_| seen += 1);
    check(&fuzz.run().unwrap(), &out);
    assert!(seen > 100, "{seen} tests were told of");
}

#[test]
fn a_service_in_this_process_leaves_a_suite_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let fixture = Fixture::find("rest-ncs").unwrap();
    let service = LocalService::new(fixture.router(Switches::default()));
    let service = fixture.unit_prefixes().iter().fold(service, |it, prefix| it.unit_prefix(prefix));
    let fuzz = Fuzz::in_process(service).calls(3_000).targets(remainders).out(&out);
    let summary = fuzz.search_settings(|search| search.max_size = 5).run().unwrap();
    check(&summary, &out);
    assert!(summary.is_white_box && summary.branches.covered > 50, "{summary:?}");
}

#[test]
fn a_description_beside_a_driver_is_used_in_place_of_its_own() {
    const DESCRIPTION: &str = r#"{"openapi": "3.0.0", "info": {"title": "part", "version": "1"},
        "paths": {"/api/remainder/{a}/{b}": {"get": {
            "parameters": [
                {"name": "a", "in": "path", "required": true, "schema": {"type": "integer"}},
                {"name": "b", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "responses": {"200": {"description": "as it is"}}}}}}"#;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("part.json");
    std::fs::write(&place, DESCRIPTION).unwrap();
    let service = start("rest-ncs", Some(0));
    let fuzz = Fuzz::driver(service.driver_url.as_deref().unwrap()).calls(200);
    let fuzz = fuzz.out(folder.path().join("out"));
    let place = place.to_str().unwrap().to_owned();
    let summary = fuzz.settings(|it| it.rest.description = Some(place)).run().unwrap();
    assert_eq!((summary.operations, summary.answered), (1, 1));
    assert!(summary.is_white_box && summary.branches.covered > 5, "{summary:?}");
}
