//! A run of this tool itself.

use serde_json::Map;
use wallace::{
    Settings, StopReason, StopSignal, Summary,
    settings::{Attribution, Parameters},
};

use super::ToolReport;
use super::template::Values;
use crate::definition::Configuration;
use crate::plan::RunDescription;

/// Gives a run the parameters of a configuration with this seed; those of which it says nothing
/// stay. The error says which one is wrong.
pub(crate) fn configure(
    parameters: &mut Parameters,
    configuration: &Configuration,
    seed: u64,
) -> Result<(), String> {
    let mut settings = Map::new();
    if let Some(algorithm) = &configuration.algorithm {
        settings.insert("algorithm".to_owned(), algorithm.as_str().into());
        // The baseline of the studies: nothing is learnt from what the system does with texts.
        if algorithm == "random" {
            settings.insert("is_tainting".to_owned(), false.into());
        }
    }
    settings.extend(configuration.settings.clone());
    settings.insert("seed".to_owned(), seed.into());
    parameters.set(settings)?;
    if parameters.search.attribution != Attribution::Always {
        let reason =
            "calls are counted as the driver is told of them: `attribution` must be always";
        return Err(reason.to_owned());
    }
    Ok(())
}

/// Tests the system of `values`: behind its driver, or as it is.
pub(super) fn run(
    run: &RunDescription,
    values: &Values,
    watch: &mut dyn FnMut(&StopSignal),
) -> Result<ToolReport, String> {
    let out = format!("{}/suite", values.get("out"));
    let mut settings = match (&run.system.url, &run.system.openapi) {
        (None, _) => Settings::new(values.get("driver"), out),
        (Some(_), None) => Settings::black_box(values.get("url"), out),
        (Some(_), Some(place)) => {
            let mut settings = Settings::rest(values.fill(place), out);
            settings.rest.base_url = Some(values.get("url").to_owned());
            settings
        }
    };
    settings.calls = run.budget.calls;
    settings.time = run.budget.seconds.map(std::time::Duration::from_secs);
    // Campaigns measure searches, not suites.
    let mut parameters = settings.parameters();
    parameters.result.sharpen_share = 0.0;
    parameters.result.after_share = 0.0;
    configure(&mut parameters, &run.configuration, run.seed)?;
    settings.set_parameters(parameters);
    let stop = StopSignal::default();
    let summary =
        wallace::run(&settings, &stop, &mut |_| watch(&stop)).map_err(|error| error.to_string())?;
    if let StopReason::Unreachable(reason) = &summary.reason {
        return Err(format!("the system was lost: {reason}"));
    }
    Ok(report(&summary))
}

fn report(summary: &Summary) -> ToolReport {
    let measures = [
        ("faults", summary.faults),
        ("operations answered", summary.answered),
        ("tests", summary.tests),
        // Where there is a driver, what the proxy counted replaces these.
        ("targets", summary.covered),
        ("calls", usize::try_from(summary.calls).unwrap_or(usize::MAX)),
    ];
    ToolReport {
        tool: format!("wallace {}", env!("CARGO_PKG_VERSION")),
        measures: measures.map(|(name, value)| (name.to_owned(), value as f64)).into(),
    }
}
