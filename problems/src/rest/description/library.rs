//! The documents that a description consists of, and references between them.
//!
//! References lead to other documents only where that is allowed, and never out of the folder of
//! the description: a remote description cannot make us read files of this machine or call other
//! hosts.

use std::collections::HashMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::rest::identity::decoded;

use super::{DescriptionError, ReadSettings};
use crate::document::{Document, NodeId, NodeRef};

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// A URL.
    Url(String),
    /// Neither: a text that somebody else, such as a driver, handed over; with a name to tell it.
    Text(String),
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Url(text) | Self::Text(text) => formatter.write_str(text),
        }
    }
}

/// Reads a document by its URL.
pub type Fetch<'f> = &'f dyn Fn(&str) -> Result<String, String>;

pub(super) const NO_FETCH: Fetch<'static> = &|_| Err("references to URLs are not followed".into());

/// Most documents of one description.
const MOST_DOCUMENTS: usize = 200;
/// Most references from one to the next.
const MOST_HOPS: usize = 50;

/// A value of one of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) file: u32,
    pub(super) node: NodeId,
}

/// All documents, loaded before anything is read.
pub(super) struct Library {
    documents: Vec<(Location, Document)>,
    known: HashMap<Location, Result<u32, String>>,
}

impl Library {
    pub(super) fn load(
        text: &str,
        location: Location,
        settings: &ReadSettings,
        fetch: Fetch<'_>,
    ) -> Result<Self, DescriptionError> {
        let document = Document::parse(text, settings.limits).map_err(|error| {
            DescriptionError::Document { location: location.to_string(), error }
        })?;
        let known = HashMap::from([(location.clone(), Ok(0))]);
        let mut library = Self { documents: vec![(location, document)], known };
        if settings.external_references {
            library.load_references(settings, fetch);
        }
        Ok(library)
    }

    /// Loads what the documents mention, and what that mentions.
    fn load_references(&mut self, settings: &ReadSettings, fetch: Fetch<'_>) {
        let mut next = 0;
        while next < self.documents.len() {
            let (base, document) = &self.documents[next];
            let references = document.nodes().filter_map(|node| node.get("$ref")?.text());
            let mut wanted: Vec<Location> =
                references.filter_map(|reference| related(base, file_part(reference)?)).collect();
            wanted.sort_by_key(ToString::to_string);
            wanted.dedup();
            for location in wanted {
                if !self.known.contains_key(&location) && self.documents.len() < MOST_DOCUMENTS {
                    let loaded = self.load_one(&location, settings, fetch);
                    self.known.insert(location, loaded);
                }
            }
            next += 1;
        }
    }

    fn load_one(
        &mut self,
        location: &Location,
        settings: &ReadSettings,
        fetch: Fetch<'_>,
    ) -> Result<u32, String> {
        let text = match location {
            Location::File(_) => {
                read_file(location, settings.limits.bytes).map_err(|error| error.to_string())?
            }
            Location::Url(url) => fetch(url)?,
            Location::Text(_) => return Err("it has no place".to_owned()),
        };
        let document = Document::parse(&text, settings.limits)
            .map_err(|error| format!("{location}: {error}"))?;
        self.documents.push((location.clone(), document));
        Ok(self.documents.len() as u32 - 1)
    }

    pub(super) fn root(&self) -> Spot {
        Spot { file: 0, node: self.documents[0].1.root().id() }
    }

    pub(super) fn location(&self, spot: Spot) -> &Location {
        &self.documents[spot.file as usize].0
    }

    pub(super) fn node(&self, spot: Spot) -> NodeRef<'_> {
        self.documents[spot.file as usize].1.node(spot.node)
    }

    /// The value that stands at a spot, references followed.
    pub(super) fn resolved(&self, spot: Spot) -> Result<Spot, String> {
        let mut spot = spot;
        for _ in 0..MOST_HOPS {
            let Some(reference) = self.node(spot).get("$ref").and_then(NodeRef::text) else {
                return Ok(spot);
            };
            spot = self.target(spot, reference)?;
        }
        Err("references that lead in a circle".to_owned())
    }

    /// Where a reference leads.
    pub(super) fn target(&self, from: Spot, reference: &str) -> Result<Spot, String> {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if file.is_empty() { from.file } else { self.file(from, file)? };
        let document = &self.documents[file as usize].1;
        let mut node = document.root();
        for step in pointer.split('/').skip(1) {
            let name = step_name(step);
            let next = node.get(&name).or_else(|| {
                let index = name.parse::<usize>().ok()?;
                node.elements().nth(index)
            });
            let ignoring_case = || {
                let mut members = node.members();
                members.find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|(_, part)| part)
            };
            node = next
                .or_else(ignoring_case)
                .ok_or_else(|| format!("the reference {reference:?} leads nowhere"))?;
        }
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(format!("the reference {reference:?} is no JSON pointer"));
        }
        Ok(Spot { file, node: node.id() })
    }

    fn file(&self, from: Spot, file: &str) -> Result<u32, String> {
        let refused = || format!("the reference to {file:?} is not followed: it is not allowed");
        let location = related(self.location(from), file).ok_or_else(refused)?;
        match self.known.get(&location) {
            Some(Ok(file)) => Ok(*file),
            Some(Err(reason)) => {
                Err(format!("the reference to {file:?} is not followed: {reason}"))
            }
            None => Err(refused()),
        }
    }
}

/// The part of a reference that names another document.
fn file_part(reference: &str) -> Option<&str> {
    let file = reference.split('#').next().unwrap_or_default();
    (!file.is_empty()).then_some(file)
}

/// The document that a reference from `base` names; `None` when it is outside the folder of
/// `base`, or of another kind.
fn related(base: &Location, file: &str) -> Option<Location> {
    let is_plain = |text: &str| {
        let mut parts = Path::new(text).components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
            && !text.contains(['\\', '?', '%', ':'])
    };
    match base {
        Location::File(path) if is_plain(file) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            let joined: PathBuf = folder.join(file).components().collect();
            // A link may lead out of the folder.
            let real = joined.canonicalize().ok()?;
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            real.starts_with(folder.canonicalize().ok()?).then_some(Location::File(real))
        }
        Location::Url(url) => {
            let folder = &url[..=url
                .rfind('/')
                .filter(|slash| *slash > url.find("://").map_or(0, |at| at + 2))?];
            let rest = file.strip_prefix(folder).unwrap_or(file).trim_start_matches("./");
            is_plain(rest).then(|| Location::Url(format!("{folder}{rest}")))
        }
        _ => None,
    }
}

/// One step of a pointer, percent-encoding and escapes taken back.
fn step_name(step: &str) -> String {
    decoded(step).replace("~1", "/").replace("~0", "~")
}

/// Reads a file of at most `limit` bytes.
pub(super) fn read_file(location: &Location, limit: usize) -> Result<String, DescriptionError> {
    let unreadable =
        |reason: String| DescriptionError::Unreadable { location: location.to_string(), reason };
    let Location::File(path) = location else { return Err(unreadable("no file".to_owned())) };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !metadata.is_file() || metadata.len() > limit as u64 {
        return Err(unreadable(format!("no file of at most {limit} bytes")));
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stay_in_the_folder_of_a_url() {
        let base = Location::Url("http://h:1/api/v1/openapi.yaml".to_owned());
        let at = |file: &str| related(&base, file).map(|location| location.to_string());
        assert_eq!(at("./a/b.yaml").as_deref(), Some("http://h:1/api/v1/a/b.yaml"));
        assert_eq!(at("http://h:1/api/v1/c.json").as_deref(), Some("http://h:1/api/v1/c.json"));
        for outside in [
            "../x.yaml",
            "/etc/passwd",
            "http://other/x",
            "file:///etc/passwd",
            "a/../../b",
            "%2e%2e/x",
        ] {
            assert_eq!(at(outside), None, "{outside}");
        }
        assert_eq!(related(&Location::Url("http://h".to_owned()), "x"), None);
        assert_eq!(related(&Location::Text("driver".to_owned()), "x"), None);
    }

    #[test]
    fn pointers_are_decoded() {
        assert_eq!(step_name("~1pets~1%7Bid%7D~0"), "/pets/{id}~");
        assert_eq!(step_name("50%"), "50%");
    }
}
