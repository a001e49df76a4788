//! Rendering: from the gene of an operation to a GraphQL document.
//!
//! Everything is written into one buffer, names as the schema has them and texts escaped on the
//! way. A gene that is a value of its specification renders to a valid document; of one that is
//! not, the parts that fit are printed.

mod alias;
mod escape;
mod selection;
mod value;

use serde_json::{Map, Value};
use wallace_genes::{Gene, SpecGraph};

pub(crate) use alias::response_names;
pub use escape::request_body;

use super::action::Form;
use super::form::ALIAS;
use super::template::{ArgumentTemplate, OperationTemplate, Templates};

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
        let mut printer = Printer::new(self, operation, style, Layout::default(), document);
        printer.operation(operation, gene);
    }

    /// The document in another layout, and the variables that it needs.
    pub(crate) fn render_as(
        &self,
        operation: &OperationTemplate,
        gene: &Gene,
        style: Style,
        layout: Layout,
    ) -> (String, Map<String, Value>) {
        let mut body = String::with_capacity(256);
        let mut printer = Printer::new(self, operation, style, layout, &mut body);
        printer.operation(operation, gene);
        let (fragments, variables) = (printer.fragments, printer.variables);
        let mut document = operation.kind.keyword().to_owned();
        let mut values = Map::new();
        for (index, (name, type_text, value)) in variables.into_iter().enumerate() {
            document.push_str(if index == 0 { "(" } else { "," });
            document.push_str(&format!("${name}:{type_text}"));
            values.insert(name, value);
        }
        document.push_str(if values.is_empty() { "" } else { ")" });
        document.push_str(&body);
        for fragment in fragments {
            document.push(' ');
            document.push_str(&fragment);
        }
        (document, values)
    }
}

/// The index of an enum value that no enum has, printed as a name that none declares.
pub(crate) const UNKNOWN_ENUM: u32 = u32::MAX;

/// Choices of printing that do not change what a document means.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Layout {
    /// The operation's arguments as variables.
    has_variables: bool,
    /// Every field under another name.
    has_aliases: bool,
    /// Every selection as a named fragment.
    has_named_fragments: bool,
    /// Every selection inside a fragment on its own type.
    has_inline_fragments: bool,
    /// Every field with a directive that includes it.
    has_directives: bool,
    /// Every field with a directive that does not skip it, and a field that is skipped.
    has_skips: bool,
}

impl Layout {
    /// The layout of a form.
    pub(crate) fn of(form: Form) -> Self {
        Self {
            has_variables: form == Form::Variables,
            has_aliases: form == Form::Aliases,
            has_named_fragments: form == Form::NamedFragments,
            has_inline_fragments: form == Form::InlineFragments,
            has_directives: form == Form::Included,
            has_skips: form == Form::Skipped,
        }
    }
}

/// Where printing is, and the buffer it goes to.
struct Printer<'a> {
    templates: &'a Templates,
    graph: &'a SpecGraph,
    style: Style,
    depth: usize,
    layout: Layout,
    /// Definitions of fragments, where the layout has them.
    fragments: Vec<String>,
    /// Names, types and values of variables, where the layout has them.
    variables: Vec<(String, String, Value)>,
    arguments: &'a [ArgumentTemplate],
    text: &'a mut String,
}

impl<'a> Printer<'a> {
    fn new(
        templates: &'a Templates,
        operation: &'a OperationTemplate,
        style: Style,
        layout: Layout,
        text: &'a mut String,
    ) -> Self {
        Self {
            templates,
            graph: operation.spec.graph(),
            style,
            depth: 0,
            layout,
            fragments: Vec::new(),
            variables: Vec::new(),
            arguments: &operation.arguments,
            text,
        }
    }

    /// The braces of the operation and its field.
    fn operation(&mut self, operation: &OperationTemplate, gene: &Gene) {
        self.space();
        self.open();
        if self.layout.has_aliases {
            self.text.push_str(ALIAS);
            self.text.push_str(&operation.name);
            self.text.push(':');
        }
        self.text.push_str(&operation.name);
        self.call(operation.spec.id(), gene);
        self.close();
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
}
