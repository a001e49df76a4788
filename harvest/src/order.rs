//! Which operation needs which: what creates an object goes before what uses it, and what deletes
//! it behind.
//!
//! Where answers were recorded, an identifier of one that comes back in the variables of another
//! operation links the two. Where not, names tell: `productTypeCreate` makes what the argument
//! `productType` of another mutation asks for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use wallace_problems::graphql::{OperationKind, Schema};
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
        Capture { variable: self.variable(), pointer: self.pointer.clone() }
    }
}

/// Of each operation, what it takes from mutations before it.
pub(crate) fn links(operations: &[HarvestedOperation]) -> Vec<Vec<Link>> {
    let mut made: HashMap<String, (usize, String)> = HashMap::new();
    let mut links = Vec::with_capacity(operations.len());
    for (index, operation) in operations.iter().enumerate() {
        let mut taken = Vec::new();
        if let Some(variables) = &operation.logged.variables {
            each_text(variables, "", &mut |place, text| {
                if let Some((producer, pointer)) = made.get(text) {
                    let (producer, pointer) = (*producer, pointer.clone());
                    taken.push(Link { producer, pointer, place: place.to_owned() });
                }
            });
        }
        links.push(taken);
        let answer = operation.logged.answer.as_ref();
        if let Some(answer) = answer.filter(|_| creates(operation).is_some()) {
            each_text(&answer.body, "", &mut |pointer, text| {
                let is_id = pointer.rsplit('/').next().is_some_and(is_id);
                if is_id && pointer.starts_with("/data/") && !made.contains_key(text) {
                    made.insert(text.to_owned(), (index, pointer.to_owned()));
                }
            });
        }
    }
    links
}

fn is_id(key: &str) -> bool {
    key == "id" || key.ends_with("Id") || key.ends_with("_id") || key == "slug"
}

fn each_text(json: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &str)) {
    match json {
        Value::String(text) => visit(pointer, text),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                each_text(element, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(fields) => {
            for (key, value) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                each_text(value, &format!("{pointer}/{key}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

const CREATING: [&str; 6] = ["create", "add", "register", "insert", "new", "upload"];
const DELETING: [&str; 6] = ["delete", "remove", "destroy", "archive", "purge", "deactivate"];

/// The kind of object a mutation acts on, in small letters, and the word for what it does.
fn deed<'o>(operation: &'o HarvestedOperation, words: &[&str]) -> Option<String> {
    if operation.kind != OperationKind::Mutation {
        return None;
    }
    let name: &'o str = operation.calls.first()?.split('.').nth(1)?;
    let name = name.to_ascii_lowercase();
    words.iter().find_map(|word| {
        name.strip_suffix(word).or_else(|| name.strip_prefix(word)).map(str::to_owned)
    })
}

fn creates(operation: &HarvestedOperation) -> Option<String> {
    deed(operation, &CREATING)
}

/// What the variables of an operation refer to: names of those that hold texts.
fn needs(operation: &HarvestedOperation) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Some(variables) = &operation.logged.variables {
        each_text(variables, "", &mut |pointer, _| {
            let mut parts = pointer.split('/').filter(|part| part.parse::<usize>().is_err());
            if let Some(name) = parts.next_back() {
                let name = name.to_ascii_lowercase();
                let stem = name.trim_end_matches("ids").trim_end_matches("id");
                names.insert(stem.trim_end_matches('s').trim_end_matches('_').to_owned());
            }
        });
    }
    names
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
