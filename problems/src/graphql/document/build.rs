//! From genes to documents.

use std::sync::Arc;

use wallace_genes::{Field as NamedSpec, Gene, GeneSpec, SpecId};

use super::{Document, Field, Literal, Part, Selection};
use crate::graphql::render::{FieldAlias, UNKNOWN_ENUM, aliases};
use crate::graphql::schema::FieldId;
use crate::graphql::template::{OperationTemplate, SelectionMember, Templates};

impl Document {
    /// Puts what is selected into the namespaces of an operation.
    pub(crate) fn enclose(&mut self, operation: &OperationTemplate) {
        for namespace in operation.namespaces.iter().rev() {
            let inside = std::mem::take(&mut self.selections);
            let name = Arc::clone(&namespace.name);
            self.selections = vec![Selection::field(name, Some(namespace.field), inside)];
        }
    }
}

impl Templates {
    /// The document of a call. Of a gene that is no value of the operation's specification, the
    /// parts that fit are taken.
    #[must_use]
    pub fn document(&self, operation: &OperationTemplate, gene: &Gene) -> Document {
        let mut document = Document::of(operation.kind, vec![self.called_field(operation, gene)]);
        document.enclose(operation);
        document
    }

    /// The field that a call asks for, without the namespaces around it.
    #[must_use]
    pub fn called_field(&self, operation: &OperationTemplate, gene: &Gene) -> Selection {
        let (field, name) = (operation.field, &operation.name);
        self.selected_field(field, name, None, operation.spec.id(), gene)
    }

    fn selected_field(
        &self,
        id: FieldId,
        name: &Arc<str>,
        alias: Option<Arc<str>>,
        spec: SpecId,
        gene: &Gene,
    ) -> Selection {
        let mut field =
            Field { alias, name: Arc::clone(name), id: Some(id), arguments: Vec::new() };
        let selections = match (self.graph().spec(self.present(spec)), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                let count = tuple.elements.len() - usize::from(tuple.has_selection);
                let given = tuple.elements.iter().zip(elements).take(count);
                field.arguments = self.named_values(given);
                match (tuple.elements.get(count), elements.get(count)) {
                    (Some(returned), Some(gene)) => self.selections(returned.spec, gene, &[]),
                    _ => Vec::new(),
                }
            }
            _ => self.selections(spec, gene, &[]),
        };
        Selection::new(Part::Field(field), selections)
    }

    /// What is selected of an object; `renamed` are the fields of it that need an alias.
    fn selections(&self, spec: SpecId, gene: &Gene, renamed: &[FieldAlias]) -> Vec<Selection> {
        let spec = self.present(spec);
        let (GeneSpec::Object(object), Gene::Object(value)) = (self.graph().spec(spec), gene)
        else {
            return Vec::new();
        };
        let members = self.members(spec);
        let aliases = aliases(self, object, members, value);
        let parts = value.fields.iter().filter_map(|(position, part)| {
            let (field, member) =
                (object.fields.get(*position as usize)?, members.get(*position as usize)?);
            Some(match member {
                SelectionMember::Typename => {
                    Selection::field(Arc::clone(&field.name), None, vec![])
                }
                SelectionMember::Field(id) => {
                    let alias = renamed.iter().find(|alias| alias.field == *position);
                    let alias =
                        alias.map(|it| format!("{}{}", self.alias_prefix(), it.number).into());
                    self.selected_field(*id, &field.name, alias, field.spec, part)
                }
                SelectionMember::Fragment(on) => {
                    let name = Arc::clone(&self.schema().definition(*on).name);
                    let renamed = aliases.of_fragment(*position);
                    let selections = self.selections(field.spec, part, renamed);
                    Selection::new(Part::Fragment { on: *on, name }, selections)
                }
            })
        });
        parts.collect()
    }

    fn named_values<'g>(
        &self,
        parts: impl Iterator<Item = (&'g NamedSpec, &'g Gene)>,
    ) -> Vec<(Arc<str>, Literal)> {
        parts
            .filter(|(_, part)| **part != Gene::Absent)
            .map(|(field, part)| (Arc::clone(&field.name), self.literal(field.spec, part)))
            .collect()
    }

    /// A value that is given.
    fn literal(&self, id: SpecId, gene: &Gene) -> Literal {
        let id = self.present(id);
        match (self.graph().spec(id), gene) {
            (_, Gene::String(string)) => Literal::Text(string.text.clone()),
            (_, Gene::Integer(number)) => Literal::Integer(i64::from(*number)),
            (_, Gene::Long(number)) => Literal::Integer(*number),
            (_, Gene::Boolean(is_true)) => Literal::Boolean(*is_true),
            (_, Gene::Float(number)) => Literal::Float(number.get()),
            (_, Gene::Enum(UNKNOWN_ENUM)) => Literal::Enum("WALLACE_UNKNOWN".into()),
            (GeneSpec::Enum(names), Gene::Enum(index)) => {
                names.name(*index).map_or(Literal::Null, |name| Literal::Enum(name.into()))
            }
            (GeneSpec::Array(array), Gene::Array(elements)) => {
                let parts = elements.iter().filter(|part| **part != Gene::Absent);
                Literal::List(parts.map(|part| self.literal(array.element, part)).collect())
            }
            (GeneSpec::Choice(choice), Gene::Choice(chosen)) => {
                let branch = choice.branches.get(chosen.branch as usize);
                Literal::Object(
                    self.named_values(branch.map(|it| (it, &*chosen.value)).into_iter()),
                )
            }
            (GeneSpec::Object(object), Gene::Object(value)) => match value.get(0) {
                Some(part) if self.is_one_of(id) => self.literal(object.fields[0].spec, part),
                _ => Literal::Object(self.named_values(value.fields.iter().filter_map(
                    |(position, part)| Some((object.fields.get(*position as usize)?, part)),
                ))),
            },
            // A value of a scalar that takes any.
            (_, Gene::Array(elements)) => {
                Literal::List(elements.iter().map(|part| self.literal(id, part)).collect())
            }
            (_, Gene::Map(entries)) => {
                let fields = entries.iter().filter_map(|(key, part)| {
                    let Gene::String(key) = key else { return None };
                    Some((Arc::from(&*key.text), self.literal(id, part)))
                });
                Literal::Object(fields.collect())
            }
            _ => Literal::Null,
        }
    }
}
