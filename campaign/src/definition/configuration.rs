//! What is compared: settings of this tool, or another tool.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One way to test a system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// What tables call it.
    pub name: String,
    /// Search algorithm; the setting of that name. Default: that of the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<String>,
    /// Settings of the search that differ from their defaults.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Another tool: program and arguments. `{driver_port}` and `{driver}` are the driver's (a
    /// stand-in that counts), `{url}` the system's where there is no driver, `{seed}`, `{calls}`,
    /// `{seconds}` and `{out}` the run's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// What to take from the statistics that the tool leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Exit codes that mean that the tool has done its work. Default 0 and 1.
    #[serde(default = "default_exit_codes")]
    pub exit_codes: Vec<i32>,
}

/// A CSV file that a tool writes: a row of names, then one row a run, of which the last counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// The file; `{out}` is the folder of the run.
    pub file: String,
    /// Our name of a measure, and the name of its column.
    pub columns: BTreeMap<String, String>,
}

fn default_exit_codes() -> Vec<i32> {
    vec![0, 1]
}
