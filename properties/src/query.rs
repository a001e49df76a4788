//! A generated query: a flat list of fields, each with its parent.

use std::ops::Range;

/// No parent: a field of the root.
pub(crate) const ROOT: u32 = u32::MAX;

/// A query. Its memory is used again when the next one is generated into it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    pub(crate) nodes: Vec<Node>,
    pub(crate) arguments: Vec<Argument>,
    /// Literals of all arguments, one after the other.
    pub(crate) literals: String,
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

/// A value given to an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    /// Position among the arguments of the field.
    pub(crate) index: u32,
    /// The GraphQL literal in [`Query::literals`].
    pub(crate) literal: Range<u32>,
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

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.arguments.clear();
        self.literals.clear();
    }

    pub(crate) fn literal(&self, argument: &Argument) -> &str {
        &self.literals[argument.literal.start as usize..argument.literal.end as usize]
    }

    pub(crate) fn arguments_of(&self, node: &Node) -> &[Argument] {
        &self.arguments[node.arguments.start as usize..node.arguments.end as usize]
    }
}
