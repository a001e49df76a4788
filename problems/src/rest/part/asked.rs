//! Members and parameters that refusals ask for although the description does not tell of them.
//!
//! `"policy" is required`, says a service whose description knows no policy. As long as nothing of an
//! operation was accepted, what its refusals miss joins the next calls; its form is what refusals say
//! of it, else one form after another.

use wallace_genes::TemplateId;

use super::Part;
use crate::refusal::{Refusal, Said, is_envelope, is_name, is_told, listed, quoted};
use crate::rest::action::{RestAction, UndocumentedPlace};
use crate::rest::memory::RestMemory;
use crate::rest::operations::Operations;
use crate::rest::undocumented::{MemberForm, Reading};
use crate::word::plain;

/// Most undocumented members and parameters of one operation.
const MOST_ASKED: usize = 12;
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

/// Learns what an operation that never worked is missing, and how calls with it went.
pub(super) fn learn(
    (operations, action): (&Operations, &RestAction),
    parts: &[Part],
    refusal: Option<&Refusal>,
    memory: &mut RestMemory,
) {
    let id = action.template;
    let said = refusal.map_or(&[][..], Refusal::said);
    for extra in &action.undocumented {
        let about: Vec<&str> = said
            .iter()
            .filter(|said| is_told(&said.words(), &plain(&extra.name)))
            .map(|said| &*said.text)
            .collect();
        let is_accepted = refusal.is_none();
        if let Some(record) = memory.parts.get_mut(&key(id, &extra.name)) {
            record.sent = record.sent.saturating_add(1);
            record.accepted = record.accepted.saturating_add(u32::from(is_accepted));
        }
        let known = memory.readings.get_mut(&id).into_iter().flatten();
        for reading in known.filter(|reading| reading.name == extra.name) {
            if reading.place == UndocumentedPlace::Body && !about.is_empty() {
                reading.form = MemberForm::told(&about.join(" ")).unwrap_or(reading.form.next());
            }
        }
    }
    if memory.successes.contains_key(&id) {
        return;
    }
    for said in said {
        for name in missed(said) {
            if is_known((operations, action), parts, name) {
                continue;
            }
            let place = place_of(operations, id, said);
            let known = memory.readings.entry(id).or_default();
            if known.len() < MOST_ASKED && !known.iter().any(|reading| reading.name == name) {
                let form = MemberForm::told(&said.text).unwrap_or(MemberForm::of_name(name));
                known.push(Reading { place, name: name.to_owned(), values: Vec::new(), form });
                memory.parts.begin(key(id, name));
            }
        }
    }
}

/// What tells an undocumented part of an operation from its other parts.
pub(super) fn key(id: TemplateId, name: &str) -> Box<str> {
    format!("{} asked {name}", id.0).into()
}

/// The names of what a refusal misses: as a list, in quotes, around the message, or before the words
/// that say so.
fn missed(said: &Said) -> Vec<&str> {
    let text = said.text.to_lowercase();
    if !MISSING.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let is_wanted = |name: &&str| is_name(name) && !NO_NAMES.contains(&&*name.to_lowercase());
    let last = |name| last_step(name);
    if text.contains("at least one of") || text.contains("must contain") {
        let listed: Vec<&str> = listed(&said.text).map(last).filter(|name| is_name(name)).collect();
        if !listed.is_empty() {
            return listed;
        }
    }
    let in_quotes = quoted(&said.text).map(last).find(|name| is_wanted(name));
    let around = || said.around.last().map(|name| last(name)).filter(|name| !is_envelope(name));
    let found = in_quotes.or_else(around).or_else(|| before_the_verdict(&said.text).map(last));
    found.filter(is_wanted).into_iter().collect()
}

/// The word before the one that says what is wrong: `name should not be empty`.
fn before_the_verdict(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let end = BEHIND.iter().filter_map(|verdict| lower.find(verdict)).min()?;
    text.get(..end)?.split_whitespace().next_back()
}

/// `name` of `CreateRequest.name`, and `items` of `items[0].name`.
fn last_step(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    match name.split_once('.') {
        Some((first, rest)) if first.starts_with(char::is_uppercase) => last_step(rest),
        Some((first, _)) => first,
        None => name,
    }
}

/// Whether the description knows a part of this name, or the call sends one.
fn is_known((operations, action): (&Operations, &RestAction), parts: &[Part], name: &str) -> bool {
    let (templates, name) = (&operations.templates, plain(name));
    let values = templates.values(action.template, &action.gene);
    let members = values.body.iter().filter_map(|(_, body)| body.as_object());
    let mut sent = members.flat_map(|members| members.keys());
    let mut parameters = operations.get(action.template).parameters.iter();
    parts.iter().any(|part| plain(&part.name) == name)
        || parameters.any(|parameter| plain(&parameter.name) == name)
        || sent.any(|sent| plain(sent) == name)
        || action.undocumented.iter().any(|extra| plain(&extra.name) == name)
}

/// Where what is missing is looked for: where the refusal says, else in the body of what takes one.
fn place_of(operations: &Operations, id: TemplateId, said: &Said) -> UndocumentedPlace {
    let told = |word: &str| said.around.iter().any(|name| plain(name) == word);
    let is_body = told("body") || !operations.get(id).method.is_safe();
    match () {
        () if told("query") || said.text.contains("query parameter") => UndocumentedPlace::Query,
        () if told("header") || said.text.contains(" header") => UndocumentedPlace::Header,
        () if is_body => UndocumentedPlace::Body,
        () => UndocumentedPlace::Query,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let read = Refusal::read(refusal);
            let mut found: Vec<&str> = read.said().iter().flat_map(missed).collect();
            found.dedup();
            assert_eq!(found, [missing], "{refusal}");
        }
        let either =
            Refusal::read(r#"{"message":"\"value\" must contain at least one of [query, keys]."}"#);
        assert_eq!(missed(&either.said()[0]), ["query", "keys"]);
        for other in
            [r#"{"message":"policy must be a string"}"#, "Bad Request", r#"{"code":"required"}"#]
        {
            let read = Refusal::read(other);
            assert!(read.said().iter().flat_map(missed).next().is_none(), "{other}");
        }
    }
}
