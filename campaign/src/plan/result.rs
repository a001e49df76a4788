//! What a run gave.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::description::RunDescription;

/// Points (calls, value) in ascending order of calls.
pub type Curve = Vec<(u64, f64)>;

/// Result of one run. It holds nothing that differs between equal runs, such as times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// What was run.
    pub run: RunDescription,
    /// Name and version of the tool.
    pub tool: String,
    /// The machine it ran on: processor, cores and operating system.
    pub machine: String,
    /// Numbers by name: `targets`, `lines`, `branches` covered at the end of the budget, as the
    /// driver reported them, `area` (mean number of branch sides covered over the budget), `calls`
    /// (all, also those beyond the budget), and what the tool itself tells.
    pub measures: BTreeMap<String, f64>,
    /// `targets`, `lines` and `branches` over calls, at each snapshot of the budget.
    pub curves: BTreeMap<String, Curve>,
    /// Targets covered within the budget, as the driver names them.
    pub covered: BTreeSet<String>,
}
