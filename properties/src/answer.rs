//! What came back for a query.

use std::collections::BTreeSet;

use serde_json::Value;
use wallace_problems::graphql::{Schema, Selection, TypeId};
use wallace_problems::{CallFailure, HttpOutcome, HttpRequest, HttpResponse};

/// An answer, read.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) request: HttpRequest,
    pub(crate) outcome: HttpOutcome,
    /// The body, where it is JSON.
    pub(crate) body: Option<Value>,
}

impl Answer {
    pub(crate) fn new(request: HttpRequest, response: Result<HttpResponse, CallFailure>) -> Self {
        let text = response.as_ref().map_or("", |response| &response.body);
        let body = serde_json::from_str(text).ok();
        let outcome = HttpOutcome::new(response);
        Self { request, outcome, body }
    }

    pub(crate) fn data(&self) -> Option<&Value> {
        self.body.as_ref()?.get("data")
    }

    pub(crate) fn errors(&self) -> &[Value] {
        let errors = self.body.as_ref().and_then(|body| body.get("errors")?.as_array());
        errors.map_or(&[], Vec::as_slice)
    }
}

/// An object with an identifier, as an answer shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Identified<'a> {
    /// The type that its identifier is declared in.
    pub(crate) owner: TypeId,
    pub(crate) id: &'a str,
    /// What was selected of it.
    pub(crate) selections: &'a [Selection],
    pub(crate) object: &'a Value,
}

/// Visits the objects with an identifier that an answer shows.
pub(crate) fn objects<'a>(
    schema: &Schema,
    selections: &'a [Selection],
    data: &'a Value,
    visit: &mut dyn FnMut(Identified<'a>),
) {
    match data {
        Value::Array(elements) => {
            elements.iter().for_each(|element| objects(schema, selections, element, visit));
        }
        Value::Object(fields) => {
            for part in selections {
                if let (Some(field), Some(value)) = (part.id(), fields.get(part.key())) {
                    let definition = schema.field(field);
                    if &*definition.name == "id"
                        && let Some(id) = value.as_str()
                    {
                        visit(Identified { owner: field.owner, id, selections, object: data });
                    }
                    objects(schema, &part.selections, value, visit);
                } else if part.as_field().is_none() {
                    objects(schema, &part.selections, data, visit);
                }
            }
        }
        _ => {}
    }
}

/// Identifiers that an answer shows, with their types.
pub(crate) fn ids(
    schema: &Schema,
    selections: &[Selection],
    data: &Value,
) -> BTreeSet<(TypeId, String)> {
    let mut found = BTreeSet::new();
    objects(schema, selections, data, &mut |seen| {
        found.insert((seen.owner, seen.id.to_owned()));
    });
    found
}
