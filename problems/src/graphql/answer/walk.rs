//! The walk through an answer and the selection it belongs to.
//!
//! Without `__typename` the type of an object behind an interface or union is not known: fields of
//! fragments are then looked at where they are there, and none of them is missed.

use serde_json::{Map, Value};

use super::Breach;
use crate::graphql::document::{Part, Selection};
use crate::graphql::schema::{FieldId, Schema, TypeId, TypeKind, Wrapper};

/// What is seen at a place.
#[derive(Debug, Clone)]
pub(crate) enum Sight<'v> {
    /// A field was selected on an object that came; its value follows.
    Asked,
    /// Null.
    Null,
    /// A list of so many elements.
    List(usize),
    /// An object; its type where it is known.
    Object(Option<TypeId>, &'v Map<String, Value>),
    /// A scalar or the name of an enum.
    Leaf(TypeId, &'v Value),
    /// A contradiction.
    Breach(Breach),
}

/// The first place where the data of an answer contradict the schema or what was selected, as a
/// schema coordinate and what is wrong there.
#[must_use]
pub fn contradiction(schema: &Schema, selections: &[Selection], data: &Value) -> Option<String> {
    let Some(data) = data.as_object() else { return Some("data is no object".to_owned()) };
    let mut first = None;
    walk(schema, selections, data, &mut |field, sight| {
        if let (None, Sight::Breach(breach)) = (&first, sight) {
            first = Some(format!("{}: {}", schema.coordinate(field), breach.text()));
        }
    });
    first
}

/// Goes through the data of an answer and calls `see` with all that is there, and with the field it
/// belongs to, of the type that the object is known to have.
pub(crate) fn walk<'v>(
    schema: &Schema,
    selections: &[Selection],
    data: &'v Map<String, Value>,
    see: &mut dyn FnMut(FieldId, Sight<'v>),
) {
    let Some(first) = selections.iter().find_map(Selection::id) else { return };
    let mut walk = Walk { schema, see };
    walk.object(first, selections, Some(first.owner), data);
}

struct Walk<'a, 'v> {
    schema: &'a Schema,
    see: &'a mut dyn FnMut(FieldId, Sight<'v>),
}

impl<'v> Walk<'_, 'v> {
    /// What was selected of an object that `field` returned.
    fn object(
        &mut self,
        field: FieldId,
        selections: &[Selection],
        known: Option<TypeId>,
        object: &'v Map<String, Value>,
    ) {
        let mut keys: Vec<&str> = Vec::new();
        self.members(selections, known, true, object, &mut keys);
        for key in object.keys().filter(|key| !keys.contains(&&***key)) {
            (self.see)(field, Sight::Breach(Breach::Unknown(key.clone())));
        }
    }

    /// The members of a selection or of a fragment; `keys` collects all response names.
    fn members<'d>(
        &mut self,
        selections: &'d [Selection],
        known: Option<TypeId>,
        is_certain: bool,
        object: &'v Map<String, Value>,
        keys: &mut Vec<&'d str>,
    ) {
        for selection in selections {
            match &selection.part {
                Part::Field(field) => {
                    keys.push(field.key());
                    let Some(id) = field.id.map(|id| self.on(known, id)) else { continue };
                    match object.get(field.key()) {
                        Some(value) => {
                            let type_ref = &self.schema.field(id).type_ref;
                            (self.see)(id, Sight::Asked);
                            self.value(id, type_ref.wrappers(), value, &selection.selections);
                        }
                        None if is_certain => (self.see)(id, Sight::Breach(Breach::Missing)),
                        None => {}
                    }
                }
                Part::Fragment { on, .. } if known.is_none_or(|known| known == *on) => {
                    let is_certain = is_certain && known.is_some();
                    self.members(&selection.selections, known, is_certain, object, keys);
                }
                Part::Fragment { .. } | Part::Spread(_) => {}
            }
        }
    }

    /// A value inside the marks that are left.
    fn value(
        &mut self,
        field: FieldId,
        marks: &[Wrapper],
        value: &'v Value,
        selections: &[Selection],
    ) {
        let (is_non_null, marks) = match marks.split_first() {
            Some((Wrapper::NonNull, rest)) => (true, rest),
            _ => (false, marks),
        };
        match (marks.split_first(), value) {
            (_, Value::Null) if is_non_null => (self.see)(field, Sight::Breach(Breach::Null)),
            (_, Value::Null) => (self.see)(field, Sight::Null),
            (Some((Wrapper::List, rest)), Value::Array(elements)) => {
                (self.see)(field, Sight::List(elements.len()));
                for element in elements {
                    self.value(field, rest, element, selections);
                }
            }
            (Some(_), _) => self.mismatch(field, value),
            (None, _) => self.named(field, value, selections),
        }
    }

    fn mismatch(&mut self, field: FieldId, value: &Value) {
        let expected = self.schema.type_text(&self.schema.field(field).type_ref);
        (self.see)(field, Sight::Breach(Breach::Kind { expected, found: kind(value) }));
    }

    /// A value that is neither null nor declared as a list.
    fn named(&mut self, field: FieldId, value: &'v Value, selections: &[Selection]) {
        let returned = self.schema.returned(field);
        let definition = self.schema.definition(returned);
        if definition.is_composite() {
            return match value {
                Value::Object(object) => self.composite(field, object, selections),
                _ => self.mismatch(field, value),
            };
        }
        let fits = match &definition.kind {
            TypeKind::Enum { values } => match value.as_str() {
                Some(name) if values.iter().any(|known| *known.name == *name) => true,
                Some(name) => {
                    return (self.see)(field, Sight::Breach(Breach::Enum(name.to_owned())));
                }
                None => false,
            },
            _ => is_scalar_of(&definition.name, value),
        };
        if fits {
            (self.see)(field, Sight::Leaf(returned, value));
        } else {
            self.mismatch(field, value);
        }
    }

    /// An object, looked at through what was selected of it.
    fn composite(
        &mut self,
        field: FieldId,
        object: &'v Map<String, Value>,
        selections: &[Selection],
    ) {
        if selections.is_empty() {
            return;
        }
        let declared = self.schema.returned(field);
        let definition = self.schema.definition(declared);
        let typename = object.get("__typename").and_then(Value::as_str);
        let named = typename.and_then(|name| self.schema.type_named(name));
        let is_object = matches!(definition.kind, TypeKind::Object { .. });
        let known = if is_object { Some(declared) } else { named };
        let can_be =
            |named: TypeId| named == declared || definition.possible_types().contains(&named);
        if let Some(name) = typename.filter(|_| !named.is_some_and(can_be)) {
            (self.see)(field, Sight::Breach(Breach::Typename(name.to_owned())));
        }
        (self.see)(field, Sight::Object(known, object));
        self.object(field, selections, known, object);
    }

    /// The field as the known type declares it: an interface's field becomes the object's.
    fn on(&self, known: Option<TypeId>, field: FieldId) -> FieldId {
        let Some(known) = known.filter(|known| *known != field.owner) else { return field };
        self.schema.field_named(known, &self.schema.field(field).name).unwrap_or(field)
    }
}

/// Whether a value may come for a scalar. Nothing is known of custom scalars.
fn is_scalar_of(name: &str, value: &Value) -> bool {
    match name {
        "Int" => match value.as_number() {
            Some(number) => number.as_f64().is_some_and(|number| {
                number == number.trunc()
                    && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number)
            }),
            None => false,
        },
        "Float" => value.is_number(),
        "Boolean" => value.is_boolean(),
        "String" => value.is_string(),
        // A number is what many services send; the specification wants a text.
        "ID" => value.is_string() || value.is_number(),
        _ => true,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a fraction or large number",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
