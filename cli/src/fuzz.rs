//! `wallace fuzz`: evolve tests for a running service.

use std::path::PathBuf;

use wallace::{Settings, Summary};

use crate::argument::{Common, Fuzz};
use crate::exit::CommandError;
use crate::interrupt;
use crate::progress::Display;
use crate::summary;

pub(crate) fn run(fuzz: &Fuzz) -> Result<Summary, CommandError> {
    let settings = settings(&fuzz.common, &fuzz.driver, "suite");
    search(&settings, fuzz.common.quiet)
}

/// The settings that the common options stand for.
pub(crate) fn settings(common: &Common, driver: &str, name: &str) -> Settings {
    let out = common.out.clone().unwrap_or_else(|| PathBuf::from("wallace-out").join(name));
    let mut settings = Settings::new(driver, out);
    settings.calls = common.calls();
    settings.time = common.time;
    settings.search.seed = common.seed;
    settings.force = common.force;
    settings
}

/// Runs a search with progress on standard error and the summary on standard output.
pub(crate) fn search(settings: &Settings, is_quiet: bool) -> Result<Summary, CommandError> {
    let mut display = Display::new(is_quiet);
    let outcome =
        wallace::run(settings, &interrupt::signal(), &mut |progress| display.show(progress));
    display.finish();
    let summary = outcome?;
    summary::print(&summary);
    Ok(summary)
}
