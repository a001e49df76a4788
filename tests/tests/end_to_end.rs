//! The whole path through real sockets: service, driver, search, files, and the suite run by its
//! real runner.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use emb_fixtures::{Fixture, Options};
use tests::{cargo_test, is_slow_stage};
use wallace::{
    Settings, StopReason, StopSignal, Summary,
    settings::{Attribution, Idle},
};
use wallace_sut_driver::CountingProxy;

/// Where suites read the address of the service.
const BASE_URL: &str = "WALLACE_BASE_URL";

/// Runs a search against a fresh instance of a fixture and writes to `out`.
fn run(name: &str, seed: u64, calls: u64, out: &Path) -> Summary {
    let fixture = Fixture::find(name).unwrap();
    let running = fixture.start(Options::default()).unwrap();
    let mut settings = Settings::new(running.driver_url.as_deref().unwrap(), out);
    settings.calls = Some(calls);
    settings.search.seed = seed;
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap()
}

/// Covered share of the branch sides that are not infeasible.
fn branch_share(name: &str, summary: &Summary) -> f64 {
    let infeasible = Fixture::find(name).unwrap().expected().infeasible.len();
    summary.branches.covered as f64 / (summary.branches.total - infeasible) as f64
}

/// Whether a file tells of the run, and so of its time, and not only of its tests.
fn is_report(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    let timed =
        ["report.json", "report.html", "run.json", "summary.md", "junit.xml", "targets.csv"];
    timed.contains(&&*name) || name == "statistics.csv"
}

/// Every file below a folder but the reports, whose times differ.
fn suite_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if !is_report(&entry.file_name()) {
                let relative = path.strip_prefix(folder).unwrap().to_path_buf();
                files.insert(relative, std::fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn two_runs_with_one_seed_write_the_same_suite() {
    for name in ["graphql-scs", "graphql-ncs"] {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let first = run(name, 3, 700, &one);
        let second = run(name, 3, 700, &other);
        assert_eq!((first.calls, first.covered), (second.calls, second.covered));
        let files = suite_files(&one);
        assert!(files.len() > 3, "{:?}", files.keys());
        assert!(files == suite_files(&other), "{name}");
        let different = folder.path().join("different");
        run(name, 4, 700, &different);
        assert!(files != suite_files(&different), "another seed gives another suite");
    }
}

#[test]
fn attribution_on_demand_tells_the_driver_less_and_finds_as_much() {
    let find = |attribution| {
        let fixture = Fixture::find("rest-news").unwrap();
        let running = fixture.start(Options::default()).unwrap();
        let driver = running.driver_url.as_deref().unwrap().parse().unwrap();
        // It counts announcements.
        let proxy = CountingProxy::start(driver, 0).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::new(proxy.url(), folder.path().join("out"));
        settings.calls = Some(2_000);
        settings.search.attribution = attribution;
        settings.result.sharpen_share = 0.0;
        settings.search.minimise_share = 0.0;
        settings.search.repeats = 0;
        let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
        (branch_share("rest-news", &summary), proxy.tally().calls as f64 / summary.calls as f64)
    };
    let (always, told) = find(Attribution::Always);
    assert!(told >= 1.0, "every call is announced: {told}");
    let (on_demand, told) = find(Attribution::OnDemand);
    eprintln!("attribution on demand announces {told:.2} of all calls, {on_demand:.2} of branches");
    assert!(told < 0.9, "{told}");
    assert!(on_demand > always - 0.1, "{on_demand} instead of {always}");
}

#[test]
fn a_short_run_is_guided_and_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let summary = run("graphql-ncs", 1, 1_500, &folder.path().join("out"));
    assert_eq!(summary.reason, StopReason::BudgetUsed);
    let all = summary.calls + summary.calls_after;
    assert!(
        summary.calls >= 1_000 && all <= 1_500,
        "{} and {}",
        summary.calls,
        summary.calls_after
    );
    assert_eq!((summary.operations, summary.answered), (6, 6));
    assert_eq!(summary.faults, 0);
    let share = branch_share("graphql-ncs", &summary);
    assert!(share > 0.6, "{share}");
    assert!(summary.lines.covered <= summary.lines.total);
}

#[test]
fn a_search_that_finds_nothing_new_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::find("graphql-ncs").unwrap();
    let running = fixture.start(Options::default()).unwrap();
    let mut settings =
        Settings::new(running.driver_url.as_deref().unwrap(), folder.path().join("out"));
    settings.calls = Some(100_000);
    settings.stop_after_idle = Some(Idle::Calls(200));
    let (mut covered, mut last) = (0, 0);
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |progress| {
        if progress.covered > covered {
            (covered, last) = (progress.covered, progress.calls);
        }
    });
    let summary = summary.unwrap();
    assert_eq!(summary.reason, StopReason::Idle);
    assert!(summary.calls < 50_000, "{}", summary.calls);
    assert!(summary.calls >= last + 200, "{last} {}", summary.calls);
    assert!(summary.tests > 0);
}

#[test]
fn a_run_that_is_stopped_writes_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::find("graphql-scs").unwrap();
    let running = fixture.start(Options::default()).unwrap();
    let out = folder.path().join("out");
    let settings = Settings::new(running.driver_url.as_deref().unwrap(), &out);
    let stop = StopSignal::default();
    let mut tests = 0;
    let summary = wallace::run(&settings, &stop, &mut |_| {
        tests += 1;
        if tests == 50 {
            stop.stop();
        }
    });
    let summary = summary.unwrap();
    assert_eq!(summary.reason, StopReason::Interrupted);
    assert_eq!(tests, 50);
    assert!(summary.tests > 0 && out.join("rust/tests/regression.rs").is_file());
}

#[test]
fn ten_thousand_calls_cover_nine_tenths_of_the_branches() {
    if !is_slow_stage() {
        return;
    }
    for name in ["graphql-scs", "graphql-ncs"] {
        let folder = tempfile::tempdir().unwrap();
        let mut shares: Vec<f64> = (0..5)
            .map(|seed| {
                let out = folder.path().join(seed.to_string());
                branch_share(name, &run(name, seed, 10_000, &out))
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        assert!(shares[2] >= 0.9, "{name}: {shares:?}");
    }
}

#[test]
fn the_suite_passes_on_the_service_and_fails_on_a_changed_one() {
    if !is_slow_stage() {
        return;
    }
    for name in ["graphql-scs", "graphql-ncs"] {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite");
        run(name, 42, 10_000, &suite);
        let fixture = Fixture::find(name).unwrap();
        let black_box = Options { driver_port: None, ..Options::default() };
        let same = fixture.start(black_box.clone()).unwrap();
        let (passes, text) = cargo_test(&suite.join("rust"), (BASE_URL, &same.base_url));
        assert!(passes, "{text}");
        let mut caught = 0;
        // Each is a run of the whole crate: some of each operation are enough here.
        let switches: Vec<_> = fixture.switches().iter().step_by(3).collect();
        for switch in &switches {
            let switches = fixture.parse_switches(&[switch.name.to_owned()]).unwrap();
            let changed = fixture.start(Options { switches, ..black_box.clone() }).unwrap();
            let (passes, _) = cargo_test(&suite.join("rust"), (BASE_URL, &changed.base_url));
            caught += usize::from(!passes);
            eprintln!("{name} {}: {}", switch.name, if passes { "not noticed" } else { "noticed" });
        }
        // Some switches change what only one input in millions shows; most must be noticed.
        let least = switches.len() * 2 / 3;
        assert!(caught >= least, "{name}: {caught} of {} switches noticed", switches.len());
    }
}
