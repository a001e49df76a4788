//! From the answer to an introspection query to the schema model.

use serde_json::value::RawValue;
use serde_json::{Value, error::Category};

use super::wire;
use crate::graphql::schema::{
    Coordinate, DirectiveDefinition, EnumValue, FieldDefinition, InputValue, Roots, Schema,
    SchemaBuilder, SchemaError, TypeId, TypeKind, TypeRef, Wrapper,
};

/// Characters of a text that is no schema shown in the message about it.
const SHOWN: usize = 60;

/// Reads an introspection answer, with or without the `data` around it.
pub(crate) fn read(answer: &[u8]) -> Result<Schema, SchemaError> {
    let answer = answer.strip_prefix(b"\xef\xbb\xbf").unwrap_or(answer);
    let parsed: wire::Answer<'_> =
        serde_json::from_slice(answer).map_err(|error| unreadable(answer, &error))?;
    let schema = parsed.data.and_then(|data| data.schema).or(parsed.schema);
    let refusal = parsed.errors.and_then(first_message);
    match (schema, refusal) {
        (Some(schema), refusal) => build(schema, refusal),
        (None, Some(message)) => Err(SchemaError::Refused { message }),
        (None, None) => {
            Err(SchemaError::NotIntrospection { reason: "it has no `__schema`".to_owned() })
        }
    }
}

fn unreadable(answer: &[u8], error: &serde_json::Error) -> SchemaError {
    let reason = error.to_string();
    match error.classify() {
        Category::Data => SchemaError::NotIntrospection { reason },
        Category::Io | Category::Syntax | Category::Eof => {
            let text = String::from_utf8_lossy(&answer[..answer.len().min(4 * SHOWN)]);
            SchemaError::NotJson { reason, beginning: text.chars().take(SHOWN).collect() }
        }
    }
}

/// The message of the first error, when the list is not empty.
fn first_message(errors: &RawValue) -> Option<String> {
    let errors: Value = serde_json::from_str(errors.get()).ok()?;
    let first = errors.as_array().map_or(Some(&errors), |list| list.first())?;
    if first.is_null() {
        return None;
    }
    let message = first.get("message").and_then(Value::as_str);
    Some(message.map_or_else(|| first.to_string(), str::to_owned))
}

fn build(root: wire::Root<'_>, refusal: Option<String>) -> Result<Schema, SchemaError> {
    let mut reader = Reader { builder: SchemaBuilder::default() };
    if let Some(message) = refusal {
        let problem = format!("the answer also holds an error: {message}");
        reader.builder.warn(Coordinate::of_type("__schema"), problem);
    }
    let mut declared = Vec::new();
    for (index, raw) in root.types.unwrap_or_default().into_iter().enumerate() {
        let named: Option<wire::Named<'_>> = serde_json::from_str(raw.get()).ok();
        match named.and_then(|named| named.name) {
            Some(name) => {
                let id = reader.builder.declare(&name.0);
                declared.extend(id.map(|id| (id, name, raw)));
            }
            None => {
                let place = format!("types[{index}]");
                let problem = "a type without a name is ignored";
                reader.builder.warn(Coordinate::of_type(&place), problem);
            }
        }
    }
    for (id, name, raw) in declared {
        reader.define(id, Coordinate::of_type(&name.0), raw);
    }
    for raw in root.directives.unwrap_or_default() {
        reader.directive(raw);
    }
    let name = |named: &Option<wire::Named<'_>>| {
        named.as_ref().and_then(|named| named.name.as_ref()).map(|name| name.0.to_string())
    };
    reader.builder.finish(Roots {
        query: name(&root.query_type).as_deref(),
        mutation: name(&root.mutation_type).as_deref(),
        subscription: name(&root.subscription_type).as_deref(),
    })
}

struct Reader {
    builder: SchemaBuilder,
}

impl Reader {
    fn define(&mut self, id: TypeId, place: Coordinate<'_>, raw: &RawValue) {
        let parsed: Result<wire::Type<'_>, _> = serde_json::from_str(raw.get());
        let result = match parsed {
            Ok(mut wire) => {
                let description = wire.description.take().map(wire::Text::boxed);
                self.kind(id, place, wire).map(|kind| (description, kind))
            }
            Err(error) => Err(format!("it cannot be read ({error})")),
        };
        let (description, kind) = result.unwrap_or_else(|reason| {
            self.builder.warn(place, format!("the type cannot be used: {reason}"));
            (None, TypeKind::Broken { reason: reason.into() })
        });
        self.builder.define(id, description, kind);
    }

    fn directive(&mut self, raw: &RawValue) {
        // Directives are only told of: one that cannot be read takes nothing along.
        let Ok(wire) = serde_json::from_str::<wire::Directive<'_>>(raw.get()) else { return };
        let Some(name) = self.builder.name(&wire.name.0) else { return };
        let locations = wire.locations.unwrap_or_default().into_iter();
        self.builder.define_directive(DirectiveDefinition {
            name,
            is_repeatable: wire.is_repeatable.unwrap_or(false),
            locations: locations.map(wire::Text::boxed).collect(),
        });
    }

    fn kind(
        &mut self,
        id: TypeId,
        place: Coordinate<'_>,
        wire: wire::Type<'_>,
    ) -> Result<TypeKind, String> {
        let kind = wire.kind.map_or_else(String::new, |kind| kind.0.into_owned());
        Ok(match kind.as_str() {
            "SCALAR" => TypeKind::Scalar { specified_by: wire.specified_by.map(wire::Text::boxed) },
            "OBJECT" => TypeKind::Object {
                fields: self.fields(place, wire.fields),
                interfaces: self.types(place, wire.interfaces),
            },
            "INTERFACE" => {
                if wire.possible_types.is_none() {
                    self.builder.derive_members(id);
                    let problem =
                        "its possible types are not listed; those that implement it count";
                    self.builder.warn(place, problem);
                }
                TypeKind::Interface {
                    fields: self.fields(place, wire.fields),
                    interfaces: self.types(place, wire.interfaces),
                    possible_types: self.types(place, wire.possible_types),
                }
            }
            "UNION" => TypeKind::Union { possible_types: self.types(place, wire.possible_types) },
            "ENUM" => TypeKind::Enum { values: self.enum_values(place, wire.enum_values) },
            "INPUT_OBJECT" => TypeKind::InputObject {
                fields: self.inputs(place, wire.input_fields)?,
                is_one_of: wire.is_one_of.unwrap_or(false),
            },
            _ => return Err(format!("its kind {kind:?} is unknown")),
        })
    }

    fn types(&mut self, place: Coordinate<'_>, named: Option<Vec<wire::Named<'_>>>) -> Vec<TypeId> {
        let named = named.unwrap_or_default().into_iter().filter_map(|named| named.name);
        named.map(|name| self.builder.type_named(&name.0, place)).collect()
    }

    fn fields(
        &mut self,
        place: Coordinate<'_>,
        fields: Option<Vec<wire::Member<'_>>>,
    ) -> Vec<FieldDefinition> {
        let fields = fields.unwrap_or_default();
        let fields = fields.into_iter().filter_map(|field| self.field(place, field)).collect();
        self.builder.unique(place, fields, |field| &field.name)
    }

    fn field(&mut self, owner: Coordinate<'_>, field: wire::Member<'_>) -> Option<FieldDefinition> {
        let place = owner.inside(&field.name.0);
        let Some(name) = self.builder.name(&field.name.0) else {
            self.builder.warn(place, "not a GraphQL name; the field is ignored");
            return None;
        };
        let deprecation = deprecation(field.is_deprecated, field.deprecation_reason);
        let description = field.description.map(wire::Text::boxed);
        let (arguments, type_ref) = match self.inputs(place, field.args) {
            Ok(arguments) => (arguments, self.reference(place, field.type_ref)),
            // Without one of its arguments no call of the field is known to be valid.
            Err(reason) => (Vec::new(), self.broken_reference(place, &reason)),
        };
        Some(FieldDefinition { name, description, arguments, type_ref, deprecation })
    }

    /// Arguments or input fields; the reason when one of them cannot be printed.
    fn inputs(
        &mut self,
        owner: Coordinate<'_>,
        inputs: Option<Vec<wire::Member<'_>>>,
    ) -> Result<Vec<InputValue>, String> {
        let mut values = Vec::new();
        for input in inputs.unwrap_or_default() {
            let Some(name) = self.builder.name(&input.name.0) else {
                return Err(format!("{:?} is no GraphQL name", input.name.0));
            };
            let type_ref = self.reference(owner.inside(&name), input.type_ref);
            values.push(InputValue {
                description: input.description.map(wire::Text::boxed),
                type_ref,
                default: input.default_value.map(wire::Text::boxed),
                deprecation: deprecation(input.is_deprecated, input.deprecation_reason),
                name,
            });
        }
        Ok(self.builder.unique(owner, values, |value| &value.name))
    }

    fn enum_values(
        &mut self,
        owner: Coordinate<'_>,
        values: Option<Vec<wire::Member<'_>>>,
    ) -> Vec<EnumValue> {
        let mut known = Vec::new();
        for value in values.unwrap_or_default() {
            let text = &*value.name.0;
            let name = self.builder.name(text);
            let Some(name) = name.filter(|_| !["true", "false", "null"].contains(&text)) else {
                self.builder.warn(owner.inside(text), "not an enum name; the value is ignored");
                continue;
            };
            known.push(EnumValue {
                name,
                description: value.description.map(wire::Text::boxed),
                deprecation: deprecation(value.is_deprecated, value.deprecation_reason),
            });
        }
        self.builder.unique(owner, known, |value| &value.name)
    }

    fn reference(&mut self, place: Coordinate<'_>, wire: Option<wire::Reference<'_>>) -> TypeRef {
        let mut wrappers = Vec::new();
        let mut next = wire;
        while let Some(level) = next {
            match level.kind.as_ref().map(|kind| &*kind.0) {
                Some("LIST") => wrappers.push(Wrapper::List),
                Some("NON_NULL") => wrappers.push(Wrapper::NonNull),
                _ => {
                    let Some(name) = level.name else { break };
                    let named = self.builder.type_named(&name.0, place);
                    return TypeRef::new(named, &wrappers).unwrap_or_else(|| {
                        self.broken_reference(place, "one non-null mark stands in another")
                    });
                }
            }
            next = level.of_type.map(|inner| *inner);
        }
        self.broken_reference(place, "the schema does not say which type is inside all the marks")
    }

    fn broken_reference(&mut self, place: Coordinate<'_>, reason: &str) -> TypeRef {
        let name = format!("<type of {place}>");
        let named = self.builder.broken(&name, reason, place);
        TypeRef::new(named, &[]).expect("a type without marks has no doubled mark")
    }
}

fn deprecation(is_deprecated: Option<bool>, reason: Option<wire::Text<'_>>) -> Option<Box<str>> {
    is_deprecated.unwrap_or(false).then(|| reason.map_or_else(Box::default, wire::Text::boxed))
}
