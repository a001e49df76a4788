//! Campaigns in the process of the caller.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use emb_fixtures::{Fixture, Options};
use wallace_campaign::{
    Definition, Event, Opened, Plan, RunResult, System, report, run_in_process,
};

fn plan(parallel: usize, folder: &std::path::Path) -> Plan {
    let text = format!(
        r#"
        name = "example"
        seeds = 2
        budget = {{ calls = 200 }}
        resources = {{ parallel = {parallel}, tries = 1 }}
        [[system]]
        name = "numbers"
        fixture = "graphql-ncs"
        [[configuration]]
        name = "mio"
        [[configuration]]
        name = "random"
        algorithm = "random"
        "#
    );
    Plan::make(Definition::parse(&text, "example").unwrap(), folder).unwrap().0
}

fn open(system: &System) -> Result<Opened, String> {
    let service = Fixture::find("graphql-ncs").map_err(|error| error.to_string())?;
    let service = service.start(Options::default()).map_err(|error| error.to_string())?;
    let driver = service.driver_url.clone().ok_or("it has no driver")?;
    Ok(Opened::driver(system, driver, service))
}

fn results(parallel: usize) -> Vec<RunResult> {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(parallel, folder.path());
    let progress = run_in_process(&plan, &open, &|| false, &mut |_| {}).unwrap();
    assert_eq!((progress.runs, progress.done), (4, 4), "{:?}", progress.failures);
    let files = report(&plan, &folder.path().join("report")).unwrap();
    assert!(files.iter().any(|file| file.ends_with("report.html")));
    plan.results().unwrap()
}

#[test]
fn runs_beside_each_other_give_what_they_give_alone() {
    let alone = results(1);
    assert_eq!(alone, results(2));
    assert!(alone.iter().all(|result| result.covered.len() > 50), "{alone:?}");
    // The plan tells of the system as it was described, not of where it answered this time.
    assert!(alone.iter().all(|result| result.run.system.fixture.is_some()));
}

#[test]
fn a_system_that_does_not_open_fails_its_runs_and_a_stop_leaves_them_open() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(1, folder.path());
    let closed = |_: &System| Err("the shop is closed".to_owned());
    let stopped = run_in_process(&plan, &closed, &|| true, &mut |_| {}).unwrap();
    assert_eq!((stopped.done, stopped.failures.len()), (0, 0));
    let mut told = 0;
    let mut observe = |event: &Event<'_>| {
        told += usize::from(
            matches!(event, Event::Failed { reason, .. } if reason == "the shop is closed"),
        );
    };
    let failed = run_in_process(&plan, &closed, &|| false, &mut observe).unwrap();
    assert_eq!((failed.done, failed.failures.len(), told), (0, 4, 4));
}
