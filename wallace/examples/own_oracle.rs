//! An oracle of one's own: what is wrong with a service is said by its user.
//!
//! Run: `cargo run -p wallace --example own_oracle`

#![allow(clippy::print_stdout)]

mod service;

use wallace::{Call, Fault, Fuzz, Oracle};

/// No report sums up to more than half a million.
struct Plausible;

impl Oracle for Plausible {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let answer = call.outcome.response.as_ref().ok();
        let total = answer.and_then(|answer| answer.text_at("/total")?.parse::<u64>().ok());
        match total {
            Some(500_001..) => vec![Fault { code: 990, context: "a total too high".into() }],
            _ => Vec::new(),
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let driver = service::start()?;
    let out = std::env::temp_dir().join(format!("wallace-oracle-{}", std::process::id()));
    let summary = Fuzz::driver(driver.url())
        .calls(300)
        .oracle(Plausible)
        .out(&out)
        .settings(|it| it.force = true)
        .run()?;
    println!("{} faults, tests and report: {}", summary.faults, out.display());
    assert!(summary.faults > 0, "a report of many pages is found");
    Ok(())
}
