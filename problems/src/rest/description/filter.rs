//! Which operations are tested.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::operation::Operation;

/// Why a filter cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FilterError {
    /// A pattern cannot be read.
    #[error("the filter {text:?} cannot be used: {reason}")]
    Pattern {
        /// The pattern.
        text: String,
        /// Why.
        reason: String,
    },
    /// No operation is left.
    #[error("the filters leave none of the {count} operations: see their patterns")]
    NothingLeft {
        /// How many there were.
        count: usize,
    },
}

/// One pattern: `tag:NAME`, `method:VERB`, `id:NAME`, `deprecated`, an operation as reports name it,
/// `VERB:/path`, or a path, in which `*` stands for any text and which also matches everything below it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Tag(String),
    Method(String),
    OperationId(String),
    Operation { verb: String, path: String },
    Path(String),
    Deprecated,
}

impl FromStr for Pattern {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let (kind, rest) = text.split_once(':').unwrap_or(("", text));
        match kind {
            "tag" => Ok(Self::Tag(rest.to_owned())),
            "method" => Ok(Self::Method(rest.to_ascii_uppercase())),
            "id" => Ok(Self::OperationId(rest.to_owned())),
            "path" => Ok(Self::Path(rest.to_owned())),
            _ if text == "deprecated" => Ok(Self::Deprecated),
            _ if text.starts_with('/') || text.starts_with('*') => Ok(Self::Path(text.to_owned())),
            _ if is_verb(kind) && rest.starts_with('/') => {
                Ok(Self::Operation { verb: kind.to_ascii_uppercase(), path: rest.to_owned() })
            }
            _ => Err(FilterError::Pattern {
                text: text.to_owned(),
                reason:
                    "write a path, VERB:/path, tag:NAME, method:VERB, id:OPERATION or deprecated"
                        .to_owned(),
            }),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(name) => write!(formatter, "tag:{name}"),
            Self::Method(verb) => write!(formatter, "method:{verb}"),
            Self::OperationId(name) => write!(formatter, "id:{name}"),
            Self::Operation { verb, path } => write!(formatter, "{verb}:{path}"),
            Self::Path(path) => write!(formatter, "{path}"),
            Self::Deprecated => write!(formatter, "deprecated"),
        }
    }
}

impl Pattern {
    fn matches(&self, operation: &Operation) -> bool {
        match self {
            Self::Tag(wanted) => operation.tags.iter().any(|tag| is_like(tag, wanted)),
            Self::Method(wanted) => operation.method.as_str() == wanted,
            Self::OperationId(wanted) => {
                operation.operation_id.as_ref().is_some_and(|id| is_like(id, wanted))
            }
            Self::Operation { verb, path } => {
                operation.method.as_str() == verb && is_like(&operation.path, path)
            }
            Self::Path(wanted) => {
                let is_below = |below: &str| below.is_empty() || below.starts_with('/');
                is_like(&operation.path, wanted)
                    || operation
                        .path
                        .strip_prefix(wanted.trim_end_matches('/'))
                        .is_some_and(is_below)
            }
            Self::Deprecated => operation.is_deprecated,
        }
    }
}

fn is_verb(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether the text is like the pattern, in which `*` stands for any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(start) => rest = &rest[start + part.len()..],
            None => return false,
        }
    }
    true
}

/// Operations to test: those that match any inclusion, or all where there is none, without those
/// that match any exclusion and those on a path to skip.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationFilter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    skip: Vec<String>,
}

/// What a filter did to the operations of a description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filtered {
    /// Operations on the paths to skip, as they are named in reports.
    pub skipped: Vec<String>,
    /// Paths to skip that the description does not have, as they were given.
    pub unknown: Vec<String>,
    /// Patterns that match no operation, as they were given.
    pub unused: Vec<String>,
}

impl OperationFilter {
    /// A filter of patterns: a path with `*` for any text, which also matches what is below it;
    /// `VERB:/path`, `tag:NAME`, `method:VERB`, `id:OPERATION`; `deprecated`.
    ///
    /// # Errors
    /// [`FilterError::Pattern`].
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, FilterError> {
        let read = |texts: &[String]| -> Result<Vec<Pattern>, FilterError> {
            texts.iter().map(|text| text.parse()).collect()
        };
        Ok(Self { include: read(include)?, exclude: read(exclude)?, skip: Vec::new() })
    }

    /// The same without any method of these paths. A path may be written as in the description or
    /// with its base path before it, and its parameters may have other names.
    #[must_use]
    pub fn skipping(self, paths: &[String]) -> Self {
        Self { skip: paths.to_vec(), ..self }
    }

    /// Whether the operation is tested, of a description with this base path.
    #[must_use]
    pub fn wants(&self, operation: &Operation, base_path: &str) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|p| p.matches(operation));
        (self.include.is_empty() || matches(&self.include))
            && !matches(&self.exclude)
            && !self.skips(operation, base_path)
    }

    fn skips(&self, operation: &Operation, base_path: &str) -> bool {
        self.skip.iter().any(|path| is_path_of(path, operation, base_path))
    }

    /// What the filter does to these operations.
    pub(super) fn look_at(&self, operations: &[Operation], base_path: &str) -> Filtered {
        let is_unused = |pattern: &&Pattern| !operations.iter().any(|it| pattern.matches(it));
        let is_unknown =
            |path: &&String| !operations.iter().any(|it| is_path_of(path, it, base_path));
        let skipped = operations.iter().filter(|operation| self.skips(operation, base_path));
        let patterns = self.include.iter().chain(&self.exclude);
        Filtered {
            skipped: skipped.map(|operation| operation.id.to_string()).collect(),
            unknown: self.skip.iter().filter(is_unknown).cloned().collect(),
            unused: patterns.filter(is_unused).map(ToString::to_string).collect(),
        }
    }
}

/// Whether the path is that of the operation, with or without the base path, whatever its
/// parameters are called.
fn is_path_of(path: &str, operation: &Operation, base_path: &str) -> bool {
    let own = nameless(&operation.path);
    let path = nameless(path);
    path == own || path == format!("{}{own}", nameless(base_path).trim_end_matches('/'))
}

/// The path with the names of its parameters left out.
fn nameless(path: &str) -> String {
    let mut nameless = String::with_capacity(path.len() + 1);
    if !path.starts_with('/') {
        nameless.push('/');
    }
    let mut is_name = false;
    for character in path.chars() {
        is_name &= character != '}';
        if !is_name {
            nameless.push(character);
        }
        is_name |= character == '{';
    }
    nameless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(is_like("/a/b/c", "/a/*/c") && is_like("/a", "*") && is_like("ab", "a*b"));
        assert!(!is_like("/a/b", "/a/*/c") && !is_like("/ab", "/a") && !is_like("aa", "aa*a"));
    }

    #[test]
    fn names_of_parameters_are_left_out() {
        assert_eq!(nameless("/a/{id}/b-{x}.json"), "/a/{}/b-{}.json");
        assert_eq!(nameless("health"), "/health");
        assert_eq!(nameless("/a/{id"), "/a/{");
    }
}
