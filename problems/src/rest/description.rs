//! Descriptions of REST services: Swagger 2.0 and OpenAPI 3.0 to 3.2, read tolerantly.
//!
//! Real descriptions are broken somewhere. What can be used is used; the rest is told as
//! [`Diagnostic`]s with file and line. Reading fails only when no operation is left.

mod filter;
mod keep;
mod library;
mod operation;
mod read;
mod read_body;
mod read_operation;
mod read_parameter;
mod read_schema;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::schema::Schemas;
use crate::document::{DocumentError, DocumentLimits};

pub use filter::{FilterError, Filtered, OperationFilter};
pub use library::{Fetch, Location};
pub use operation::{
    BodyContent, Encoding, Link, LinkSource, Operation, Parameter, ParameterPlace, Response,
    ResponseContent, SecurityScheme, Statuses, Style,
};

/// Something in a description that is wrong or cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// File or URL.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// What is wrong, and what was done about it.
    pub problem: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

/// What may be read, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSettings {
    /// Whether references may lead to other files of the same folder, or to other paths below the
    /// same folder of the same host. They never lead elsewhere. Default false.
    pub external_references: bool,
    /// Bounds on each document.
    pub limits: DocumentLimits,
    /// Most operations. Default 100,000.
    pub operations: usize,
    /// Most diagnostics; further ones are counted only. Default 1,000.
    pub diagnostics: usize,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            external_references: false,
            limits: DocumentLimits::default(),
            operations: 100_000,
            diagnostics: 1_000,
        }
    }
}

/// Why a description cannot be used at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DescriptionError {
    /// The file or URL cannot be read.
    #[error("{location} cannot be read: {reason}")]
    Unreadable {
        /// Where.
        location: String,
        /// Why.
        reason: String,
    },
    /// No JSON or YAML, or too large.
    #[error("{location}: {error}")]
    Document {
        /// Where.
        location: String,
        /// What is wrong.
        error: DocumentError,
    },
    /// Another kind of document.
    #[error(
        "{location} is no description of a REST service: neither `swagger` nor `openapi` says its version"
    )]
    NotADescription {
        /// Where.
        location: String,
    },
    /// Nothing is left to call.
    #[error("{location} has no operation that can be used{}", first_of(.diagnostics))]
    NoOperation {
        /// Where.
        location: String,
        /// Why operations were left out.
        diagnostics: Vec<Diagnostic>,
    },
}

fn first_of(diagnostics: &[Diagnostic]) -> String {
    let first = diagnostics.first();
    first.map_or_else(String::new, |diagnostic| format!(" ({diagnostic})"))
}

/// A service as its description tells it.
#[derive(Debug, Clone)]
pub struct Description {
    /// Title of the service; may be empty.
    pub title: String,
    /// Version of the format, such as `3.1.0`.
    pub format: String,
    /// Whether it only tells what was read off the source of a service, and nothing is promised
    /// (`info.x-wallace-guessed`, which drivers write).
    pub is_guessed: bool,
    /// Path below which all operations are: of the first server, or the base path. Without a
    /// final slash; empty at the root.
    pub base_path: String,
    /// The operations in the order of the description.
    pub operations: Vec<Operation>,
    /// Paths of operations that filters left out.
    pub other_paths: Vec<Arc<str>>,
    /// The schemas that the operations mention.
    pub schemas: Schemas,
    /// Ways in which callers prove who they are, by name.
    pub security_schemes: BTreeMap<String, SecurityScheme>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

impl Description {
    /// Names of all parts of paths, parameters and members.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.operations.iter().flat_map(|operation| {
            let parameters = operation.parameters.iter().map(|parameter| &*parameter.name);
            operation.segments().chain(parameters)
        });
        own.chain(self.schemas.member_names())
    }

    /// Reads a description from a text that came from `location`. References to other documents
    /// are fetched by `fetch` when they are URLs.
    ///
    /// # Errors
    /// [`DescriptionError`] when nothing can be used.
    pub fn from_text(
        text: &str,
        location: Location,
        settings: &ReadSettings,
        fetch: Fetch<'_>,
    ) -> Result<Self, DescriptionError> {
        let library = library::Library::load(text, location, settings, fetch)?;
        read::read(&library, settings)
    }

    /// Reads a description from a file.
    ///
    /// # Errors
    /// As [`Description::from_text`].
    pub fn from_file(
        path: impl Into<std::path::PathBuf>,
        settings: &ReadSettings,
    ) -> Result<Self, DescriptionError> {
        let location = Location::File(path.into());
        let text = library::read_file(&location, settings.limits.bytes)?;
        Self::from_text(&text, location, settings, library::NO_FETCH)
    }

    /// Keeps the operations that the filter wants, and tells what it did.
    ///
    /// # Errors
    /// [`FilterError::NothingLeft`] when it wants none.
    pub fn retain(&mut self, filter: &OperationFilter) -> Result<Filtered, FilterError> {
        let count = self.operations.len();
        let filtered = filter.look_at(&self.operations, &self.base_path);
        let (kept, others) = std::mem::take(&mut self.operations)
            .into_iter()
            .partition(|operation| filter.wants(operation, &self.base_path));
        self.operations = kept;
        let others: Vec<Operation> = others;
        self.other_paths.extend(others.into_iter().map(|operation| operation.path));
        if self.operations.is_empty() {
            return Err(FilterError::NothingLeft { count });
        }
        Ok(filtered)
    }

    /// Leaves out the header parameters of these names: every call has them anyway, so that none is
    /// ever missing, and none is what a call says of itself.
    pub fn without_headers<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let names: Vec<&str> = names.collect();
        let is_given = |it: &Parameter| {
            it.place == ParameterPlace::Header
                && names.iter().any(|name| name.eq_ignore_ascii_case(&it.name))
        };
        for operation in &mut self.operations {
            operation.parameters.retain(|parameter| !is_given(parameter));
        }
    }
}
