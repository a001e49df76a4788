//! Targets of one's own on a service that runs already: how long each operation takes.
//!
//! The search is told how near each call came to 5, 20 and 50 milliseconds, and so finds the arguments
//! that make the service slow. Times differ from run to run: such a run cannot be repeated exactly.
//!
//! Run: `cargo run -p wallace --example response_time`

#![allow(clippy::print_stdout)]

mod service;

use wallace::{Call, Fuzz, OwnTarget};

/// How long each call took.
fn times(calls: &[Call<'_>]) -> Vec<OwnTarget> {
    let calls = calls.iter().enumerate();
    let targets = calls.flat_map(|(place, call)| {
        let milliseconds = call.elapsed.as_secs_f64() * 1_000.0;
        [5.0, 20.0, 50.0].map(|goal| {
            let name = format!("{} takes {goal} ms", call.operation);
            OwnTarget::at_least(name, milliseconds, goal).by_call(place)
        })
    });
    targets.collect()
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let driver = service::start()?;
    let base_url = driver.controller().start()?;
    let out = std::env::temp_dir().join(format!("wallace-time-{}", std::process::id()));
    let description = format!("{base_url}/openapi.json");
    let summary = Fuzz::openapi(description)
        .calls(300)
        .targets(times)
        .out(&out)
        .settings(|it| it.force = true)
        .run()?;
    for target in summary.own_targets() {
        println!("{}: {:.2}", target.name, target.score.get());
    }
    println!("tests and report: {}", out.display());
    let slow = summary.own_targets().find(|it| it.name.as_str() == "own:GET:/report takes 50 ms");
    assert!(slow.is_some_and(|target| target.score.is_covered()), "a slow report is found");
    Ok(())
}
