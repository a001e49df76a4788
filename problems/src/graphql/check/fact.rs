//! Facts about the arguments of an operation: in how many ways a check of it can turn out.

use wallace_genes::TemplateId;

use crate::graphql::schema::{InputValue, Schema, TypeKind, Wrapper};
use crate::graphql::template::Templates;

/// How many arguments of each kind an operation has, those of its input objects' first level
/// included. Lists do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ArgumentFacts {
    /// Arguments that are texts, identities left out.
    pub(super) texts: u32,
    /// Arguments that are numbers.
    pub(super) numbers: u32,
    /// Arguments that are enums.
    pub(super) enums: u32,
    /// Values of the enums that are arguments of the operation itself.
    pub(super) enum_values: u32,
    /// Arguments that must be given.
    pub(super) required: u32,
    /// Arguments that are enums or truth values.
    pub(super) closed: u32,
    /// Combinations of the values of those.
    pub(super) combinations: u32,
}

impl ArgumentFacts {
    /// The facts about an operation.
    pub(super) fn of(templates: &Templates, template: TemplateId) -> Self {
        let schema = templates.schema();
        let operation = &templates.operations()[template.0 as usize];
        let mut facts = Self { combinations: 1, ..Self::default() };
        for argument in &schema.field(operation.field).arguments {
            facts.required += u32::from(argument.is_required());
            facts.enum_values += facts.add(schema, argument);
            let kind = &schema.definition(argument.type_ref.named()).kind;
            if let (TypeKind::InputObject { fields, .. }, false) = (kind, is_list(argument)) {
                for field in fields {
                    facts.add(schema, field);
                }
            }
        }
        facts
    }

    /// Counts an argument; gives the number of its values where it is an enum.
    fn add(&mut self, schema: &Schema, input: &InputValue) -> u32 {
        if is_list(input) {
            return 0;
        }
        let definition = schema.definition(input.type_ref.named());
        let mut close = |values: u32| {
            self.closed += 1;
            self.combinations = self.combinations.saturating_mul(values.max(1));
        };
        match &definition.kind {
            TypeKind::Enum { values } => {
                let count = values.len() as u32;
                close(count);
                self.enums += 1;
                return count;
            }
            TypeKind::Scalar { .. } => match &*definition.name {
                "Boolean" => close(2),
                "Int" | "Float" => self.numbers += 1,
                "ID" => {}
                _ => self.texts += 1,
            },
            _ => {}
        }
        0
    }
}

fn is_list(input: &InputValue) -> bool {
    input.type_ref.wrappers().contains(&Wrapper::List)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn arguments_are_counted_by_kind() {
        let sdl = "enum Sort { A B C } enum Kind { X Y } type Query {
            all(sort: Sort! = A, filter: Filter, first: Int!, after: String, id: ID, tags: [Sort]): Int }
            input Filter { kind: Kind, isOpen: Boolean, name: String, inner: Filter }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let facts = ArgumentFacts::of(&templates, templates.operations()[0].id);
        let expected = ArgumentFacts {
            texts: 2,
            numbers: 1,
            enums: 2,
            enum_values: 3,
            required: 1,
            closed: 3,
            combinations: 12,
        };
        assert_eq!(facts, expected);
    }
}
