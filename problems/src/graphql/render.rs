//! Rendering: from the gene of a call, or the tree of a document, to text.
//!
//! Everything is written into one buffer, names as the schema has them and texts escaped on the
//! way. What is sent as it was sampled, which is nearly everything, is printed from the gene at
//! once; a tree in between would cost a third of the rate. Of a gene that is no value of its
//! specification, the parts that fit are printed.

mod alias;
mod document;
mod escape;
mod executable;
mod gene;

use wallace_genes::Gene;

pub(crate) use alias::{FieldAlias, aliases};
pub use escape::request_body;

use super::template::{OperationTemplate, Templates};
use gene::GenePrinter;

/// The index of an enum value that no enum has, printed as a name that none declares.
pub(crate) const UNKNOWN_ENUM: u32 = u32::MAX;

/// How a document is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// On one line, without any space that is not needed: what is sent.
    #[default]
    Compact,
    /// One field a line, indented by two spaces: what people read.
    Pretty,
}

impl Templates {
    /// The document of a call: a value of the operation's specification as GraphQL.
    #[must_use]
    pub fn render(&self, operation: &OperationTemplate, gene: &Gene, style: Style) -> String {
        let mut document = String::with_capacity(256);
        self.render_into(operation, gene, style, &mut document);
        document
    }

    /// Like [`Templates::render`], appended to a buffer.
    pub fn render_into(
        &self,
        operation: &OperationTemplate,
        gene: &Gene,
        style: Style,
        document: &mut String,
    ) {
        document.push_str(operation.kind.keyword());
        let mut printer =
            GenePrinter { templates: self, graph: self.graph(), out: Text::new(style, document) };
        printer.out.space();
        printer.out.open();
        for namespace in &operation.namespaces {
            printer.out.push(&namespace.name);
            printer.out.space();
            printer.out.open();
        }
        printer.out.push(&operation.name);
        printer.call(operation.spec.id(), gene);
        for _ in 0..=operation.namespaces.len() {
            printer.out.close();
        }
    }
}

/// A text while it is written.
struct Text<'a> {
    style: Style,
    depth: usize,
    text: &'a mut String,
}

impl<'a> Text<'a> {
    fn new(style: Style, text: &'a mut String) -> Self {
        Self { style, depth: 0, text }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A number that reads back as the same. Rust's debug form is GraphQL's: digits on both sides of
    /// the point or an exponent, and the shortest that is exact.
    fn number(&mut self, number: &dyn std::fmt::Debug) {
        std::fmt::write(self.text, format_args!("{number:?}")).expect("a String takes any text");
    }

    /// A space for the eye.
    fn space(&mut self) {
        if self.style == Style::Pretty {
            self.text.push(' ');
        }
    }

    /// Opens a set of fields and starts the first one.
    fn open(&mut self) {
        self.text.push('{');
        self.depth += 1;
        self.new_line();
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.new_line();
        self.text.push('}');
    }

    fn new_line(&mut self) {
        if self.style == Style::Pretty {
            self.text.push('\n');
            for _ in 0..self.depth {
                self.text.push_str("  ");
            }
        }
    }

    /// Starts another field.
    fn next_field(&mut self) {
        match self.style {
            Style::Compact => self.text.push(' '),
            Style::Pretty => self.new_line(),
        }
    }

    /// Starts another argument, input field or element.
    fn next_value(&mut self) {
        self.text.push(',');
        self.space();
    }

    /// What stands between a name and what it names.
    fn colon(&mut self) {
        self.text.push(':');
        self.space();
    }
}
