//! Job arrays of Slurm.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::write_list;
use crate::error::CampaignError;
use crate::plan::{Plan, Progress, RunDescription, store_text};

/// Most elements of one array; Slurm's default `MaxArraySize` allows 1,001.
const ARRAY_LIMIT: usize = 1_000;

/// Time between two looks at the queue.
const LOOK: Duration = Duration::from_secs(1);

/// Submits all runs without a result as job arrays, and waits for them. Elements that gave no result
/// are submitted again, as often as the plan allows. When `is_stopped`, the jobs go on: the same
/// command, given later, waits for what is left.
///
/// # Errors
/// When Slurm's programs cannot be used or refuse, or the plan's folder cannot be used.
pub fn run_on_slurm(
    plan: &Plan,
    wallace: &Path,
    is_stopped: &dyn Fn() -> bool,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Progress, CampaignError> {
    let folder = plan.folder();
    let folder = std::fs::canonicalize(folder).map_err(CampaignError::file(folder))?;
    for _ in 0..plan.definition().resources.tries {
        let open = plan.open_runs()?;
        if open.is_empty() {
            break;
        }
        let mut jobs = Vec::new();
        for runs in open.chunks(ARRAY_LIMIT) {
            jobs.push(submit(plan, &folder, wallace, runs)?);
        }
        while !is_stopped() && is_any_queued(&jobs)? {
            observe(&plan.progress()?);
            std::thread::sleep(LOOK);
        }
        if is_stopped() {
            break;
        }
    }
    plan.progress()
}

/// Submits one array and gives its number.
fn submit(
    plan: &Plan,
    folder: &Path,
    wallace: &Path,
    runs: &[&RunDescription],
) -> Result<String, CampaignError> {
    let list = write_list(plan, runs)?;
    let list = std::fs::canonicalize(&list).map_err(CampaignError::file(&list))?;
    let script = list.with_extension("sh");
    store_text(&script, &batch_script(plan, folder, wallace, &list, runs.len()))?;
    let logs = folder.join("logs");
    std::fs::create_dir_all(&logs).map_err(CampaignError::file(&logs))?;
    let script = script.display().to_string();
    Ok(ask("sbatch", &["--parsable", &script])?.trim().to_owned())
}

/// The script that every element of an array executes.
fn batch_script(plan: &Plan, folder: &Path, wallace: &Path, list: &Path, count: usize) -> String {
    let resources = &plan.definition().resources;
    let minutes = resources.seconds.div_ceil(60).max(1);
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name={}\n\
         #SBATCH --array=0-{}%{}\n\
         #SBATCH --time={minutes}\n\
         #SBATCH --mem={}M\n\
         #SBATCH --cpus-per-task={}\n\
         #SBATCH --output={}/logs/slurm-%A_%a.log\n\
         exec {} campaign element {} {}\n",
        plan.definition().name.replace(char::is_whitespace, "-"),
        count.saturating_sub(1),
        resources.parallel,
        resources.memory,
        resources.cores,
        folder.display(),
        quoted(wallace),
        quoted(folder),
        quoted(list),
    )
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

fn is_any_queued(jobs: &[String]) -> Result<bool, CampaignError> {
    let queue = ask("squeue", &["--noheader", "--format=%A %F"])?;
    let is_ours = |line: &str| line.split_whitespace().any(|id| jobs.iter().any(|job| job == id));
    Ok(queue.lines().any(is_ours))
}

/// What a program of Slurm prints.
fn ask(program: &str, arguments: &[&str]) -> Result<String, CampaignError> {
    let failed = |reason: String| CampaignError::Cluster { program: program.to_owned(), reason };
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| failed(format!("{error}; is Slurm installed on this machine?")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    Err(failed(told.lines().next().unwrap_or("it failed without a word").to_owned()))
}
