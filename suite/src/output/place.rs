//! Moving files to their place, and the list of what was moved.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{MANIFEST_NAME, OutputError, check_path};
use crate::writer::SuiteFile;

/// What was written to a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// Paths relative to the folder.
    files: BTreeSet<String>,
}

impl Manifest {
    pub(super) fn of(files: &[SuiteFile]) -> Self {
        Self { files: files.iter().map(|file| file.path.clone()).collect() }
    }

    /// The list in a folder; `None` if there is none or it is not one of ours. A path that
    /// leads out of the folder makes it not ours.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(MANIFEST_NAME)).ok()?;
        let manifest: Self = serde_json::from_str(&text).ok()?;
        manifest.files.iter().all(|path| check_path(path).is_ok()).then_some(manifest)
    }

    pub(super) fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("a list of texts is always JSON") + "\n"
    }
}

/// Moves everything from `staging` to `target`, and removes what is left there of `earlier`.
pub(super) fn move_into(
    target: &Path,
    staging: &Path,
    files: &[SuiteFile],
    earlier: &Manifest,
) -> Result<(), OutputError> {
    if !target.exists() {
        return move_whole(target, staging).map_err(|source| moving(target, source));
    }
    if let Some(path) = obstacle(target, files, earlier) {
        return Err(OutputError::InTheWay { path, kept: PathBuf::new() });
    }
    move_each(target, staging, files, earlier).map_err(|source| moving(target, source))
}

fn moving(target: &Path, source: io::Error) -> OutputError {
    OutputError::Move { path: target.to_path_buf(), kept: PathBuf::new(), source }
}

/// One rename, so that the folder is there with everything or not at all.
fn move_whole(target: &Path, staging: &Path) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    make_readable(staging)?;
    fs::rename(staging, target)
}

/// Folders that wait are private to the user; results are as open as any new folder.
#[cfg(unix)]
fn make_readable(staging: &Path) -> io::Result<()> {
    let sample = staging.join(".sample");
    fs::create_dir(&sample)?;
    let usual = fs::metadata(&sample)?.permissions();
    fs::remove_dir(&sample)?;
    fs::set_permissions(staging, usual)
}

#[cfg(not(unix))]
fn make_readable(_staging: &Path) -> io::Result<()> {
    Ok(())
}

/// The first thing that is in the way of a file and is not from an earlier run.
fn obstacle(target: &Path, files: &[SuiteFile], earlier: &Manifest) -> Option<PathBuf> {
    files.iter().find_map(|file| {
        let path = target.join(&file.path);
        let is_foreign = path.exists() && !earlier.files.contains(&file.path);
        // A file where a folder should be.
        let parents = path.ancestors().skip(1).take_while(|folder| *folder != target);
        let blocked = parents.into_iter().find(|folder| folder.exists() && !folder.is_dir());
        match (is_foreign || path.is_dir(), blocked) {
            (true, _) => Some(path),
            (false, blocked) => blocked.map(Path::to_path_buf),
        }
    })
}

/// The list goes first and names old and new files, so that a run that is cut off here
/// leaves nothing that the next one takes for somebody else's.
fn move_each(
    target: &Path,
    staging: &Path,
    files: &[SuiteFile],
    earlier: &Manifest,
) -> io::Result<()> {
    let new = Manifest::of(files);
    let both = Manifest { files: new.files.union(&earlier.files).cloned().collect() };
    let both_path = staging.join(MANIFEST_NAME).with_extension("both");
    fs::write(&both_path, both.text())?;
    fs::rename(&both_path, target.join(MANIFEST_NAME))?;
    for file in files {
        let path = target.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(staging.join(&file.path), path)?;
    }
    for path in earlier.files.difference(&new.files) {
        remove(target, path)?;
    }
    fs::rename(staging.join(MANIFEST_NAME), target.join(MANIFEST_NAME))
}

/// Removes a file of an earlier run, and the folders that become empty by it.
fn remove(target: &Path, path: &str) -> io::Result<()> {
    let file = target.join(path);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    for folder in file.ancestors().skip(1).take_while(|folder| *folder != target) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
