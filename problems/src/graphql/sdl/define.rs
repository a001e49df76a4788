//! The types of a schema, from their definitions and extensions.

use std::sync::Arc;

use async_graphql_parser::Positioned;
use async_graphql_parser::types::{
    BaseType, EnumValueDefinition, FieldDefinition as AstField, InputValueDefinition, Type,
    TypeKind as AstKind,
};
use async_graphql_value::Name;

use super::canonical::Places;
use super::directive::{deprecation, named, others, text};
use super::literal::literal;
use super::merge::{Entry, Part};
use super::name::original;
use crate::graphql::schema::{
    Coordinate, EnumValue, FieldDefinition, InputValue, SchemaBuilder, TypeId, TypeKind, TypeRef,
    Wrapper,
};

/// Says of declared types what they are.
#[derive(Debug)]
pub(super) struct Definer {
    builder: SchemaBuilder,
}

impl Definer {
    /// The types are declared in `builder`.
    pub(super) fn new(builder: SchemaBuilder) -> Self {
        Self { builder }
    }

    pub(super) fn into_builder(self) -> SchemaBuilder {
        self.builder
    }

    pub(super) fn define(&mut self, entry: &Entry<'_>) {
        let place = Coordinate::of_type(entry.name);
        let mut names = Vec::new();
        for part in &entry.parts {
            names.append(&mut others(&part.ast.directives, &mut self.builder));
        }
        self.builder.apply_directives(place, names);
        let kind = self.kind(place, entry);
        let description = described(entry.parts[0].ast.description.as_ref(), entry.parts[0].places);
        self.builder.define(entry.id, description, kind);
    }

    fn kind(&mut self, place: Coordinate<'_>, entry: &Entry<'_>) -> TypeKind {
        match &entry.parts[0].ast.kind {
            AstKind::Scalar => TypeKind::Scalar { specified_by: specified_by(&entry.parts) },
            AstKind::Object(_) => TypeKind::Object {
                fields: self.fields(place, &entry.parts),
                interfaces: self.interfaces(place, &entry.parts),
            },
            AstKind::Interface(_) => {
                self.builder.derive_members(entry.id);
                TypeKind::Interface {
                    fields: self.fields(place, &entry.parts),
                    interfaces: self.interfaces(place, &entry.parts),
                    possible_types: Vec::new(),
                }
            }
            AstKind::Union(_) => {
                TypeKind::Union { possible_types: self.union(place, &entry.parts) }
            }
            AstKind::Enum(_) => TypeKind::Enum { values: self.enum_values(place, &entry.parts) },
            AstKind::InputObject(_) => TypeKind::InputObject {
                fields: self.input_fields(place, &entry.parts),
                is_one_of: entry
                    .parts
                    .iter()
                    .any(|it| named(&it.ast.directives, "oneOf").is_some()),
            },
        }
    }

    fn fields(&mut self, owner: Coordinate<'_>, parts: &[Part<'_>]) -> Vec<FieldDefinition> {
        let mut fields = Vec::new();
        for part in parts {
            let found = match &part.ast.kind {
                AstKind::Object(object) => &object.fields,
                AstKind::Interface(interface) => &interface.fields,
                _ => continue,
            };
            fields.extend(found.iter().filter_map(|it| self.field(owner, part.places, &it.node)));
        }
        self.builder.unique(owner, fields, |field| &field.name)
    }

    fn field(
        &mut self,
        owner: Coordinate<'_>,
        places: &Places<'_>,
        field: &AstField,
    ) -> Option<FieldDefinition> {
        let name = self.builder.name(original(&field.name.node))?;
        let place = owner.inside(&name);
        let names = others(&field.directives, &mut self.builder);
        self.builder.apply_directives(place, names);
        Some(FieldDefinition {
            description: described(field.description.as_ref(), places),
            arguments: self.inputs(place, places, &field.arguments),
            type_ref: self.reference(place, &field.ty.node),
            deprecation: deprecation(&field.directives, places),
            name,
        })
    }

    fn input_fields(&mut self, owner: Coordinate<'_>, parts: &[Part<'_>]) -> Vec<InputValue> {
        let mut fields = Vec::new();
        for part in parts {
            if let AstKind::InputObject(input) = &part.ast.kind {
                fields.append(&mut self.inputs(owner, part.places, &input.fields));
            }
        }
        self.builder.unique(owner, fields, |field| &field.name)
    }

    fn inputs(
        &mut self,
        owner: Coordinate<'_>,
        places: &Places<'_>,
        inputs: &[Positioned<InputValueDefinition>],
    ) -> Vec<InputValue> {
        let inputs = inputs.iter().filter_map(|it| self.input(owner, places, &it.node));
        let inputs = inputs.collect();
        self.builder.unique(owner, inputs, |input| &input.name)
    }

    fn input(
        &mut self,
        owner: Coordinate<'_>,
        places: &Places<'_>,
        input: &InputValueDefinition,
    ) -> Option<InputValue> {
        let name = self.builder.name(original(&input.name.node))?;
        let place = owner.inside(&name);
        let names = others(&input.directives, &mut self.builder);
        self.builder.apply_directives(place, names);
        let default = input.default_value.as_ref();
        let default =
            default.map(|value| literal(&places.tokens[places.index(value.pos)..]).into());
        Some(InputValue {
            description: described(input.description.as_ref(), places),
            type_ref: self.reference(place, &input.ty.node),
            default,
            deprecation: deprecation(&input.directives, places),
            name,
        })
    }

    fn enum_values(&mut self, owner: Coordinate<'_>, parts: &[Part<'_>]) -> Vec<EnumValue> {
        let mut values = Vec::new();
        for part in parts {
            if let AstKind::Enum(found) = &part.ast.kind {
                values.extend(
                    found
                        .values
                        .iter()
                        .filter_map(|it| self.enum_value(owner, part.places, &it.node)),
                );
            }
        }
        self.builder.unique(owner, values, |value| &value.name)
    }

    fn enum_value(
        &mut self,
        owner: Coordinate<'_>,
        places: &Places<'_>,
        value: &EnumValueDefinition,
    ) -> Option<EnumValue> {
        let name: Arc<str> = self.builder.name(original(&value.value.node))?;
        let names = others(&value.directives, &mut self.builder);
        self.builder.apply_directives(owner.inside(&name), names);
        Some(EnumValue {
            description: described(value.description.as_ref(), places),
            deprecation: deprecation(&value.directives, places),
            name,
        })
    }

    fn interfaces(&mut self, owner: Coordinate<'_>, parts: &[Part<'_>]) -> Vec<TypeId> {
        let names = parts.iter().flat_map(|part| match &part.ast.kind {
            AstKind::Object(object) => &*object.implements,
            AstKind::Interface(interface) => &*interface.implements,
            _ => &[],
        });
        self.types(owner, names)
    }

    fn union(&mut self, owner: Coordinate<'_>, parts: &[Part<'_>]) -> Vec<TypeId> {
        let names = parts.iter().flat_map(|part| match &part.ast.kind {
            AstKind::Union(union) => &*union.members,
            _ => &[],
        });
        self.types(owner, names)
    }

    fn types<'d>(
        &mut self,
        owner: Coordinate<'_>,
        names: impl Iterator<Item = &'d Positioned<Name>>,
    ) -> Vec<TypeId> {
        names.map(|name| self.builder.type_named(original(&name.node), owner)).collect()
    }

    fn reference(&mut self, place: Coordinate<'_>, ast: &Type) -> TypeRef {
        let mut wrappers = Vec::new();
        let mut next = ast;
        loop {
            if !next.nullable {
                wrappers.push(Wrapper::NonNull);
            }
            match &next.base {
                BaseType::List(inner) => {
                    wrappers.push(Wrapper::List);
                    next = inner;
                }
                BaseType::Named(name) => {
                    let named = self.builder.type_named(original(name), place);
                    return TypeRef::new(named, &wrappers)
                        .expect("the parser allows one mark after each type");
                }
            }
        }
    }
}

fn described(description: Option<&Positioned<String>>, places: &Places<'_>) -> Option<Box<str>> {
    description.map(|text| places.text(text.pos))
}

fn specified_by(parts: &[Part<'_>]) -> Option<Box<str>> {
    parts.iter().find_map(|part| {
        let directive = named(&part.ast.directives, "specifiedBy")?;
        text(directive, "url", part.places)
    })
}
