//! A pattern as a table of nodes.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::RegexError;

/// Most repetitions that a pattern may ask for at least.
const REPETITIONS: u32 = 1_000;
/// Longest text that the shortest one of a pattern may be, in characters.
const LONGEST: usize = 1_024;
/// Most nodes of a pattern.
const NODES: usize = 10_000;

/// Position of a node.
pub(super) type NodeId = usize;

/// What a part of a pattern matches.
#[derive(Debug)]
pub(super) enum Node {
    /// These characters.
    Literal(Vec<char>),
    /// One character of these ranges, which are in order.
    Class(Vec<(char, char)>),
    /// Nothing, at a place of which this holds.
    Look(Look),
    /// A part, several times.
    Repeat { part: NodeId, min: u32, max: u32 },
    /// Parts, one after the other.
    Concat(Vec<NodeId>),
    /// One of several parts.
    Alternate(Vec<NodeId>),
    /// Any text: what stands around a match that need not be the whole text.
    Padding,
}

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Program {
    nodes: Vec<Node>,
    root: NodeId,
}

impl Program {
    pub(super) fn parse(pattern: &str, is_whole: bool) -> Result<Self, RegexError> {
        let unsupported = |error: regex_syntax::Error| {
            // The first line says what, the rest shows where.
            let text = error.to_string();
            RegexError::Unsupported(text.lines().last().unwrap_or_default().to_owned())
        };
        let parser = regex_syntax::ParserBuilder::new().nest_limit(50).build();
        let tree = { parser }.parse(pattern).map_err(unsupported)?;
        if tree.properties().minimum_len().is_none_or(|length| length > LONGEST) {
            return Err(RegexError::TooLarge);
        }
        let mut program = Self { nodes: Vec::new(), root: 0 };
        program.root = program.add_tree(&tree)?;
        if !is_whole {
            let padding = program.add(Node::Padding)?;
            program.root = program.add(Node::Concat(vec![padding, program.root, padding]))?;
        }
        Ok(program)
    }

    fn add(&mut self, node: Node) -> Result<NodeId, RegexError> {
        if self.nodes.len() >= NODES {
            return Err(RegexError::TooLarge);
        }
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    fn add_tree(&mut self, tree: &Hir) -> Result<NodeId, RegexError> {
        let node = match tree.kind() {
            HirKind::Empty => Node::Literal(Vec::new()),
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => Node::Literal(text.chars().collect()),
                Err(_) => return Err(RegexError::Unsupported("bytes that are no text".to_owned())),
            },
            HirKind::Class(class) => Node::Class(ranges(class)),
            HirKind::Look(look) => Node::Look(supported(*look)?),
            HirKind::Capture(capture) => return self.add_tree(&capture.sub),
            HirKind::Repetition(repetition) => {
                if repetition.min > REPETITIONS {
                    return Err(RegexError::TooLarge);
                }
                let part = self.add_tree(&repetition.sub)?;
                let max = repetition.max.unwrap_or(u32::MAX);
                Node::Repeat { part, min: repetition.min, max }
            }
            HirKind::Concat(parts) => Node::Concat(self.add_all(parts)?),
            HirKind::Alternation(parts) => Node::Alternate(self.add_all(parts)?),
        };
        self.add(node)
    }

    fn add_all(&mut self, trees: &[Hir]) -> Result<Vec<NodeId>, RegexError> {
        trees.iter().map(|tree| self.add_tree(tree)).collect()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    pub(super) fn root(&self) -> NodeId {
        self.root
    }

    /// Number of places where the pattern leaves a choice; at least 1.
    pub(super) fn decisions(&self) -> usize {
        let is_decision = |node: &&Node| {
            matches!(node, Node::Class(_) | Node::Repeat { .. } | Node::Alternate(_))
        };
        self.nodes.iter().filter(is_decision).count().max(1)
    }
}

fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        // Without Unicode only the bytes of ASCII are texts.
        Class::Bytes(class) => {
            let ascii = class.ranges().iter().filter(|range| range.start() < 0x80);
            let bounds = ascii.map(|range| (range.start(), range.end().min(0x7f)));
            bounds.map(|(low, high)| (char::from(low), char::from(high))).collect()
        }
    }
}

fn supported(look: Look) -> Result<Look, RegexError> {
    match look {
        Look::Start
        | Look::End
        | Look::StartLF
        | Look::EndLF
        | Look::WordAscii
        | Look::WordAsciiNegate
        | Look::WordUnicode
        | Look::WordUnicodeNegate => Ok(look),
        _ => Err(RegexError::Unsupported("a rare kind of boundary".to_owned())),
    }
}
