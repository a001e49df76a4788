//! Parts of calls that may be left out: parameters, and members of a body.
//!
//! Descriptions allow much that services refuse: a random filter, a version header, a cursor. Without
//! a driver only answers tell, so that a call begins with what must be there; what else there is joins
//! it and stays as far as calls go well with it. A refusal that names a part is about that part alone,
//! whatever the framework; one that names a part which was not sent asks for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::Evaluated;
use wallace_genes::{
    Gene, GenePath, GeneSettings, GeneSpec, PathStep, SpecRef, TemplateId, sample,
};

use super::action::RestAction;
use super::description::ParameterPlace;
use super::memory::RestMemory;
use super::operations::Operations;
use super::plan::Planner;
use super::template::Templates;
use super::word::plain;

/// Most parts that are counted.
const MOST_PARTS: usize = 50_000;
/// Characters of a refusal that are read.
const LONGEST_REFUSAL: usize = 4_000;
/// Most values of one refusal that are remembered.
const MOST_VALUES: usize = 20;
/// Headers that only mean something with what an earlier answer gave (RFC 9110, 13.1).
const CONDITIONAL: [&str; 6] =
    ["ifmatch", "ifnonematch", "ifmodifiedsince", "ifunmodifiedsince", "ifrange", "range"];

/// How calls with a part went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// Calls with it that were accepted, or refused for a reason that may be this part.
    pub sent: u32,
    /// Those that were accepted.
    pub accepted: u32,
    /// Refusals that named it although it was not sent, since the last call that was accepted
    /// without it.
    pub missed: u32,
}

impl PartRecord {
    /// Probability that the part stays in a call that was sampled with it: 1 while most calls with it
    /// go well, and falling fast from there.
    fn stays(self) -> f64 {
        let rate = (f64::from(self.accepted) + 1.0) / (f64::from(self.sent) + 2.0);
        (2.0 * rate).min(1.0).powi(2).max(0.02)
    }
}

/// A part of one call.
struct Part {
    is_header: bool,
    name: String,
    path: GenePath,
    is_sent: bool,
}

impl Part {
    /// Whether it is a header that means nothing without an earlier answer.
    fn is_conditional(&self) -> bool {
        self.is_header && CONDITIONAL.contains(&&*plain(&self.name))
    }

    /// What tells it from the other parts of its operation. Headers mean the same for all operations.
    fn key(&self, operation: TemplateId) -> Box<str> {
        match self.is_header {
            true => format!("header {}", self.name.to_ascii_lowercase()).into(),
            false => format!("{} {:?}", operation.0, self.path).into(),
        }
    }
}

impl Templates {
    /// The parts of a call that may be left out, also those that are.
    fn parts(&self, id: TemplateId, gene: &Gene) -> Vec<Part> {
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (self.template(id).spec.spec(), gene)
        else {
            return Vec::new();
        };
        let parameters = &self.operation(id).parameters;
        let all = (0..).zip(parameters.iter().zip(tuple.elements.iter().zip(elements)));
        let optional = all.filter(|(_, (_, (field, _)))| self.graph().is_optional(field.spec));
        let parameters = optional.map(|(index, (parameter, (_, part)))| Part {
            is_header: parameter.place == ParameterPlace::Header,
            name: parameter.name.to_string(),
            path: GenePath(vec![PathStep::Field(index)]),
            is_sent: *part != Gene::Absent,
        });
        let mut parts: Vec<Part> = parameters.collect();
        let place = self.operation(id).parameters.len() as u32;
        let branch = match elements.get(place as usize) {
            Some(Gene::Choice(choice)) => choice.branch,
            _ => return parts,
        };
        let Some((_, spec, Gene::Object(body))) = self.body(id, gene) else { return parts };
        let GeneSpec::Object(object) = self.graph().spec(self.present(spec)) else { return parts };
        let members = (0..).zip(&object.fields);
        let members = members.filter(|(_, field)| self.graph().is_optional(field.spec));
        parts.extend(members.map(|(position, field)| {
            let steps =
                [PathStep::Field(place), PathStep::Branch(branch), PathStep::Field(position)];
            let is_sent = body.get(position).is_some();
            let (name, path) = (field.name.to_string(), GenePath(steps.into()));
            Part { is_header: false, name, path, is_sent }
        }));
        parts
    }
}

/// Puts a value at the address of a part; [`Gene::Absent`] takes the part away.
fn put(gene: &mut Gene, path: &GenePath, value: Gene) {
    let Some((PathStep::Field(last), above)) = path.0.split_last() else { return };
    match GenePath(above.to_vec()).find_mut(gene) {
        Some(Gene::Object(object)) => object.set(*last, value),
        Some(Gene::Tuple(elements)) => {
            if let Some(element) = elements.get_mut(*last as usize) {
                *element = value;
            }
        }
        _ => {}
    }
}

impl Planner<'_> {
    /// Values of a call as careful as its operation needs: one that never went well begins with what
    /// must be there and with what the description shows.
    pub(super) fn careful(&mut self, id: TemplateId) -> Gene {
        let settings = self.settings();
        let usual = std::sync::Arc::clone(&self.draw.settings);
        if !self.learnt.memory.successes.contains_key(&id) {
            let absent = match self.draw.rng.unit() {
                draw if draw < settings.bare => 1.0,
                draw if draw < settings.bare + settings.nearly_bare => 0.85,
                _ => usual.absent,
            };
            let examples = settings.shown;
            let careful = GeneSettings { absent, examples, null: 0.0, ..(*usual).clone() };
            self.draw.settings = careful.into();
        }
        let mut gene = self.any_values(id);
        self.put_body(id, &mut gene);
        self.draw.settings = usual;
        self.leave_out(id, &mut gene);
        gene
    }

    /// Gives a call the body that its operation documents: that it must be there is what descriptions
    /// forget to say.
    fn put_body(&mut self, id: TemplateId, gene: &mut Gene) {
        let templates = &self.operations.templates;
        let place = templates.operation(id).parameters.len();
        let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) =
            (templates.template(id).spec.spec(), &mut *gene)
        else {
            return;
        };
        let (Some(field), Some(body @ Gene::Absent)) =
            (tuple.elements.get(place), elements.get_mut(place))
        else {
            return;
        };
        let spec = SpecRef::new(Arc::clone(templates.graph()), templates.present(field.spec));
        let sampled = sample(&spec, id, &self.learnt.knowledge, self.draw);
        if !sampled.is_placeholder() {
            *body = sampled;
            let (was, pool) = (std::mem::replace(gene, Gene::Constant), &self.learnt.memory.pool);
            *gene = templates.dressed(id, was, pool, self.draw);
        }
    }

    /// Takes away what does harm, and adds what refusals asked for.
    fn leave_out(&mut self, id: TemplateId, gene: &mut Gene) {
        let templates = &self.operations.templates;
        let before = gene.clone();
        let mut full = None;
        for part in templates.parts(id, gene) {
            let record = self.learnt.memory.parts.get(&part.key(id)).copied().unwrap_or_default();
            if part.is_sent {
                let stays = self.draw.rng.chance(record.stays());
                if !stays || part.is_conditional() {
                    put(gene, &part.path, Gene::Absent);
                }
            } else if record.missed > 0 {
                let full = full.get_or_insert_with(|| self.full_values(id));
                if let Some(value) = part.path.find(full) {
                    put(gene, &part.path, value.clone());
                }
            }
        }
        if templates.template(id).is_checked && !templates.follows_schemas(id, gene) {
            *gene = before;
        }
    }

    /// Values with all that may be left out.
    fn full_values(&mut self, id: TemplateId) -> Gene {
        let usual = std::sync::Arc::clone(&self.draw.settings);
        let full = GeneSettings { absent: 0.0, null: 0.0, ..(*usual).clone() };
        self.draw.settings = full.into();
        let gene = self.any_values(id);
        self.draw.settings = usual;
        gene
    }
}

/// Counts how calls with each part went.
pub(super) fn learn_parts(
    operations: &Operations,
    test: &Evaluated<RestAction>,
    memory: &mut RestMemory,
) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Some(status) = outcome.status().filter(|_| action.twist.is_none()) else { continue };
        let is_accepted = (200..300).contains(&status);
        // What may not be asked for is refused so by some, where the rest of the call may be made.
        let has_worked = memory.successes.contains_key(&action.template);
        let is_refused = matches!(status, 400 | 406 | 412 | 415 | 422 | 428 | 431)
            || status == 403 && has_worked;
        if !is_accepted && !is_refused {
            continue;
        }
        let parts = operations.templates.parts(action.template, &action.gene);
        let body = outcome.response.as_ref().map_or("", |response| &*response.body);
        let named = if is_refused { named(&parts, body) } else { Vec::new() };
        if is_refused {
            remember_values(&parts, (operations, action), body, memory);
        }
        for (place, part) in parts.iter().enumerate() {
            let is_named = named.contains(&place);
            let counts = part.is_sent && (is_accepted || named.is_empty() || is_named);
            let key = part.key(action.template);
            if let Some(record) = record_of(&mut memory.parts, key, counts || is_named) {
                record.sent = record.sent.saturating_add(u32::from(counts));
                record.accepted = record.accepted.saturating_add(u32::from(counts && is_accepted));
                match part.is_sent {
                    true => {}
                    false if is_accepted => record.missed = 0,
                    false => record.missed = record.missed.saturating_add(u32::from(is_named)),
                }
            }
        }
    }
}

fn record_of<'r>(
    records: &'r mut BTreeMap<Box<str>, PartRecord>,
    key: Box<str>,
    may_begin: bool,
) -> Option<&'r mut PartRecord> {
    if may_begin && records.len() < MOST_PARTS {
        return Some(records.entry(key).or_default());
    }
    records.get_mut(&key)
}

/// The parts that a refusal names as words of their own; none where it names most of them, as one
/// does that repeats the request.
fn named(parts: &[Part], refusal: &str) -> Vec<usize> {
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
fn remember_values(
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
        let words = super::word::words(&format!("{around} {message}")).concat();
        for name in names.iter().filter(|name| words.contains(&plain(name))) {
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

/// The texts of a value, each with the names around it.
fn texts(value: &Value, around: &mut String, found: &mut Vec<(String, String)>) {
    let length = around.len();
    match value {
        Value::String(text) => found.push((around.clone(), text.clone())),
        Value::Array(elements) => {
            // Addresses such as ["body", "name"] are told beside the message.
            let names = elements.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
            found.extend((!names.is_empty()).then(|| (around.clone(), names)));
            elements.iter().filter(|it| !it.is_string()).for_each(|it| texts(it, around, found));
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
    fn what_does_harm_stays_seldom_and_what_is_new_is_tried() {
        let record = |sent, accepted| PartRecord { sent, accepted, missed: 0 }.stays();
        assert!(record(0, 0) >= 1.0 && record(10, 8) >= 1.0);
        assert!(record(3, 0) < 0.2 && record(50, 0) < 0.05 && record(50, 0) > 0.0);
    }

    #[test]
    fn quoted_values_are_found_in_messages() {
        let found: Vec<&str> = quoted("must be one of 'open', \"closed\" or `a b`").collect();
        assert_eq!(found, ["open", "closed", "a b"]);
        assert_eq!(quoted("it isn't so").count(), 0);
        let found: Vec<&str> = listed("'meta[0]' must be one of [total, filtered].").collect();
        assert_eq!(found, ["total", "filtered"]);
    }
}
