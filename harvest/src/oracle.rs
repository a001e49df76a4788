//! What an answer must look like for the schema to hold: of every selected field that it is there,
//! non-null where the schema says so, of its type, with elements of their type, and one of the
//! values of its enum.

use std::collections::{BTreeMap, BTreeSet};

use wallace_problems::graphql::{Part, Schema, Selection, TypeId, TypeKind, TypeRef, Wrapper};
use wallace_suite::{JsonKind, Shape};

/// The shape of an object of a type of which this is selected.
pub(crate) fn shape(schema: &Schema, owner: TypeId, selection: &[Selection]) -> Shape {
    Oracle { schema }.object(owner, &[selection])
}

struct Oracle<'s> {
    schema: &'s Schema,
}

/// A key of an answer: what may stand there, and all that is selected of it.
struct Key<'t> {
    type_ref: Option<&'t TypeRef>,
    is_optional: bool,
    selections: Vec<&'t [Selection]>,
}

impl Oracle<'_> {
    /// An object whose static type is this one. Fields of one key are merged.
    fn object(&self, owner: TypeId, selections: &[&[Selection]]) -> Shape {
        let types = self.possible(owner);
        let of_type = |id: &TypeId| {
            (self.schema.definition(*id).name.to_string(), self.concrete(*id, selections))
        };
        let shapes: BTreeMap<String, Shape> = types.iter().map(of_type).collect();
        let differ = shapes.values().collect::<Vec<_>>().windows(2).any(|pair| pair[0] != pair[1]);
        match (differ, self.typename_key(selections)) {
            (true, Some(key)) => Shape::ByType { key, types: shapes },
            (true, None) => self.common(shapes),
            (false, _) => shapes.into_values().next().unwrap_or(Shape::NonNull),
        }
    }

    /// Where the type of an object is not told, what all types have in common.
    fn common(&self, shapes: BTreeMap<String, Shape>) -> Shape {
        let fields = shapes.into_values().map(|shape| match shape {
            Shape::Object(fields) | Shape::Including(fields) => fields,
            _ => BTreeMap::new(),
        });
        let common = fields.reduce(|mut common, other| {
            common.retain(|key, shape| other.get(key) == Some(shape));
            common
        });
        Shape::Including(common.unwrap_or_default())
    }

    fn possible(&self, owner: TypeId) -> Vec<TypeId> {
        match &self.schema.definition(owner).kind {
            TypeKind::Interface { possible_types, .. } | TypeKind::Union { possible_types } => {
                possible_types.clone()
            }
            _ => vec![owner],
        }
    }

    /// The key under which `__typename` stands for every type.
    fn typename_key(&self, selections: &[&[Selection]]) -> Option<String> {
        selections.iter().flat_map(|parts| parts.iter()).find_map(|part| {
            let field = part.as_field().filter(|field| field.id.is_none())?;
            let is_sure = part.directives.is_empty() && !field.key().starts_with("__s");
            is_sure.then(|| field.key().to_owned())
        })
    }

    fn concrete(&self, id: TypeId, selections: &[&[Selection]]) -> Shape {
        let mut keys = BTreeMap::new();
        selections.iter().for_each(|parts| self.collect(id, parts, false, &mut keys));
        let has_optional = keys.values().any(|key| key.is_optional);
        let shapes = keys.into_iter().filter(|(_, key)| !key.is_optional);
        let shapes = shapes.map(|(name, key)| (name.to_owned(), self.key(id, &key))).collect();
        if has_optional { Shape::Including(shapes) } else { Shape::Object(shapes) }
    }

    fn collect<'t>(
        &'t self,
        id: TypeId,
        parts: &'t [Selection],
        is_optional: bool,
        keys: &mut BTreeMap<&'t str, Key<'t>>,
    ) {
        for part in parts {
            let is_optional = is_optional || !part.directives.is_empty();
            match &part.part {
                Part::Field(field) => {
                    let type_ref = field.id.map(|field| &self.schema.field(field).type_ref);
                    let empty = Key { type_ref, is_optional: true, selections: Vec::new() };
                    let entry = keys.entry(field.key()).or_insert(empty);
                    entry.is_optional &= is_optional;
                    entry.selections.push(&part.selections);
                }
                Part::Fragment { on, .. } if self.possible(*on).contains(&id) => {
                    self.collect(id, &part.selections, is_optional, keys);
                }
                Part::Fragment { .. } | Part::Spread(_) => {}
            }
        }
    }

    fn key(&self, owner: TypeId, key: &Key<'_>) -> Shape {
        match key.type_ref {
            None => Shape::OneOf(vec![self.schema.definition(owner).name.to_string()]),
            Some(type_ref) => self.value(type_ref, type_ref.wrappers(), &key.selections),
        }
    }

    fn value(&self, type_ref: &TypeRef, wrappers: &[Wrapper], parts: &[&[Selection]]) -> Shape {
        let (is_non_null, wrappers) = match wrappers {
            [Wrapper::NonNull, inner @ ..] => (true, inner),
            all => (false, all),
        };
        let shape = match wrappers {
            [Wrapper::List, inner @ ..] => {
                Shape::Each(Box::new(self.value(type_ref, inner, parts)))
            }
            _ => self.named(type_ref.named(), parts),
        };
        match (is_non_null, shape) {
            (true, shape) => shape,
            (false, Shape::NonNull) => Shape::Anything,
            (false, shape) => Shape::Nullable(Box::new(shape)),
        }
    }

    fn named(&self, id: TypeId, parts: &[&[Selection]]) -> Shape {
        let definition = self.schema.definition(id);
        match (&definition.kind, &*definition.name) {
            (TypeKind::Scalar { .. }, "String" | "ID") => Shape::Kind(JsonKind::String),
            (TypeKind::Scalar { .. }, "Boolean") => Shape::Kind(JsonKind::Boolean),
            (TypeKind::Scalar { .. }, "Int") => Shape::Kind(JsonKind::Integer),
            (TypeKind::Scalar { .. }, "Float") => Shape::Kind(JsonKind::Number),
            (TypeKind::Enum { values }, _) => {
                let names: BTreeSet<String> =
                    values.iter().map(|value| value.name.to_string()).collect();
                Shape::OneOf(names.into_iter().collect())
            }
            _ if definition.is_composite() => self.object(id, parts),
            // Of other scalars the schema says nothing.
            _ => Shape::NonNull,
        }
    }
}
