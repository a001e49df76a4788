//! YAML, from the events of a parser; aliases share the value they name.

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::Number;

use super::{Builder, Document, DocumentError, DocumentLimits, Node, NodeId, ObjectNode, Open};

/// Most members that merge keys may copy in one document.
const MOST_MERGED: usize = 100_000;

pub(super) fn parse(text: &str, limits: DocumentLimits) -> Result<Document, DocumentError> {
    let mut reader = Reader {
        builder: Builder::new(limits),
        anchors: HashMap::new(),
        open: Vec::new(),
        merged: 0,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| DocumentError::Malformed {
            line: error.marker().line() as u32,
            reason: error.info().to_owned(),
        })?;
        if matches!(event, Event::DocumentEnd) {
            break;
        }
        reader.take(event, span.start.line() as u32)?;
    }
    reader.builder.finish()
}

struct Reader {
    builder: Builder,
    /// Finished values with an anchor. An alias to a value around it finds nothing, so that no
    /// value holds itself.
    anchors: HashMap<usize, NodeId>,
    /// Anchors of the containers that are open; 0 where there is none.
    open: Vec<usize>,
    merged: usize,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, line: u32) -> Result<(), DocumentError> {
        if self.expects_name() {
            return self.take_name(event, line);
        }
        match event {
            Event::MappingStart(anchor, _) => {
                self.open.push(anchor);
                self.builder.open(Node::Object(ObjectNode::default()), line)?;
            }
            Event::SequenceStart(anchor, _) => {
                self.open.push(anchor);
                self.builder.open(Node::List(Vec::new()), line)?;
            }
            Event::SequenceEnd => self.close()?,
            Event::Scalar(text, style, anchor, _) => {
                let node = match style {
                    ScalarStyle::Plain => plain(&text),
                    _ => Node::Text(Arc::from(&*text)),
                };
                let id = self.builder.add(node, line)?;
                self.name(anchor, id);
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).copied() {
                Some(id) => self.alias(id)?,
                None => {
                    self.builder.add(Node::Null, line)?;
                }
            },
            _ => {}
        }
        Ok(())
    }

    /// Whether the next event is a member's name, or the end of the members.
    fn expects_name(&self) -> bool {
        matches!(self.builder.open.last(), Some(Open { node: Node::Object(_), name: None, .. }))
    }

    fn take_name(&mut self, event: Event<'_>, line: u32) -> Result<(), DocumentError> {
        let name: Arc<str> = match event {
            Event::MappingEnd => return self.close(),
            Event::Scalar(text, ..) => Arc::from(&*text),
            _ => {
                let reason = "the name of a member is no text".to_owned();
                return Err(DocumentError::Malformed { line, reason });
            }
        };
        if let Some(open) = self.builder.open.last_mut() {
            open.name = Some(name);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), DocumentError> {
        let anchor = self.open.pop().unwrap_or(0);
        let id = self.builder.close()?;
        self.name(anchor, id);
        Ok(())
    }

    fn name(&mut self, anchor: usize, id: NodeId) {
        if anchor > 0 {
            self.anchors.insert(anchor, id);
        }
    }

    /// Puts the value in its place once more; under the name `<<` its members.
    fn alias(&mut self, id: NodeId) -> Result<(), DocumentError> {
        let Some(Open { node: Node::Object(object), name, .. }) = self.builder.open.last_mut()
        else {
            self.builder.place(id);
            return Ok(());
        };
        let Node::Object(source) = &self.builder.nodes[id.0 as usize].0 else {
            self.builder.place(id);
            return Ok(());
        };
        if name.as_deref() != Some("<<") {
            self.builder.place(id);
            return Ok(());
        }
        *name = None;
        self.merged += source.members.len();
        if self.merged > MOST_MERGED {
            return Err(DocumentError::TooLarge { limit: MOST_MERGED, what: "merged members" });
        }
        for (name, value) in &source.members {
            if object.place(name).is_none() {
                object.insert(Arc::clone(name), *value);
            }
        }
        Ok(())
    }
}

/// What a text without quotes means in the core schema of YAML 1.2.
fn plain(text: &str) -> Node {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Node::Null,
        "true" | "True" | "TRUE" => return Node::Boolean(true),
        "false" | "False" | "FALSE" => return Node::Boolean(false),
        _ => {}
    }
    let first = text.as_bytes()[0];
    if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
        return Node::Text(text.into());
    }
    match number(text) {
        Some(number) => Node::Number(number),
        None => Node::Text(text.into()),
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0x") {
        return i64::from_str_radix(digits, 16).ok().map(Number::from);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return i64::from_str_radix(digits, 8).ok().map(Number::from);
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole.into());
    }
    let is_number = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if !is_number || !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse::<f64>().ok().and_then(Number::from_f64)
}
