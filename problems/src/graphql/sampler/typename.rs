//! `__typename` on everything whose type is open: no judgement without it.

use wallace_genes::{Gene, GeneSpec, ObjectGene, SpecId};

use crate::graphql::action::GraphqlAction;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::schema::TypeKind;
use crate::graphql::template::{OperationTemplate, SelectionMember};

impl GraphqlProblem {
    /// Selects `__typename` on everything whose type is open: no judgement without it.
    pub(super) fn select_typenames(&self, action: &mut GraphqlAction) {
        let operation = &self.templates.operations()[action.template.0 as usize];
        self.typenames_below(operation, operation.spec.id(), &mut action.gene);
    }

    fn typenames_below(&self, operation: &OperationTemplate, spec: SpecId, gene: &mut Gene) {
        let graph = operation.spec.graph();
        let spec = match graph.spec(spec) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => spec,
        };
        match (graph.spec(spec), gene) {
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) if tuple.has_selection => {
                if let (Some(field), Some(part)) = (tuple.elements.last(), elements.last_mut()) {
                    self.typenames_below(operation, field.spec, part);
                }
            }
            (GeneSpec::Object(object), Gene::Object(value)) => {
                for (position, part) in &mut value.fields {
                    if let Some(field) = object.fields.get(*position as usize) {
                        self.typenames_below(operation, field.spec, part);
                    }
                }
                self.select_typename(spec, &object.type_name, value);
            }
            _ => {}
        }
    }

    fn select_typename(&self, selection: SpecId, type_name: &str, value: &mut ObjectGene) {
        let schema = self.templates.schema();
        let is_open = schema.type_named(type_name).is_some_and(|id| {
            matches!(
                schema.definition(id).kind,
                TypeKind::Interface { .. } | TypeKind::Union { .. }
            )
        });
        let members = self.templates.members(selection);
        let place = members.iter().position(|member| *member == SelectionMember::Typename);
        if let (true, Some(place)) = (is_open, place) {
            value.set(place as u32, Gene::Constant);
        }
    }
}
