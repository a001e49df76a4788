//! Making a failing query small, by sending smaller ones and keeping those that fail for the same
//! reason.
//!
//! Whole parts go first, then an object takes the place of one of its type above it, then arguments
//! become simple, until nothing smaller fails or the number of replays is used up.

use std::collections::BTreeSet;
use std::sync::Arc;

use wallace_problems::graphql::{Document, FieldId, Literal, Selection, Style};

/// Values that are tried for a text, simplest first.
const SIMPLE_TEXTS: [&str; 3] = ["", "0", "1"];

/// Whether an argument of a field must be given.
pub(crate) type IsRequired<'r> = &'r dyn Fn(Option<FieldId>, &str) -> bool;

/// Number of fields of a selection.
pub(crate) fn size(selections: &[Selection]) -> usize {
    selections.iter().map(Selection::size).sum()
}

/// A query of these selections as text.
pub(crate) fn text(selections: &[Selection]) -> String {
    Document::query(selections.to_vec()).text(Style::Compact)
}

/// The smallest query found, and the number of replays it took.
pub(crate) fn shrink(
    query: &[Selection],
    most_replays: usize,
    is_required: IsRequired<'_>,
    still_fails: &mut dyn FnMut(&[Selection]) -> bool,
) -> (Vec<Selection>, usize) {
    let (mut best, mut replays) = (query.to_vec(), 0);
    let mut tried = BTreeSet::from([text(query)]);
    'again: loop {
        for candidate in candidates(&best, is_required) {
            if !tried.insert(text(&candidate)) {
                continue;
            }
            if replays == most_replays {
                return (best, replays);
            }
            replays += 1;
            if still_fails(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return (best, replays);
    }
}

/// Smaller queries, smallest first where fields go, then those with simpler arguments.
fn candidates(query: &[Selection], is_required: IsRequired<'_>) -> Vec<Vec<Selection>> {
    let mut smaller = Vec::new();
    selections(query, &mut |selection| smaller.push(selection));
    smaller.retain(|candidate| !candidate.is_empty());
    smaller.sort_by_key(|candidate| size(candidate));
    let mut simpler = Vec::new();
    arguments(query, is_required, &mut |selection| simpler.push(selection));
    smaller.extend(simpler);
    smaller
}

/// Selections with one part less, one part alone, or a deeper object in place of a higher one.
fn selections(query: &[Selection], emit: &mut dyn FnMut(Vec<Selection>)) {
    for index in 0..query.len() {
        if query.len() > 1 {
            emit(vec![query[index].clone()]);
            let mut rest = query.to_vec();
            rest.remove(index);
            emit(rest);
        }
        let mut put = |below: Vec<Selection>| {
            let mut changed = query.to_vec();
            changed[index].selections = below;
            emit(changed);
        };
        let branch = &query[index];
        for deeper in same_type_below(branch) {
            put(deeper);
        }
        // A leaf in place of everything below: the smallest selection of an object.
        if let Some(leaf) = smallest_leaf(&branch.selections).filter(|_| branch.size() > 2) {
            put(vec![leaf]);
        }
        selections(&branch.selections, &mut |children| {
            if !children.is_empty() {
                put(children);
            }
        });
    }
}

/// Selections of objects of the type that a branch returns, further down.
fn same_type_below(branch: &Selection) -> Vec<Vec<Selection>> {
    let owner = |children: &[Selection]| children.iter().find_map(|it| it.id()).map(|it| it.owner);
    let Some(wanted) = owner(&branch.selections) else { return Vec::new() };
    let (mut found, mut open): (Vec<Vec<Selection>>, Vec<&Selection>) =
        (Vec::new(), branch.selections.iter().collect());
    while let Some(next) = open.pop() {
        if owner(&next.selections) == Some(wanted) {
            found.push(next.selections.clone());
        }
        open.extend(&next.selections);
    }
    found
}

fn smallest_leaf(children: &[Selection]) -> Option<Selection> {
    children.iter().find(|child| child.selections.is_empty() && child.as_field().is_some()).cloned()
}

fn arguments(
    query: &[Selection],
    is_required: IsRequired<'_>,
    emit: &mut dyn FnMut(Vec<Selection>),
) {
    for (index, selection) in query.iter().enumerate() {
        let given = selection.as_field().map_or(&[][..], |field| &field.arguments);
        let mut put = |arguments: Vec<(Arc<str>, Literal)>| {
            let mut changed = query.to_vec();
            changed[index]
                .as_field_mut()
                .into_iter()
                .for_each(|it| it.arguments = arguments.clone());
            emit(changed);
        };
        for (number, (name, value)) in given.iter().enumerate() {
            if !is_required(selection.id(), name) {
                let mut fewer = given.to_vec();
                fewer.remove(number);
                put(fewer);
            }
            for simpler in simpler_values(value) {
                let mut changed = given.to_vec();
                changed[number].1 = simpler;
                put(changed);
            }
        }
        arguments(&selection.selections, is_required, &mut |below| {
            let mut changed = query.to_vec();
            changed[index].selections = below;
            emit(changed);
        });
    }
}

fn simpler_values(value: &Literal) -> Vec<Literal> {
    match value {
        Literal::Text(text) => {
            let simple = SIMPLE_TEXTS.iter().take_while(|simple| ***simple != **text);
            let half = text.chars().take(text.chars().count() / 2).collect::<String>();
            let half = (text.len() > 2).then_some(half);
            let simpler = simple.map(|it| (*it).to_owned()).chain(half);
            simpler.map(|it| Literal::Text(it.into())).collect()
        }
        Literal::Integer(0) => Vec::new(),
        Literal::Integer(number) => vec![Literal::Integer(0), Literal::Integer(number / 2)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, below: Vec<Selection>) -> Selection {
        Selection::field(name.into(), None, below)
    }

    /// The arguments called `x` must be given.
    fn shrunk(
        most_replays: usize,
        still_fails: &mut dyn FnMut(&[Selection]) -> bool,
    ) -> (Vec<Selection>, usize) {
        shrink(&query(), most_replays, &|_, name| name == "x", still_fails)
    }

    fn query() -> Vec<Selection> {
        let mut a = field(
            "a",
            vec![field("b", vec![field("c", vec![]), field("d", vec![])]), field("e", vec![])],
        );
        a.as_field_mut().unwrap().arguments = vec![
            ("x".into(), Literal::Text("Long text".into())),
            ("y".into(), Literal::Integer(12)),
        ];
        vec![a, field("f", vec![])]
    }

    #[test]
    fn what_does_not_matter_goes() {
        let (small, _) = shrunk(200, &mut |it| text(it).contains("d}"));
        assert_eq!(text(&small), "query{a(x:\"\"){b{d}}}");
        let (small, _) = shrunk(200, &mut |it| text(it).contains("y:"));
        assert_eq!(text(&small), "query{a(x:\"\",y:0){e}}");
    }

    #[test]
    fn replays_are_bounded() {
        let mut count = 0;
        let (small, replays) = shrunk(3, &mut |_| {
            count += 1;
            false
        });
        assert_eq!((replays, count), (3, 3));
        assert_eq!(small, query());
    }
}
