//! A generated query: a flat list of fields, each with its parent.

use std::ops::Range;

use wallace_problems::graphql::Literal;

/// No parent: a field of the root.
pub(crate) const ROOT: u32 = u32::MAX;

/// A query. Its memory is used again when the next one is generated into it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    pub(crate) nodes: Vec<Node>,
    /// Arguments of all nodes: position among those of the field, and value.
    pub(crate) arguments: Vec<(u32, Literal)>,
}

/// A selected field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// Position in the plan.
    pub(crate) field: u32,
    /// Position of the node it is selected on; parents stand before children.
    pub(crate) parent: u32,
    /// Its arguments.
    pub(crate) arguments: Range<u32>,
    /// Whether fields of it were drawn.
    pub(crate) is_expanded: bool,
}

impl Query {
    /// Number of fields drawn, those included that do not show in the text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no field was drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}
