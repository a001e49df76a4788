//! What a refusal says, in whichever dialect: the parts that it names, and the values that it takes.

use serde_json::Value;

use super::Part;
use crate::rest::action::RestAction;
use crate::rest::memory::RestMemory;
use crate::rest::operations::Operations;
use crate::word::{plain, words};

/// Longest part of a refusal that is read.
const LONGEST_REFUSAL: usize = 4_000;
/// Most values of one refusal that are remembered.
const MOST_VALUES: usize = 20;

/// The parts that a refusal names as words of their own; none where it names most of them, as one
/// does that repeats the request.
pub(super) fn named(parts: &[Part], refusal: &str) -> Vec<usize> {
    let beginning: String = refusal.chars().take(LONGEST_REFUSAL).collect();
    let words: Vec<String> = beginning
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .filter(|word| !word.is_empty())
        .map(plain)
        .collect();
    let is_named = |part: &Part| words.contains(&plain(&part.name));
    let named: Vec<usize> =
        parts.iter().enumerate().filter(|(_, part)| is_named(part)).map(|(at, _)| at).collect();
    if named.len() > 3.max(parts.len() / 2) { Vec::new() } else { named }
}

/// Remembers what a refusal quotes beside the name of a value, as one does that lists what it takes:
/// `status must be one of 'open', 'closed'`.
pub(super) fn remember_values(
    parts: &[Part],
    (operations, action): (&Operations, &RestAction),
    refusal: &str,
    memory: &mut RestMemory,
) {
    let body: Value = match serde_json::from_str(refusal) {
        Ok(body) if refusal.len() <= LONGEST_REFUSAL => body,
        _ => return,
    };
    let leaves = operations.templates.named_values(action.template, &action.gene);
    let leaves = leaves.iter().map(|(_, name)| &**name);
    let names: Vec<&str> = parts.iter().map(|part| &*part.name).chain(leaves).collect();
    let mut messages = Vec::new();
    texts(&body, &mut String::new(), &mut messages);
    let mut left = MOST_VALUES;
    for (around, message) in messages {
        let words = words(&format!("{around} {message}"));
        for name in names.iter().filter(|name| is_told(&words, &plain(name))) {
            let values = quoted(&message).chain(listed(&message));
            for value in values.filter(|value| !plain(value).starts_with(&plain(name))) {
                if left > 0 {
                    left -= 1;
                    memory.pool.add(name, &Value::from(value), action.template);
                }
            }
        }
    }
}

/// Whether some words in a row are a name: `sort by` is `sort_by`, and `invalid` is no `id`.
fn is_told(words: &[String], name: &str) -> bool {
    (0..words.len()).any(|start| {
        let mut joined = String::new();
        words[start..].iter().take(4).any(|word| {
            joined.push_str(word);
            joined == name
        })
    })
}

/// The texts of a value, each with the names around it.
fn texts(value: &Value, around: &mut String, found: &mut Vec<(String, String)>) {
    let length = around.len();
    match value {
        Value::String(text) => found.push((around.clone(), text.clone())),
        Value::Array(elements) => {
            // The steps of an address, ["body", "name"], are told around the message already.
            elements.iter().for_each(|element| texts(element, around, found));
        }
        Value::Object(members) => {
            let address = members.values().filter_map(Value::as_array).flatten();
            for part in address.filter_map(Value::as_str).take(8) {
                around.push(' ');
                around.push_str(part);
            }
            for (name, member) in members {
                let length = around.len();
                around.push(' ');
                around.push_str(name);
                texts(member, around, found);
                around.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    around.truncate(length);
}

/// What stands in quotes in a message: short texts, as values are.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let start = rest.find(['\'', '"', '`'])?;
        let mark = rest[start..].chars().next()?;
        let after = &rest[start + 1..];
        let end = after.find(mark)?;
        rest = &after[end + 1..];
        Some(&after[..end])
    })
    .filter(|value| (1..=40).contains(&value.len()) && !value.contains(['{', '(', '\n']))
}

/// What follows the words "one of" in a message, in whichever brackets.
fn listed(message: &str) -> impl Iterator<Item = &str> {
    let rest = message.split_once("one of").map_or("", |(_, rest)| rest);
    let rest = rest.trim_start_matches([':', ' ', '[', '(']);
    let end = rest.find([']', ')', ';', '\n']).unwrap_or(rest.len());
    let values = rest[..end].split([',', '|']).map(|value| value.trim().trim_end_matches('.'));
    values.filter(|value| {
        (1..=40).contains(&value.len()) && !value.contains(['\'', '"', '`', '{', ' '])
    })
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GenePath, PathStep};

    use super::*;

    fn parts(names: &[&str]) -> Vec<Part> {
        let part = |(index, name): (usize, &&str)| Part {
            is_header: false,
            name: (*name).to_owned(),
            path: GenePath(vec![PathStep::Field(index as u32)]),
            is_sent: true,
        };
        names.iter().enumerate().map(part).collect()
    }

    #[test]
    fn refusals_of_any_dialect_name_their_part() {
        let parts = parts(&["limit", "sort_by", "filter", "tags"]);
        for (refusal, place) in [
            (r#"{"detail":[{"loc":["query","sort_by"],"msg":"Input should be 'a'"}]}"#, 1),
            (r#"{"message":["limit must not be greater than 100"],"error":"Bad Request"}"#, 0),
            (r#"{"tags":["This field is required."]}"#, 3),
            (r#"{"errors":{"SortBy":["The value 'x' is not valid."]}}"#, 1),
            (r#"{"errors":[{"field":"filter","defaultMessage":"must not be null"}]}"#, 2),
            ("Required request parameter 'limit' is not present", 0),
        ] {
            assert_eq!(named(&parts, refusal), [place], "{refusal}");
        }
        assert!(named(&parts, "Bad Request").is_empty());
        assert!(named(&parts, "limit=1&sort_by=a&filter=b&tags=c").is_empty(), "an echo");
    }

    #[test]
    fn quoted_values_are_found_in_messages() {
        let found: Vec<&str> = quoted("must be one of 'open', \"closed\" or `a b`").collect();
        assert_eq!(found, ["open", "closed", "a b"]);
        assert_eq!(quoted("it isn't so").count(), 0);
        let found: Vec<&str> = listed("'meta[0]' must be one of [total, filtered].").collect();
        assert_eq!(found, ["total", "filtered"]);
    }

    #[test]
    fn names_are_words_of_their_own() {
        let told = |message: &str, name: &str| is_told(&words(message), name);
        assert!(told("sort by must be one of", "sortby") && told("sortBy is", "sortby"));
        assert!(!told("invalid value", "id") && !told("a query", "q"));
    }
}
