//! Files of a plan.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Plan, RunDescription, RunId, RunResult};
use crate::error::CampaignError;
use crate::statistic::mean;

/// Why the last try of a run gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The run.
    pub id: RunId,
    /// Name of its system.
    pub system: String,
    /// Name of its configuration.
    pub configuration: String,
    /// Its seed.
    pub seed: u64,
    /// What went wrong, in one line.
    pub reason: String,
}

/// How far a campaign is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Runs of the plan.
    pub runs: usize,
    /// Runs with a result.
    pub done: usize,
    /// Runs without one whose last try failed.
    pub failures: Vec<Failure>,
    /// Expected time for the rest on one machine, from the runs that are done; `None` before any is.
    pub left: Option<Duration>,
}

/// Runs whose duration is looked up for an estimate.
const ESTIMATED_FROM: usize = 200;

impl Plan {
    /// How far the campaign is.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn progress(&self) -> Result<Progress, CampaignError> {
        let open = self.open_runs()?;
        let failed = names(&self.folder.join("failures"))?;
        let mut failures = Vec::new();
        for run in &open {
            let name = format!("{}.json", run.id);
            if failed.contains(&name) {
                let path = self.folder.join("failures").join(&name);
                failures.extend(read_json::<Failure>(&path).ok());
            }
        }
        let left = self.expected(&open);
        Ok(Progress { runs: self.runs.len(), done: self.runs.len() - open.len(), failures, left })
    }

    /// Mean duration of finished runs times those that are open, spread over the parallel ones.
    fn expected(&self, open: &[&RunDescription]) -> Option<Duration> {
        let step = self.runs.len().div_ceil(ESTIMATED_FROM).max(1);
        let known = self.runs.iter().step_by(step).filter_map(|run| {
            let path = self.log_folder(&run.id).join("seconds");
            fs::read_to_string(path).ok()?.trim().parse::<f64>().ok()
        });
        let known: Vec<f64> = known.collect();
        let mean = mean(&known)?;
        let rounds = open.len().div_ceil(self.definition.resources.parallel);
        Duration::try_from_secs_f64(mean * rounds as f64).ok()
    }

    /// Notes how long a run took, beside its log: results hold nothing that differs between equal
    /// runs.
    pub(crate) fn note_duration(&self, id: &RunId, elapsed: Duration) -> Result<(), CampaignError> {
        let path = self.log_folder(id).join("seconds");
        write_atomically(&path, format!("{:.3}\n", elapsed.as_secs_f64()).as_bytes())
    }

    /// Results of the plan's runs that have one, in the order of the plan.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn results(&self) -> Result<Vec<RunResult>, CampaignError> {
        let done = done(&self.folder)?;
        let has_result = |run: &&RunDescription| done.contains(&run.id);
        self.runs.iter().filter(has_result).map(|run| self.result(&run.id)).collect()
    }

    /// The result of one run.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn result(&self, id: &RunId) -> Result<RunResult, CampaignError> {
        read_json(&self.result_folder(id).join("result.json"))
    }

    /// Keeps a result; an earlier one of the same run stays as it is.
    pub(crate) fn keep(&self, result: &RunResult) -> Result<(), CampaignError> {
        let folder = self.result_folder(&result.run.id);
        let parent = folder.parent().expect("a result folder lies in its shard").to_owned();
        fs::create_dir_all(&parent).map_err(CampaignError::file(&parent))?;
        let aside = tempfile::Builder::new().prefix(".partial-").tempdir_in(&parent);
        let aside = aside.map_err(CampaignError::file(&parent))?;
        let text = serde_json::to_vec_pretty(result).expect("results are plain data");
        write_through(&aside.path().join("result.json"), &text)?;
        match fs::rename(aside.path(), &folder) {
            Ok(()) => drop(aside.keep()),
            Err(_) if folder.exists() => {}
            Err(error) => return Err(CampaignError::File { path: folder, source: error }),
        }
        let failure = self.failure_file(&result.run.id);
        match fs::remove_file(&failure) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(CampaignError::File { path: failure, source: error })
            }
            _ => Ok(()),
        }
    }

    /// Notes why a run failed.
    pub(crate) fn note_failure(
        &self,
        run: &RunDescription,
        reason: &str,
    ) -> Result<(), CampaignError> {
        let failure = Failure {
            id: run.id.clone(),
            system: run.system.name.clone(),
            configuration: run.configuration.name.clone(),
            seed: run.seed,
            reason: reason.lines().next().unwrap_or("it gave no reason").to_owned(),
        };
        let text = serde_json::to_vec_pretty(&failure).expect("failures are plain data");
        write_atomically(&self.failure_file(&run.id), &text)
    }

    /// Why the last try of a run failed, if it did.
    pub(crate) fn failure(&self, id: &RunId) -> Option<Failure> {
        read_json(&self.failure_file(id)).ok()
    }

    /// Where the output of a run's processes goes.
    pub(crate) fn log_folder(&self, id: &RunId) -> PathBuf {
        self.folder.join("logs").join(id.as_str())
    }

    fn failure_file(&self, id: &RunId) -> PathBuf {
        self.folder.join("failures").join(format!("{id}.json"))
    }

    fn result_folder(&self, id: &RunId) -> PathBuf {
        self.folder.join("results").join(&id.as_str()[..2]).join(id.as_str())
    }
}

/// Ids of the runs with a result.
pub(super) fn done(folder: &Path) -> Result<BTreeSet<RunId>, CampaignError> {
    let results = folder.join("results");
    let mut done = BTreeSet::new();
    for shard in names(&results)? {
        let listed = names(&results.join(shard))?;
        done.extend(listed.iter().filter_map(|name| RunId::from_name(name)));
    }
    Ok(done)
}

/// Ids of all runs that were ever described in the folder.
pub(super) fn described(folder: &Path) -> Result<BTreeSet<RunId>, CampaignError> {
    #[derive(Deserialize)]
    struct Line {
        id: RunId,
    }
    let batches = folder.join("runs");
    let mut known = BTreeSet::new();
    for name in names(&batches)? {
        let path = batches.join(name);
        let text = fs::read_to_string(&path).map_err(CampaignError::file(&path))?;
        for line in text.lines() {
            let line: Line = serde_json::from_str(line).map_err(|error| {
                CampaignError::Damaged { path: path.clone(), reason: error.to_string() }
            })?;
            known.insert(line.id);
        }
    }
    Ok(known)
}

/// Writes descriptions to a file named by their hash.
pub(super) fn add_batch(folder: &Path, runs: &[&RunDescription]) -> Result<(), CampaignError> {
    let batches = folder.join("runs");
    fs::create_dir_all(&batches).map_err(CampaignError::file(&batches))?;
    if runs.is_empty() {
        return Ok(());
    }
    let mut text = Vec::new();
    for run in runs {
        serde_json::to_writer(&mut text, run).expect("descriptions are plain data");
        text.push(b'\n');
    }
    let hash = Sha256::digest(&text);
    let name: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    write_atomically(&batches.join(format!("{name}.ndjson")), &text)
}

/// Names in a folder, sorted; none where there is no folder.
fn names(folder: &Path) -> Result<BTreeSet<String>, CampaignError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(CampaignError::File { path: folder.to_owned(), source: error }),
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into()));
    let names: Result<BTreeSet<String>, _> = names.collect();
    let mut names = names.map_err(CampaignError::file(folder))?;
    // What a killed process had begun to write.
    names.retain(|name| !name.starts_with('.'));
    Ok(names)
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, CampaignError> {
    let text = fs::read(path).map_err(CampaignError::file(path))?;
    serde_json::from_slice(&text).map_err(|error| CampaignError::Damaged {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

/// Writes a file whole or not at all.
pub(crate) fn write_atomically(path: &Path, text: &[u8]) -> Result<(), CampaignError> {
    let folder = path.parent().expect("files lie in folders");
    fs::create_dir_all(folder).map_err(CampaignError::file(folder))?;
    let mut aside = tempfile::Builder::new()
        .prefix(".partial-")
        .tempfile_in(folder)
        .map_err(CampaignError::file(folder))?;
    aside.write_all(text).map_err(CampaignError::file(path))?;
    aside.as_file().sync_all().map_err(CampaignError::file(path))?;
    aside.persist(path).map_err(|error| CampaignError::file(path)(error.error))?;
    Ok(())
}

/// Writes a text file whole or not at all.
pub(crate) fn store_text(path: &Path, text: &str) -> Result<(), CampaignError> {
    write_atomically(path, text.as_bytes())
}

/// Writes a file whole or not at all.
#[cfg(feature = "png")]
pub(crate) fn store_bytes(path: &Path, bytes: &[u8]) -> Result<(), CampaignError> {
    write_atomically(path, bytes)
}

fn write_through(path: &Path, text: &[u8]) -> Result<(), CampaignError> {
    let mut file = fs::File::create(path).map_err(CampaignError::file(path))?;
    file.write_all(text).map_err(CampaignError::file(path))?;
    file.sync_all().map_err(CampaignError::file(path))
}
