//! `wallace fuzz`: evolve tests for a running service.

use std::collections::BTreeMap;
use std::path::Path;

use wallace::{
    RunError, Settings, Summary,
    checkpoint::CheckpointHeader,
    settings::{
        Attribution, CheckSettings, GraphqlSettings, RestSettings, SubscriptionLimits, TlsSettings,
    },
};

use crate::argument::{Calls, Common, Fuzz, Graphql, Rest, Service, Switch, When};
use crate::diagnostic::Located;
use crate::exit::CommandError;
use crate::interrupt;
use crate::preview;
use crate::progress::Display;
use crate::project::Project;
use crate::summary;

pub(crate) fn run(fuzz: &Fuzz) -> Result<Summary, CommandError> {
    run_observed(fuzz, &mut || {})
}

/// As [`run`]; `begun` is called after each test, the first of which ends the start of the service.
pub(crate) fn run_observed(fuzz: &Fuzz, begun: &mut dyn FnMut()) -> Result<Summary, CommandError> {
    search_observed(&settings_of(fuzz)?, &fuzz.common, begun)
}

/// Tells what the run would do.
pub(crate) fn dry_run(fuzz: &Fuzz) -> Result<u8, CommandError> {
    let settings = settings_of(fuzz)?;
    let plan = wallace::plan::plan(&settings).map_err(located)?;
    preview::tell_plan(&plan, &settings);
    Ok(0)
}

/// Tells whether the run would work; of a service that is named nowhere, whether its project could
/// be started.
pub(crate) fn doctor(fuzz: &Fuzz) -> Result<u8, CommandError> {
    if fuzz.service.is_unknown()
        && let Some(project) = Project::detect(Path::new("."))
    {
        return Ok(preview::doctor_of_project(&project));
    }
    Ok(preview::doctor(&settings_of(fuzz)?))
}

/// The settings that the arguments stand for.
fn settings_of(fuzz: &Fuzz) -> Result<Settings, CommandError> {
    if fuzz.service.is_unknown() {
        let mut reason = "say where the service is: --driver, --url or --openapi, or write it to \
                          wallace.toml (wallace init)"
            .to_owned();
        if let Some(project) = Project::detect(Path::new(".")) {
            reason += &format!("; to start it from here: {}", project.command());
        }
        return Err(CommandError::Usage(reason));
    }
    let out = fuzz.common.out("suite");
    let Service { driver, url, openapi } = &fuzz.service;
    let (settings, further) = match (driver.split_first(), url.split_first(), openapi) {
        (Some((driver, further)), ..) => (Settings::new(driver, out), further),
        (None, Some((url, further)), _) => (Settings::black_box(url, out), further),
        (None, None, place) => {
            let further = fuzz.rest.base_url.get(1..).unwrap_or_default();
            (Settings::rest(place.as_deref().unwrap_or_default(), out), further)
        }
    };
    let mut settings = common_settings(&fuzz.common, settings)?;
    settings.instances = further.to_vec();
    settings.start_command.clone_from(&fuzz.start.start_command);
    settings.start_timeout = fuzz.start.start_timeout;
    let Calls { auth, allow_mutations, include, exclude, rate, workers, .. } = fuzz.calls.clone();
    settings.tls = tls(&fuzz.calls);
    settings.proxy.clone_from(&fuzz.calls.proxy);
    settings.headers.clone_from(&fuzz.calls.header);
    settings.workers = usize::from(workers);
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
    settings.security = security;
    settings.oracles_off = oracle_off.into_iter().collect();
    let base_url = base_url.into_iter().next();
    let description = openapi.clone().filter(|_| !driver.is_empty());
    settings.rest =
        RestSettings { base_url, description, compare_with, external_references, ..settings.rest };
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
#[cfg(feature = "fixtures")]
pub(crate) fn settings(
    common: &Common,
    driver: &str,
    name: &str,
) -> Result<Settings, CommandError> {
    common_settings(common, Settings::new(driver, common.out(name)))
}

fn common_settings(common: &Common, mut settings: Settings) -> Result<Settings, CommandError> {
    let (search, output) = (&common.search, &common.output);
    settings.calls = common.calls();
    settings.time = common.budget.time;
    settings.stop_after_idle = common.budget.stop_after_idle;
    settings.search.seed = search.seed.unwrap_or(settings.search.seed);
    settings.search.lineages = search.lineages.unwrap_or(settings.search.lineages);
    settings.corpus.clone_from(&search.corpus);
    settings.sql = search.sql == Switch::On;
    settings.search.attribution = match search.attribution {
        When::Always => Attribution::Always,
        When::OnDemand => Attribution::OnDemand,
    };
    settings.force = output.force;
    settings.statistics.clone_from(&output.statistics);
    settings.baseline.clone_from(&output.baseline);
    settings.formats = common.formats();
    settings.checkpoint.clone_from(&output.checkpoint);
    settings.checkpoint_interval = output.checkpoint_interval;
    if let Some(folder) = &common.run.resume {
        resume(&mut settings, common, folder)?;
    }
    Ok(settings)
}

/// A run that goes on is asked for what it was asked for before, as far as nothing else is given.
fn resume(settings: &mut Settings, common: &Common, folder: &Path) -> Result<(), CommandError> {
    settings.resume = true;
    let path = settings
        .checkpoint
        .clone()
        .or_else(|| folder.is_file().then(|| folder.to_owned()))
        .unwrap_or_else(|| wallace::checkpoint::checkpoint_beside(folder));
    let earlier = CheckpointHeader::read(&path).map_err(RunError::from)?;
    if path != settings.checkpoint_path() {
        settings.checkpoint = Some(path);
    }
    if common.budget.calls.is_none() && common.budget.time.is_none() {
        (settings.calls, settings.time) = (earlier.calls, earlier.time);
    }
    settings.set_parameters(earlier.parameters);
    // What differs is refused, and not dropped.
    settings.search.seed = common.search.seed.unwrap_or(settings.search.seed);
    settings.search.lineages = common.search.lineages.unwrap_or(settings.search.lineages);
    Ok(())
}

/// Runs a search with progress on standard error and the summary on standard output.
#[cfg(feature = "fixtures")]
pub(crate) fn search(settings: &Settings, common: &Common) -> Result<Summary, CommandError> {
    search_observed(settings, common, &mut || {})
}

fn search_observed(
    settings: &Settings,
    common: &Common,
    begun: &mut dyn FnMut(),
) -> Result<Summary, CommandError> {
    let mut display = Display::new(common.run.quiet, common.run.json_lines);
    interrupt::prepare();
    let fuzz = wallace::Fuzz::of(settings.clone()).stop(&interrupt::signal());
    let observed = fuzz.observe(|progress| {
        interrupt::begin();
        begun();
        display.show(progress);
    });
    let outcome = observed.run();
    if outcome.is_ok() {
        interrupt::begin();
    }
    display.finish();
    let summary = outcome.map_err(located)?;
    if common.run.json_lines {
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
