//! What came back for a query.

use std::collections::BTreeSet;

use serde_json::Value;
use wallace_problems::graphql::{Schema, TypeId};
use wallace_problems::{CallFailure, HttpOutcome, HttpRequest, HttpResponse};

use crate::tree::Branch;

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
    pub(crate) selection: &'a [Branch],
    pub(crate) object: &'a Value,
}

/// Visits the objects with an identifier that an answer shows.
pub(crate) fn objects<'a>(
    schema: &Schema,
    selection: &'a [Branch],
    data: &'a Value,
    visit: &mut dyn FnMut(Identified<'a>),
) {
    match data {
        Value::Array(elements) => {
            elements.iter().for_each(|element| objects(schema, selection, element, visit));
        }
        Value::Object(fields) => {
            for branch in selection {
                if let (Some(field), Some(value)) = (branch.field, fields.get(branch.key())) {
                    let definition = schema.field(field);
                    if &*definition.name == "id"
                        && let Some(id) = value.as_str()
                    {
                        visit(Identified { owner: field.owner, id, selection, object: data });
                    }
                    objects(schema, &branch.children, value, visit);
                } else if branch.on.is_some() {
                    objects(schema, &branch.children, data, visit);
                }
            }
        }
        _ => {}
    }
}

/// Identifiers that an answer shows, with their types.
pub(crate) fn ids(schema: &Schema, selection: &[Branch], data: &Value) -> BTreeSet<(u32, String)> {
    let mut found = BTreeSet::new();
    objects(schema, selection, data, &mut |seen| {
        let mut types = schema.types();
        let number = types.position(|(known, _)| known == seen.owner).unwrap_or_default();
        found.insert((number as u32, seen.id.to_owned()));
    });
    found
}
