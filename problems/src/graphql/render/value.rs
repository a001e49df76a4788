//! Values given as arguments.

use std::fmt::Write;

use serde_json::Value;
use wallace_genes::{Field, Gene, GeneSpec, SpecId};

use super::escape::push_string;
use super::{Printer, UNKNOWN_ENUM};

impl Printer<'_> {
    /// An argument or input field: name and value.
    pub(super) fn named_value(&mut self, field: &Field, gene: &Gene) {
        self.text.push_str(&field.name);
        self.text.push(':');
        self.space();
        self.value(field.spec, gene);
    }

    fn value(&mut self, id: SpecId, gene: &Gene) {
        let id = self.present(id);
        match (self.graph.spec(id), gene) {
            (_, Gene::Null) => self.text.push_str("null"),
            (_, Gene::String(string)) => push_string(self.text, &string.text),
            (_, Gene::Integer(number)) => self.number(number),
            (_, Gene::Long(number)) => self.number(number),
            (_, Gene::Boolean(is_true)) => {
                self.text.push_str(if *is_true { "true" } else { "false" });
            }
            (_, Gene::Float(number)) => self.float(number.get()),
            (GeneSpec::Enum(names), Gene::Enum(index)) => {
                let name = names.name(*index);
                let other = if *index == UNKNOWN_ENUM { "WALLACE_UNKNOWN" } else { "null" };
                self.text.push_str(name.unwrap_or(other));
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                let parts = elements.iter().filter(|part| **part != Gene::Absent);
                self.enclosed('[', parts, ']', |printer, part| printer.value(array.element, part));
            }
            (GeneSpec::Object(object), Gene::Object(value)) if self.templates.is_one_of(id) => {
                let (field, part) = (object.fields.first(), value.get(0));
                if let (Some(field), Some(part)) = (field, part) {
                    self.one_of(field.spec, part);
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
            _ => self.text.push_str("null"),
        }
    }

    /// The value as JSON, for a variable.
    pub(super) fn json(&self, id: SpecId, gene: &Gene) -> Value {
        let id = self.present(id);
        match (self.graph.spec(id), gene) {
            (_, Gene::String(string)) => Value::from(&*string.text),
            (_, Gene::Integer(number)) => Value::from(*number),
            (_, Gene::Long(number)) => Value::from(*number),
            (_, Gene::Boolean(is_true)) => Value::from(*is_true),
            (_, Gene::Float(number)) => Value::from(number.get()),
            (GeneSpec::Enum(names), Gene::Enum(index)) => {
                names.values.get(*index as usize).cloned().unwrap_or_default()
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                let parts = elements.iter().filter(|part| **part != Gene::Absent);
                parts.map(|part| self.json(array.element, part)).collect()
            }
            (GeneSpec::Object(object), Gene::Object(value)) if self.templates.is_one_of(id) => {
                let choice = object.fields.first().map(|field| self.graph.spec(field.spec));
                match (choice, value.get(0)) {
                    (Some(GeneSpec::Choice(choice)), Some(Gene::Choice(chosen))) => {
                        let branch = choice.branches.get(chosen.branch as usize);
                        let one = branch.map(|branch| {
                            (branch.name.to_string(), self.json(branch.spec, &chosen.value))
                        });
                        Value::Object(one.into_iter().collect())
                    }
                    _ => Value::Null,
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                let parts = value.fields.iter().filter(|(_, part)| *part != Gene::Absent);
                let fields = parts.filter_map(|(position, part)| {
                    let field = object.fields.get(*position as usize)?;
                    Some((field.name.to_string(), self.json(field.spec, part)))
                });
                Value::Object(fields.collect())
            }
            _ => Value::Null,
        }
    }

    /// An input object that is given as exactly one of its fields.
    fn one_of(&mut self, id: SpecId, gene: &Gene) {
        if let (GeneSpec::Choice(choice), Gene::Choice(value)) = (self.graph.spec(id), gene) {
            let branch = choice.branches.get(value.branch as usize);
            self.enclosed('{', branch.into_iter(), '}', |printer, branch| {
                printer.named_value(branch, &value.value);
            });
        }
    }

    fn enclosed<T>(
        &mut self,
        open: char,
        parts: impl Iterator<Item = T>,
        close: char,
        print: impl Fn(&mut Self, T),
    ) {
        self.text.push(open);
        for (index, part) in parts.enumerate() {
            if index > 0 {
                self.next_value();
            }
            print(self, part);
        }
        self.text.push(close);
    }

    fn number(&mut self, number: &dyn std::fmt::Display) {
        write!(self.text, "{number}").expect("a String takes any text");
    }

    /// A float that reads back as the same number. Rust's debug form is GraphQL's: digits on both
    /// sides of the point or an exponent, and the shortest that is exact.
    fn float(&mut self, number: f64) {
        write!(self.text, "{number:?}").expect("a String takes any text");
    }
}
