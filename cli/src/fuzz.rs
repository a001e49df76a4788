//! `wallace fuzz`: evolve tests for a running service.

use wallace::{CheckpointHeader, RestOptions, RunError, Settings, Summary};

use crate::argument::{Common, Fuzz, Rest, State};
use crate::exit::CommandError;
use crate::interrupt;
use crate::progress::Display;
use crate::summary;

pub(crate) fn run(fuzz: &Fuzz) -> Result<Summary, CommandError> {
    let mut settings = settings(&fuzz.common, &fuzz.driver, "suite")?;
    settings.rest = rest(&fuzz.rest);
    search(&settings, fuzz.common.quiet)
}

/// What is particular to REST services.
fn rest(options: &Rest) -> RestOptions {
    RestOptions {
        description: options.openapi.clone(),
        base_url: options.base_url.clone(),
        auth: options.auth.clone(),
        allow_mutations: options.allow_mutations,
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        rate: options.rate,
        security: options.security,
        oracles_off: options.oracle_off.clone(),
        external_references: options.external_references,
    }
}

/// The settings that the common options stand for.
pub(crate) fn settings(
    common: &Common,
    driver: &str,
    name: &str,
) -> Result<Settings, CommandError> {
    let mut settings = Settings::new(driver, common.out(name));
    settings.calls = common.calls();
    settings.time = common.time;
    settings.search.seed = common.seed.unwrap_or(settings.search.seed);
    settings.force = common.force;
    keep(&mut settings, common)?;
    Ok(settings)
}

/// What outlives the run. One that goes on is asked for what it was asked for before, as far as
/// nothing else is given.
fn keep(settings: &mut Settings, common: &Common) -> Result<(), CommandError> {
    let State { resume, checkpoint, checkpoint_interval, corpus } = &common.state;
    settings.checkpoint.clone_from(checkpoint);
    settings.checkpoint_interval = *checkpoint_interval;
    settings.corpus.clone_from(corpus);
    settings.resume = resume.is_some();
    if let Some(folder) = resume {
        let path = checkpoint.clone().unwrap_or_else(|| wallace::checkpoint_beside(folder));
        let earlier = CheckpointHeader::read(&path).map_err(RunError::from)?;
        if path != settings.checkpoint_path() {
            settings.checkpoint = Some(path);
        }
        if common.calls.is_none() && common.time.is_none() {
            (settings.calls, settings.time) = (earlier.calls, earlier.time);
        }
        settings.search = earlier.search;
        settings.search.seed = common.seed.unwrap_or(settings.search.seed);
    }
    Ok(())
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
