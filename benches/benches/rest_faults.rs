//! Which seeded faults of the flawed shop a black-box run on its REST face finds, each switch
//! alone, and what it reports that is not there.
//!
//! Run: `cargo bench -p benches --bench rest_faults [-- --seeds 10 --calls 3000 --switch NAME]`;
//! the switch `none` is the shop that behaves well.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use benches::argument;
use emb_fixtures::{Fixture, Options, SeededFault};
use wallace::{Settings, StopReason, StopSignal};
use wallace_engine::TargetKind;

fn main() {
    let seeds = argument::number("--seeds", 10);
    let calls = argument::number("--calls", 3_000);
    let wanted = argument::text("--switch");
    let expected = Fixture::find("flawed-shop").expect("the fixture exists").expected();
    println!("{seeds} seeds, {calls} calls, black-box, --security");
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    if is_wanted("none") {
        let mut reports = BTreeMap::new();
        (0..seeds).for_each(|seed| count(&mut reports, run(None, seed, calls)));
        println!("none: {} kinds of reports", reports.len());
        print(&reports);
    }
    let mut found = 0;
    for fault in expected.faults.iter().filter(|fault| is_wanted(&fault.switch)) {
        let (times, others) = measure(fault, seeds, calls);
        found += usize::from(times * 10 >= seeds * 7);
        let reach = if fault.is_black_box { "black" } else { "white" };
        println!("{} ({}, {reach}): {times} of {seeds}", fault.switch, fault.code);
        print(&others);
    }
    println!("{found} found in at least 7 of 10");
}

/// In how many runs the fault is reported with its code at its operation, and what else is.
fn measure(fault: &SeededFault, seeds: u64, calls: u64) -> (u64, BTreeMap<String, u64>) {
    let (mut times, mut others) = (0, BTreeMap::new());
    for seed in 0..seeds {
        let reports = run(Some(&fault.switch), seed, calls);
        times += u64::from(reports.iter().any(|report| is_it(fault, report)));
        let foreign = reports.into_iter().filter(|report| !is_near(fault, report));
        count(&mut others, foreign.collect());
    }
    (times, others)
}

/// Code and operation of a report, whose name is `fault:<code>:<operation>:<context>`.
fn parts(report: &str) -> (u16, &str) {
    let mut parts = report.split(':').skip(1);
    let code = parts.next().and_then(|code| code.parse().ok()).unwrap_or_default();
    (code, parts.next().unwrap_or_default())
}

fn is_it(fault: &SeededFault, report: &str) -> bool {
    let (code, operation) = parts(report);
    code == fault.code && fault.operations.iter().any(|known| known == operation)
}

/// Whether the report is the fault, or one that may come with it.
fn is_near(fault: &SeededFault, report: &str) -> bool {
    let (code, _) = parts(report);
    is_it(fault, report) || fault.also.contains(&code)
}

/// The faults that a run reports.
fn run(switch: Option<&str>, seed: u64, calls: u64) -> BTreeSet<String> {
    let fixture = Fixture::find("flawed-shop").expect("the fixture exists");
    let switches: Vec<String> = switch.map(str::to_owned).into_iter().collect();
    let switches = fixture.parse_switches(&switches).expect("the switch exists");
    let options = Options { driver_port: None, switches, ..Options::default() };
    let running = fixture.start(options).expect("there are free ports");
    let folder = std::env::temp_dir().join(format!("wallace-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let auth = folder.join("auth.yaml");
    std::fs::write(&auth, fixture.auth().expect("it has users")).expect("it can be written");
    let mut settings =
        Settings::rest(format!("{}/openapi.json", running.base_url), folder.join("out"));
    settings.auth = Some(auth);
    settings.calls = Some(calls);
    // What is measured is the search.
    settings.result.after_share = 0.0;
    settings.force = true;
    settings.call_timeout = Duration::from_secs(2);
    settings.security = true;
    settings.search.seed = seed;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs");
    assert!(summary.reason == StopReason::BudgetUsed, "{}: {:?}", summary.reason, summary.warnings);
    let _ = std::fs::remove_dir_all(folder);
    let covered = summary.targets.iter().filter(|target| target.score.is_covered());
    let faults = covered.filter(|target| target.name.kind() == TargetKind::Fault);
    faults.map(|target| target.name.to_string()).collect()
}

fn count(counts: &mut BTreeMap<String, u64>, reports: BTreeSet<String>) {
    for report in reports {
        *counts.entry(report).or_default() += 1;
    }
}

fn print(counts: &BTreeMap<String, u64>) {
    for (report, times) in counts {
        println!("    also in {times}  {report}");
    }
}
