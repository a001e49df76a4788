//! Where in the text the places of a schema are.

use std::collections::HashMap;

use async_graphql_parser::types::{InputValueDefinition, TypeKind};
use async_graphql_parser::{Pos, Positioned};

use super::canonical::Places;
use super::merge::Entry;
use super::name::original;
use crate::graphql::schema::{Coordinate, SchemaPosition};

/// The place of the name at every schema coordinate; of repeated ones, the first.
pub(super) fn positions(entries: &[Entry<'_>]) -> HashMap<String, SchemaPosition> {
    let mut found = Positions(HashMap::new());
    for entry in entries {
        let owner = Coordinate::of_type(entry.name);
        for part in &entry.parts {
            found.add(owner, part.places, part.ast.name.pos);
            found.members(owner, part.places, &part.ast.kind);
        }
    }
    found.0
}

struct Positions(HashMap<String, SchemaPosition>);

impl Positions {
    fn add(&mut self, place: Coordinate<'_>, places: &Places<'_>, position: Pos) {
        self.0.entry(place.to_string()).or_insert_with(|| places.position(position));
    }

    fn members(&mut self, owner: Coordinate<'_>, places: &Places<'_>, kind: &TypeKind) {
        let fields = match kind {
            TypeKind::Object(object) => &object.fields,
            TypeKind::Interface(interface) => &interface.fields,
            TypeKind::InputObject(input) => return self.inputs(owner, places, &input.fields),
            TypeKind::Enum(values) => {
                for value in &values.values {
                    let name = &value.node.value;
                    self.add(owner.inside(original(&name.node)), places, name.pos);
                }
                return;
            }
            TypeKind::Scalar | TypeKind::Union(_) => return,
        };
        for field in fields {
            let name = &field.node.name;
            let place = owner.inside(original(&name.node));
            self.add(place, places, name.pos);
            self.inputs(place, places, &field.node.arguments);
        }
    }

    fn inputs(
        &mut self,
        owner: Coordinate<'_>,
        places: &Places<'_>,
        inputs: &[Positioned<InputValueDefinition>],
    ) {
        for input in inputs {
            let name = &input.node.name;
            self.add(owner.inside(original(&name.node)), places, name.pos);
        }
    }
}
