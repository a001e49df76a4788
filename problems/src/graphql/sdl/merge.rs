//! Definitions and extensions of one type brought together, and the root types.

use std::collections::HashMap;

use async_graphql_parser::types::{
    SchemaDefinition, TypeDefinition as AstType, TypeKind as AstKind, TypeSystemDefinition,
};

use super::canonical::Places;
use super::name::original;
use crate::graphql::schema::{Coordinate, DirectiveDefinition, Roots, SchemaBuilder, TypeId};

/// What one piece of the text defines; mostly one thing.
pub(super) type Parsed<'a> = (Vec<TypeSystemDefinition>, Places<'a>);

/// A definition or extension of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'d> {
    pub(super) ast: &'d AstType,
    pub(super) places: &'d Places<'d>,
}

/// A type: its definition, then its extensions.
#[derive(Debug)]
pub(super) struct Entry<'d> {
    pub(super) name: &'d str,
    pub(super) id: TypeId,
    pub(super) parts: Vec<Part<'d>>,
}

/// All types in the order of the text, declared.
pub(super) fn types<'d>(parsed: &'d [Parsed<'d>], builder: &mut SchemaBuilder) -> Vec<Entry<'d>> {
    let mut entries: Vec<Entry<'d>> = Vec::new();
    let mut known: HashMap<&'d str, usize> = HashMap::new();
    let (definitions, extensions): (Vec<_>, Vec<_>) =
        parts(parsed).partition(|part| !part.ast.extend);
    for part in definitions.into_iter().chain(extensions) {
        let name = original(&part.ast.name.node);
        let place = Coordinate::of_type(name);
        if part.ast.extend
            && let Some(index) = known.get(name)
        {
            let entry = &mut entries[*index];
            if is_same_kind(&entry.parts[0].ast.kind, &part.ast.kind) {
                entry.parts.push(part);
            } else {
                builder.warn(place, "an extension of another kind of type is ignored");
            }
            continue;
        }
        let Some(id) = builder.declare(name) else { continue };
        if part.ast.extend {
            builder.warn(place, "only extensions of it are there; they count as its definition");
        }
        known.insert(name, entries.len());
        entries.push(Entry { name, id, parts: vec![part] });
    }
    entries
}

fn parts<'d>(parsed: &'d [Parsed<'d>]) -> impl Iterator<Item = Part<'d>> {
    parsed.iter().flat_map(|(definitions, places)| {
        definitions.iter().filter_map(move |definition| match definition {
            TypeSystemDefinition::Type(ast) => Some(Part { ast: &ast.node, places }),
            TypeSystemDefinition::Schema(_) | TypeSystemDefinition::Directive(_) => None,
        })
    })
}

fn is_same_kind(one: &AstKind, other: &AstKind) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// The directives that the text declares.
pub(super) fn directives(parsed: &[Parsed<'_>], builder: &mut SchemaBuilder) {
    let all = parsed
        .iter()
        .flat_map(|(definitions, places)| definitions.iter().map(move |it| (it, places)));
    for (definition, places) in all {
        let TypeSystemDefinition::Directive(directive) = definition else { continue };
        let directive = &directive.node;
        let Some(name) = builder.name(original(&directive.name.node)) else { continue };
        let locations = directive.locations.iter();
        builder.define_directive(DirectiveDefinition {
            name,
            // The parser takes every directive for repeatable.
            is_repeatable: places
                .tokens
                .windows(3)
                .any(|it| !it[0].is("@") && it[1].is("repeatable") && it[2].is("on")),
            locations: locations.map(|it| capitals(&format!("{:?}", it.node))).collect(),
        });
    }
}

/// `FieldDefinition` as the language writes it: `FIELD_DEFINITION`.
fn capitals(name: &str) -> Box<str> {
    let mut text = String::with_capacity(name.len() + 4);
    for (index, letter) in name.chars().enumerate() {
        if index > 0 && letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text.into()
}

/// The root types: those that the schema definition names, or those with the usual names when
/// there is no definition; then those of its extensions.
pub(super) fn roots<'d>(
    parsed: &'d [Parsed<'d>],
    entries: &[Entry<'d>],
    builder: &mut SchemaBuilder,
) -> Roots<'d> {
    let schemas = parsed.iter().flat_map(|(definitions, _)| definitions);
    let schemas = schemas.filter_map(|definition| match definition {
        TypeSystemDefinition::Schema(schema) => Some(&schema.node),
        TypeSystemDefinition::Type(_) | TypeSystemDefinition::Directive(_) => None,
    });
    let (definitions, extensions): (Vec<_>, Vec<_>) = schemas.partition(|schema| !schema.extend);
    let usual = |name: &'static str| entries.iter().any(|entry| entry.name == name).then_some(name);
    let mut roots = match definitions.first() {
        Some(schema) => named(schema),
        None => Roots { query: None, mutation: None, subscription: None },
    };
    if definitions.len() > 1 {
        let problem = "defined more than once; the first definition counts";
        builder.warn(Coordinate::of_type("schema"), problem);
    }
    for extension in extensions.into_iter().map(named) {
        roots.query = roots.query.or(extension.query);
        roots.mutation = roots.mutation.or(extension.mutation);
        roots.subscription = roots.subscription.or(extension.subscription);
    }
    if definitions.is_empty() {
        roots.query = roots.query.or(usual("Query"));
        roots.mutation = roots.mutation.or(usual("Mutation"));
        roots.subscription = roots.subscription.or(usual("Subscription"));
    }
    roots
}

fn named(schema: &SchemaDefinition) -> Roots<'_> {
    Roots {
        query: schema.query.as_ref().map(|name| original(&name.node)),
        mutation: schema.mutation.as_ref().map(|name| original(&name.node)),
        subscription: schema.subscription.as_ref().map(|name| original(&name.node)),
    }
}
