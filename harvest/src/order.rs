//! Which operation needs which: what creates an object goes before what uses it, and what deletes
//! it behind.
//!
//! Where answers were recorded, an identifier of one that comes back in the variables of another
//! operation links the two. Where not, names tell: `productTypeCreate` makes what the argument
//! `productType` of another mutation asks for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use wallace_problems::graphql::{OperationKind, Schema};
use wallace_problems::{AnswerPlace, child_pointer};
use wallace_suite::Capture;

use crate::harvest::HarvestedOperation;

/// An operation takes a value from the answer of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// Position of the operation that answers with the value.
    pub(crate) producer: usize,
    /// JSON pointer into its answer.
    pub(crate) pointer: String,
    /// JSON pointer into the variables of the operation that takes it.
    pub(crate) place: String,
}

impl Link {
    /// Name of the captured value.
    pub(crate) fn variable(&self) -> String {
        let part =
            |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
        let words: String = self.pointer.trim_start_matches("/data/").chars().map(part).collect();
        format!("{}_{}", words.to_ascii_lowercase(), self.producer)
    }

    pub(crate) fn capture(&self) -> Capture {
        Capture { variable: self.variable(), place: AnswerPlace::Body(self.pointer.clone()) }
    }
}

/// Of each operation, what it takes from mutations: those before it, or any where it only reads,
/// since what it reads may have been made at any time.
pub(crate) fn links(operations: &[HarvestedOperation]) -> Vec<Vec<Link>> {
    let made = made(operations);
    let links_of = |(index, operation): (usize, &HarvestedOperation)| {
        let mut taken = Vec::new();
        let Some(variables) = &operation.logged.variables else { return taken };
        let reads = operation.kind == OperationKind::Query;
        each_value(variables, "", &mut |place, value| {
            let made = Identifier::taken(place, value, operation).and_then(|id| made.get(&id));
            if let Some((producer, pointer)) = made.filter(|(at, _)| reads || *at < index) {
                let (producer, pointer) = (*producer, (*pointer).to_owned());
                taken.push(Link { producer, pointer, place: place.to_owned() });
            }
        });
        taken
    };
    operations.iter().enumerate().map(links_of).collect()
}

/// Which operation made an object first, and where its answer says so.
fn made(operations: &[HarvestedOperation]) -> HashMap<&Identifier, (usize, &str)> {
    let mut made = HashMap::new();
    for (index, operation) in operations.iter().enumerate() {
        for (identifier, pointer) in &operation.made {
            made.entry(identifier).or_insert((index, pointer.as_str()));
        }
    }
    made
}

/// Identifiers in the recorded answer of a mutation that creates something, with their places.
pub(crate) fn made_by(operation: &HarvestedOperation) -> Vec<(Identifier, String)> {
    let mut made = Vec::new();
    let answer = operation.logged.answer.as_ref();
    if let Some(answer) = answer.filter(|_| creates(operation).is_some()) {
        each_value(&answer.body, "", &mut |pointer, value| {
            made.extend(Identifier::made(pointer, value).map(|id| (id, pointer.to_owned())));
        });
    }
    made
}

/// What tells an object from others. Texts do so alone; small numbers come again for every kind of
/// object, so that the kind belongs to them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identifier {
    Text(String),
    Number(i64, String),
}

impl Identifier {
    /// The one at this place of an answer.
    fn made(pointer: &str, value: &Value) -> Option<Self> {
        let mut names = names(pointer.strip_prefix("/data/")?);
        let key = names.next()?;
        if !is_id(key) {
            return None;
        }
        let kind = Some(kind_named(key)).filter(|kind| !kind.is_empty());
        let kind = kind.or_else(|| names.next().map(|parent| deed_of(parent, &CREATING)));
        Self::of(value, kind.unwrap_or_default())
    }

    /// The one at this place of the variables of an operation.
    fn taken(place: &str, value: &Value, operation: &HarvestedOperation) -> Option<Self> {
        if value.is_number() && !names(place).next().is_some_and(is_id) {
            return None;
        }
        let kind = kind_named(names(place).next().unwrap_or_default());
        let called = operation.calls.first().and_then(|call| call.split('.').nth(1));
        let called = || deed_of(called.unwrap_or_default(), &CHANGING);
        Self::of(value, if kind.is_empty() { called() } else { kind })
    }

    fn of(value: &Value, kind: String) -> Option<Self> {
        let text = value.as_str().map(|text| Self::Text(text.to_owned()));
        text.or_else(|| Some(Self::Number(value.as_i64()?, kind)))
    }
}

/// The names in a pointer, last first, without positions in lists.
fn names(pointer: &str) -> impl Iterator<Item = &str> {
    pointer.split('/').rev().filter(|part| !part.is_empty() && part.parse::<usize>().is_err())
}

/// The kind of object that a name such as `ownerId` tells, in small letters; empty for `id`.
fn kind_named(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let stem = name.trim_end_matches("ids").trim_end_matches("id");
    stem.trim_end_matches('s').trim_end_matches('_').to_owned()
}

fn is_id(key: &str) -> bool {
    key == "id" || key.ends_with("Id") || key.ends_with("_id") || key == "slug"
}

fn each_value(json: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &Value)) {
    match json {
        Value::String(_) | Value::Number(_) => visit(pointer, json),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                each_value(element, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                each_value(value, &child_pointer(pointer, key), visit);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

const CREATING: [&str; 6] = ["create", "add", "register", "insert", "new", "upload"];
const DELETING: [&str; 6] = ["delete", "remove", "destroy", "archive", "purge", "deactivate"];

/// Words of mutations that change what is there; those of creation say `add` to an object too.
const CHANGING: [&str; 9] =
    ["update", "edit", "set", "change", "delete", "remove", "destroy", "archive", "get"];

/// The kind of object that a field such as `orderCreate` acts on, in small letters; the whole name
/// where none of the words is part of it.
fn deed_of(field: &str, words: &[&str]) -> String {
    stem(field, words).unwrap_or_else(|| field.to_ascii_lowercase())
}

/// The name in small letters without the first of the words that it begins or ends with.
fn stem(name: &str, words: &[&str]) -> Option<String> {
    let name = name.to_ascii_lowercase();
    words.iter().find_map(|word| {
        name.strip_suffix(word).or_else(|| name.strip_prefix(word)).map(str::to_owned)
    })
}

/// The kind of object a mutation acts on, in small letters, if it does so by one of the words.
fn deed(operation: &HarvestedOperation, words: &[&str]) -> Option<String> {
    let called = operation.calls.first().filter(|_| operation.kind == OperationKind::Mutation);
    stem(called?.split('.').nth(1)?, words)
}

fn creates(operation: &HarvestedOperation) -> Option<String> {
    deed(operation, &CREATING)
}

/// What the variables of an operation refer to: kinds of objects, by names of texts and numbers.
fn needs(operation: &HarvestedOperation) -> BTreeSet<String> {
    let mut kinds = BTreeSet::new();
    if let Some(variables) = &operation.logged.variables {
        each_value(variables, "", &mut |pointer, _| {
            kinds.extend(names(pointer).next().map(kind_named));
        });
    }
    kinds
}

/// Queries first, then mutations in an order in which each finds what it needs; otherwise the order
/// stays.
pub(crate) fn sort(_schema: &Schema, operations: &mut Vec<HarvestedOperation>) {
    let (mutations, mut sorted): (Vec<_>, Vec<_>) = std::mem::take(operations)
        .into_iter()
        .partition(|operation| operation.kind == OperationKind::Mutation);
    let creators: BTreeMap<String, Vec<usize>> =
        mutations.iter().enumerate().fold(BTreeMap::new(), |mut map, (index, operation)| {
            map.entry(creates(operation).unwrap_or_default()).or_default().push(index);
            map
        });
    let links = links(&mutations);
    let mut before: Vec<BTreeSet<usize>> = Vec::with_capacity(mutations.len());
    for (index, operation) in mutations.iter().enumerate() {
        let named = needs(operation).into_iter().filter(|name| !name.is_empty());
        let mut wanted: BTreeSet<usize> =
            named.filter_map(|name| creators.get(&name)).flatten().copied().collect();
        wanted.extend(links[index].iter().map(|link| link.producer));
        wanted.remove(&index);
        before.push(wanted);
    }
    let is_last = |operation: &HarvestedOperation| deed(operation, &DELETING).is_some();
    let rank = |index: usize| {
        let operation: &HarvestedOperation = &mutations[index];
        (is_last(operation), creates(operation).is_none(), index)
    };
    let order = topological(&before, rank);
    let mut slots: Vec<Option<HarvestedOperation>> = mutations.into_iter().map(Some).collect();
    sorted.extend(order.into_iter().filter_map(|index| slots[index].take()));
    *operations = sorted;
}

/// All numbers, each behind those before it as far as there are no circles, smallest rank first.
fn topological<R: Ord>(before: &[BTreeSet<usize>], rank: impl Fn(usize) -> R) -> Vec<usize> {
    let mut open: Vec<usize> = (0..before.len()).collect();
    open.sort_by_key(|index| rank(*index));
    let mut waiting: Vec<usize> = before.iter().map(BTreeSet::len).collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
    for (index, wanted) in before.iter().enumerate() {
        wanted.iter().for_each(|earlier| after[*earlier].push(index));
    }
    let mut order = Vec::with_capacity(open.len());
    while !open.is_empty() {
        // In a circle, the first by rank goes first.
        let place = open.iter().position(|index| waiting[*index] == 0).unwrap_or(0);
        let next = open.remove(place);
        order.push(next);
        for &later in &after[next] {
            waiting[later] = waiting[later].saturating_sub(1);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_goes_first_and_circles_are_broken() {
        let before = |edges: &[&[usize]]| -> Vec<BTreeSet<usize>> {
            edges.iter().map(|wanted| wanted.iter().copied().collect()).collect()
        };
        assert_eq!(topological(&before(&[&[2], &[], &[1]]), |index| index), [1, 2, 0]);
        assert_eq!(topological(&before(&[&[1], &[0], &[]]), |index| index), [2, 0, 1]);
        assert_eq!(topological(&before(&[&[], &[]]), |index| 1 - index), [1, 0]);
    }
}
