//! `wallace demo`: the whole path on a service that comes along.

use std::path::PathBuf;

use emb_fixtures::{Fixture, Options};
use wallace::{Format, Summary};

use crate::argument::Demo;
use crate::console::say;
use crate::exit::CommandError;
use crate::fuzz;

/// The services that come along, for the help.
pub(crate) fn fixtures() -> String {
    let mut text = "Services:\n".to_owned();
    for fixture in Fixture::all() {
        text += &format!("  {:<20} {}\n", fixture.name(), fixture.description());
    }
    text + "\nExample:\n  wallace fixture flawed-shop --port 8080 --driver-port 40100"
}

pub(crate) fn run(demo: &Demo) -> Result<Summary, CommandError> {
    let fixture = Fixture::find(&demo.sut).map_err(usage)?;
    let running = fixture.start(Options::default()).map_err(usage)?;
    let driver = running.driver_url.clone().expect("the fixture was started with its driver");
    let mut settings = fuzz::settings(&demo.common, &driver, &format!("demo-{}", demo.sut))?;
    let infeasible = fixture.expected().infeasible.into_iter();
    settings.infeasible = infeasible.map(|side| (side.side, side.reason)).collect();
    // The demo's own folder may be written again; only what a run wrote there is replaced.
    settings.force |= demo.common.output.out.is_none() && !settings.resume;
    let summary = fuzz::search(&settings, &demo.common)?;
    if let (false, Some(format)) = (demo.common.run.json_lines, settings.formats.first()) {
        tell_next(&demo.sut, &summary, *format);
    }
    Ok(summary)
}

fn tell_next(sut: &str, summary: &Summary, format: Format) {
    let wallace = std::env::args_os().next().map_or_else(|| "wallace".into(), PathBuf::from);
    let folder = summary.suite.join(format.name());
    let run = match format {
        Format::Rust => "cargo test",
        _ => "the command of its README.md",
    };
    say("\nrun the suite against the service started again:");
    say(&format!("  {} fixture {sut} --no-driver --port 8080 &", wallace.display()));
    say(&format!("  cd {} && WALLACE_BASE_URL=http://127.0.0.1:8080 {run}", folder.display()));
}

fn usage(error: impl std::error::Error) -> CommandError {
    CommandError::Usage(error.to_string())
}
