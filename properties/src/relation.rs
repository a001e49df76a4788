//! Inverse relations: where objects refer to each other, both sides should agree.
//!
//! Two types that have exactly one list of each other are taken for two sides of one relation. Real
//! data are often not complete on both sides, those of the paper's toy service for one, so a single
//! missing link is no fault: only when not one of the links that can be checked is mirrored, the
//! relation is broken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use wallace_problems::Fault;
use wallace_problems::graphql::{FieldId, Literal, Schema, Selection, TypeId, TypeKind};

use crate::answer::{Identified, objects};
use crate::property::{Broken, lookups};

/// Links that must be checkable before their absence means something.
const LEAST_LINKS: usize = 2;
/// Fields between what is looked up and the object of interest, at most.
const LONGEST_WAY: usize = 2;
/// Probes for one relation and identifier, at most.
const MOST_PROBES: usize = 8;

/// Two fields that are each other's inverse: `User.projects` and `Project.members`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InverseRelation {
    /// One side.
    pub one: FieldId,
    /// The other one.
    pub other: FieldId,
}

impl InverseRelation {
    /// All pairs of types that have exactly one list of each other.
    #[must_use]
    pub fn all(schema: &Schema) -> Vec<Self> {
        let lists = |from: TypeId, to: TypeId| -> Vec<FieldId> {
            let is_list = |id: &FieldId| schema.returned(*id) == to && schema.field(*id).is_list();
            schema.fields(from).filter(is_list).collect()
        };
        let has_id = |id: TypeId| schema.field_named(id, "id").is_some();
        let is_object = |id: TypeId| matches!(schema.definition(id).kind, TypeKind::Object { .. });
        let types: Vec<TypeId> =
            schema.types().map(|(id, _)| id).filter(|id| is_object(*id) && has_id(*id)).collect();
        let mut relations = Vec::new();
        for (index, one) in types.iter().enumerate() {
            for other in &types[index + 1..] {
                if let ([one], [other]) = (&*lists(*one, *other), &*lists(*other, *one)) {
                    relations.push(Self { one: *one, other: *other });
                }
            }
        }
        relations
    }
}

/// What answers say about a relation: of each object, whom it names.
#[derive(Debug, Default)]
pub(crate) struct Facts(BTreeMap<(FieldId, String), BTreeSet<String>>);

impl Facts {
    /// Adds what an answer says.
    pub(crate) fn learn(&mut self, schema: &Schema, selections: &[Selection], data: &Value) {
        let mut add = |seen: Identified<'_>| {
            for part in seen.selections {
                let names_id = part.selections.iter().any(|child| child.key() == "id");
                let (Some(field), true) = (part.id(), names_id) else { continue };
                let Some(elements) = seen.object[part.key()].as_array() else { continue };
                let named = elements.iter().filter_map(|element| element["id"].as_str());
                self.0.insert((field, seen.id.to_owned()), named.map(str::to_owned).collect());
            }
        };
        objects(schema, selections, data, &mut add);
    }

    /// Whether no link of a relation is mirrored.
    pub(crate) fn broken(&self, schema: &Schema, relation: InverseRelation) -> Option<Broken> {
        let both = [(relation.one, relation.other), (relation.other, relation.one)];
        both.into_iter().find_map(|(from, to)| {
            let links = self.0.iter().filter(|((field, _), _)| *field == from);
            let links = links.flat_map(|((_, id), named)| named.iter().map(move |it| (id, it)));
            let known = links.filter_map(|(id, it)| Some((id, self.0.get(&(to, it.clone()))?)));
            let mirrored: Vec<bool> = known.map(|(id, back)| back.contains(id)).collect();
            let is_broken = mirrored.len() >= LEAST_LINKS && !mirrored.contains(&true);
            let context = format!(
                "{}: not one of the links of {} leads back",
                schema.coordinate(to),
                schema.coordinate(from)
            );
            is_broken.then(|| ("inverse relation".to_owned(), Fault { code: 101, context }))
        })
    }
}

/// Queries that ask for both sides of a relation, from an object that can be looked up.
pub(crate) fn probes(schema: &Schema, relation: InverseRelation, id: &str) -> Vec<Vec<Selection>> {
    let mut probes = Vec::new();
    for lookup in lookups(schema) {
        for side in [relation.one, relation.other] {
            let start = schema.returned(lookup.0);
            for way in ways(schema, start, side.owner) {
                let end = identified(schema, side, Vec::new());
                let inner = way.iter().rev();
                let inner = inner.fold(end, |inner, field| identified(schema, *field, vec![inner]));
                probes.push(vec![looked_up(schema, lookup, id, vec![inner])]);
            }
        }
    }
    probes.truncate(MOST_PROBES);
    probes
}

/// Fields that lead from one type to another, shortest first.
fn ways(schema: &Schema, from: TypeId, to: TypeId) -> Vec<Vec<FieldId>> {
    let mut found = if from == to { vec![Vec::new()] } else { Vec::new() };
    let mut open: Vec<(TypeId, Vec<FieldId>)> = vec![(from, Vec::new())];
    for _ in 0..LONGEST_WAY {
        let mut next = Vec::new();
        for (at, way) in open {
            for field in schema.fields(at) {
                let definition = schema.field(field);
                if definition.needs_arguments() {
                    continue;
                }
                let longer: Vec<FieldId> = way.iter().copied().chain([field]).collect();
                let reached = definition.type_ref.named();
                if reached == to && !(longer.len() > 1 && from == to) {
                    found.push(longer.clone());
                }
                next.push((reached, longer));
            }
        }
        open = next;
        open.truncate(100);
    }
    found
}

/// The object of an identifier, looked up by a field of the root: its identifier and these parts.
pub(crate) fn looked_up(
    schema: &Schema,
    (lookup, argument): (FieldId, usize),
    id: &str,
    parts: Vec<Selection>,
) -> Selection {
    let mut root = identified(schema, lookup, parts);
    let name = Arc::clone(&schema.field(lookup).arguments[argument].name);
    let arguments = vec![(name, Literal::Text(id.into()))];
    root.as_field_mut().into_iter().for_each(|field| field.arguments.clone_from(&arguments));
    root
}

/// A field with the identifier of what it returns, where there is one, and these parts.
fn identified(schema: &Schema, field: FieldId, mut parts: Vec<Selection>) -> Selection {
    let id = schema.field_named(schema.returned(field), "id");
    let id = id.map(|id| Selection::field("id".into(), Some(id), Vec::new()));
    parts.splice(0..0, id);
    Selection::field(Arc::clone(&schema.field(field).name), Some(field), parts)
}
