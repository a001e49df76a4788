//! A run of this tool itself.

use serde_json::Value;
use wallace::{Attribution, SearchSettings, Settings, StopReason, StopSignal, Summary};

use super::ToolReport;
use super::template::Values;
use crate::definition::Configuration;
use crate::plan::RunDescription;

/// The settings of a configuration with this seed, where it says nothing those of `usual`; the
/// error says which setting is wrong.
pub(crate) fn search_settings(
    configuration: &Configuration,
    seed: u64,
    usual: &SearchSettings,
) -> Result<SearchSettings, String> {
    let wrong = |error: serde_json::Error| error.to_string();
    let Value::Object(mut settings) = serde_json::to_value(usual).map_err(wrong)? else {
        return Err("the usual settings have no names".to_owned());
    };
    if let Some(algorithm) = &configuration.algorithm {
        settings.insert("algorithm".to_owned(), algorithm.as_str().into());
        // The baseline of the studies: nothing is learnt from what the system does with texts.
        if algorithm == "random" {
            settings.insert("is_tainting".to_owned(), false.into());
        }
    }
    settings.extend(configuration.settings.clone());
    settings.insert("seed".to_owned(), seed.into());
    let settings: SearchSettings =
        serde_json::from_value(Value::Object(settings)).map_err(wrong)?;
    if settings.attribution != Attribution::Always {
        let reason =
            "calls are counted as the driver is told of them: `attribution` must be always";
        return Err(reason.to_owned());
    }
    Ok(settings)
}

/// Tests the system of `values`: behind its driver, or as it is.
pub(super) fn run(run: &RunDescription, values: &Values) -> Result<ToolReport, String> {
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
    settings.search.sharpen_share = 0.0;
    settings.search = search_settings(&run.configuration, run.seed, &settings.search)?;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {})
        .map_err(|error| error.to_string())?;
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
