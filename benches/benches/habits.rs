//! How a black-box run gets on with a service that has habits: whether it goes on with its users, what it
//! reaches, and what it reports although nothing is wrong.
//!
//! Run: `cargo bench -p benches --bench habits [-- --seeds 20 --calls 2000 --habit NAME]`.

#![allow(clippy::print_stdout, missing_docs)]

use std::collections::BTreeSet;
use std::time::Duration;

use benches::argument;
use clap::ValueEnum;
use emb_fixtures::{Fixture, Habit, Options};
use wallace::{Settings, StopSignal, Summary};
use wallace_engine::TargetKind;

/// Operations that are answered well by a run that goes on with its users, of 28 and those of the habit.
const GOES_ON: usize = 22;

fn main() {
    let seeds = argument::number("--seeds", 20);
    let calls = argument::number("--calls", 2_000);
    let wanted = argument::text("--habit");
    println!("{seeds} seeds, {calls} calls, black-box, --security");
    for habit in Habit::value_variants() {
        let name = format!("{habit:?}");
        if wanted.as_deref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let runs: Vec<Summary> = (0..seeds).map(|seed| run(*habit, seed, calls)).collect();
        let mut answered: Vec<usize> = runs.iter().map(|run| run.answered).collect();
        answered.sort_unstable();
        let goes_on = answered.iter().filter(|count| **count >= GOES_ON).count();
        let reports: BTreeSet<String> = runs.iter().flat_map(reports).collect();
        let (least, median) = (answered[0], answered[answered.len() / 2]);
        println!(
            "{name}: goes on in {goes_on} of {seeds}; operations {least} at least, {median} in the middle; \
             reports {reports:?}"
        );
    }
}

fn reports(summary: &Summary) -> Vec<String> {
    let covered = summary.targets.iter().filter(|target| target.score.is_covered());
    let faults = covered.filter(|target| target.name.kind() == TargetKind::Fault);
    faults.map(|target| target.name.to_string()).collect()
}

fn run(habit: Habit, seed: u64, calls: u64) -> Summary {
    let fixture = Fixture::find("flawed-shop").expect("the fixture exists");
    let options = Options { driver_port: None, habits: vec![habit], ..Options::default() };
    let running = fixture.start(options).expect("there are free ports");
    let folder = std::env::temp_dir().join(format!("wallace-habits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let prefix = if habit == Habit::Prefix { "/api/v1" } else { "" };
    let auth = folder.join("auth.yaml");
    let users = fixture.auth().expect("it has users").replace("/login", &format!("{prefix}/login"));
    std::fs::write(&auth, users).expect("it can be written");
    let openapi = format!("{}/openapi.json", running.base_url);
    let mut settings = Settings::rest(openapi, folder.join("out"));
    settings.rest.base_url = Some(format!("{}{prefix}", running.base_url));
    settings.auth = Some(auth);
    settings.calls = Some(calls);
    settings.force = true;
    settings.call_timeout = Duration::from_secs(2);
    settings.security = true;
    settings.search.seed = seed;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs");
    let _ = std::fs::remove_dir_all(folder);
    summary
}
