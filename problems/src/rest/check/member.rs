//! Members that a service may let callers set by mistake.

use serde_json::Value;
use wallace_genes::TemplateId;

use crate::rest::operations::Operations;
use crate::rest::oracle::OracleSettings;
use crate::rest::schema::{Kind, SchemaId, Schemas};

/// Members that responses show and requests do not document, with a value that is not likely
/// to be there by itself (mass assignment).
pub(super) fn hidden(
    operations: &Operations,
    oracles: &OracleSettings,
    id: TemplateId,
) -> Vec<(String, String)> {
    if !oracles.security || !oracles.wants(203) {
        return Vec::new();
    }
    let operation = operations.get(id);
    let schemas = &operations.templates.description().schemas;
    let Some(body) = operation.bodies.iter().find(|body| body.media_type.contains("json")) else {
        return Vec::new();
    };
    let known = schemas.flat(&[body.schema.into()]).properties;
    let mut hidden = Vec::new();
    for content in operation
        .responses
        .iter()
        .filter(|r| r.statuses.matches(201) || r.statuses.matches(200))
        .flat_map(|r| &r.contents)
    {
        let Some(schema) = content.schema else { continue };
        for (name, members) in schemas.flat(&[schema.into()]).properties {
            if !known.iter().any(|(other, _)| *other == name) && hidden.len() < 4 {
                hidden.extend(
                    unlikely_values(schemas, &members).map(|value| (name.to_string(), value)),
                );
            }
        }
    }
    hidden
}

/// Values that a service does not choose by itself, for members that may be set by mistake: the
/// last of the listed ones, and both truth values.
fn unlikely_values<'s>(
    schemas: &'s Schemas,
    members: &[SchemaId],
) -> impl Iterator<Item = String> + use<'s> {
    let parts: Vec<_> = members.iter().map(|id| (*id).into()).collect();
    let flat = schemas.flat(&parts);
    let listed = flat.values.unwrap_or_default().into_iter().filter(|value| !value.is_null());
    let is_flag = flat.kinds.is_told() && flat.kinds.allows(Kind::Boolean);
    let flags = if is_flag { vec![Value::Bool(true), Value::Bool(false)] } else { Vec::new() };
    listed.take(4).chain(flags).map(|value| value.to_string())
}
