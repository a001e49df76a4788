//! Fields that come under one name in the answer can be merged.
//!
//! Two questions (specification, 5.3.2), asked of sets of fields in place of pairs of them, as
//! Simon Adameit describes in "GraphQL: overlapping fields can be merged, fast" (2019): do all
//! fields of a name have answers of one shape, and are those that one object may have the same.
//! Every set is asked once.

use std::collections::{BTreeMap, HashSet};

use super::{Judge, Operation, Owner, Part, Selection};
use crate::graphql::document::Literal;
use crate::graphql::executable::Field;
use crate::graphql::schema::{SchemaPosition, TypeKind, Wrapper};

/// Fields within fields of one answer, at most.
const MAX_DEPTH: usize = 128;

/// A field and the type it is selected of.
#[derive(Clone, Copy)]
struct Selected<'a> {
    owner: Owner<'a>,
    field: &'a Field,
    selection: &'a Selection,
}

/// Sets of fields that were asked, by their places in memory.
type Asked = HashSet<Vec<usize>>;

impl<'a> Judge<'a> {
    pub(super) fn merges(&mut self, operation: &'a Operation) {
        let Some(root) = self.schema.root(operation.kind) else { return };
        let owner = Owner { schema: self.schema, id: root };
        let fields = self.expanded(vec![(owner, &*operation.selections)]);
        let depth = self.have_one_shape(&fields, &mut Asked::new(), MAX_DEPTH);
        if depth.and_then(|()| self.are_same(&fields, &mut Asked::new(), MAX_DEPTH)).is_none() {
            let reason = format!("more than {MAX_DEPTH} fields inside one another");
            self.add(operation.position, reason);
        }
    }

    /// The fields of some selections, fragments in place of their spreads.
    fn expanded(&self, mut open: Vec<(Owner<'a>, &'a [Selection])>) -> Vec<Selected<'a>> {
        let (mut fields, mut seen) = (Vec::new(), HashSet::new());
        let mut next = 0;
        while let Some(&(owner, selections)) = open.get(next) {
            next += 1;
            for selection in selections {
                match &selection.part {
                    Part::Field(field) => fields.push(Selected { owner, field, selection }),
                    Part::Inline(on) => {
                        let inner = on.as_ref().map_or(Some(owner), |name| self.composite(name));
                        open.extend(inner.map(|inner| (inner, &*selection.selections)));
                    }
                    Part::Spread(name) if seen.insert(name) => {
                        if let Some(fragment) = self.fragments.get(&**name) {
                            let inner = self.composite(&fragment.on);
                            open.extend(inner.map(|inner| (inner, &*fragment.selections)));
                        }
                    }
                    Part::Spread(_) => {}
                }
            }
        }
        fields
    }

    /// What is selected below some fields.
    fn below(&self, fields: &[Selected<'a>]) -> Vec<Selected<'a>> {
        let sets = fields.iter().filter_map(|selected| {
            let (schema, id) = self.declared(selected.owner, &selected.field.name)?;
            let owner = Owner { schema, id: schema.returned(id) };
            Some((owner, &*selected.selection.selections))
        });
        self.expanded(sets.collect())
    }

    fn have_one_shape(
        &mut self,
        fields: &[Selected<'a>],
        asked: &mut Asked,
        depth: usize,
    ) -> Option<()> {
        if fields.is_empty() || !asked.insert(places(fields)) {
            return Some(());
        }
        let depth = depth.checked_sub(1)?;
        for (key, group) in by_key(fields) {
            for other in &group[1..] {
                if self.shape(group[0]) != self.shape(*other) {
                    let reason = format!("`{key}` would be answered in two shapes");
                    self.add(other.selection.position, reason);
                }
            }
            self.have_one_shape(&self.below(&group), asked, depth)?;
        }
        Some(())
    }

    /// The marks of a field's type, and the type unless something is selected of it.
    fn shape(&self, selected: Selected<'a>) -> Option<(&'a [Wrapper], Option<&'a str>)> {
        let (schema, id) = self.declared(selected.owner, &selected.field.name)?;
        let type_ref = &schema.field(id).type_ref;
        let definition = schema.definition(type_ref.named());
        let leaf = (!definition.is_composite()).then_some(&*definition.name);
        Some((type_ref.wrappers(), leaf))
    }

    fn are_same(&mut self, fields: &[Selected<'a>], asked: &mut Asked, depth: usize) -> Option<()> {
        if fields.is_empty() || !asked.insert(places(fields)) {
            return Some(());
        }
        let depth = depth.checked_sub(1)?;
        for (key, group) in by_key(fields) {
            for group in by_parent(&group) {
                for other in &group[1..] {
                    let (one, two) = (group[0].field, other.field);
                    if one.name != two.name || !are_equal(&one.arguments, &two.arguments) {
                        self.conflict(key, one, two, other.selection.position);
                    }
                }
                self.are_same(&self.below(&group), asked, depth)?;
            }
        }
        Some(())
    }

    fn conflict(&mut self, key: &str, one: &Field, two: &Field, position: SchemaPosition) {
        let reason = if one.name == two.name {
            format!("`{key}` is asked for with other arguments elsewhere")
        } else {
            format!("`{key}` is `{}` here and `{}` elsewhere", two.name, one.name)
        };
        self.add(position, reason);
    }
}

fn places(fields: &[Selected<'_>]) -> Vec<usize> {
    fields.iter().map(|selected| std::ptr::from_ref(selected.field).addr()).collect()
}

fn by_key<'a>(fields: &[Selected<'a>]) -> BTreeMap<&'a str, Vec<Selected<'a>>> {
    let mut groups: BTreeMap<&str, Vec<Selected<'_>>> = BTreeMap::new();
    for selected in fields {
        groups.entry(selected.field.key()).or_default().push(*selected);
    }
    groups
}

/// Fields that one object may have: those of each object type, with those of all others, which any
/// object may come to have.
fn by_parent<'a>(fields: &[Selected<'a>]) -> Vec<Vec<Selected<'a>>> {
    let mut objects: BTreeMap<&str, Vec<Selected<'_>>> = BTreeMap::new();
    let mut others = Vec::new();
    for selected in fields {
        let owner = selected.owner;
        match owner.schema.definition(owner.id).kind {
            TypeKind::Object { .. } => objects.entry(owner.name()).or_default().push(*selected),
            _ => others.push(*selected),
        }
    }
    if objects.is_empty() {
        return vec![others];
    }
    objects
        .into_values()
        .map(|group| group.into_iter().chain(others.iter().copied()).collect())
        .collect()
}

/// Whether arguments, or fields of input objects, are the same, in any order.
fn are_equal(
    one: &[(std::sync::Arc<str>, Literal)],
    other: &[(std::sync::Arc<str>, Literal)],
) -> bool {
    let is_there = |(name, value): &(_, Literal)| {
        other.iter().any(|(known, it)| known == name && is_equal(value, it))
    };
    one.len() == other.len() && one.iter().all(is_there)
}

fn is_equal(one: &Literal, other: &Literal) -> bool {
    match (one, other) {
        (Literal::Object(one), Literal::Object(other)) => are_equal(one, other),
        (Literal::List(one), Literal::List(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_equal(one, other))
        }
        _ => one == other,
    }
}
