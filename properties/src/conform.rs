//! Property B: the data of an answer conform to the schema.

use serde_json::Value;
use wallace_problems::graphql::{FieldId, Schema, TypeKind, TypeRef, Wrapper};

use crate::tree::Branch;

/// The first place where data do not conform: a schema coordinate, and what is wrong there.
pub(crate) fn violation(
    schema: &Schema,
    selection: &[Branch],
    data: &Value,
) -> Option<(String, String)> {
    Conform { schema }.object(selection, data)
}

struct Conform<'s> {
    schema: &'s Schema,
}

type Violation = Option<(String, String)>;

impl Conform<'_> {
    fn object(&self, selection: &[Branch], data: &Value) -> Violation {
        let Some(fields) = data.as_object() else {
            return Some((String::new(), "an object is not one".to_owned()));
        };
        selection.iter().find_map(|branch| match (branch.field, branch.on) {
            (Some(field), _) => match fields.get(branch.key()) {
                None => self.wrong(field, "a selected field is missing"),
                Some(value) => self.field(field, branch, value),
            },
            // Whether a fragment applies is known where its first field is there.
            (None, Some(_)) => {
                let first = branch.children.first()?;
                fields.contains_key(first.key()).then(|| self.object(&branch.children, data))?
            }
            (None, None) => None,
        })
    }

    fn wrong(&self, field: FieldId, what: &str) -> Violation {
        Some((self.schema.coordinate(field), what.to_owned()))
    }

    fn field(&self, id: FieldId, branch: &Branch, value: &Value) -> Violation {
        let type_ref = &self.schema.field(id).type_ref;
        self.value(id, type_ref, type_ref.wrappers(), branch, value)
    }

    fn value(
        &self,
        id: FieldId,
        type_ref: &TypeRef,
        wrappers: &[Wrapper],
        branch: &Branch,
        value: &Value,
    ) -> Violation {
        let (is_non_null, wrappers) = match wrappers {
            [Wrapper::NonNull, inner @ ..] => (true, inner),
            all => (false, all),
        };
        match (value, wrappers) {
            (Value::Null, _) if is_non_null => self.wrong(id, "null where the schema forbids it"),
            (Value::Null, _) => None,
            (Value::Array(elements), [Wrapper::List, inner @ ..]) => {
                elements.iter().find_map(|element| self.value(id, type_ref, inner, branch, element))
            }
            (_, [Wrapper::List, ..]) => self.wrong(id, "a list is not one"),
            (Value::Array(_), _) if !self.is_custom(type_ref) => {
                self.wrong(id, "a list where the schema has none")
            }
            _ => self.named(id, type_ref, branch, value),
        }
    }

    fn is_custom(&self, type_ref: &TypeRef) -> bool {
        let definition = self.schema.definition(type_ref.named());
        let built_in = ["String", "ID", "Int", "Float", "Boolean"];
        matches!(definition.kind, TypeKind::Scalar { .. }) && !built_in.contains(&&*definition.name)
    }

    fn named(&self, id: FieldId, type_ref: &TypeRef, branch: &Branch, value: &Value) -> Violation {
        let definition = self.schema.definition(type_ref.named());
        let is_right = match (&definition.kind, &*definition.name) {
            (TypeKind::Scalar { .. }, "String" | "ID") => value.is_string(),
            (TypeKind::Scalar { .. }, "Int") => {
                value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
            }
            (TypeKind::Scalar { .. }, "Float") => value.is_number(),
            (TypeKind::Scalar { .. }, "Boolean") => value.is_boolean(),
            (TypeKind::Enum { values }, _) => {
                value.as_str().is_some_and(|text| values.iter().any(|it| &*it.name == text))
            }
            _ if definition.is_composite() => {
                return match self.object(&branch.children, value) {
                    Some((place, what)) if place.is_empty() => self.wrong(id, &what),
                    other => other,
                };
            }
            _ => true,
        };
        if is_right { None } else { self.wrong(id, "a value of another type") }
    }
}
