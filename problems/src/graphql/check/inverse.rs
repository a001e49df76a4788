//! Types that refer to each other.

use crate::graphql::schema::{FieldId, Schema, TypeId, TypeKind};

/// A list of things that refer back, and all ways in which they may.
#[derive(Debug, Clone)]
pub(super) struct InversePair {
    /// From what refers, to its list.
    pub(super) forth: FieldId,
    /// From an element of the list, back.
    pub(super) back: Vec<FieldId>,
    /// The field that identifies what refers.
    pub(super) id: FieldId,
}

impl InversePair {
    pub(super) fn ways(&self) -> Vec<Vec<FieldId>> {
        let back = self.back.iter().map(|back| vec![self.forth, *back, self.id]);
        std::iter::once(vec![self.id]).chain(back).collect()
    }
}

/// Where a type refers to another by one list only, and the other refers back without arguments.
pub(super) fn inverse_pairs(schema: &Schema, owner: TypeId) -> Vec<InversePair> {
    let Some(id) = schema.field_named(owner, "id") else { return Vec::new() };
    let refers = |from: TypeId, to: TypeId| -> Vec<FieldId> {
        let fields = schema.fields(from);
        fields.filter(|field| schema.returned(*field) == to).collect()
    };
    let mut pairs = Vec::new();
    for forth in schema.fields(owner) {
        let definition = schema.field(forth);
        let element = definition.type_ref.named();
        let is_object = matches!(schema.definition(element).kind, TypeKind::Object { .. });
        if !is_object
            || !definition.is_list()
            || definition.needs_arguments()
            || element == owner
            || refers(owner, element).len() != 1
        {
            continue;
        }
        let back = refers(element, owner);
        let has_arguments = |field: &FieldId| !schema.field(*field).arguments.is_empty();
        if !back.is_empty() && !back.iter().any(has_arguments) {
            pairs.push(InversePair { forth, back, id });
        }
    }
    pairs
}
