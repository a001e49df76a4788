//! Objects and lists.

use std::sync::Arc;

use wallace_genes::{
    Field, GeneSpec, SpecId,
    spec::{ArraySpec, MapSpec, ObjectPurpose, ObjectSpec, StringSpec, TupleSpec},
};

use super::build::{Build, Position};
use crate::rest::schema::{Flat, Kind, Kinds, Part, Schema, SchemaId, Schemas};

/// Most members of an object that are sampled.
const MOST_MEMBERS: usize = 500;

impl Build {
    pub(super) fn fill_object(&mut self, flat: &Flat, spec: SpecId) {
        if flat.properties.is_empty() && flat.required.is_empty() {
            return self.fill_map(flat, spec);
        }
        let mut fields: Vec<Field> = Vec::new();
        let mut missing = flat.members.0.saturating_sub(flat.required.len() as u64);
        for (name, schemas) in flat.properties.iter().take(MOST_MEMBERS) {
            let is_required = flat.required.contains(name);
            let member =
                self.schemas.flat(&schemas.iter().map(|id| (*id).into()).collect::<Vec<_>>());
            if member.is_read_only {
                continue;
            }
            let value = self.position(schemas.iter().map(|id| (*id).into()).collect());
            // The first members make up the number that there must be.
            let is_needed = is_required || missing > 0;
            if !is_required {
                missing = missing.saturating_sub(1);
            }
            let value = if is_needed { value } else { self.specs.optional(value, false) };
            fields.push(Field::new(Arc::clone(name), value));
        }
        for name in &flat.required {
            if !flat.properties.iter().any(|(known, _)| known == name) {
                // What must be there and must not be there cannot be sent.
                let value = if flat.is_closed { self.never } else { self.position(others(flat)) };
                fields.push(Field::new(Arc::clone(name), value));
            }
        }
        let name = flat.name.as_deref().unwrap_or("object");
        let type_name = format!("{name}#{}", self.count).into();
        let object = ObjectSpec { type_name, purpose: ObjectPurpose::Input, fields };
        self.specs.fill(spec, GeneSpec::Object(object));
    }

    /// An object of any members.
    fn fill_map(&mut self, flat: &Flat, spec: SpecId) {
        let most = flat.members.1.unwrap_or(u64::MAX).min(u64::from(u32::MAX)) as u32;
        let most = if flat.is_closed { 0 } else { most };
        let least = (flat.members.0 as u32).min(most);
        let key = if flat.names.is_empty() {
            self.specs.add(GeneSpec::String(StringSpec { min: 0, max: u32::MAX }))
        } else {
            let text = Schema { kinds: Kinds::default().with(Kind::Text), ..Schema::default() };
            let text = self.schemas.add(text);
            let names = flat.names.iter().copied().chain([text]);
            self.position(names.map(Part::from).collect())
        };
        let value = self.position(others(flat));
        let max = if flat.additional.is_empty() { most.min(least.max(2)) } else { most };
        self.specs.fill(spec, GeneSpec::Map(MapSpec { key, value, min: least, max }));
    }

    pub(super) fn fill_list(&mut self, flat: &Flat, spec: SpecId) {
        let limit = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        if !flat.first_items.is_empty() {
            return self.fill_tuple(flat, spec);
        }
        let element =
            if flat.items.is_empty() { vec![Schemas::ANY.into()] } else { parts(&flat.items) };
        let element = self.position(element);
        let (min, max) = (limit(flat.list.0), flat.list.1.map_or(u32::MAX, limit));
        let array = ArraySpec { element, min, max: max.max(min) };
        let is_unique = flat.has_unique_items;
        let list = if is_unique { GeneSpec::UniqueArray(array) } else { GeneSpec::Array(array) };
        self.specs.fill(spec, list);
    }

    fn fill_tuple(&mut self, flat: &Flat, spec: SpecId) {
        let most = flat.list.1.map_or(usize::MAX, |most| most as usize);
        let mut elements = Vec::new();
        for item in flat.first_items.iter().take(most) {
            elements.push(Field::new("", self.position(vec![(*item).into()])));
        }
        while (elements.len() as u64) < flat.list.0.min(100) {
            elements.push(Field::new("", self.position(parts(&flat.items))));
        }
        self.specs.fill(spec, GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    }
}

fn parts(schemas: &[SchemaId]) -> Vec<Part> {
    if schemas.is_empty() {
        return vec![Schemas::ANY.into()];
    }
    schemas.iter().map(|id| (*id).into()).collect()
}

/// What members are that are not listed.
fn others(flat: &Flat) -> Position {
    parts(&flat.additional)
}
