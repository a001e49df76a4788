//! Runs executed by a cluster that shares the plan's folder.
//!
//! A cluster gets a list of runs and executes its elements by number; what an element needs to know
//! stands in the plan. Results appear in the plan as those of local runs do.

mod kubernetes;
mod slurm;

use std::path::{Path, PathBuf};

use crate::error::CampaignError;
use crate::plan::{Plan, RunDescription, store_text};
pub use kubernetes::kubernetes_job;
pub use slurm::run_on_slurm;

/// Environment variables in which clusters tell an element its number.
const INDEX_VARIABLES: [&str; 2] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];

/// Writes the ids of runs to a file of the plan, one a line.
fn write_list(plan: &Plan, runs: &[&RunDescription]) -> Result<PathBuf, CampaignError> {
    let text: String = runs.iter().map(|run| format!("{}\n", run.id)).collect();
    // Named by the first run and the number: equal lists may share a file.
    let first = runs.first().map_or("none", |run| run.id.as_str());
    let path = plan.folder().join("lists").join(format!("{first}-{}.txt", runs.len()));
    store_text(&path, &text)?;
    Ok(path)
}

/// The run of this element of a list, by the number that the cluster tells in the environment.
///
/// # Errors
/// When there is no number, the list cannot be read, or it is shorter.
pub fn element(plan: &Plan, list: &Path) -> Result<RunDescription, CampaignError> {
    let damaged = |reason: String| CampaignError::Damaged { path: list.to_owned(), reason };
    let index = INDEX_VARIABLES.iter().find_map(|name| std::env::var(name).ok());
    let index: usize = index.and_then(|index| index.parse().ok()).ok_or_else(|| {
        damaged(format!("no number of an element in {}", INDEX_VARIABLES.join(" or ")))
    })?;
    let text = std::fs::read_to_string(list).map_err(CampaignError::file(list))?;
    let id = text.lines().nth(index).ok_or_else(|| damaged(format!("it has no line {index}")))?;
    plan.run(id).cloned()
}
