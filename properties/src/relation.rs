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
use wallace_problems::graphql::{FieldId, Schema, TypeId, TypeKind, Wrapper};

use crate::answer::{Identified, objects};
use crate::property::{Broken, lookups};
use crate::tree::Branch;

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
            let is_list = |id: &FieldId| {
                let type_ref = &schema.field(*id).type_ref;
                type_ref.named() == to && type_ref.wrappers().contains(&Wrapper::List)
            };
            schema.fields(from).filter(is_list).collect()
        };
        let has_id = |id: TypeId| schema.definition(id).fields().iter().any(|it| &*it.name == "id");
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
    pub(crate) fn learn(&mut self, schema: &Schema, selection: &[Branch], data: &Value) {
        let mut add = |seen: Identified<'_>| {
            for branch in seen.selection {
                let names_id = branch.children.iter().any(|child| child.key() == "id");
                let (Some(field), true) = (branch.field, names_id) else { continue };
                let Some(elements) = seen.object[branch.key()].as_array() else { continue };
                let named = elements.iter().filter_map(|element| element["id"].as_str());
                self.0.insert((field, seen.id.to_owned()), named.map(str::to_owned).collect());
            }
        };
        objects(schema, selection, data, &mut add);
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
pub(crate) fn probes(schema: &Schema, relation: InverseRelation, id: &str) -> Vec<Vec<Branch>> {
    let mut probes = Vec::new();
    for (lookup, argument) in lookups(schema) {
        for side in [relation.one, relation.other] {
            let start = schema.field(lookup).type_ref.named();
            for way in ways(schema, start, side.owner) {
                probes.push(vec![probe(schema, lookup, argument, id, &way, side)]);
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
                if definition
                    .arguments
                    .iter()
                    .any(wallace_problems::graphql::InputValue::is_required)
                {
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

fn leaf(schema: &Schema, owner: TypeId) -> Option<Branch> {
    let field = schema.fields(owner).find(|field| &*schema.field(*field).name == "id")?;
    Some(Branch::new(Arc::clone(&schema.field(field).name), Some(field), Vec::new()))
}

fn probe(
    schema: &Schema,
    lookup: FieldId,
    argument: usize,
    id: &str,
    way: &[FieldId],
    side: FieldId,
) -> Branch {
    let with = |field: FieldId, mut children: Vec<Branch>| {
        let definition = schema.field(field);
        children.splice(0..0, leaf(schema, definition.type_ref.named()));
        Branch::new(Arc::clone(&definition.name), Some(field), children)
    };
    let end = with(side, Vec::new());
    let inner = way.iter().rev().fold(end, |inner, field| with(*field, vec![inner]));
    let mut root = with(lookup, vec![inner]);
    let name = Arc::clone(&schema.field(lookup).arguments[argument].name);
    root.arguments = vec![(name, Value::from(id).to_string(), true)];
    root
}
