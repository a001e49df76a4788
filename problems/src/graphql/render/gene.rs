//! Calls as text, straight from their genes.

use std::fmt::Write;

use wallace_genes::{
    Field, Gene, GeneSpec, ObjectGene, SpecGraph, SpecId,
    spec::{ObjectSpec, TupleSpec},
};

use super::alias::{FieldAlias, aliases};
use super::escape::push_string;
use super::{Text, UNKNOWN_ENUM};
use crate::graphql::template::{SelectionMember, Templates};

/// Where printing is, and the buffer it goes to.
pub(super) struct GenePrinter<'a> {
    pub(super) templates: &'a Templates,
    pub(super) graph: &'a SpecGraph,
    pub(super) out: Text<'a>,
}

impl GenePrinter<'_> {
    /// What follows the name of a field: arguments and selection, as far as there are any.
    pub(super) fn call(&mut self, id: SpecId, gene: &Gene) {
        match (self.graph.spec(self.present(id)), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => self.tuple(tuple, elements),
            _ => self.selected(id, gene, &[]),
        }
    }

    fn tuple(&mut self, tuple: &TupleSpec, elements: &[Gene]) {
        let arguments = tuple.elements.len() - usize::from(tuple.has_selection);
        let mut is_first = true;
        for (argument, value) in tuple.elements.iter().zip(elements).take(arguments) {
            if *value != Gene::Absent {
                if is_first {
                    self.out.text.push('(');
                } else {
                    self.out.next_value();
                }
                is_first = false;
                self.named_value(argument, value);
            }
        }
        if !is_first {
            self.out.text.push(')');
        }
        if tuple.has_selection
            && let (Some(returned), Some(gene)) = (tuple.elements.last(), elements.last())
        {
            self.selected(returned.spec, gene, &[]);
        }
    }

    /// What is selected of an object; nothing of anything else. `renamed` are the fields of it that
    /// need an alias.
    fn selected(&mut self, id: SpecId, gene: &Gene, renamed: &[FieldAlias]) {
        let id = self.present(id);
        if let (GeneSpec::Object(object), Gene::Object(value)) = (self.graph.spec(id), gene) {
            self.out.space();
            self.members(id, object, value, renamed);
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
        let aliases = aliases(self.templates, object, members, gene);
        self.out.open();
        let mut is_first = true;
        for (position, part) in &gene.fields {
            let place = *position as usize;
            let (Some(field), Some(member)) = (object.fields.get(place), members.get(place)) else {
                continue;
            };
            if !is_first {
                self.out.next_field();
            }
            is_first = false;
            match member {
                SelectionMember::Fragment(_) => {
                    self.out.push(&field.name);
                    self.selected(field.spec, part, aliases.of_fragment(*position));
                }
                SelectionMember::Typename => self.out.push(&field.name),
                SelectionMember::Field(_) => {
                    if let Some(alias) = renamed.iter().find(|alias| alias.field == *position) {
                        let prefix = self.templates.alias_prefix();
                        write!(self.out.text, "{prefix}{}", alias.number)
                            .expect("a String takes any text");
                        self.out.colon();
                    }
                    self.out.push(&field.name);
                    self.call(field.spec, part);
                }
            }
        }
        self.out.close();
    }

    /// An argument or input field: name and value.
    fn named_value(&mut self, field: &Field, gene: &Gene) {
        self.out.push(&field.name);
        self.out.colon();
        self.value(field.spec, gene);
    }

    fn value(&mut self, id: SpecId, gene: &Gene) {
        let id = self.present(id);
        match (self.graph.spec(id), gene) {
            (_, Gene::String(string)) => push_string(self.out.text, &string.text),
            (_, Gene::Integer(number)) => self.out.number(number),
            (_, Gene::Long(number)) => self.out.number(number),
            (_, Gene::Boolean(is_true)) => self.out.push(if *is_true { "true" } else { "false" }),
            (_, Gene::Float(number)) => self.out.number(&number.get()),
            (_, Gene::Enum(UNKNOWN_ENUM)) => self.out.push("WALLACE_UNKNOWN"),
            (GeneSpec::Enum(names), Gene::Enum(index)) => {
                self.out.push(names.name(*index).unwrap_or("null"));
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                let parts = elements.iter().filter(|part| **part != Gene::Absent);
                self.enclosed('[', parts, ']', |printer, part| printer.value(array.element, part));
            }
            (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                let branch = choice.branches.get(value.branch as usize);
                self.enclosed('{', branch.into_iter(), '}', |printer, branch| {
                    printer.named_value(branch, &value.value);
                });
            }
            // An input object that is given as exactly one of its fields.
            (GeneSpec::Object(object), Gene::Object(value)) if self.templates.is_one_of(id) => {
                if let (Some(field), Some(part)) = (object.fields.first(), value.get(0)) {
                    self.value(field.spec, part);
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                let present = |(position, part): &'_ (u32, Gene)| {
                    *part != Gene::Absent && (*position as usize) < object.fields.len()
                };
                let parts = value.fields.iter().filter(|part| present(part));
                self.enclosed('{', parts, '}', |printer, (position, part)| {
                    printer.named_value(&object.fields[*position as usize], part);
                });
            }
            // A value of a scalar that takes any.
            (_, Gene::Array(elements)) => {
                self.enclosed('[', elements.iter(), ']', |printer, part| printer.value(id, part));
            }
            (_, Gene::Map(entries)) => {
                self.enclosed('{', entries.iter(), '}', |printer, (key, part)| {
                    let Gene::String(key) = key else { return };
                    printer.out.push(&key.text);
                    printer.out.colon();
                    printer.value(id, part);
                });
            }
            _ => self.out.push("null"),
        }
    }

    fn enclosed<T>(
        &mut self,
        open: char,
        parts: impl Iterator<Item = T>,
        close: char,
        print: impl Fn(&mut Self, T),
    ) {
        self.out.text.push(open);
        for (index, part) in parts.enumerate() {
            if index > 0 {
                self.out.next_value();
            }
            print(self, part);
        }
        self.out.text.push(close);
    }

    fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }
}
