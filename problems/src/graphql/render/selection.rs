//! Fields, their arguments, and what is selected of the objects they return.

use std::fmt::Write;

use wallace_genes::{Field, Gene, GeneSpec, ObjectGene, ObjectSpec, SpecId, TupleSpec};

use super::Printer;
use super::alias::{FieldAlias, aliases};
use crate::graphql::template::SelectionMember;

impl Printer<'_> {
    /// What follows the name of a field: arguments and selection, as far as there are any.
    pub(super) fn call(&mut self, id: SpecId, gene: &Gene) {
        match (self.graph.spec(self.present(id)), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => self.tuple(tuple, elements),
            (GeneSpec::Object(object), Gene::Object(value)) => {
                self.selection(self.present(id), object, value, &[]);
            }
            _ => {}
        }
    }

    fn tuple(&mut self, tuple: &TupleSpec, elements: &[Gene]) {
        let arguments = tuple.elements.len() - usize::from(tuple.has_selection);
        let mut is_first = true;
        for (argument, value) in tuple.elements.iter().zip(elements).take(arguments) {
            if *value != Gene::Absent {
                if is_first {
                    self.text.push('(');
                } else {
                    self.next_value();
                }
                is_first = false;
                self.named_value(argument, value);
            }
        }
        if !is_first {
            self.text.push(')');
        }
        if tuple.has_selection
            && let (Some(returned), Some(gene)) = (tuple.elements.last(), elements.last())
        {
            self.call(returned.spec, gene);
        }
    }

    /// A selected object. `renamed` are the fields of it that need an alias.
    fn selection(
        &mut self,
        id: SpecId,
        object: &ObjectSpec,
        gene: &ObjectGene,
        renamed: &[FieldAlias],
    ) {
        let members = self.templates.members(id);
        let aliases = aliases(self.templates, self.graph, object, members, gene);
        self.space();
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
                SelectionMember::Field(_) | SelectionMember::Typename => {
                    self.alias(*position, renamed);
                    self.text.push_str(&field.name);
                    self.call(field.spec, part);
                }
            }
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

    fn alias(&mut self, field: u32, renamed: &[FieldAlias]) {
        if let Some(alias) = renamed.iter().find(|alias| alias.field == field) {
            let prefix = self.templates.alias_prefix();
            write!(self.text, "{prefix}{}:", alias.number).expect("a String takes any text");
            self.space();
        }
    }

    /// The position behind an optional one; the position itself otherwise.
    pub(super) fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }
}
