//! Targets of one's own on a service behind a driver: how deep a recursion gets.
//!
//! The answer tells the depth. Each rung of the ladder is a target that the search comes nearer to, so
//! that it climbs from one to the next.
//!
//! Run: `cargo run -p wallace --example recursion_depth`

#![allow(clippy::print_stdout)]

mod service;

use wallace::{Call, Fuzz, OwnTarget};

/// How deep the recursions went that a test caused.
fn depths(calls: &[Call<'_>]) -> Vec<OwnTarget> {
    let mut targets = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        let answer = call.outcome.response.as_ref().ok();
        let depth = answer.and_then(|answer| answer.text_at("/depth")?.parse::<f64>().ok());
        let Some(depth) = depth else { continue };
        targets.extend([50.0, 100.0, 200.0].map(|goal| {
            OwnTarget::at_least(format!("recursion of depth {goal}"), depth, goal).by_call(place)
        }));
    }
    targets
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let driver = service::start()?;
    let out = std::env::temp_dir().join(format!("wallace-depth-{}", std::process::id()));
    let summary = Fuzz::driver(driver.url())
        .calls(1_500)
        .targets(depths)
        .out(&out)
        .settings(|it| it.force = true)
        .run()?;
    for target in summary.own_targets() {
        println!("{}: {:.2}", target.name, target.score.get());
    }
    println!("tests and report: {}", out.display());
    let covered = summary.own_targets().filter(|target| target.score.is_covered()).count();
    assert!(covered >= 2, "depth 100 is reached");
    Ok(())
}
