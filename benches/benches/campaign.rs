//! What a campaign costs besides its runs: the time around a run, and the time to list and resume a
//! plan of 100,000 runs with half of them done. Then a campaign of 120 runs that is killed twice,
//! beside one that is not.
//!
//! Run: `cargo build --release && cargo bench -p benches --bench campaign`

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

/// Four fixtures, three algorithms, ten seeds, 2,000 calls.
const LARGE: &str = r#"
name = "killed-twice"
budget = { calls = 2000 }
seeds = 10
baseline = "random"
resources = { parallel = 2 }
[[system]]
name = "graphql-ncs"
fixture = "graphql-ncs"
[[system]]
name = "graphql-scs"
fixture = "graphql-scs"
[[system]]
name = "rest-ncs"
fixture = "rest-ncs"
[[system]]
name = "rest-scs"
fixture = "rest-scs"
[[configuration]]
name = "mio"
[[configuration]]
name = "random"
algorithm = "random"
[[configuration]]
name = "many-objective"
algorithm = "many-objective"
"#;

/// Everything below the results and the report of a plan.
fn files(plan: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![Path::new(plan).join("results"), Path::new(plan).join("report")];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(plan).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn killed_twice() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let file = place("campaign.toml");
    fs::write(&file, LARGE).unwrap();
    let (calm, disturbed) = (place("calm"), place("disturbed"));
    campaign(&["plan", &file, "--out", &calm]);
    let (whole, _) = campaign(&["run", &calm, "--quiet"]);
    println!("120 runs of 2,000 calls, two at a time: {whole:?}");
    campaign(&["plan", &file, "--out", &disturbed]);
    for _ in 0..2 {
        // Somewhere in the first half of what is left at most, so that both kills find it at work.
        let noise = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
        let wait = whole.mul_f64(0.1 + 0.3 * f64::from(noise % 1_000) / 1_000.0);
        let mut command = Command::new(wallace());
        let mut child = command.args(["campaign", "run", &disturbed, "--quiet"]).spawn().unwrap();
        std::thread::sleep(wait);
        child.kill().unwrap();
        child.wait().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        let (_, told) = campaign(&["status", &disturbed]);
        println!("killed after {wait:?}: {}", told.lines().next().unwrap_or_default());
    }
    campaign(&["run", &disturbed, "--quiet"]);
    for plan in [&calm, &disturbed] {
        campaign(&["report", plan]);
    }
    let (one, other) = (files(&calm), files(&disturbed));
    let differ = one.iter().filter(|(name, text)| other.get(*name) != Some(text)).count();
    println!(
        "{} files of results and report, {} of the other, {differ} differ",
        one.len(),
        other.len()
    );
    assert!(differ == 0 && one.len() == other.len(), "the report is another");
}

fn main() {
    around_a_run();
    large_plan();
    killed_twice();
}
