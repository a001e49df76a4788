//! Documents of clients as text.

use super::{Style, Text};
use crate::graphql::executable::{
    Definition, ExecutableDocument, Operation, Part, Selection, VariableDefinition,
};
use crate::graphql::schema::{OperationKind, Wrapper};

impl ExecutableDocument {
    /// The document as text: the same but for comments, layout, and how numbers and texts are
    /// spelled.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let mut text = String::with_capacity(256);
        let mut out = Text::new(style, &mut text);
        for (index, definition) in self.definitions.iter().enumerate() {
            if index > 0 && style == Style::Pretty {
                out.push("\n\n");
            }
            match definition {
                Definition::Operation(operation) => out.operation(operation, index == 0),
                Definition::Fragment(fragment) => {
                    for part in ["fragment ", &fragment.name, " on ", &fragment.on] {
                        out.push(part);
                    }
                    out.directives(&fragment.directives);
                    out.parts(&fragment.selections);
                }
            }
        }
        text
    }
}

impl Text<'_> {
    fn operation(&mut self, operation: &Operation, is_first: bool) {
        let is_bare = operation.kind == OperationKind::Query
            && operation.name.is_none()
            && operation.variables.is_empty()
            && operation.directives.is_empty();
        // Behind another definition the keyword stays, for the eye.
        if !is_bare || !is_first {
            self.push(operation.kind.keyword());
            if let Some(name) = &operation.name {
                self.text.push(' ');
                self.push(name);
            }
            for (index, variable) in operation.variables.iter().enumerate() {
                if index == 0 {
                    self.text.push('(');
                } else {
                    self.next_value();
                }
                self.variable(variable);
            }
            self.push(if operation.variables.is_empty() { "" } else { ")" });
            self.directives(&operation.directives);
            self.space();
        }
        self.braces(&operation.selections, Self::part);
    }

    fn variable(&mut self, variable: &VariableDefinition) {
        self.text.push('$');
        self.push(&variable.name);
        self.colon();
        let lists = variable.wrappers.iter().filter(|wrapper| **wrapper == Wrapper::List);
        self.push(&"[".repeat(lists.count()));
        self.push(&variable.type_name);
        for wrapper in variable.wrappers.iter().rev() {
            self.push(match wrapper {
                Wrapper::List => "]",
                Wrapper::NonNull => "!",
            });
        }
        if let Some(default) = &variable.default {
            self.space();
            self.text.push('=');
            self.space();
            self.literal(default);
        }
        self.directives(&variable.directives);
    }

    /// Selections behind something; nothing where nothing is selected.
    fn parts(&mut self, selections: &[Selection]) {
        if !selections.is_empty() {
            self.space();
            self.braces(selections, Self::part);
        }
    }

    fn part(&mut self, selection: &Selection) {
        match &selection.part {
            Part::Field(field) => {
                self.field(field.alias.as_deref(), &field.name, &field.arguments);
            }
            Part::Inline(on) => {
                self.push("...");
                if let Some(on) = on {
                    self.push(" on ");
                    self.push(on);
                }
            }
            Part::Spread(name) => {
                self.push("...");
                self.push(name);
            }
        }
        self.directives(&selection.directives);
        self.parts(&selection.selections);
    }
}
