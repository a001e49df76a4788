//! Where the parts of a schema stand in its coverage.

use std::collections::HashMap;

use super::{SchemaCoverage, TypeCoverage};
use crate::graphql::schema::{FieldId, Schema, TypeId};

/// Places by type and by coordinate; made from the schema when it is first needed.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    /// Place of each type, by the number of its id.
    types: Vec<Option<usize>>,
    /// Arguments and input fields by coordinate.
    arguments: HashMap<String, Slot>,
}

/// Place of an argument or input field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    owner: usize,
    /// The field with the argument; none for an input field.
    field: Option<usize>,
    position: usize,
    /// Place of its type, where that is an enum.
    pub(super) named: Option<usize>,
}

impl Index {
    fn new(schema: &Schema, covered: &[TypeCoverage]) -> Self {
        let by_name: HashMap<&str, usize> =
            covered.iter().enumerate().map(|(place, it)| (it.name.as_str(), place)).collect();
        let place = |id: TypeId| by_name.get(&*schema.definition(id).name).copied();
        let mut index = Self::default();
        for (id, definition) in schema.types() {
            let owner = place(id);
            index.types.push(owner);
            let Some(owner) = owner else { continue };
            for (number, field) in definition.fields().iter().enumerate() {
                for (position, argument) in field.arguments.iter().enumerate() {
                    let named = place(argument.type_ref.named());
                    let coordinate =
                        format!("{}.{}({}:)", definition.name, field.name, argument.name);
                    let slot = Slot { owner, field: Some(number), position, named };
                    index.arguments.insert(coordinate, slot);
                }
            }
            if let crate::graphql::schema::TypeKind::InputObject { fields, .. } = &definition.kind {
                for (position, field) in fields.iter().enumerate() {
                    let named = place(field.type_ref.named());
                    let slot = Slot { owner, field: None, position, named };
                    index.arguments.insert(format!("{}.{}", definition.name, field.name), slot);
                }
            }
        }
        index
    }
}

impl SchemaCoverage {
    /// Makes the index unless it is there: it is not part of what is kept.
    pub(super) fn prepare(&mut self, schema: &Schema) {
        if self.index.types.is_empty() {
            self.index = Index::new(schema, &self.types);
        }
    }

    pub(super) fn type_of(&mut self, id: TypeId) -> Option<&mut TypeCoverage> {
        let place = (*self.index.types.get(id.index())?)?;
        self.types.get_mut(place)
    }

    pub(super) fn field(&mut self, id: FieldId) -> Option<&mut super::FieldCoverage> {
        self.type_of(id.owner)?.fields.get_mut(id.index as usize)
    }

    pub(super) fn slot(&self, coordinate: &str) -> Option<Slot> {
        self.index.arguments.get(coordinate).copied()
    }

    pub(super) fn argument(&mut self, slot: Slot) -> Option<&mut super::ArgumentCoverage> {
        let owner = self.types.get_mut(slot.owner)?;
        match slot.field {
            Some(field) => owner.fields.get_mut(field)?.arguments.get_mut(slot.position),
            None => owner.inputs.get_mut(slot.position),
        }
    }
}
