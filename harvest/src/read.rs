//! Reading operations from files of any known kind, which is told by what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;
use thiserror::Error;
use wallace_problems::graphql::Style;
use wallace_problems::graphql::executable::{
    Definition, ExecutableDocument, Fragment, Invalid, Operation, Part, Selection,
};

use crate::logged::{LoggedOperation, Origin, Reading};
use crate::{har, ndjson, persisted};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Reads a file, or all `.graphql`, `.gql`, `.json`, `.ndjson`, `.har` and `.log` files of a folder
/// and the folders in it, in the order of their names.
///
/// # Errors
/// When a file or folder cannot be read at all, or holds nothing that is meant as an operation.
/// What is wrong inside of a file is in [`Reading::rejected`], and the rest is read.
pub fn read(path: &Path) -> Result<Reading, ReadError> {
    let reading =
        all(path).map_err(|source| ReadError::Unreadable { path: path.to_path_buf(), source })?;
    if reading.is_empty() {
        return Err(ReadError::Empty { path: path.to_path_buf() });
    }
    Ok(reading)
}

/// Why nothing came from a source; each text says what to do next.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A file or folder that is not there or not ours to read.
    #[error("{} cannot be read ({source}): name a file of operations or a folder of them", .path.display())]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing in it is, or was meant as, an operation.
    #[error(
        "{} holds no operation: give GraphQL documents, a log with one request a line, a HAR archive \
         or a map of persisted queries",
        .path.display()
    )]
    Empty {
        /// What was asked for.
        path: PathBuf,
    },
}

fn all(path: &Path) -> io::Result<Reading> {
    let mut files = Vec::new();
    collect(path, true, &mut files)?;
    let (mut reading, mut documents) = (Reading::default(), BTreeMap::new());
    // What is in a file says nothing of another, until all are put together in order.
    let contents: Vec<Content> =
        files.par_iter().map(|file| content(file)).collect::<io::Result<_>>()?;
    for (file, content) in files.iter().zip(contents) {
        match content {
            Content::Document(text) => {
                documents.insert(file.display().to_string(), text);
            }
            Content::Log(part) => reading.extend(part),
        }
    }
    reading.extend(read_documents(&documents));
    Ok(reading)
}

/// What a file holds.
enum Content {
    /// GraphQL, whose fragments may stand in other files.
    Document(String),
    /// What else operations are read from.
    Log(Reading),
}

fn content(file: &Path) -> io::Result<Content> {
    let name = file.display().to_string();
    if std::fs::metadata(file)?.len() > LARGEST {
        let mut reading = Reading::default();
        reading.reject(Origin { file: name.into(), line: 0 }, "larger than 1 GiB; split it");
        return Ok(Content::Log(reading));
    }
    let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
    Ok(if is_document(file) {
        Content::Document(text)
    } else {
        Content::Log(read_text(&name, &text))
    })
}

fn is_document(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("graphql" | "gql"))
}

fn collect(path: &Path, is_asked_for: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_known = matches!(
            extension,
            Some("graphql" | "gql" | "json" | "ndjson" | "jsonl" | "har" | "log")
        );
        if is_asked_for || is_known {
            files.push(path.to_path_buf());
        }
        return Ok(());
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        // Links are not followed, so that no folder contains itself.
        if !entry.is_symlink() {
            collect(&entry, false, files)?;
        }
    }
    Ok(())
}

/// Reads text of any known kind; `name` is used in what is said about it. Text that begins with
/// a GraphQL keyword is a document, JSON with `log.entries` is HAR, other JSON in one piece is a
/// map of persisted queries or a list of requests, and everything else is a log with one entry a
/// line.
#[must_use]
pub fn read_text(name: &str, text: &str) -> Reading {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_graphql(text) {
        return read_documents(&BTreeMap::from([(name.to_owned(), text.to_owned())]));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(json) if har::is_har(&json) => har::read(name, &json),
        Ok(json) if persisted::is_map(&json) => persisted::read(name, &json),
        _ => ndjson::read(name, text),
    }
}

fn is_graphql(text: &str) -> bool {
    let start =
        text.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(start) = start else { return false };
    let keywords = ["query", "mutation", "subscription", "fragment"];
    let follows = |rest: &str| rest.is_empty() || rest.starts_with([' ', '{', '(', '\t', '@']);
    keywords.iter().any(|keyword| start.strip_prefix(keyword).is_some_and(follows))
}

/// One operation for each operation definition; fragments may stand in other files.
fn read_documents(files: &BTreeMap<String, String>) -> Reading {
    let mut reading = Reading::default();
    let mut parsed = Vec::new();
    for (name, text) in files {
        match ExecutableDocument::parse(text) {
            Ok(document) => parsed.push((name, document)),
            Err(Invalid { position, reason }) => {
                let origin = Origin { file: name.as_str().into(), line: position.line as usize };
                reading.reject(origin, format!("no GraphQL document: {reason}"));
            }
        }
    }
    let mut fragments: BTreeMap<&str, &Fragment> = BTreeMap::new();
    for fragment in parsed.iter().flat_map(|(_, document)| document.fragments()) {
        fragments.entry(&fragment.name).or_insert(fragment);
    }
    for (name, document) in &parsed {
        for operation in document.operations() {
            reading.operations.push(LoggedOperation {
                document: with_fragments(operation, &fragments).text(Style::Pretty).into(),
                operation_name: operation.name.as_ref().map(ToString::to_string),
                variables: None,
                consumer: (*name).clone(),
                times: 1,
                answer: None,
                origin: Origin {
                    file: Arc::from(name.as_str()),
                    line: operation.position.line as usize,
                },
            });
        }
    }
    reading
}

/// An operation with the fragments that it uses, and those that they use.
fn with_fragments(
    operation: &Operation,
    fragments: &BTreeMap<&str, &Fragment>,
) -> ExecutableDocument {
    let mut definitions = vec![Definition::Operation(operation.clone())];
    let (mut open, mut used) = (BTreeSet::new(), BTreeSet::new());
    spreads(&operation.selections, &mut open);
    while let Some(name) = open.pop_first() {
        if let (Some(fragment), true) = (fragments.get(&*name), used.insert(Arc::clone(&name))) {
            let mut more = BTreeSet::new();
            spreads(&fragment.selections, &mut more);
            open.extend(more.difference(&used).cloned());
            definitions.push(Definition::Fragment((*fragment).clone()));
        }
    }
    ExecutableDocument { definitions }
}

fn spreads(selections: &[Selection], names: &mut BTreeSet<Arc<str>>) {
    for selection in selections {
        if let Part::Spread(name) = &selection.part {
            names.insert(Arc::clone(name));
        }
        spreads(&selection.selections, names);
    }
}
