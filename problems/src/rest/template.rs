//! Operation templates: what a call of each operation may hold.
//!
//! All templates share one graph of gene specifications, which alone says what a value may be.
//!
//! | description | gene |
//! |---|---|
//! | operation | tuple of its parameters, then the body if it may have one |
//! | what need not be sent | optional |
//! | several media types | choice, changed rarely: all of the body changes with it |
//! | alternatives, several types | choice |
//! | object | object without what is only received |
//! | object of any members | map |
//! | list; of different elements; of fixed places | array; unique array; tuple |
//! | listed values | enumeration |
//! | whole number, number; multiple | integer or long, float; decimal |
//! | text with a pattern, a format or both | text of a format; other text |
//! | example, default | seed |

mod address;
mod build;
mod dress;
mod extreme;
mod leaf;
mod notation;
mod object;
mod place;
mod refer;
mod value;
mod violate;

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use thiserror::Error;
use wallace_genes::{GeneSettings, SpecGraph, SpecRef, TemplateId, simplest};

use super::description::{Description, Operation};
use super::schema::Schemas;

pub use dress::{Pool, PoolValue};
pub(crate) use place::apply;
pub use value::CallValues;

/// Why no test can be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("none of the {count} operations can be called; the first: {first}")]
pub struct NothingCallable {
    /// Operations of the description.
    pub count: usize,
    /// Why the first cannot be called.
    pub first: String,
}

/// What a call of one operation may hold.
#[derive(Debug, Clone)]
pub struct OperationTemplate {
    /// Number of the template: its position in [`Templates::operations`].
    pub id: TemplateId,
    /// Position of the operation in the description.
    pub operation: usize,
    /// A tuple: the parameters in their order, then the body if there may be one.
    pub spec: SpecRef,
    /// Of the body: position of each branch of its choice in the operation's bodies.
    pub bodies: Vec<usize>,
    /// Whether what is sampled must be checked, since schemas say more than specifications can.
    pub is_checked: bool,
    /// What its calls accept as an answer.
    pub(crate) accept: HeaderValue,
}

impl OperationTemplate {
    /// Whether a call fits the settings.
    #[must_use]
    pub fn is_callable(&self, settings: &GeneSettings) -> bool {
        !simplest(&self.spec, settings).is_placeholder()
    }
}

/// An operation that no valid call can be made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedOperation {
    /// Verb and path.
    pub operation: Arc<str>,
    /// Why.
    pub reason: String,
}

impl fmt::Display for SkippedOperation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.operation, self.reason)
    }
}

/// The templates of all operations; immutable and meant to be shared.
#[derive(Debug)]
pub struct Templates {
    description: Arc<Description>,
    /// Those of the description, and what was put together from them.
    schemas: Schemas,
    graph: Arc<SpecGraph>,
    operations: Vec<OperationTemplate>,
    skipped: Vec<SkippedOperation>,
}

impl Templates {
    /// The templates of a description, in its order.
    ///
    /// # Errors
    /// [`NothingCallable`] when every operation had to be skipped.
    pub fn new(description: Arc<Description>) -> Result<Self, NothingCallable> {
        let templates = build::build(description);
        if templates.operations.is_empty() {
            let first = templates.skipped.first().map_or_else(String::new, ToString::to_string);
            return Err(NothingCallable { count: templates.skipped.len(), first });
        }
        Ok(templates)
    }

    /// The description they were made from.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The specifications of all operations.
    #[must_use]
    pub fn graph(&self) -> &Arc<SpecGraph> {
        &self.graph
    }

    /// The templates, by their number.
    #[must_use]
    pub fn operations(&self) -> &[OperationTemplate] {
        &self.operations
    }

    /// The operation that a template is of.
    ///
    /// # Panics
    /// When there is no such template.
    #[must_use]
    pub fn operation(&self, id: TemplateId) -> &Operation {
        &self.description.operations[self.operations[id.0 as usize].operation]
    }

    /// The template of a number.
    ///
    /// # Panics
    /// When there is no such template.
    #[must_use]
    pub fn template(&self, id: TemplateId) -> &OperationTemplate {
        &self.operations[id.0 as usize]
    }

    /// The operations that cannot be called, and why.
    #[must_use]
    pub fn skipped(&self) -> &[SkippedOperation] {
        &self.skipped
    }
}
