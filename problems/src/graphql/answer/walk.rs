//! The walk through an answer and the selection it belongs to.
//!
//! Without `__typename` the type of an object behind an interface or union is not known: fields of
//! fragments are then looked at where they are there, and none of them is missed.

use serde_json::{Map, Value};
use wallace_genes::{Gene, GeneSpec, ObjectGene, SpecGraph, SpecId};

use super::Breach;
use crate::graphql::render::response_names;
use crate::graphql::schema::{FieldId, Schema, TypeId, TypeKind, TypeRef, Wrapper};
use crate::graphql::template::{OperationTemplate, SelectionMember, Templates};

/// Where a value stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The field it belongs to, of the type that the object is known to have.
    pub(crate) field: FieldId,
}

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

/// Tells what is seen at a field.
macro_rules! tell {
    ($walk:ident, $field:expr, $sight:expr) => {{
        let place = Place { field: $field };
        ($walk.see)(place, $sight);
    }};
}

/// Goes through the value of the operation's root field and calls `see` with all that is there.
pub(crate) fn walk<'v>(
    templates: &Templates,
    operation: &OperationTemplate,
    gene: &Gene,
    data: &'v Map<String, Value>,
    see: &mut dyn FnMut(Place, Sight<'v>),
) {
    let graph = operation.spec.graph();
    let mut walk = Walk { templates, schema: templates.schema(), graph, see };
    walk.field(operation.field, &operation.name, operation.spec.id(), gene, data, true);
    for key in data.keys().filter(|key| ***key != *operation.name) {
        tell!(walk, operation.field, Sight::Breach(Breach::Unknown(key.clone())));
    }
}

struct Walk<'a, 'v> {
    templates: &'a Templates,
    schema: &'a Schema,
    graph: &'a SpecGraph,
    see: &'a mut dyn FnMut(Place, Sight<'v>),
}

impl<'v> Walk<'_, 'v> {
    fn field(
        &mut self,
        field: FieldId,
        key: &str,
        spec: SpecId,
        gene: &Gene,
        object: &'v Map<String, Value>,
        is_certain: bool,
    ) {
        match object.get(key) {
            Some(value) => {
                let schema = self.schema;
                let type_ref = &schema.field(field).type_ref;
                tell!(self, field, Sight::Asked);
                self.value(field, type_ref, type_ref.wrappers(), value, spec, gene);
            }
            None if is_certain => tell!(self, field, Sight::Breach(Breach::Missing)),
            None => {}
        }
    }

    /// A value inside the marks that are left.
    fn value(
        &mut self,
        field: FieldId,
        type_ref: &TypeRef,
        marks: &[Wrapper],
        value: &'v Value,
        spec: SpecId,
        gene: &Gene,
    ) {
        let (is_non_null, marks) = match marks.split_first() {
            Some((Wrapper::NonNull, rest)) => (true, rest),
            _ => (false, marks),
        };
        match (marks.split_first(), value) {
            (_, Value::Null) if is_non_null => {
                tell!(self, field, Sight::Breach(Breach::Null))
            }
            (_, Value::Null) => tell!(self, field, Sight::Null),
            (Some((Wrapper::List, rest)), Value::Array(elements)) => {
                tell!(self, field, Sight::List(elements.len()));
                for element in elements {
                    self.value(field, type_ref, rest, element, spec, gene);
                }
            }
            (Some(_), _) => self.mismatch(field, type_ref, value),
            (None, _) => self.named(field, type_ref, value, spec, gene),
        }
    }

    fn mismatch(&mut self, field: FieldId, type_ref: &TypeRef, value: &Value) {
        let expected = self.schema.type_text(type_ref);
        let breach = Breach::Kind { expected, found: kind(value) };
        tell!(self, field, Sight::Breach(breach));
    }

    /// A value that is neither null nor declared as a list.
    fn named(
        &mut self,
        field: FieldId,
        type_ref: &TypeRef,
        value: &'v Value,
        spec: SpecId,
        gene: &Gene,
    ) {
        let definition = self.schema.definition(type_ref.named());
        if definition.is_composite() {
            match value {
                Value::Object(object) => {
                    self.composite(field, type_ref.named(), object, spec, gene);
                }
                _ => self.mismatch(field, type_ref, value),
            }
            return;
        }
        let fits = match &definition.kind {
            TypeKind::Enum { values } => match value.as_str() {
                Some(name) if values.iter().any(|known| *known.name == *name) => true,
                Some(name) => {
                    let breach = Breach::Enum(name.to_owned());
                    return tell!(self, field, Sight::Breach(breach));
                }
                None => false,
            },
            _ => is_scalar_of(&definition.name, value),
        };
        if fits {
            tell!(self, field, Sight::Leaf(type_ref.named(), value));
        } else {
            self.mismatch(field, type_ref, value);
        }
    }

    /// An object, looked at through what was selected of it.
    fn composite(
        &mut self,
        field: FieldId,
        declared: TypeId,
        object: &'v Map<String, Value>,
        spec: SpecId,
        gene: &Gene,
    ) {
        let Some((selection, selected)) = self.selection(spec, gene) else { return };
        let possible = self.schema.definition(declared).possible_types();
        let is_abstract =
            !self.schema.definition(declared).fields().is_empty() || !possible.is_empty();
        let is_abstract = is_abstract
            && !matches!(self.schema.definition(declared).kind, TypeKind::Object { .. });
        let typename = object.get("__typename").and_then(Value::as_str);
        let named = typename.and_then(|name| self.schema.type_named(name));
        let known = if is_abstract { named } else { Some(declared) };
        if let Some(name) = typename
            && !named.is_some_and(|named| named == declared || possible.contains(&named))
        {
            let breach = Breach::Typename(name.to_owned());
            tell!(self, field, Sight::Breach(breach));
        }
        tell!(self, field, Sight::Object(known, object));
        let mut keys: Vec<String> = Vec::new();
        self.members(selection, selected, &[], known, true, object, &mut keys);
        for key in object.keys().filter(|key| !keys.contains(key)) {
            tell!(self, field, Sight::Breach(Breach::Unknown(key.clone())));
        }
    }

    /// The members of a selection or of a fragment; `keys` collects all response names.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursion, used here alone")]
    fn members(
        &mut self,
        selection: SpecId,
        selected: &ObjectGene,
        renamed: &[(u32, String)],
        known: Option<TypeId>,
        is_certain: bool,
        object: &'v Map<String, Value>,
        keys: &mut Vec<String>,
    ) {
        let GeneSpec::Object(declared) = self.graph.spec(selection) else { return };
        let members = self.templates.members(selection);
        let names = response_names(self.templates, self.graph, declared, members, selected);
        for (position, part) in &selected.fields {
            let place = *position as usize;
            let (Some(spec), Some(member)) = (declared.fields.get(place), members.get(place))
            else {
                continue;
            };
            match member {
                SelectionMember::Typename => keys.push("__typename".to_owned()),
                SelectionMember::Field(id) => {
                    let alias = renamed.iter().find(|(field, _)| field == position);
                    let key =
                        alias.map_or_else(|| spec.name.to_string(), |(_, alias)| alias.clone());
                    let id = self.on(known, *id);
                    self.field(id, &key, spec.spec, part, object, is_certain);
                    keys.push(key);
                }
                SelectionMember::Fragment(of) => {
                    let Some((inner, value)) = self.selection(spec.spec, part) else { continue };
                    let renamed = names.of_fragment(*position);
                    match known {
                        Some(known) if known != *of => {}
                        _ => {
                            self.members(
                                inner,
                                value,
                                &renamed,
                                known,
                                is_certain && known.is_some(),
                                object,
                                keys,
                            );
                        }
                    }
                }
            }
        }
    }

    /// The field as the known type declares it: an interface's field becomes the object's.
    fn on(&self, known: Option<TypeId>, field: FieldId) -> FieldId {
        let Some(known) = known.filter(|known| *known != field.owner) else { return field };
        let name = &self.schema.field(field).name;
        let mut fields = self.schema.fields(known);
        fields.find(|id| self.schema.field(*id).name == *name).unwrap_or(field)
    }

    /// The selection behind an optional one or at the end of a field with arguments.
    fn selection<'g>(&self, spec: SpecId, gene: &'g Gene) -> Option<(SpecId, &'g ObjectGene)> {
        let spec = match self.graph.spec(spec) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => spec,
        };
        match (self.graph.spec(spec), gene) {
            (GeneSpec::Object(_), Gene::Object(object)) => Some((spec, object)),
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) if tuple.has_selection => {
                self.selection(tuple.elements.last()?.spec, elements.last()?)
            }
            _ => None,
        }
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
