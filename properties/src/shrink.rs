//! Making a failing query small, by sending smaller ones and keeping those that fail for the same
//! reason.
//!
//! Whole parts go first, then an object takes the place of one of its type above it, then arguments
//! become simple, until nothing smaller fails or the number of replays is used up.

use std::collections::BTreeSet;

use crate::tree::{Branch, size, text};

/// Values that are tried for a text, simplest first.
const SIMPLE_TEXTS: [&str; 3] = ["\"\"", "\"0\"", "\"1\""];

/// The smallest query found, and the number of replays it took.
pub(crate) fn shrink(
    query: &[Branch],
    most_replays: usize,
    still_fails: &mut dyn FnMut(&[Branch]) -> bool,
) -> (Vec<Branch>, usize) {
    let (mut best, mut replays) = (query.to_vec(), 0);
    let mut tried = BTreeSet::from([text(query)]);
    'again: loop {
        for candidate in candidates(&best) {
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
fn candidates(query: &[Branch]) -> Vec<Vec<Branch>> {
    let mut smaller = Vec::new();
    selections(query, &mut |selection| smaller.push(selection));
    smaller.retain(|candidate| !candidate.is_empty());
    smaller.sort_by_key(|candidate| size(candidate));
    let mut simpler = Vec::new();
    arguments(query, &mut |selection| simpler.push(selection));
    smaller.extend(simpler);
    smaller
}

/// Selections with one part less, one part alone, or a deeper object in place of a higher one.
fn selections(query: &[Branch], emit: &mut dyn FnMut(Vec<Branch>)) {
    for index in 0..query.len() {
        if query.len() > 1 {
            emit(vec![query[index].clone()]);
            let mut rest = query.to_vec();
            rest.remove(index);
            emit(rest);
        }
        let mut put = |children: Vec<Branch>| {
            let mut changed = query.to_vec();
            changed[index].children = children;
            emit(changed);
        };
        let branch = &query[index];
        for deeper in same_type_below(branch) {
            put(deeper);
        }
        // A leaf in place of everything below: the smallest selection of an object.
        if let Some(leaf) = smallest_leaf(&branch.children).filter(|_| branch.size() > 2) {
            put(vec![leaf]);
        }
        selections(&branch.children, &mut |children| {
            if !children.is_empty() {
                put(children);
            }
        });
    }
}

/// Selections of objects of the type that a branch returns, further down.
fn same_type_below(branch: &Branch) -> Vec<Vec<Branch>> {
    let owner = |children: &[Branch]| children.iter().find_map(|it| it.field).map(|it| it.owner);
    let Some(wanted) = owner(&branch.children) else { return Vec::new() };
    let (mut found, mut open): (Vec<Vec<Branch>>, Vec<&Branch>) =
        (Vec::new(), branch.children.iter().collect());
    while let Some(next) = open.pop() {
        if owner(&next.children) == Some(wanted) {
            found.push(next.children.clone());
        }
        open.extend(&next.children);
    }
    found
}

fn smallest_leaf(children: &[Branch]) -> Option<Branch> {
    children.iter().find(|child| child.children.is_empty() && child.on.is_none()).cloned()
}

fn arguments(query: &[Branch], emit: &mut dyn FnMut(Vec<Branch>)) {
    for index in 0..query.len() {
        for (number, (_, literal, is_required)) in query[index].arguments.iter().enumerate() {
            if !is_required {
                let mut changed = query.to_vec();
                changed[index].arguments.remove(number);
                emit(changed);
            }
            for simpler in simpler_literals(literal) {
                let mut changed = query.to_vec();
                changed[index].arguments[number].1 = simpler;
                emit(changed);
            }
        }
        arguments(&query[index].children, &mut |children| {
            let mut changed = query.to_vec();
            changed[index].children = children;
            emit(changed);
        });
    }
}

fn simpler_literals(literal: &str) -> Vec<String> {
    if literal.starts_with('"') {
        let mut simpler: Vec<String> = SIMPLE_TEXTS
            .iter()
            .take_while(|simple| **simple != literal)
            .map(ToString::to_string)
            .collect();
        let is_plain = literal.is_ascii() && !literal.contains('\\') && literal.len() > 4;
        if is_plain {
            simpler.push(format!("{}\"", &literal[..1 + (literal.len() - 2) / 2]));
        }
        return simpler;
    }
    match literal.parse::<i64>() {
        Ok(0) | Err(_) => Vec::new(),
        Ok(number) => vec!["0".to_owned(), (number / 2).to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, children: Vec<Branch>) -> Branch {
        Branch::new(name.into(), None, children)
    }

    fn query() -> Vec<Branch> {
        let mut a = field(
            "a",
            vec![field("b", vec![field("c", vec![]), field("d", vec![])]), field("e", vec![])],
        );
        a.arguments = vec![
            ("x".into(), "\"Long text\"".to_owned(), true),
            ("y".into(), "12".to_owned(), false),
        ];
        vec![a, field("f", vec![])]
    }

    #[test]
    fn what_does_not_matter_goes() {
        let (small, _) = shrink(&query(), 200, &mut |it| text(it).contains("d "));
        assert_eq!(text(&small), "{a(x: \"\"){b{d }}}");
        let (small, _) = shrink(&query(), 200, &mut |it| text(it).contains("y: "));
        assert_eq!(text(&small), "{a(x: \"\", y: 0){e }}");
    }

    #[test]
    fn replays_are_bounded() {
        let mut count = 0;
        let (small, replays) = shrink(&query(), 3, &mut |_| {
            count += 1;
            false
        });
        assert_eq!((replays, count), (3, 3));
        assert_eq!(small, query());
    }
}
