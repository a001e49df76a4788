//! What black-box runs find in GraphQL services of known contents: each seeded fault of the shop by
//! itself, nothing where nothing is wrong, and every operation of the clinic.
//!
//! `cargo bench --bench graphql_black_box -- [--seeds 10] [--calls 3000] [--threads 2] [PART ...]`,
//! where a part is `faults`, `clean`, `petclinic`, or the name of one switch; all three without.

#![allow(clippy::print_stdout, reason = "the bench prints its results")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use benches::black_box::{Report, Run, run};
use emb_fixtures::{Fixture, SeededFault};

/// Runs of ten in which a fault must be found, and faults that must be.
const RUNS_OF_TEN: usize = 7;
const FAULTS: usize = 20;

struct Arguments {
    seeds: u64,
    calls: u64,
    threads: usize,
    parts: BTreeSet<String>,
}

fn main() {
    let arguments = arguments();
    let has = |part: &str| arguments.parts.is_empty() || arguments.parts.contains(part);
    let shop = Fixture::find("flawed-shop-graphql").expect("it is a fixture");
    let known = shop.expected().faults;
    let is_chosen = |fault: &&SeededFault| has("faults") || arguments.parts.contains(&fault.switch);
    let chosen: Vec<&SeededFault> = known.iter().filter(is_chosen).collect();
    if !chosen.is_empty() {
        faults(&chosen, &arguments);
    }
    if has("clean") {
        clean(&arguments);
    }
    if has("petclinic") {
        petclinic(&arguments);
    }
}

fn arguments() -> Arguments {
    let mut arguments = Arguments { seeds: 10, calls: 3_000, threads: 1, parts: BTreeSet::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|it| it.parse().ok()).expect("a number follows");
        match &*word {
            "--seeds" => arguments.seeds = number(),
            "--calls" => arguments.calls = number(),
            "--threads" => arguments.threads = number() as usize,
            "--bench" => {}
            _ => drop(arguments.parts.insert(word)),
        }
    }
    arguments
}

/// Makes all runs, a few at a time, and gives their reports in the order of the runs.
fn all(runs: &[Run], threads: usize) -> Vec<Report> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = runs.get(place) else { break };
                    let report = run(job);
                    done.lock().expect("no run panics").insert(place, report);
                }
            });
        }
    });
    done.into_inner().expect("no run panics").into_values().collect()
}

fn faults(chosen: &[&SeededFault], arguments: &Arguments) {
    let start = Instant::now();
    println!("\n{} calls, {} seeds, each switch alone\n", arguments.calls, arguments.seeds);
    println!("| switch | code | found | calls to the first fault, median | other reports |");
    println!("| --- | --- | --- | --- | --- |");
    let (mut enough, mut alarms) = (0, 0);
    for fault in chosen {
        let runs: Vec<Run> = (1..=arguments.seeds)
            .map(|seed| Run {
                fixture: "flawed-shop-graphql",
                switch: Some(fault.switch.clone()),
                seed,
                calls: arguments.calls,
                overload: true,
            })
            .collect();
        let reports = all(&runs, arguments.threads);
        let found = reports.iter().filter(|report| is_found(report, fault)).count();
        let others: BTreeMap<String, usize> = others(&reports, fault);
        let mut firsts: Vec<u64> = reports.iter().filter_map(|report| report.first_fault).collect();
        firsts.sort_unstable();
        let first = firsts.get(firsts.len() / 2).map_or("-".to_owned(), u64::to_string);
        let seen: Vec<String> =
            others.iter().map(|(what, runs)| format!("{what} ({runs})")).collect();
        println!(
            "| {} | {} | {found} of {} | {first} | {} |",
            fault.switch,
            fault.code,
            reports.len(),
            seen.join("; ")
        );
        enough += usize::from(found * 10 >= RUNS_OF_TEN * reports.len());
        alarms += usize::from(!others.is_empty());
    }
    let (all, seconds) = (chosen.len(), start.elapsed());
    println!(
        "\n{enough} of {all} found in at least {RUNS_OF_TEN} of 10 (to reach: {FAULTS} of 25); \
         {alarms} switches with other reports; {}",
        shown(seconds)
    );
}

/// Whether a run reports the fault: its code, at one of its operations.
fn is_found(report: &Report, fault: &SeededFault) -> bool {
    let is_place = |operation: &str| {
        let name = operation.rsplit('.').next().unwrap_or(operation);
        // A limit on documents is one of the service: any operation shows it.
        fault.operations.iter().any(|known| known == name || known == "__typename")
    };
    report.faults.iter().any(|seen| seen.code == fault.code && is_place(&seen.operation))
}

/// What was reported besides, with the number of runs.
fn others(reports: &[Report], fault: &SeededFault) -> BTreeMap<String, usize> {
    let mut others = BTreeMap::new();
    for report in reports {
        let seen: BTreeSet<String> = report
            .faults
            .iter()
            .filter(|seen| seen.code != fault.code && !fault.also.contains(&seen.code))
            .map(|seen| format!("{} {} {}", seen.code, seen.operation, seen.context))
            .collect();
        for what in seen {
            *others.entry(what).or_default() += 1;
        }
    }
    others
}

fn clean(arguments: &Arguments) {
    println!("\nNothing wrong: {} calls, {} seeds\n", arguments.calls, arguments.seeds);
    println!("| service | reports |");
    println!("| --- | --- |");
    for fixture in ["flawed-shop-graphql", "graphql-scs", "graphql-ncs", "petclinic"] {
        let runs: Vec<Run> = (1..=arguments.seeds)
            .map(|seed| Run {
                fixture,
                switch: None,
                seed,
                calls: arguments.calls,
                overload: fixture == "flawed-shop-graphql",
            })
            .collect();
        let reports = all(&runs, arguments.threads);
        let mut seen = BTreeMap::<String, usize>::new();
        for fault in reports.iter().flat_map(|report| &report.faults) {
            *seen
                .entry(format!("{} {} {}", fault.code, fault.operation, fault.context))
                .or_default() += 1;
        }
        let seen: Vec<String> =
            seen.iter().map(|(what, runs)| format!("{what} ({runs})")).collect();
        println!(
            "| {fixture} | {} |",
            if seen.is_empty() { "none".into() } else { seen.join("; ") }
        );
    }
}

/// Operations of petclinic that read what none of its operations writes: nothing but rows in the
/// database lets them succeed.
const OPENED_BY_ROWS: [&str; 2] = ["Query.invoice", "Query.openInvoices"];

/// Runs in which each operation of the clinic went well.
fn petclinic(arguments: &Arguments) {
    let calls = arguments.calls.min(2_000);
    println!("\nOperations of petclinic that went well at least once within {calls} calls\n");
    let runs: Vec<Run> = (1..=arguments.seeds)
        .map(|seed| Run { fixture: "petclinic", switch: None, seed, calls, overload: false })
        .collect();
    let mut reports = all(&runs, arguments.threads);
    for report in &mut reports {
        report.never.retain(|operation| !OPENED_BY_ROWS.contains(&operation.as_str()));
    }
    let complete = reports.iter().filter(|report| report.never.is_empty()).count();
    for (job, report) in runs.iter().zip(&reports) {
        if !report.never.is_empty() {
            println!("seed {}: never {}", job.seed, report.never.join(", "));
        }
    }
    let (operations, by_rows) = (reports[0].operations, OPENED_BY_ROWS.len());
    println!(
        "all {} operations in {complete} of {} runs, besides {by_rows} that only rows open",
        operations - by_rows,
        reports.len()
    );
}

fn shown(time: Duration) -> String {
    format!("{:.0} s", time.as_secs_f64())
}
