//! Why a schema cannot be used, and what was worked around.

use std::fmt;

use thiserror::Error;

use super::OperationKind;

/// Why there is no usable schema.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaError {
    /// The text is not JSON, a page of HTML for example.
    #[error("the schema is not JSON ({reason}); it begins with {beginning:?}")]
    NotJson {
        /// What the JSON parser says.
        reason: String,
        /// The first characters of the text.
        beginning: String,
    },
    /// The text is JSON, but not the answer to an introspection query.
    #[error("the text is JSON but no answer to a GraphQL introspection query: {reason}")]
    NotIntrospection {
        /// What is missing.
        reason: String,
    },
    /// The text is no schema definition language, or not all of it is.
    #[error("the schema text cannot be read: {}", listed(.problems))]
    Syntax {
        /// What is wrong, in the order of the text; at least one, at most 100.
        problems: Vec<SchemaProblem>,
    },
    /// The service does not answer introspection queries.
    #[error(
        "the service refuses introspection ({message:?}); \
         give its schema, as SDL or an introspection file, with --schema FILE"
    )]
    Refused {
        /// The first error in the answer.
        message: String,
    },
    /// The schema names no type for queries, which every schema must have.
    #[error("the schema names no query type")]
    NoQueryType,
    /// The type of the queries is not a usable object type.
    #[error("the schema's {kind} type `{name}` cannot be used: {reason}")]
    BrokenRoot {
        /// What operations the type is for.
        kind: OperationKind,
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The schema has no query and no mutation.
    #[error("the schema has no operations: its query type has no fields and it has no mutations")]
    NoOperations,
    /// The schema has operations, but none that a valid call can be made of.
    #[error("none of the schema's {count} operations can be called; the first, {first}")]
    NoUsableOperation {
        /// Number of operations.
        count: usize,
        /// The first of them, and why it cannot be called.
        first: String,
    },
    /// None of the operations may be called.
    #[error(
        "the filters, or the guard of services on other machines, leave none of the schema's {count} \
         operations: see --include, --exclude and --allow-mutations"
    )]
    NothingLeft {
        /// Number of operations.
        count: usize,
    },
}

/// A place in the text of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaPosition {
    /// Line, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
}

impl fmt::Display for SchemaPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

/// Something in the text of a schema that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProblem {
    /// Where.
    pub position: SchemaPosition,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.position, self.message)
    }
}

/// Problems shown in one message; the error holds the others.
const SHOWN: usize = 5;

fn listed(problems: &[SchemaProblem]) -> String {
    let shown: Vec<String> = problems.iter().take(SHOWN).map(ToString::to_string).collect();
    let mut text = shown.join("; ");
    if problems.len() > SHOWN {
        text.push_str(&format!("; and {} more problems", problems.len() - SHOWN));
    }
    text
}

/// Something wrong with a schema that was worked around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaWarning {
    /// Where: a schema coordinate such as `User.posts(first:)`.
    pub coordinate: String,
    /// Where in the text, when the schema was read from SDL and the coordinate is in it.
    pub position: Option<SchemaPosition>,
    /// What is wrong there, and what was done.
    pub problem: String,
}

impl fmt::Display for SchemaWarning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.coordinate)?;
        if let Some(position) = self.position {
            write!(formatter, " ({position})")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}
