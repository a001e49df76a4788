//! The folder that a run writes to.
//!
//! Whether it can be written is found out before the search begins. What is written
//! appears at once: everything is first written aside and then moved into place. Nothing
//! that somebody else put there is ever replaced or removed; a list of what was written
//! lies in the folder, so that the next run may replace exactly that.

mod place;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::writer::SuiteFile;
use place::Manifest;

/// Name of the file that lists what was written.
const MANIFEST_NAME: &str = ".wallace-output.json";

/// Start of the names of folders in which files wait until all of them are written.
const STAGING_PREFIX: &str = ".wallace-";

/// Why nothing can be or was written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The folder holds something, and nobody said that it may be replaced.
    #[error("{} already holds files: use --force to replace the results in it, or name another folder with --out", .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds something that no run has written.
    #[error("{} holds files that are not the results of an earlier run: name another folder with --out", .path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// There is a file of that name.
    #[error("{} is not a folder: name another one with --out", .path.display())]
    NotAFolder {
        /// What was named.
        path: PathBuf,
    },
    /// The folder or the one above it cannot be written to.
    #[error("{} cannot be written to ({source}): name another folder with --out", .path.display())]
    NotWritable {
        /// The folder that refused.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Writing aside failed, such as for lack of space; nothing was changed.
    #[error("failed to write {} ({source}); nothing was changed", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Writing aside failed, such as for lack of space, and the results went to the system's
    /// folder for temporary files instead.
    #[error("failed to write {} ({source}); nothing was changed, and the results are in {}", .path.display(), .kept.display())]
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// Where the complete results are.
        kept: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file of somebody else, or a folder, stands where a result should be.
    #[error("{} is in the way; the results are in {}", .path.display(), .kept.display())]
    InTheWay {
        /// What stands there.
        path: PathBuf,
        /// Where the complete results are instead.
        kept: PathBuf,
    },
    /// The results were written but not moved to their place, or not all of them.
    #[error("failed to move the results to {} ({source}); those that are missing there are in {}", .path.display(), .kept.display())]
    Move {
        /// Where they should be.
        path: PathBuf,
        /// Where the rest of them is.
        kept: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The path of a file leads out of the folder.
    #[error("the path {path:?} does not stay inside of the output folder")]
    PathLeadsOut {
        /// The path.
        path: String,
    },
}

/// A folder that can be written to, as far as can be known beforehand.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    may_replace: bool,
}

impl OutputFolder {
    /// Checks that results can go to `path`, which need not exist. Leaves no trace.
    ///
    /// With `force` the results of an earlier run in the folder may be replaced.
    ///
    /// # Errors
    /// If `path` is a file, holds anything that may not be replaced, or cannot be written.
    pub fn prepare(path: impl AsRef<Path>, force: bool) -> Result<Self, OutputError> {
        let folder = Self { path: path.as_ref().to_path_buf(), may_replace: force };
        folder.earlier_files()?;
        drop(folder.staging()?);
        Ok(folder)
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files or none. Files that an earlier run wrote and that are not among
    /// them are removed.
    ///
    /// # Errors
    /// As for [`OutputFolder::prepare`], since things may have changed; and if writing
    /// fails. Once everything has been written aside no error loses it: the error says
    /// where it is.
    pub fn write(&self, files: &[SuiteFile]) -> Result<(), OutputError> {
        for file in files {
            check_path(&file.path)?;
        }
        let staging = self.staging()?;
        if let Err(error) = write_aside(staging.path(), files) {
            // First of all there must be room again.
            drop(staging);
            return Err(save_elsewhere(error, files));
        }
        let result = match self.earlier_files() {
            Ok(earlier) => place::move_into(&self.path, staging.path(), files, &earlier),
            Err(error) => Err(error),
        };
        match result {
            Ok(()) => Ok(()),
            Err(error) => Err(keep(error, staging)),
        }
    }

    /// What an earlier run left in the folder; empty if there is nothing at all.
    fn earlier_files(&self) -> Result<Manifest, OutputError> {
        let path = self.path.clone();
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Manifest::default()),
            Err(_) if path.exists() && !path.is_dir() => {
                return Err(OutputError::NotAFolder { path });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(OutputError::NotAFolder { path });
            }
            Err(source) => return Err(OutputError::NotWritable { path, source }),
        };
        let mut names = entries.flatten().map(|entry| entry.file_name());
        let is_staging = |name: &str| name.starts_with(STAGING_PREFIX) && name != MANIFEST_NAME;
        let is_empty = names.all(|name| name.to_str().is_some_and(is_staging));
        match (is_empty, self.may_replace) {
            (true, _) => Ok(Manifest::default()),
            (false, false) => Err(OutputError::NotEmpty { path }),
            (false, true) => Manifest::read(&path).ok_or(OutputError::NotOurs { path }),
        }
    }

    /// A new folder on the same file system: inside of the folder if that exists, else in
    /// the nearest one above it that does.
    fn staging(&self) -> Result<TempDir, OutputError> {
        let absolute = std::path::absolute(&self.path)
            .map_err(|source| OutputError::NotWritable { path: self.path.clone(), source })?;
        let existing = absolute.ancestors().find(|folder| folder.exists());
        let path = existing.unwrap_or(&absolute).to_path_buf();
        if !path.is_dir() {
            return Err(OutputError::NotAFolder { path });
        }
        tempfile::Builder::new()
            .prefix(STAGING_PREFIX)
            .tempdir_in(&path)
            .map_err(|source| OutputError::NotWritable { path, source })
    }
}

/// Only names of folders and files, separated by slashes.
fn check_path(path: &str) -> Result<(), OutputError> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    let is_inside = !path.is_empty() && Path::new(path).components().all(is_plain);
    match is_inside && path != MANIFEST_NAME {
        true => Ok(()),
        false => Err(OutputError::PathLeadsOut { path: path.to_owned() }),
    }
}

fn write_aside(staging: &Path, files: &[SuiteFile]) -> Result<(), OutputError> {
    let write = |path: &Path, content: &str| {
        let folder = path.parent().unwrap_or(staging);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(path, content))
            .map_err(|source| OutputError::Write { path: path.to_path_buf(), source })
    };
    for file in files {
        write(&staging.join(&file.path), &file.content)?;
    }
    write(&staging.join(MANIFEST_NAME), &Manifest::of(files).text())
}

/// Writes the results to the folder for temporary files, so that a long run is not lost to a full
/// disk, and lets the error say where they are.
fn save_elsewhere(error: OutputError, files: &[SuiteFile]) -> OutputError {
    let OutputError::Write { path, source } = error else { return error };
    let saved = tempfile::Builder::new().prefix("wallace-results-").tempdir();
    match saved.map(|folder| (write_aside(folder.path(), files), folder)) {
        Ok((Ok(()), folder)) => OutputError::Elsewhere { path, kept: folder.keep(), source },
        _ => OutputError::Write { path, source },
    }
}

/// Keeps what was written aside and lets the error say where.
fn keep(error: OutputError, staging: TempDir) -> OutputError {
    let kept = staging.keep();
    match error {
        OutputError::InTheWay { path, .. } => OutputError::InTheWay { path, kept },
        OutputError::Move { path, source, .. } => OutputError::Move { path, kept, source },
        OutputError::NotEmpty { path }
        | OutputError::NotOurs { path }
        | OutputError::NotAFolder { path }
        | OutputError::NotWritable { path, .. }
        | OutputError::Elsewhere { path, .. }
        | OutputError::Write { path, .. } => OutputError::InTheWay { path, kept },
        OutputError::PathLeadsOut { path } => OutputError::PathLeadsOut { path },
    }
}

#[cfg(test)]
mod tests;
