//! The plan: a folder that says which runs there are, and holds what they gave.
//!
//! ```text
//! plan.json                   the campaign as it was planned last
//! runs/HASH.ndjson            run descriptions, one a line; written once, never changed
//! results/ab/abcdef.../       what a run gave; appears whole or not at all
//! failures/abcdef....json     why the last try of a run failed
//! logs/abcdef.../             output of the processes of a run
//! ```

mod description;
mod result;
mod store;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use crate::error::CampaignError;
pub use description::{RunDescription, RunId};
pub use result::{Curve, RunResult};
pub use store::{Failure, Progress};

#[cfg(feature = "png")]
pub(crate) use store::store_bytes;
pub(crate) use store::store_text;
use store::write_atomically;

/// Version of the folder's layout.
const VERSION: u32 = 1;

/// A planned campaign in its folder.
#[derive(Debug, Clone)]
pub struct Plan {
    folder: PathBuf,
    definition: Definition,
    runs: Vec<RunDescription>,
}

/// What planning changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Runs of the campaign.
    pub runs: usize,
    /// Those that were in no earlier plan of this folder.
    pub new: usize,
}

#[derive(Serialize, Deserialize)]
struct PlanFile {
    version: u32,
    definition: Definition,
}

impl Plan {
    /// Plans a campaign in `folder`, which may hold an earlier plan: results of runs that are the
    /// same are kept, and only what is new will be executed.
    ///
    /// # Errors
    /// When the folder cannot be written, or holds something else.
    pub fn make(definition: Definition, folder: &Path) -> Result<(Self, Planned), CampaignError> {
        let known = store::described(folder)?;
        let runs = RunDescription::all(&definition);
        let new: Vec<&RunDescription> =
            runs.iter().filter(|run| !known.contains(&run.id)).collect();
        store::add_batch(folder, &new)?;
        let planned = Planned { runs: runs.len(), new: new.len() };
        let file = PlanFile { version: VERSION, definition };
        let text = serde_json::to_string_pretty(&file).expect("definitions are plain data");
        write_atomically(&folder.join("plan.json"), text.as_bytes())?;
        let plan = Self { folder: folder.to_owned(), definition: file.definition, runs };
        Ok((plan, planned))
    }

    /// Opens the plan of `folder`.
    ///
    /// # Errors
    /// When there is none, or it was changed by hand.
    pub fn open(folder: &Path) -> Result<Self, CampaignError> {
        let path = folder.join("plan.json");
        if !path.exists() {
            return Err(CampaignError::NoPlan(folder.to_owned()));
        }
        let text = std::fs::read(&path).map_err(CampaignError::file(&path))?;
        let damaged = |reason: String| CampaignError::Damaged { path: path.clone(), reason };
        let file: PlanFile =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if file.version != VERSION {
            return Err(damaged(format!("it has version {}, not {VERSION}", file.version)));
        }
        let runs = RunDescription::all(&file.definition);
        Ok(Self { folder: folder.to_owned(), definition: file.definition, runs })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The campaign.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Lets so many runs go on at the same time, whatever the campaign file says.
    pub fn set_parallel(&mut self, parallel: usize) {
        self.definition.resources.parallel = parallel;
    }

    /// All runs, by system, configuration, seed and repetition.
    #[must_use]
    pub fn runs(&self) -> &[RunDescription] {
        &self.runs
    }

    /// The run of this id.
    ///
    /// # Errors
    /// When the plan has none.
    pub fn run(&self, id: &str) -> Result<&RunDescription, CampaignError> {
        let found = self.runs.iter().find(|run| run.id.as_str() == id);
        found.ok_or_else(|| CampaignError::UnknownRun(id.to_owned()))
    }

    /// Runs without a result, in the order of the plan.
    ///
    /// # Errors
    /// When the results cannot be listed.
    pub fn open_runs(&self) -> Result<Vec<&RunDescription>, CampaignError> {
        let done: BTreeSet<RunId> = store::done(&self.folder)?;
        Ok(self.runs.iter().filter(|run| !done.contains(&run.id)).collect())
    }
}
