//! What refusals say of parts that are missing, and of parts that they do not know.

use crate::refusal::{Said, is_envelope, is_name, listed, quoted};
use crate::word::{plain, words};

/// Words of a refusal that misses something.
const MISSING: [&str; 16] = [
    "at least one of",
    "be blank",
    "be empty",
    "be null",
    "be provided",
    "be specified",
    "expected",
    "mandatory",
    "missing",
    "must have",
    "must include",
    "no value",
    "not present",
    "not provided",
    "required",
    "undefined",
];
/// What stands behind the name of what is missing.
const BEHIND: [&str; 9] = [
    " is required",
    " is missing",
    " is mandatory",
    " must ",
    " should ",
    " cannot be",
    " can't be",
    " may not be",
    " field is required",
];
/// Words that are no name of a part, wherever they stand.
const NO_NAMES: [&str; 24] = [
    "a",
    "and",
    "argument",
    "array",
    "attribute",
    "body",
    "data",
    "field",
    "it",
    "json",
    "null",
    "object",
    "parameter",
    "payload",
    "property",
    "query",
    "request",
    "required",
    "string",
    "the",
    "this",
    "undefined",
    "value",
    "which",
];
/// First steps of addresses that mean all of what was sent.
const WHOLES: [&str; 4] = ["body", "json", "payload", "request"];
/// Two words in a row of a refusal that does not know a part.
const UNKNOWN: [&str; 5] = ["additional", "extra", "unexpected", "unknown", "unrecognized"];
/// The second of them.
const PARTS: [&str; 18] = [
    "argument",
    "arguments",
    "attribute",
    "attributes",
    "field",
    "fields",
    "input",
    "inputs",
    "key",
    "keys",
    "member",
    "members",
    "name",
    "parameter",
    "parameters",
    "properties",
    "property",
    "keyword",
];
/// What such a refusal says else.
const UNWANTED: [&str; 4] =
    ["is not allowed", "is not permitted", "are not permitted", "should not exist"];

/// What a refusal misses, each by the steps to it: as a list, in quotes, around the message, at its
/// beginning, or before the words that say so.
pub(super) fn missed(said: &Said) -> Vec<Vec<&str>> {
    let text = said.text.to_lowercase();
    if !MISSING.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    if text.contains("at least one of") || text.contains("must contain") {
        let listed: Vec<Vec<&str>> =
            listed(&said.text).map(steps).filter(|steps| !steps.is_empty()).collect();
        if !listed.is_empty() {
            return listed;
        }
    }
    let around = around(said);
    let in_quotes = quoted(&said.text).map(steps).find(|steps| is_wanted(steps));
    let in_quotes = in_quotes.map(|steps| below(&around, steps));
    let found = in_quotes.or_else(|| Some(around.clone()).filter(|around| is_wanted(around)));
    let found = found.or_else(|| at_the_beginning(&said.text));
    // Prose is read where nothing else tells: `Accounts must have an ID` is about no `Accounts`.
    let is_all = around.is_empty();
    let in_prose = || {
        let named = before_the_verdict(&said.text).or_else(|| behind_the_verdict(&said.text));
        named.map(steps).filter(|_| is_all)
    };
    found.or_else(in_prose).filter(|steps| is_wanted(steps)).into_iter().collect()
}

/// Whether a refusal does not know a part of this name, and wants the call without it.
pub(super) fn is_unwanted(said: &Said, name: &str) -> bool {
    let text = said.text.to_lowercase().replace("recognised", "recognized");
    let words = words(&text);
    let is_unknown = |pair: &[String]| UNKNOWN.contains(&&*pair[0]) && PARTS.contains(&&*pair[1]);
    // `is not allowed to be empty` is about the value.
    let text = text.replace("allowed to", "");
    let is_said =
        words.windows(2).any(is_unknown) || UNWANTED.iter().any(|unwanted| text.contains(unwanted));
    is_said && said.tells(&plain(name))
}

/// Whether steps may lead to a part of a call: one word alone is often none.
fn is_wanted(steps: &[&str]) -> bool {
    match steps {
        [] => false,
        [name] => !NO_NAMES.contains(&&*name.to_lowercase()),
        _ => true,
    }
}

/// The steps of an address: `name` of `CreateRequest.name`, `items` of `items[0].name`, `data` and
/// `id` of `body.data.id` and of `/data/id`; none where it is no address.
fn steps(address: &str) -> Vec<&str> {
    let end = address.find('[').unwrap_or(address.len());
    let mark = if address.starts_with('/') { '/' } else { '.' };
    let steps = address[..end].split(mark).filter(|step| !step.is_empty());
    let mut steps: Vec<&str> = steps.collect();
    let is_whole = |step: &str| step.starts_with(char::is_uppercase) || WHOLES.contains(&step);
    while steps.len() > 1 && is_whole(steps[0]) {
        steps.remove(0);
    }
    if steps.iter().all(|step| is_name(step)) { steps } else { Vec::new() }
}

/// The names around a message that lead to a part: those behind the last that says what kind of
/// refusal it is.
fn around(said: &Said) -> Vec<&str> {
    let around = said.around.iter().map(|name| &**name);
    let mut steps: Vec<&str> = around.rev().take_while(|name| !is_envelope(name)).collect();
    steps.reverse();
    steps
}

/// Steps below those around a message: what is missing of a thing is named, and the thing around it.
fn below<'s>(around: &[&'s str], steps: Vec<&'s str>) -> Vec<&'s str> {
    let is_repeated = around.last().zip(steps.last()).is_some_and(|(one, other)| one == other);
    if is_repeated { around.to_vec() } else { around.iter().copied().chain(steps).collect() }
}

/// The address at the beginning of a message: `data.id in body: ...`.
fn at_the_beginning(text: &str) -> Option<Vec<&str>> {
    let first = text.split_whitespace().next()?.trim_end_matches([':', ',', ';']);
    Some(steps(first)).filter(|steps| steps.len() > 1)
}

/// The word before the one that says what is wrong: `name should not be empty`. Whatever must have
/// something is not what is missing.
fn before_the_verdict(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let end = BEHIND.iter().filter_map(|verdict| lower.find(verdict)).min()?;
    let is_owner = ["have ", "include ", "contain "]
        .iter()
        .any(|verb| lower[end..].strip_prefix(" must ").is_some_and(|rest| rest.starts_with(verb)));
    text.get(..end).filter(|_| !is_owner)?.split_whitespace().next_back()
}

/// The word behind the one that says what kind of part it is: `a required parameter: name`.
fn behind_the_verdict(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let kinds = ["parameter: ", "field: ", "property: ", "argument: ", "attribute: "];
    let end = kinds.iter().find_map(|kind| Some(lower.find(kind)? + kind.len()))?;
    let word = text.get(end..)?.split([' ', ',', ';']).next()?;
    Some(word.trim_end_matches('.')).filter(|word| is_name(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Refusal;

    #[test]
    fn what_is_missing_is_read_from_refusals_of_any_dialect() {
        for (refusal, missing) in [
            (r#"{"errors":[{"message":"Invalid payload. \"policy\" is required."}]}"#, "policy"),
            (
                r#"{"detail":[{"type":"missing","loc":["body","policy"],"msg":"Field required"}]}"#,
                "policy",
            ),
            (r#"{"policy":["This field is required."]}"#, "policy"),
            (r#"{"errors":{"Policy":["The Policy field is required."]}}"#, "Policy"),
            (r#"{"message":["policy should not be empty"],"error":"Bad Request"}"#, "policy"),
            (r#"{"errors":[{"field":"policy","defaultMessage":"must not be null"}]}"#, "policy"),
            (r#"{"errors":["Policy can't be blank"]}"#, "Policy"),
            (r#"[{"path":["policy"],"message":"Required","expected":"string"}]"#, "policy"),
            (
                "Key: 'Create.Policy' Error:Field validation for 'Policy' failed on the 'required' tag",
                "Policy",
            ),
            ("missing field `policy` at line 1 column 2", "policy"),
            (r#"{"message":"body must have required property 'policy'"}"#, "policy"),
            (
                r#"{"detail":"MissingException: missing a required parameter: policy","name":"MissingException"}"#,
                "policy",
            ),
        ] {
            let read = Refusal::read(refusal);
            let missed = read.said().iter().flat_map(missed);
            let mut found: Vec<&str> = missed.filter_map(|steps| steps.last().copied()).collect();
            found.dedup();
            assert_eq!(found, [missing], "{refusal}");
        }
        let either =
            Refusal::read(r#"{"message":"\"value\" must contain at least one of [query, keys]."}"#);
        assert_eq!(missed(&either.said()[0]), [["query"], ["keys"]]);
        for other in
            [r#"{"message":"policy must be a string"}"#, "Bad Request", r#"{"code":"required"}"#]
        {
            let read = Refusal::read(other);
            assert!(read.said().iter().flat_map(missed).next().is_none(), "{other}");
        }
    }

    #[test]
    fn an_address_goes_before_prose() {
        for refusal in [
            r#"{"details":[{"location":"body","name":"data.id","description":"Accounts must have an ID."}]}"#,
            r#"{"message":"data.id in body: Accounts must have an ID."}"#,
            r#"{"message":"\"data.id\" is required"}"#,
            r#"{"message":"body.data.id is required"}"#,
            r#"{"errors":[{"pointer":"/data/id","title":"is required"}]}"#,
            r#"{"errors":[{"instancePath":"/data","message":"must have required property 'id'"}]}"#,
        ] {
            let read = Refusal::read(refusal);
            let found: Vec<Vec<&str>> = read.said().iter().flat_map(missed).collect();
            assert!(found.iter().all(|steps| *steps == ["data", "id"]), "{refusal}: {found:?}");
            assert!(!found.is_empty(), "{refusal}");
        }
        for refusal in [
            r#"{"message":"Accounts must have an ID."}"#,
            r#"{"location":"body","name":"data","description":"Accounts should not be empty."}"#,
        ] {
            let read = Refusal::read(refusal);
            assert!(read.said().iter().flat_map(missed).next().is_none(), "{refusal}");
        }
    }

    #[test]
    fn what_is_not_known_is_told_from_values_that_are_wrong() {
        for refusal in [
            r#"{"message":"Unrecognized keys in mapping: \"{'Policy': {}}\""}"#,
            r#"{"detail":[{"loc":["body","policy"],"msg":"Extra inputs are not permitted"}]}"#,
            r#"{"message":["property policy should not exist"]}"#,
            "json: unknown field \"policy\"",
            r#"{"message":"\"policy\" is not allowed"}"#,
        ] {
            let read = Refusal::read(refusal);
            assert!(read.said().iter().any(|said| is_unwanted(said, "policy")), "{refusal}");
            assert!(!read.said().iter().any(|said| is_unwanted(said, "name")), "{refusal}");
        }
        for refusal in [
            r#"{"message":"\"policy\" is not allowed to be empty"}"#,
            "unknown policy \"policy7\"",
            "unexpected value for field policy",
        ] {
            let read = Refusal::read(refusal);
            assert!(!read.said().iter().any(|said| is_unwanted(said, "policy")), "{refusal}");
        }
    }
}
