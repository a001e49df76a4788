//! JSON, read in one pass without recursion.

use std::sync::Arc;

use serde_json::Number;

use super::{Builder, Document, DocumentError, DocumentLimits, Node, ObjectNode, Open};

pub(super) fn parse(text: &str, limits: DocumentLimits) -> Result<Document, DocumentError> {
    let mut reader = Reader { text, place: 0, line: 1 };
    let mut builder = Builder::new(limits);
    loop {
        reader.skip_space();
        let is_done = builder.open.is_empty() && builder.root.is_some();
        match reader.peek() {
            None if is_done => return builder.finish(),
            Some(_) if is_done => return Err(reader.error("text after the end of the document")),
            _ => reader.step(&mut builder)?,
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    place: usize,
    line: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.place).copied()
    }

    fn error(&self, reason: impl Into<String>) -> DocumentError {
        DocumentError::Malformed { line: self.line, reason: reason.into() }
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.place += 1;
        }
    }

    /// Reads up to the next value, or to the end of a container.
    fn step(&mut self, builder: &mut Builder) -> Result<(), DocumentError> {
        let Some(Open { node, name, .. }) = builder.open.last_mut() else {
            return self.value(builder);
        };
        let (end, is_empty, is_object) = match node {
            Node::Object(object) => (b'}', object.members.is_empty(), true),
            Node::List(elements) => (b']', elements.is_empty(), false),
            _ => unreachable!("only containers are opened"),
        };
        if self.peek() == Some(end) {
            self.place += 1;
            return builder.close().map(drop);
        }
        if !is_empty {
            self.expect(b',')?;
            self.skip_space();
        }
        if is_object {
            let line = self.line;
            *name = Some(self.string()?.into());
            self.skip_space();
            self.expect(b':').map_err(|_| DocumentError::Malformed {
                line,
                reason: "a member without a colon".to_owned(),
            })?;
            self.skip_space();
        }
        self.value(builder)
    }

    fn expect(&mut self, byte: u8) -> Result<(), DocumentError> {
        if self.peek() == Some(byte) {
            self.place += 1;
            return Ok(());
        }
        Err(self.error(format!("{:?} is missing", char::from(byte))))
    }

    fn value(&mut self, builder: &mut Builder) -> Result<(), DocumentError> {
        let line = self.line;
        let node = match self.peek() {
            Some(b'{') => {
                self.place += 1;
                return builder.open(Node::Object(ObjectNode::default()), line);
            }
            Some(b'[') => {
                self.place += 1;
                return builder.open(Node::List(Vec::new()), line);
            }
            Some(b'"') => Node::Text(self.string()?.into()),
            Some(_) => self.word()?,
            None => return Err(self.error("the document ends too early")),
        };
        builder.add(node, line).map(drop)
    }

    /// A number or one of the three names.
    fn word(&mut self) -> Result<Node, DocumentError> {
        let rest = &self.text[self.place..];
        let end = rest.find([',', '}', ']', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
        let word = &rest[..end];
        let node = match word {
            "null" => Node::Null,
            "true" => Node::Boolean(true),
            "false" => Node::Boolean(false),
            _ => match serde_json::from_str::<Number>(word) {
                Ok(number) => Node::Number(number),
                Err(_) => return Err(self.error("neither a value nor the end of one")),
            },
        };
        self.place += end;
        Ok(node)
    }

    fn string(&mut self) -> Result<Text, DocumentError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a name or text must begin with a quote"));
        }
        let start = self.place;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        let mut is_plain = true;
        loop {
            match bytes.get(end) {
                None | Some(b'\n') => return Err(self.error("a text has no end")),
                Some(b'"') => break,
                Some(b'\\') => {
                    is_plain = false;
                    end += 2;
                }
                Some(_) => end += 1,
            }
        }
        self.place = end + 1;
        if is_plain {
            return Ok(Text(self.text[start + 1..end].into()));
        }
        let text: String = serde_json::from_str(&self.text[start..=end])
            .map_err(|_| self.error("a text with a wrong escape"))?;
        Ok(Text(text.into()))
    }
}

struct Text(Arc<str>);

impl From<Text> for Arc<str> {
    fn from(text: Text) -> Self {
        text.0
    }
}
