//! Where the values of a call stand, and changing one there.

use serde_json::Value;

use super::Templates;
use super::value::CallValues;
use crate::rest::description::Operation;
use crate::rest::schema::{Flat, SchemaId};

/// Most places of a call that are considered.
const MOST_PLACES: usize = 200;

/// A value of a call, and where it stands.
pub(super) struct Place<'v> {
    pub(super) parameter: Option<u16>,
    pub(super) pointer: String,
    pub(super) schemas: Vec<SchemaId>,
    pub(super) value: &'v Value,
    /// Whether it is sent as text, so that kinds cannot be told apart by it.
    pub(super) is_text: bool,
}

impl Templates {
    /// The values of a call, each before those in it.
    pub(super) fn places<'v>(
        &self,
        operation: &Operation,
        values: &'v CallValues,
    ) -> Vec<Place<'v>> {
        let mut places = Vec::new();
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let Some(Some(value)) = values.parameters.get(index) else { continue };
            places.push(Place {
                parameter: Some(index as u16),
                pointer: String::new(),
                schemas: vec![parameter.schema],
                value,
                is_text: !parameter.is_json,
            });
        }
        if let Some((body, value)) = &values.body {
            let body = &operation.bodies[*body];
            if body.media_type.contains("json") {
                let (schemas, pointer) = (vec![body.schema], String::new());
                places.push(Place { parameter: None, pointer, schemas, value, is_text: false });
            }
        }
        let mut next = 0;
        while next < places.len() && places.len() < MOST_PLACES {
            let inner = if places[next].is_text { Vec::new() } else { self.inside(&places[next]) };
            places.extend(inner);
            next += 1;
        }
        places
    }

    /// Members and elements of a value.
    fn inside<'v>(&self, place: &Place<'v>) -> Vec<Place<'v>> {
        let flat = self.flat_of(&place.schemas);
        let part = |step: &str, schemas: Vec<SchemaId>, value| {
            let step = step.replace('~', "~0").replace('/', "~1");
            let pointer = format!("{}/{step}", place.pointer);
            Place { parameter: place.parameter, pointer, schemas, value, is_text: false }
        };
        match place.value {
            Value::Object(members) => {
                let known = flat.properties.iter();
                let known = known
                    .filter_map(|(name, schemas)| Some((name, schemas, members.get(&**name)?)));
                known.map(|(name, schemas, value)| part(name, schemas.clone(), value)).collect()
            }
            Value::Array(elements) if flat.first_items.is_empty() && !flat.items.is_empty() => {
                let elements = elements.iter().take(3).enumerate();
                elements
                    .map(|(index, value)| part(&index.to_string(), flat.items.clone(), value))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn flat_of(&self, schemas: &[SchemaId]) -> Flat {
        let parts: Vec<_> = schemas.iter().map(|schema| (*schema).into()).collect();
        self.schemas.flat(&parts)
    }
}

/// Puts the wrong value in its place, or takes the right one away where there is none.
pub(crate) fn apply(root: &mut Value, pointer: &str, wrong: Option<Value>) {
    if pointer.is_empty() {
        if let Some(wrong) = wrong {
            *root = wrong;
        }
        return;
    }
    let Some((above, step)) = pointer.rsplit_once('/') else { return };
    let name = step.replace("~1", "/").replace("~0", "~");
    match (root.pointer_mut(above), wrong) {
        (Some(Value::Object(members)), Some(wrong)) => {
            members.insert(name, wrong);
        }
        (Some(Value::Object(members)), None) => {
            members.remove(&name);
        }
        (Some(Value::Array(elements)), Some(wrong)) => {
            if let Some(element) =
                name.parse::<usize>().ok().and_then(|index| elements.get_mut(index))
            {
                *element = wrong;
            }
        }
        _ => {}
    }
}
