//! Documents in JSON or YAML, every part of which knows its line.
//!
//! Descriptions of services are written by people and by generators and are often wrong somewhere.
//! To say where, each value keeps its line; to survive what is hostile, sizes are bounded, aliases
//! share the value they name instead of copying it, and nothing here recurses.

mod json;
mod yaml;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Number, Value};
use thiserror::Error;

/// Bounds on what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentLimits {
    /// Most bytes of text. Default 64 MiB.
    pub bytes: usize,
    /// Most values. Default 4 million.
    pub values: usize,
    /// Deepest nesting. Default 200.
    pub depth: usize,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        Self { bytes: 64 << 20, values: 4_000_000, depth: 200 }
    }
}

/// Why a text is no document.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DocumentError {
    /// Neither JSON nor YAML.
    #[error("line {line}: {reason}")]
    Malformed {
        /// Line, counted from 1.
        line: u32,
        /// What is wrong there.
        reason: String,
    },
    /// Larger than the limits.
    #[error("the document is too large: more than {limit} {what}")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// What there is too much of.
        what: &'static str,
    },
}

/// Number of a value in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Null.
    Null,
    /// True or false.
    Boolean(bool),
    /// A number.
    Number(Number),
    /// Text.
    Text(Arc<str>),
    /// Elements in order.
    List(Vec<NodeId>),
    /// Members in order.
    Object(ObjectNode),
}

/// Members of an object, found by name in constant time however many there are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ObjectNode {
    members: Vec<(Arc<str>, NodeId)>,
    index: Option<HashMap<Arc<str>, u32>>,
}

impl ObjectNode {
    /// From this size on, a table is worth its memory.
    const INDEXED: usize = 16;

    /// Adds a member; a later one of the same name replaces the earlier.
    fn insert(&mut self, name: Arc<str>, value: NodeId) {
        if let Some(place) = self.place(&name) {
            self.members[place].1 = value;
            return;
        }
        let place = self.members.len() as u32;
        self.members.push((Arc::clone(&name), value));
        match &mut self.index {
            Some(index) => {
                index.insert(name, place);
            }
            None if self.members.len() >= Self::INDEXED => {
                let entries = self.members.iter().enumerate();
                let entries = entries.map(|(place, (name, _))| (Arc::clone(name), place as u32));
                self.index = Some(entries.collect());
            }
            None => {}
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(name).map(|place| *place as usize),
            None => self.members.iter().position(|(known, _)| &**known == name),
        }
    }
}

/// A document: its values, the whole of it being the root.
#[derive(Debug, Clone)]
pub struct Document {
    nodes: Vec<(Node, u32)>,
    root: NodeId,
}

impl Document {
    /// Reads JSON or YAML.
    ///
    /// # Errors
    /// [`DocumentError`], with the line.
    pub fn parse(text: &str, limits: DocumentLimits) -> Result<Self, DocumentError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > limits.bytes {
            return Err(DocumentError::TooLarge { limit: limits.bytes, what: "bytes" });
        }
        let is_json = text.trim_start().starts_with(['{', '[']);
        if !is_json {
            return yaml::parse(text, limits);
        }
        // Flow style of YAML looks like JSON and is not: comments, single quotes.
        json::parse(text, limits).or_else(|error| match error {
            DocumentError::Malformed { .. } => yaml::parse(text, limits).map_err(|_| error),
            DocumentError::TooLarge { .. } => Err(error),
        })
    }

    /// The whole document.
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        self.node(self.root)
    }

    /// A value by its number.
    ///
    /// # Panics
    /// When the number is of another document.
    #[must_use]
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        NodeRef { document: self, id }
    }

    /// All values, parts before what they are parts of.
    pub fn nodes(&self) -> impl Iterator<Item = NodeRef<'_>> {
        (0..self.nodes.len() as u32).map(|id| self.node(NodeId(id)))
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no value; a document has at least its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A value together with its document.
#[derive(Clone, Copy)]
pub struct NodeRef<'d> {
    document: &'d Document,
    id: NodeId,
}

impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} in line {}", self.id, self.line())
    }
}

impl<'d> NodeRef<'d> {
    /// Its number.
    #[must_use]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The value itself.
    #[must_use]
    pub fn value(self) -> &'d Node {
        &self.document.nodes[self.id.0 as usize].0
    }

    /// Line, counted from 1.
    #[must_use]
    pub fn line(self) -> u32 {
        self.document.nodes[self.id.0 as usize].1
    }

    /// The member of an object; `None` for other values.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        let Node::Object(object) = self.value() else { return None };
        let place = object.place(name)?;
        Some(self.document.node(object.members[place].1))
    }

    /// Members in order; none for other values.
    pub fn members(self) -> impl Iterator<Item = (&'d Arc<str>, Self)> + use<'d> {
        let members: &[(Arc<str>, NodeId)] = match self.value() {
            Node::Object(object) => &object.members,
            _ => &[],
        };
        members.iter().map(move |(name, id)| (name, self.document.node(*id)))
    }

    /// Elements in order; none for other values.
    pub fn elements(self) -> impl Iterator<Item = Self> + use<'d> {
        let elements: &[NodeId] = match self.value() {
            Node::List(elements) => elements,
            _ => &[],
        };
        elements.iter().map(move |id| self.document.node(*id))
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        matches!(self.value(), Node::Object(_))
    }

    /// The text; `None` for other values.
    #[must_use]
    pub fn text(self) -> Option<&'d Arc<str>> {
        match self.value() {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// True or false; `None` for other values.
    #[must_use]
    pub fn boolean(self) -> Option<bool> {
        match self.value() {
            Node::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The number; `None` for other values.
    #[must_use]
    pub fn number(self) -> Option<&'d Number> {
        match self.value() {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The value as JSON; `None` when it holds more than `most` values, which aliases make
    /// possible in a short text.
    #[must_use]
    pub fn to_json(self, most: usize) -> Option<Value> {
        let mut left = most;
        self.copy(&mut left)
    }

    /// Recursion is bounded by the depth of documents, except through aliases, which count.
    fn copy(self, left: &mut usize) -> Option<Value> {
        *left = left.checked_sub(1)?;
        Some(match self.value() {
            Node::Null => Value::Null,
            Node::Boolean(value) => Value::Bool(*value),
            Node::Number(number) => Value::Number(number.clone()),
            Node::Text(text) => Value::String(text.to_string()),
            Node::List(_) => {
                Value::Array(self.elements().map(|part| part.copy(left)).collect::<Option<_>>()?)
            }
            Node::Object(_) => {
                let mut object = Map::new();
                for (name, part) in self.members() {
                    object.insert(name.to_string(), part.copy(left)?);
                }
                Value::Object(object)
            }
        })
    }
}

/// Values under construction: containers that are open, and the limits.
struct Builder {
    nodes: Vec<(Node, u32)>,
    open: Vec<Open>,
    root: Option<NodeId>,
    limits: DocumentLimits,
}

/// A container that is not closed yet.
struct Open {
    node: Node,
    line: u32,
    /// Name of the member whose value comes next.
    name: Option<Arc<str>>,
}

impl Builder {
    fn new(limits: DocumentLimits) -> Self {
        Self { nodes: Vec::new(), open: Vec::new(), root: None, limits }
    }

    fn open(&mut self, node: Node, line: u32) -> Result<(), DocumentError> {
        if self.open.len() >= self.limits.depth {
            let limit = self.limits.depth;
            return Err(DocumentError::TooLarge { limit, what: "levels of nesting" });
        }
        self.open.push(Open { node, line, name: None });
        Ok(())
    }

    fn close(&mut self) -> Result<NodeId, DocumentError> {
        let Open { node, line, .. } = self.open.pop().expect("closed as often as opened");
        self.add(node, line)
    }

    /// Adds a finished value to what is open.
    fn add(&mut self, node: Node, line: u32) -> Result<NodeId, DocumentError> {
        if self.nodes.len() >= self.limits.values {
            let limit = self.limits.values;
            return Err(DocumentError::TooLarge { limit, what: "values" });
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push((node, line));
        self.place(id);
        Ok(id)
    }

    /// Puts a value where the next one belongs.
    fn place(&mut self, id: NodeId) {
        match self.open.last_mut() {
            None => self.root = self.root.or(Some(id)),
            Some(Open { node: Node::Object(object), name, .. }) => {
                if let Some(name) = name.take() {
                    object.insert(name, id);
                }
            }
            Some(Open { node: Node::List(elements), .. }) => elements.push(id),
            Some(_) => {}
        }
    }

    fn finish(mut self) -> Result<Document, DocumentError> {
        let root = match self.root {
            Some(root) => root,
            None => self.add(Node::Null, 1)?,
        };
        Ok(Document { nodes: self.nodes, root })
    }
}

#[cfg(test)]
mod tests;
