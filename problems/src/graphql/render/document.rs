//! Documents as text.

use serde_json::{Map, Value};

use super::escape::push_string;
use super::{Style, Text};
use crate::graphql::document::{Directive, Document, Literal, Part, Selection};

impl Document {
    /// The document as text.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let mut text = String::with_capacity(256);
        text.push_str(self.kind.keyword());
        let mut out = Text::new(style, &mut text);
        for (index, variable) in self.variables.iter().enumerate() {
            out.push(if index == 0 { "($" } else { ",$" });
            out.push(&variable.name);
            out.text.push(':');
            out.push(&variable.type_text);
        }
        out.push(if self.variables.is_empty() { "" } else { ")" });
        out.selections(&self.selections);
        for fragment in &self.fragments {
            out.next_field();
            for part in ["fragment ", &fragment.name, " on ", &fragment.on] {
                out.push(part);
            }
            out.selections(&fragment.selections);
        }
        text
    }

    /// The values of its variables.
    #[must_use]
    pub fn values(&self) -> Map<String, Value> {
        self.variables.iter().map(|it| (it.name.to_string(), it.value.clone())).collect()
    }
}

impl Text<'_> {
    /// Selections behind something, in braces; nothing where nothing is selected.
    fn selections(&mut self, selections: &[Selection]) {
        if !selections.is_empty() {
            self.space();
            self.braces(selections, Self::selection);
        }
    }

    /// Braces and what stands in them, each written by `part`.
    pub(super) fn braces<S>(&mut self, selections: &[S], part: fn(&mut Self, &S)) {
        self.open();
        for (index, selection) in selections.iter().enumerate() {
            if index > 0 {
                self.next_field();
            }
            part(self, selection);
        }
        self.close();
    }

    /// A field as it is called, without what is selected below it.
    pub(super) fn field(
        &mut self,
        alias: Option<&str>,
        name: &str,
        arguments: &[(std::sync::Arc<str>, Literal)],
    ) {
        if let Some(alias) = alias {
            self.push(alias);
            self.colon();
        }
        self.push(name);
        self.arguments(arguments);
    }

    fn selection(&mut self, selection: &Selection) {
        match &selection.part {
            Part::Field(field) => {
                self.field(field.alias.as_deref(), &field.name, &field.arguments);
            }
            Part::Fragment { name, .. } => {
                self.push("... on ");
                self.push(name);
            }
            Part::Spread(name) => {
                self.push("...");
                self.push(name);
            }
        }
        self.directives(&selection.directives);
        self.selections(&selection.selections);
    }

    pub(super) fn directives(&mut self, directives: &[Directive]) {
        for directive in directives {
            self.space();
            self.text.push('@');
            self.push(&directive.name);
            self.arguments(&directive.arguments);
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[(std::sync::Arc<str>, Literal)]) {
        if !arguments.is_empty() {
            self.text.push('(');
            self.named_values(arguments);
            self.text.push(')');
        }
    }

    fn named_values(&mut self, values: &[(std::sync::Arc<str>, Literal)]) {
        for (index, (name, value)) in values.iter().enumerate() {
            if index > 0 {
                self.next_value();
            }
            self.push(name);
            self.colon();
            self.literal(value);
        }
    }

    pub(super) fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Null => self.push("null"),
            Literal::Variable(name) => {
                self.text.push('$');
                self.push(name);
            }
            Literal::Text(text) => push_string(self.text, text),
            Literal::Integer(number) => self.number(number),
            Literal::Float(number) => self.number(number),
            Literal::Boolean(is_true) => self.number(is_true),
            Literal::Enum(name) => self.push(name),
            Literal::List(elements) => {
                self.text.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        self.next_value();
                    }
                    self.literal(element);
                }
                self.text.push(']');
            }
            Literal::Object(fields) => {
                self.text.push('{');
                self.named_values(fields);
                self.text.push('}');
            }
        }
    }
}
