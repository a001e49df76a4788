//! `wallace fuzz`: evolve tests for a running service.

use std::collections::BTreeMap;

use wallace::{
    Attribution, CheckSettings, CheckpointHeader, GraphqlSettings, RestSettings, RunError,
    Settings, SubscriptionLimits, Summary, TlsSettings,
};

use crate::argument::{Calls, Common, Fuzz, Graphql, Rest, Service, State, Switch, When};
use crate::diagnostic::Located;
use crate::exit::CommandError;
use crate::interrupt;
use crate::preview;
use crate::progress::Display;
use crate::summary;

pub(crate) fn run(fuzz: &Fuzz) -> Result<Summary, CommandError> {
    search(&settings_of(fuzz)?, &fuzz.common)
}

/// Tells what the run would do.
pub(crate) fn dry_run(fuzz: &Fuzz) -> Result<u8, CommandError> {
    let settings = settings_of(fuzz)?;
    let plan = wallace::plan(&settings).map_err(located)?;
    preview::tell_plan(&plan, &settings);
    Ok(0)
}

/// Tells whether the run would work.
pub(crate) fn doctor(fuzz: &Fuzz) -> Result<u8, CommandError> {
    Ok(preview::doctor(&settings_of(fuzz)?))
}

/// The settings that the arguments stand for.
fn settings_of(fuzz: &Fuzz) -> Result<Settings, CommandError> {
    if let Service { driver: None, url: None, openapi: None } = &fuzz.service {
        let reason = "say where the service is: --driver, --url or --openapi, or write it to \
                      wallace.toml (wallace init)";
        return Err(CommandError::Usage(reason.to_owned()));
    }
    let out = fuzz.common.out("suite");
    let settings = match &fuzz.service {
        Service { url: Some(url), .. } => Settings::black_box(url, out),
        Service { openapi: Some(place), .. } => Settings::rest(place, out),
        Service { driver, .. } => Settings::new(driver.as_deref().unwrap_or_default(), out),
    };
    let mut settings = common_settings(&fuzz.common, settings)?;
    let Calls { auth, allow_mutations, include, exclude, rate, workers, .. } = fuzz.calls.clone();
    settings.tls = tls(&fuzz.calls);
    settings.proxy.clone_from(&fuzz.calls.proxy);
    settings.workers = workers;
    settings.auth = auth;
    settings.allow_mutations = allow_mutations;
    settings.include = include;
    settings.exclude = exclude;
    settings.rate = rate;
    let Graphql { schema, allow_broken_schema, overload, no_checks, seeds, events, scalar } =
        &fuzz.graphql;
    settings.seeds.clone_from(seeds);
    let usual = CheckSettings { overload: *overload, ..CheckSettings::default() };
    settings.graphql = GraphqlSettings {
        schema: schema.clone(),
        allow_broken_schema: *allow_broken_schema,
        checks: if *no_checks { CheckSettings::NONE } else { usual },
        subscriptions: SubscriptionLimits { events: *events, ..SubscriptionLimits::default() },
        scalars: scalars(scalar),
    };
    let Rest { base_url, security, oracle_off, compare_with, external_references } =
        fuzz.rest.clone();
    settings.rest = RestSettings {
        base_url,
        security,
        oracles_off: oracle_off.into_iter().collect(),
        compare_with,
        external_references,
    };
    Ok(settings)
}

/// What a secure connection trusts.
fn tls(calls: &Calls) -> TlsSettings {
    TlsSettings {
        certificates: calls.ca_certificate.clone(),
        client_certificate: calls.client_certificate.clone(),
        accepts_any_certificate: calls.insecure,
    }
}

/// Examples of custom scalars by name.
fn scalars(given: &[(String, String)]) -> BTreeMap<String, Vec<String>> {
    let mut scalars: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in given {
        scalars.entry(name.clone()).or_default().push(value.clone());
    }
    scalars
}

/// The settings of a white-box run that the common options stand for.
pub(crate) fn settings(
    common: &Common,
    driver: &str,
    name: &str,
) -> Result<Settings, CommandError> {
    common_settings(common, Settings::new(driver, common.out(name)))
}

fn common_settings(common: &Common, mut settings: Settings) -> Result<Settings, CommandError> {
    settings.calls = common.calls();
    settings.time = common.time;
    settings.search.seed = common.seed.unwrap_or(settings.search.seed);
    settings.force = common.force;
    settings.statistics.clone_from(&common.statistics);
    settings.sql = common.sql == Switch::On;
    settings.search.attribution = match common.attribution {
        When::Always => Attribution::Always,
        When::OnDemand => Attribution::OnDemand,
    };
    settings.baseline.clone_from(&common.baseline);
    settings.formats = common.formats();
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
pub(crate) fn search(settings: &Settings, common: &Common) -> Result<Summary, CommandError> {
    let mut display = Display::new(common.quiet, common.json_lines);
    let outcome =
        wallace::run(settings, &interrupt::signal(), &mut |progress| display.show(progress));
    display.finish();
    let summary = outcome.map_err(located)?;
    if common.json_lines {
        summary::print_json(&summary);
    } else {
        summary::print(&summary);
    }
    Ok(summary)
}

/// The error with the lines of the file that it is about.
fn located(error: RunError) -> CommandError {
    let RunError::InFile { path, line, column, reason } = &error else { return error.into() };
    let Ok(text) = std::fs::read_to_string(path) else { return error.into() };
    let name = path.display().to_string();
    let advice = "correct the file, or name another one";
    let located = Located::at(&name, &text, (*line, *column), reason.clone(), advice);
    CommandError::Located(Box::new(located))
}
