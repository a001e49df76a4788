//! A run of this tool itself.

use serde_json::{Map, Value};
use wallace::{SearchSettings, Settings, StopReason, StopSignal, Summary};

use super::ToolReport;
use super::template::Values;
use crate::definition::Configuration;
use crate::plan::RunDescription;

/// The settings of a configuration with this seed; the error says which setting is wrong.
pub(crate) fn search_settings(
    configuration: &Configuration,
    seed: u64,
) -> Result<SearchSettings, String> {
    let mut settings: Map<String, Value> = configuration.settings.clone();
    settings.insert("seed".to_owned(), seed.into());
    if let Some(algorithm) = &configuration.algorithm {
        settings.insert("algorithm".to_owned(), algorithm.as_str().into());
        // The baseline of the studies: nothing is learnt from what the system does with texts.
        if algorithm == "random" {
            settings.entry("is_tainting").or_insert_with(|| false.into());
        }
    }
    serde_json::from_value(Value::Object(settings)).map_err(|error| error.to_string())
}

/// Tests the system behind the driver of `values`.
pub(super) fn run(run: &RunDescription, values: &Values) -> Result<ToolReport, String> {
    if !run.system.is_white_box() {
        return Err("black-box runs need a `command`: the search itself needs a driver here".into());
    }
    let settings = Settings {
        calls: run.budget.calls,
        time: run.budget.seconds.map(std::time::Duration::from_secs),
        search: search_settings(&run.configuration, run.seed)?,
        ..Settings::new(values.get("driver"), format!("{}/suite", values.get("out")))
    };
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
    ];
    ToolReport {
        tool: format!("wallace {}", env!("CARGO_PKG_VERSION")),
        measures: measures.map(|(name, value)| (name.to_owned(), value as f64)).into(),
    }
}
