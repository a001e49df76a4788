//! Checkpoints: the state of a run in a file.
//!
//! ```text
//! 8 bytes  "WALLACE" and a zero
//! 4 bytes  version of this layout, little-endian as all numbers here
//! 4 bytes  CRC-32 of all that follows
//! 8 bytes  length of the header
//! 8 bytes  length of the state
//! header   JSON: what the run was asked for
//! state    MessagePack with names: the state of the search, and what the run counted besides
//! ```
//!
//! A file is written aside, brought to the disk and moved into place, so that at every moment there
//! is the old one or the new one. A file that cannot be used is left as it is.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wallace_engine::search::RestoreError;

use crate::parameters::Parameters;

const MAGIC: &[u8; 8] = b"WALLACE\0";

/// Version of the layout and of what the run counts besides the search.
const VERSION: u32 = 4;

/// Bytes before the header.
const START: usize = 32;

/// Why a run cannot go on from a checkpoint, or keep one. The file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("the checkpoint {} cannot be read ({source}): the run has ended, or never began; name the results folder or the checkpoint of another", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{} is no checkpoint: name the results folder or the checkpoint of the run to go on with", .path.display())]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version.
    #[error("the checkpoint {} has version {found}, and this is version {VERSION}: go on with the version that wrote it, or begin anew, without --resume and with --force", .path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file is not as it was written.
    #[error("the checkpoint {} is damaged ({reason}): begin anew, without --resume and with --force", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What shows it.
        reason: String,
    },
    /// The run in the file was asked for something else.
    #[error("the checkpoint {} is of a run with other settings ({settings}): repeat them, or begin anew, without --resume and with --force", .path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Each setting that differs, with both values.
        settings: String,
    },
    /// The search does not accept the state.
    #[error("the checkpoint {} cannot be used: {source}; begin anew, without --resume and with --force", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RestoreError,
    },
    /// There is a checkpoint already.
    #[error("{} is the checkpoint of a run that did not end: go on with it by --resume, or give it up with --force", .path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("the checkpoint {} cannot be written ({source}): name another place with --checkpoint", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// What a run was asked for, as its checkpoint tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointHeader {
    /// Version of the program that wrote it.
    pub program: String,
    /// Its parameters.
    pub parameters: Parameters,
    /// Most calls.
    pub calls: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Evaluations until then.
    pub evaluations: u64,
    /// Calls until then.
    pub calls_made: u64,
    /// Time until then.
    pub elapsed: Duration,
}

impl CheckpointHeader {
    /// What the run of a checkpoint was asked for.
    ///
    /// # Errors
    /// When the file cannot be read, is no checkpoint of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        read(path).map(|(header, _)| header)
    }

    /// Checks that a run with these settings may go on from the checkpoint.
    pub(crate) fn check(
        &self,
        parameters: &Parameters,
        path: &Path,
    ) -> Result<(), CheckpointError> {
        if self.parameters == *parameters {
            return Ok(());
        }
        let settings = self.parameters.differences(parameters);
        Err(CheckpointError::OtherSettings { path: path.to_path_buf(), settings })
    }
}

/// The bytes of a checkpoint.
pub(crate) fn to_bytes<S: Serialize>(header: &CheckpointHeader, state: &S) -> io::Result<Vec<u8>> {
    let header = serde_json::to_vec(header)?;
    let state = rmp_serde::to_vec_named(state).map_err(io::Error::other)?;
    let mut bytes = Vec::with_capacity(START + header.len() + state.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(state.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&state);
    let checksum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// Puts bytes in the place of a file, all at once.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut aside = tempfile::NamedTempFile::new_in(folder)?;
    aside.write_all(bytes)?;
    aside.as_file().sync_all()?;
    aside.persist(path)?;
    // The move itself is on the disk once the folder is.
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// Reads a whole checkpoint.
pub(crate) fn read(path: &Path) -> Result<(CheckpointHeader, Vec<u8>), CheckpointError> {
    let read = fs::read(path);
    let bytes =
        read.map_err(|source| CheckpointError::Read { path: path.to_path_buf(), source })?;
    parts(path, &bytes)
}

/// The state in the bytes that the checkpoint at `path` has after its header.
pub(crate) fn decode<S: DeserializeOwned>(path: &Path, state: &[u8]) -> Result<S, CheckpointError> {
    rmp_serde::from_slice(state).map_err(|error| CheckpointError::Damaged {
        path: path.to_path_buf(),
        reason: error.to_string(),
    })
}

/// Header and state, from the bytes of the file at `path`.
fn parts(path: &Path, bytes: &[u8]) -> Result<(CheckpointHeader, Vec<u8>), CheckpointError> {
    let own = || path.to_path_buf();
    let damaged = |reason: String| CheckpointError::Damaged { path: own(), reason };
    if !bytes.starts_with(MAGIC) {
        return Err(CheckpointError::NotACheckpoint { path: own() });
    }
    let short = || damaged("it ends too early".to_owned());
    let found = u32::from_le_bytes(part(bytes, 8).ok_or_else(short)?);
    if found != VERSION {
        return Err(CheckpointError::OtherVersion { path: own(), found });
    }
    let checksum = u32::from_le_bytes(part(bytes, 12).ok_or_else(short)?);
    let header = u64::from_le_bytes(part(bytes, 16).ok_or_else(short)?);
    let state = u64::from_le_bytes(part(bytes, 24).ok_or_else(short)?);
    let rest = (bytes.len() - START) as u64;
    if header.checked_add(state) != Some(rest) {
        return Err(damaged(format!("it holds {rest} bytes of {header} + {state}")));
    }
    if crc32fast::hash(&bytes[16..]) != checksum {
        return Err(damaged("its checksum is wrong".to_owned()));
    }
    let (header, state) = bytes[START..].split_at(header as usize);
    let header = serde_json::from_slice(header).map_err(|error| damaged(error.to_string()))?;
    Ok((header, state.to_vec()))
}

fn part<const N: usize>(bytes: &[u8], start: usize) -> Option<[u8; N]> {
    bytes.get(start..start + N)?.try_into().ok()
}

/// Where the state of a run is kept whose results go to `out`: beside the folder, since the folder
/// itself is filled at once when the run ends.
#[must_use]
pub fn checkpoint_beside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_else(|| "wallace".as_ref()).to_owned();
    name.push(".checkpoint");
    out.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> CheckpointHeader {
        CheckpointHeader {
            program: "0.1.0".to_owned(),
            parameters: Parameters::default(),
            calls: Some(10),
            time: None,
            evaluations: 3,
            calls_made: 4,
            elapsed: Duration::from_millis(1_500),
        }
    }

    fn written() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/checkpoint");
        let bytes = to_bytes(&header(), &vec![("state", f64::INFINITY)]).unwrap();
        replace(&path, &bytes).unwrap();
        (folder, path, bytes)
    }

    #[test]
    fn what_is_written_is_read() {
        let (folder, path, bytes) = written();
        let (read_header, state) = read(&path).unwrap();
        let state: Vec<(String, f64)> = decode(&path, &state).unwrap();
        assert_eq!((read_header, state), (header(), vec![("state".to_owned(), f64::INFINITY)]));
        replace(&path, &bytes).unwrap();
        let files = fs::read_dir(folder.path().join("below")).unwrap().count();
        assert_eq!(files, 1, "nothing is left aside");
    }

    /// Every cut and every changed byte is noticed, and the file stays as it is.
    #[test]
    fn whatever_is_not_as_it_was_written_is_refused_and_left() {
        let (_folder, path, bytes) = written();
        for length in 0..bytes.len() {
            assert!(parts(&path, &bytes[..length]).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x11;
            let error = parts(&path, &changed).unwrap_err();
            match place {
                0..8 => assert!(matches!(error, CheckpointError::NotACheckpoint { .. })),
                8..12 => assert!(matches!(error, CheckpointError::OtherVersion { .. })),
                _ => assert!(matches!(error, CheckpointError::Damaged { .. }), "{place} {error}"),
            }
        }
        let mut longer = bytes;
        longer.push(0);
        fs::write(&path, &longer).unwrap();
        assert!(CheckpointHeader::read(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), longer, "it is left");
        fs::write(&path, "a text of somebody else").unwrap();
        let error = CheckpointHeader::read(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::NotACheckpoint { .. }));
        let error = CheckpointHeader::read(&path.with_extension("none")).unwrap_err();
        assert!(matches!(error, CheckpointError::Read { .. }));
    }

    #[test]
    fn settings_that_differ_are_named() {
        let mut ours = Parameters::default();
        (ours.search.seed, ours.search.focus, ours.rest.linked) = (7, 0.5, 0.25);
        let error = header().check(&ours, Path::new("kept")).unwrap_err().to_string();
        assert!(error.contains("seed: 42, not 7") && error.contains("focus: 0.8"), "{error}");
        assert!(error.contains("linked: 0.5, not 0.25"), "{error}");
        assert!(!error.contains("patience"), "{error}");
        assert!(header().check(&Parameters::default(), Path::new("kept")).is_ok());
    }
}
