//! Records of earlier runs, and the commands that read them: `explain`, `report`, `baseline`.

use std::path::{Path, PathBuf};

use wallace::counted;
use wallace::report::{
    Baseline, RECORD_FILE, RunRecord, TargetRecord, explain, explain_faults, fault_code,
    report_files,
};

use crate::argument::{BaselineArguments, Explain, ReportArguments, code_in};
use crate::console::say;
use crate::exit::CommandError;

/// Most targets that are explained at once.
const TARGETS: usize = 50;
/// What stands for all targets that are not covered.
const OPEN: &str = "open";

/// The record in a folder of results, or else in the folder below `wallace-out` that was written
/// last; and the folder.
pub(crate) fn load(folder: Option<&Path>) -> Result<(PathBuf, RunRecord), CommandError> {
    let folder = folder.map(Path::to_path_buf).or_else(latest).ok_or_else(|| {
        let reason = "there are no results below wallace-out: name their folder";
        CommandError::Usage(reason.to_owned())
    })?;
    let path = folder.join(RECORD_FILE);
    let wrong = |reason: &dyn std::fmt::Display| {
        CommandError::Usage(format!(
            "the record {} cannot be used ({reason}): name a folder that a run wrote",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    let record = RunRecord::from_json(&text).map_err(|error| wrong(&error))?;
    Ok((folder, record))
}

fn latest() -> Option<PathBuf> {
    let folders = std::fs::read_dir("wallace-out").ok()?.flatten().map(|entry| entry.path());
    let written = |folder: &PathBuf| {
        std::fs::metadata(folder.join(RECORD_FILE)).and_then(|file| file.modified()).ok()
    };
    folders.filter(|folder| written(folder).is_some()).max_by_key(written)
}

pub(crate) fn explain_target(arguments: &Explain) -> Result<(), CommandError> {
    let (folder, record) = load(arguments.out.as_deref())?;
    let found = matching(&record, &arguments.target);
    if found.is_empty() {
        return explain_other(&record, &arguments.target, &folder);
    }
    for target in found.iter().take(TARGETS) {
        say(&explain(&record, target));
    }
    if found.len() > TARGETS {
        say(&format!("{} more match: give more of the name", found.len() - TARGETS));
    }
    Ok(())
}

/// Explains what is asked for where that is no target.
fn explain_other(record: &RunRecord, text: &str, folder: &Path) -> Result<(), CommandError> {
    match fault(record, text) {
        Some(code) => say(&explain_faults(record, code)),
        None if text == OPEN => say("no target that the run came near is open"),
        None => return Err(CommandError::Usage(unknown(record, text, folder))),
    }
    Ok(())
}

/// The target of this name, or else all whose name or place holds the text.
fn matching<'a>(record: &'a RunRecord, text: &str) -> Vec<&'a TargetRecord> {
    if text == OPEN {
        return record.targets.iter().filter(|target| target.open.is_some()).collect();
    }
    if let Some(target) = record.targets.iter().find(|target| target.name == text) {
        return vec![target];
    }
    let is_place = |target: &TargetRecord| {
        let place = target.place.as_ref();
        place.is_some_and(|place| format!("{}:{}", place.file, place.line).ends_with(text))
    };
    let targets = record.targets.iter();
    targets.filter(|target| target.name.contains(text) || is_place(target)).collect()
}

/// The code of faults that a text names: one that is explained, or that the run found.
fn fault(record: &RunRecord, text: &str) -> Option<u16> {
    let code = code_in(text)?;
    let is_found = || record.faults.iter().any(|fault| fault.fault.code == code);
    (fault_code(code).is_some() || is_found()).then_some(code)
}

fn unknown(record: &RunRecord, text: &str, folder: &Path) -> String {
    let names = record.targets.iter().map(|target| target.name.as_str());
    let nearest = names.max_by(|one, other| {
        strsim::jaro_winkler(one, text).total_cmp(&strsim::jaro_winkler(other, text))
    });
    let hint = nearest.map_or_else(String::new, |name| format!("; the nearest is {name}"));
    let table = folder.join("report/targets.csv");
    format!("no target is called {text:?}{hint}: see {}", table.display())
}

pub(crate) fn report(arguments: &ReportArguments) -> Result<(), CommandError> {
    let (folder, record) = load(arguments.folder.as_deref())?;
    for file in report_files(&record).iter().filter(|file| file.path != RECORD_FILE) {
        let path = folder.join(&file.path);
        write(&path, &file.content)?;
        say(&path.display().to_string());
    }
    Ok(())
}

pub(crate) fn baseline(arguments: &BaselineArguments) -> Result<(), CommandError> {
    let (_, record) = load(arguments.folder.as_deref())?;
    let path = &arguments.file;
    let before = match std::fs::read_to_string(path) {
        Ok(text) => Baseline::parse(&text).map_err(|error| {
            let reason = format!("{} is no baseline ({error}): name another file", path.display());
            CommandError::Usage(reason)
        })?,
        Err(_) => Baseline::default(),
    };
    let after = before.updated(&record, arguments.reason.as_deref());
    write(path, &after.to_json())?;
    let faults = counted(record.faults.len(), "known fault");
    let places = counted(after.faults.len(), "place");
    say(&format!("{faults} in {}, at {places}: use it with --baseline", path.display()));
    Ok(())
}

/// Writes a file as a whole or not at all.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), CommandError> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(".new");
    let aside = PathBuf::from(aside);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&aside, content))
        .and_then(|()| std::fs::rename(&aside, path));
    written.map_err(|error| {
        // What was begun is of no use.
        let _ = std::fs::remove_file(&aside);
        let reason = format!("{} cannot be written ({error}): name another place", path.display());
        CommandError::Usage(reason)
    })
}
