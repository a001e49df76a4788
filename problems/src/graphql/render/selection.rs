//! Fields, their arguments, and what is selected of the objects they return.

use std::fmt::Write;

use wallace_genes::{Field, Gene, GeneSpec, ObjectGene, ObjectSpec, SpecId, TupleSpec};

use super::Printer;
use super::alias::{FieldAlias, aliases};
use crate::graphql::form::ALIAS;
use crate::graphql::template::SelectionMember;

/// A field that any selection may hold, and that no answer shows.
const SKIPPED: &str = "wallaceSkipped:__typename@skip(if:true)";

impl Printer<'_> {
    /// What follows the name of a field: arguments and selection, as far as there are any.
    pub(super) fn call(&mut self, id: SpecId, gene: &Gene) {
        match (self.graph.spec(self.present(id)), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => self.tuple(tuple, elements),
            _ => {
                self.directive();
                self.selected(id, gene);
            }
        }
    }

    /// What is selected of an object; nothing of anything else.
    fn selected(&mut self, id: SpecId, gene: &Gene) {
        let id = self.present(id);
        if let (GeneSpec::Object(object), Gene::Object(value)) = (self.graph.spec(id), gene) {
            self.selection(id, object, value, &[]);
        }
    }

    /// The directive that the layout puts on every field.
    fn directive(&mut self) {
        if self.layout.has_directives {
            self.text.push_str("@include(if:true)");
        }
        if self.layout.has_skips {
            self.text.push_str("@skip(if:false)");
        }
    }

    fn tuple(&mut self, tuple: &TupleSpec, elements: &[Gene]) {
        let arguments = tuple.elements.len() - usize::from(tuple.has_selection);
        let mut is_first = true;
        let parts = tuple.elements.iter().zip(elements).take(arguments);
        for (position, (argument, value)) in parts.enumerate() {
            if *value != Gene::Absent {
                if is_first {
                    self.text.push('(');
                } else {
                    self.next_value();
                }
                is_first = false;
                self.argument(position, argument, value);
            }
        }
        if !is_first {
            self.text.push(')');
        }
        self.directive();
        if tuple.has_selection
            && let (Some(returned), Some(gene)) = (tuple.elements.last(), elements.last())
        {
            self.selected(returned.spec, gene);
        }
    }

    /// An argument; a variable where the layout has them for the operation's own.
    fn argument(&mut self, position: usize, argument: &Field, value: &Gene) {
        // Fields of the operation's own level stand one deep.
        let own =
            self.arguments.get(position).filter(|_| self.layout.has_variables && self.depth == 1);
        let Some(own) = own else { return self.named_value(argument, value) };
        let name = format!("v{}", self.variables.len() + 1);
        self.text.push_str(&argument.name);
        self.text.push_str(":$");
        self.text.push_str(&name);
        let value = self.json(argument.spec, value);
        self.variables.push((name, own.type_text.clone(), value));
    }

    /// A selected object. `renamed` are the fields of it that need an alias.
    fn selection(
        &mut self,
        id: SpecId,
        object: &ObjectSpec,
        gene: &ObjectGene,
        renamed: &[FieldAlias],
    ) {
        self.space();
        if self.layout.has_named_fragments {
            let outside = std::mem::take(self.text);
            self.members(id, object, gene, renamed);
            let body = std::mem::replace(self.text, outside);
            let name = format!("Part{}", self.fragments.len() + 1);
            self.fragments.push(format!("fragment {name} on {}{body}", object.type_name));
            self.text.push_str(&format!("{{...{name}}}"));
        } else if self.layout.has_inline_fragments {
            self.text.push_str(&format!("{{...on {}", object.type_name));
            self.members(id, object, gene, renamed);
            self.text.push('}');
        } else {
            self.members(id, object, gene, renamed);
        }
    }

    /// The braces of a selection and what stands in them.
    fn members(
        &mut self,
        id: SpecId,
        object: &ObjectSpec,
        gene: &ObjectGene,
        renamed: &[FieldAlias],
    ) {
        let members = self.templates.members(id);
        let aliases = aliases(self.templates, self.graph, object, members, gene);
        self.open();
        let mut is_first = true;
        for (position, part) in &gene.fields {
            let place = *position as usize;
            let (Some(field), Some(member)) = (object.fields.get(place), members.get(place)) else {
                continue;
            };
            if !is_first {
                self.next_field();
            }
            is_first = false;
            match member {
                SelectionMember::Fragment(_) => {
                    self.fragment(field, part, aliases.of_fragment(*position));
                }
                SelectionMember::Typename => self.text.push_str(&field.name),
                SelectionMember::Field(_) => {
                    self.alias(*position, &field.name, renamed);
                    self.text.push_str(&field.name);
                    self.call(field.spec, part);
                }
            }
        }
        if self.layout.has_skips {
            self.next_field();
            self.text.push_str(SKIPPED);
        }
        self.close();
    }

    fn fragment(&mut self, field: &Field, gene: &Gene, renamed: &[FieldAlias]) {
        let id = self.present(field.spec);
        if let (GeneSpec::Object(object), Gene::Object(value)) = (self.graph.spec(id), gene) {
            self.text.push_str(&field.name);
            self.selection(id, object, value, renamed);
        }
    }

    /// The name that the field has in the response, where it is not its own.
    fn alias(&mut self, field: u32, name: &str, renamed: &[FieldAlias]) {
        let alias = renamed.iter().find(|alias| alias.field == field);
        let prefix = self.templates.alias_prefix();
        if self.layout.has_aliases {
            self.text.push_str(ALIAS);
        }
        match alias {
            Some(alias) => {
                write!(self.text, "{prefix}{}:", alias.number).expect("a String takes any text")
            }
            None if self.layout.has_aliases => {
                self.text.push_str(name);
                self.text.push(':');
            }
            None => return,
        }
        self.space();
    }

    /// The position behind an optional one; the position itself otherwise.
    pub(super) fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }
}
