//! What a campaign costs besides its runs: the time around a run, and the time to list and resume a
//! plan of 100,000 runs with half of them done.
//!
//! Run: `cargo build --release && cargo bench -p benches --bench campaign`

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs of the small campaign.
const RUNS: u32 = 40;
/// Times that a command is measured.
const TIMES: usize = 7;

/// Two systems, two configurations.
fn definition(seeds: u32, calls: u64) -> String {
    format!(
        r#"
name = "cost"
budget = {{ calls = {calls} }}
seeds = {seeds}
baseline = "random"
resources = {{ parallel = 1 }}
[[system]]
name = "graphql-ncs"
fixture = "graphql-ncs"
[[system]]
name = "graphql-scs"
fixture = "graphql-scs"
[[configuration]]
name = "mio"
[[configuration]]
name = "random"
algorithm = "random"
"#
    )
}

/// The command, built beside this bench.
fn wallace() -> PathBuf {
    let bench = std::env::current_exe().unwrap();
    let folder = bench.ancestors().nth(2).unwrap();
    let command = folder.join("wallace");
    assert!(command.exists(), "{} is missing: cargo build --release", command.display());
    command
}

/// Runs `wallace campaign` and gives its time and what it told.
fn campaign(arguments: &[&str]) -> (Duration, String) {
    let start = Instant::now();
    let output = Command::new(wallace()).arg("campaign").args(arguments).output().unwrap();
    let time = start.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (time, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Median of several measures.
fn median(mut measure: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..TIMES).map(|_| measure()).collect();
    times.sort();
    times[TIMES / 2]
}

fn planned(folder: &Path, seeds: u32, calls: u64) -> (String, String) {
    let (file, plan) = (folder.join("campaign.toml"), folder.join("plan"));
    fs::write(&file, definition(seeds, calls)).unwrap();
    (file.display().to_string(), plan.display().to_string())
}

/// All runs with the least budget: what is left is what the campaign does, and starting systems.
fn around_a_run() {
    let each = median(|| {
        let folder = tempfile::tempdir().unwrap();
        let (file, plan) = planned(folder.path(), RUNS / 4, 1);
        campaign(&["plan", &file, "--out", &plan]);
        campaign(&["run", &plan, "--quiet"]).0 / RUNS
    });
    println!("around a run, start of the system and its one call included: {each:?}; limit 200 ms");
}

fn large_plan() {
    let folder = tempfile::tempdir().unwrap();
    let (file, plan) = planned(folder.path(), 25_000, 2_000);
    let (made, told) = campaign(&["plan", &file, "--out", &plan]);
    println!("plan made: {made:?}\n{told}");
    let (_, runs) = campaign(&["status", &plan, "--runs"]);
    let ids = runs.lines().filter(|line| line.contains(" open "));
    let ids: Vec<&str> = ids.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(ids.len(), 100_000);
    for id in ids.iter().step_by(2) {
        let result = Path::new(&plan).join("results").join(&id[..2]).join(id);
        fs::create_dir_all(&result).unwrap();
        fs::write(result.join("result.json"), "{}").unwrap();
    }
    let listed = median(|| campaign(&["status", &plan]).0);
    let all = median(|| campaign(&["status", &plan, "--runs"]).0);
    let again = median(|| campaign(&["plan", &file, "--out", &plan]).0);
    println!("{}", campaign(&["status", &plan]).1);
    println!("counted: {listed:?}; all listed: {all:?}; planned again: {again:?}; limit 2 s");
}

fn main() {
    around_a_run();
    large_plan();
}
