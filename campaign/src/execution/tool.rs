//! A run of another tool.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use super::ToolReport;
use super::template::Values;
use crate::definition::Statistics;
use crate::plan::RunDescription;

/// Runs the command to its end and reads the statistics it leaves.
pub(super) fn run(
    run: &RunDescription,
    values: &Values,
    logs: &Path,
) -> Result<ToolReport, String> {
    let configuration = &run.configuration;
    let command: Vec<String> =
        configuration.command.iter().flatten().map(|part| values.fill(part)).collect();
    let name = &command[0];
    let log = |file: &str| {
        let path = logs.join(file);
        File::create(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let status = Command::new(name)
        .args(&command[1..])
        .current_dir(values.get("out"))
        .stdin(Stdio::null())
        .stdout(log("tool.out")?)
        .stderr(log("tool.err")?)
        .status()
        .map_err(|error| format!("{name} cannot be started: {error}"))?;
    let is_done = status.code().is_some_and(|code| configuration.exit_codes.contains(&code));
    if !is_done {
        return Err(format!("{name} failed with {status}: see {}", logs.display()));
    }
    let measures = match &configuration.statistics {
        Some(statistics) => read(statistics, values)?,
        None => BTreeMap::new(),
    };
    Ok(ToolReport { tool: configuration.name.clone(), measures })
}

/// Our measures from the last row of the tool's file.
fn read(statistics: &Statistics, values: &Values) -> Result<BTreeMap<String, f64>, String> {
    let path = values.fill(&statistics.file);
    let wrong = |reason: String| format!("statistics {path}: {reason}");
    let mut reader = csv::Reader::from_path(&path).map_err(|error| wrong(error.to_string()))?;
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let row = reader.records().last().ok_or_else(|| wrong("it has no row".to_owned()))?;
    let row = row.map_err(|error| wrong(error.to_string()))?;
    let mut measures = BTreeMap::new();
    for (measure, column) in &statistics.columns {
        let index = header.iter().position(|name| name == column).ok_or_else(|| {
            let names: Vec<&str> = header.iter().collect();
            wrong(format!("it has no column '{column}'; it has {}", names.join(", ")))
        })?;
        let text = row.get(index).unwrap_or_default().trim();
        let value: f64 = text
            .parse()
            .map_err(|_| wrong(format!("column '{column}' holds '{text}', which is no number")))?;
        measures.insert(measure.clone(), value);
    }
    Ok(measures)
}
