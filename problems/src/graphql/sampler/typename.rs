//! `__typename` on everything whose type is open: no judgement without it.

use wallace_genes::{Gene, GeneSpec, SpecId};

use crate::graphql::schema::TypeKind;
use crate::graphql::template::{SelectionMember, Templates};

/// Selects `__typename` on everything whose type is open.
pub(super) fn select_typenames(templates: &Templates, spec: SpecId, gene: &mut Gene) {
    let spec = templates.present(spec);
    match (templates.graph().spec(spec), gene) {
        (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) if tuple.has_selection => {
            if let (Some(field), Some(part)) = (tuple.elements.last(), elements.last_mut()) {
                select_typenames(templates, field.spec, part);
            }
        }
        (GeneSpec::Object(object), Gene::Object(value)) => {
            for (position, part) in &mut value.fields {
                if let Some(field) = object.fields.get(*position as usize) {
                    select_typenames(templates, field.spec, part);
                }
            }
            let schema = templates.schema();
            let is_open = schema.type_named(&object.type_name).is_some_and(|id| {
                let kind = &schema.definition(id).kind;
                matches!(kind, TypeKind::Interface { .. } | TypeKind::Union { .. })
            });
            let mut members = templates.members(spec).iter();
            let place = members.position(|member| *member == SelectionMember::Typename);
            if let (true, Some(place)) = (is_open, place) {
                value.set(place as u32, Gene::Constant);
            }
        }
        _ => {}
    }
}
