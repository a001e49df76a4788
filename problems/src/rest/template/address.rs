//! Values that name a place which the service may call.

use serde_json::Value;
use wallace_genes::{Gene, TemplateId};

use super::Templates;
use crate::rest::description::ParameterPlace;
use crate::rest::schema::SchemaId;

/// Words in the names of values that are addresses.
const WORDS: [&str; 14] = [
    "url", "uri", "href", "link", "callback", "webhook", "hook", "redirect", "endpoint", "host",
    "website", "feed", "avatar", "image",
];
/// Deepest members of a body that are looked at.
const MOST_LEVELS: usize = 3;

impl Templates {
    /// The texts of a call that are addresses by their format or name: the parameter, or none for
    /// the body, and the JSON pointer there.
    pub(crate) fn addresses(&self, id: TemplateId, gene: &Gene) -> Vec<(Option<u16>, String)> {
        let operation = self.operation(id);
        let values = self.values(id, gene);
        let mut found = Vec::new();
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let is_text = matches!(values.parameters.get(index), Some(Some(Value::String(_))));
            let can_hold = is_text && parameter.place != ParameterPlace::Path;
            if can_hold && self.is_address(&parameter.name, &[parameter.schema]) {
                found.push((Some(index as u16), String::new()));
            }
        }
        if let Some((body, value)) = &values.body {
            let schema = operation.bodies[*body].schema;
            self.inside_addresses(value, &[schema], &mut String::new(), 0, &mut found);
        }
        found
    }

    fn inside_addresses(
        &self,
        value: &Value,
        schemas: &[SchemaId],
        pointer: &mut String,
        level: usize,
        found: &mut Vec<(Option<u16>, String)>,
    ) {
        let Value::Object(members) = value else { return };
        if level == MOST_LEVELS {
            return;
        }
        let parts: Vec<_> = schemas.iter().map(|schema| (*schema).into()).collect();
        let flat = self.schemas.flat(&parts);
        for (name, part) in members {
            let known = flat.properties.iter().find(|(known, _)| **known == **name);
            let schemas = known.map_or(&[][..], |(_, schemas)| schemas.as_slice());
            let length = pointer.len();
            pointer.push('/');
            pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            if part.is_string() && self.is_address(name, schemas) {
                found.push((None, pointer.clone()));
            }
            self.inside_addresses(part, schemas, pointer, level + 1, found);
            pointer.truncate(length);
        }
    }

    fn is_address(&self, name: &str, schemas: &[SchemaId]) -> bool {
        let parts: Vec<_> = schemas.iter().map(|schema| (*schema).into()).collect();
        let format = self.schemas.flat(&parts).format;
        let is_by_format =
            matches!(format.as_deref(), Some("uri" | "url" | "iri" | "uri-reference"));
        let name = name.to_ascii_lowercase();
        is_by_format || WORDS.iter().any(|word| name.contains(word))
    }
}
