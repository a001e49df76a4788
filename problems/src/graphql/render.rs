//! Rendering: from the gene of an operation to a GraphQL document.
//!
//! Everything is written into one buffer, names as the schema has them and texts escaped on the
//! way. A gene that is a value of its specification renders to a valid document; of one that is
//! not, the parts that fit are printed.

mod alias;
mod escape;
mod selection;
mod value;

use wallace_genes::{Gene, SpecGraph};

pub use escape::request_body;

use super::template::{OperationTemplate, Templates};

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
        let mut printer = Printer {
            templates: self,
            graph: operation.spec.graph(),
            style,
            depth: 0,
            text: document,
        };
        printer.space();
        printer.open();
        printer.text.push_str(&operation.name);
        printer.call(operation.spec.id(), gene);
        printer.close();
    }
}

/// Where printing is, and the buffer it goes to.
struct Printer<'a> {
    templates: &'a Templates,
    graph: &'a SpecGraph,
    style: Style,
    depth: usize,
    text: &'a mut String,
}

impl Printer<'_> {
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
}
