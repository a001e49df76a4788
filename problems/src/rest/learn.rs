//! What a run on a REST service learns from its tests.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::{Evaluated, Individual, Learnt};
use wallace_genes::{GenePath, Specialisation, TemplateId};

use super::action::{Deviation, RestAction};
use super::identity::{elements, names_thing};
use super::memory::RestMemory;
use super::operations::Operations;
use super::oracle::{Payload, begun_by};
use super::part::learn_parts;
use super::plan::{Planner, learn_proven};
use super::template::Templates;
use super::undocumented::learn_readings;
use super::word::fixed_words;
use crate::http::{CallFailure, TextUse};
use crate::text_use::{learn_use, with_uses};
use crate::word::{plain, singular, words};

/// Most follow-ups of one test with constants.
const MOST_CONSTANTS: usize = 32;
/// Most of them with a text of the test itself.
const MOST_OWN: usize = 1;
/// Most values that are taken from one response.
const MOST_VALUES: usize = 200;
/// Most tables that are remembered of an operation.
const MOST_TABLES: usize = 100;
/// Most words, and most rules and odd values, that are counted for an operation.
const MOST_COUNTED: usize = 1_000;
/// Names of members that name the thing which they belong to.
pub(super) const NAMES: [&str; 6] = ["id", "uuid", "key", "name", "code", "slug"];
/// Members by which whoever or whatever they belong to is called where ids are not wanted.
pub(super) const CALLED: [&str; 3] = ["name", "login", "username"];
/// Characters of a refusal that are read.
const LONGEST_REFUSAL: usize = 2_000;

/// Learns from a test.
pub(super) fn learn(
    operations: &Operations,
    test: &Evaluated<RestAction>,
    learnt: &mut Learnt<RestMemory>,
) {
    for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
        if !is_own(&test.individual, text_use) {
            learn_use(text_use, &test.individual, &mut learnt.knowledge);
        }
    }
    learn_readings(&operations.templates, test, &mut learnt.memory);
    learn_record(&operations.templates, test, &mut learnt.memory);
    if !operations.is_white_box {
        learn_parts(operations, test, &mut learnt.memory);
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            learn_caller(operations, action, outcome.status(), &mut learnt.memory);
            learn_proven(operations, action, outcome, &mut learnt.memory);
            if action.deviation.is_none() {
                learnt.memory.gone.learn(operations, &outcome.sent(&**action), outcome);
            }
        }
        let is_lost = test.outcomes.last().is_none_or(|outcome| outcome.response.is_err());
        learn_unsent(&test.individual, test.outcomes.len(), is_lost, &mut learnt.memory);
    }
    learnt.memory.note_checks(test);
    learn_tables(test, &mut learnt.memory);
    learn_refusals(operations, test, &mut learnt.memory);
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Ok(response) = &outcome.response else { continue };
        if !response.is_success() || action.deviation.is_some() {
            continue;
        }
        if let Some(tag) = response.header("etag") {
            learnt.memory.tagged.insert(action.template, tag.into());
        }
        let user = action.caller.map_or(-1, i32::from);
        learnt.memory.successes.entry(action.template).or_default().insert(user);
        let body: Option<Value> = serde_json::from_str(&response.body).ok();
        if operations.is(action.template, &http::Method::POST) {
            let path = &operations.get(action.template).path;
            let is_named = response.header("location").is_some()
                || body.as_ref().is_some_and(|body| names_thing(body, path));
            let nameless = &mut learnt.memory.nameless;
            // An empty list says that nothing was made.
            let is_nothing = body.as_ref().and_then(Value::as_array).is_some_and(Vec::is_empty);
            match is_named {
                true => drop(nameless.remove(&action.template)),
                false if is_nothing => {}
                false => drop(nameless.insert(action.template)),
            }
        }
        if let Some(body) = body {
            let thing = operations.resources.thing_of(&operations.get(action.template).path);
            if !operations.is_white_box {
                let sent = outcome.sent(&**action);
                learnt.memory.families.learn(operations, &sent, &thing, &body);
            }
            let mut left = MOST_VALUES;
            remember(&mut learnt.memory, action.template, &thing, "", &body, &mut left);
        }
    }
}

/// Counts how the calls went, and what came before those that went well.
fn learn_record(templates: &Templates, test: &Evaluated<RestAction>, memory: &mut RestMemory) {
    let mut before: Vec<TemplateId> = Vec::new();
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let response = match &outcome.response {
            Ok(response) => response,
            Err(failure) => {
                let record = memory.record.entry(action.template).or_default();
                let more = u32::from(*failure == CallFailure::TimedOut);
                record.timed_out = record.timed_out.saturating_add(more);
                break;
            }
        };
        let operation = templates.operation(action.template);
        let is_success = response.is_success();
        if action.deviation.is_none() {
            let record = memory.record.entry(action.template).or_default();
            record.calls = record.calls.saturating_add(1);
            let is_empty = operation.method.is_safe() && is_empty_list(&response.body);
            if is_success && !is_empty {
                record.fruitful = record.fruitful.saturating_add(1);
                for earlier in &before {
                    *record.before.entry(*earlier).or_default() += 1;
                }
            }
        }
        if is_success && !operation.method.is_safe() && !before.contains(&action.template) {
            before.push(action.template);
        }
    }
}

/// Counts how a call went for who made it.
pub(super) fn learn_caller(
    operations: &Operations,
    action: &RestAction,
    status: Option<u16>,
    memory: &mut RestMemory,
) {
    let Some(status) = status.filter(|_| action.deviation.is_none()) else { return };
    let user = action.caller.map_or(-1, i32::from);
    let of_operation = memory.callers.entry(action.template).or_default();
    of_operation.entry(user).or_default().note(status);
    if !operations.get(action.template).method.is_safe() {
        memory.writers.entry(user).or_default().note(status);
    }
}

/// Notes which calls of a test were sent: those behind the first `sent` were not; nothing is known of
/// them where the service was lost.
pub(super) fn learn_unsent(
    test: &Individual<RestAction>,
    sent: usize,
    is_lost: bool,
    memory: &mut RestMemory,
) {
    for (place, (_, action)) in test.actions().iter().enumerate() {
        if place < sent {
            memory.unsent.remove(&action.template);
        } else if !is_lost {
            memory.unsent.insert(action.template);
        }
    }
}

/// Counts the rules that were broken, and the words of refusals that stand in paths of others.
fn learn_refusals(operations: &Operations, test: &Evaluated<RestAction>, memory: &mut RestMemory) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Ok(response) = &outcome.response else { continue };
        match action.deviation.as_deref() {
            Some(Deviation::Violation(violation)) if was_read(response.status) => {
                let rules = memory.violations.entry(action.template).or_default();
                count(rules, violation.key());
            }
            Some(Deviation::Extreme(extreme)) if was_read(response.status) => {
                count(memory.violations.entry(action.template).or_default(), extreme.key());
            }
            None if has_payload(memory, action, response.status) => {}
            None if matches!(response.status, 400 | 409 | 412 | 422 | 424 | 428) => {
                let operation = operations.get(action.template);
                let own: Vec<String> = fixed_words(&operation.path).collect();
                let beginning = response.body.chars().take(LONGEST_REFUSAL);
                for word in words(&beginning.collect::<String>()) {
                    let word = singular(&word);
                    if !own.contains(&word) && !operations.resources.changes(&word).is_empty() {
                        let known = memory.words.entry(action.template).or_default();
                        count(known, word.into());
                    }
                }
            }
            _ => {}
        }
    }
}

impl Planner<'_> {
    /// The same test with each constant that one of its texts was compared with.
    pub(super) fn constants(
        &mut self,
        test: &Evaluated<RestAction>,
    ) -> Vec<Individual<RestAction>> {
        let mut follow_ups = self.with_readings(test);
        let mut own = 0;
        let uses = test.outcomes.iter().flat_map(|outcome| &outcome.text_uses);
        let uses = uses.filter(|text_use| {
            let is_own = is_own(&test.individual, text_use);
            own += usize::from(is_own);
            !is_own || own <= MOST_OWN
        });
        let templates = &self.operations.templates;
        let spec = |template| templates.template(template).spec.clone();
        let constants = with_uses(&test.individual, uses, &self.learnt.knowledge, spec, self.draw);
        follow_ups.extend(constants.take(MOST_CONSTANTS.saturating_sub(follow_ups.len())));
        follow_ups
    }
}

/// Whether the values of a call may have been read: not where the caller is not let in, or asks for
/// what is not there.
fn was_read(status: u16) -> bool {
    !matches!(status, 401 | 403 | 404)
}

/// Counts an injected text, where the call has one. What is refused for what is there already may
/// not have come to where texts are used.
fn has_payload(memory: &mut RestMemory, action: &RestAction, status: u16) -> bool {
    let mut found = Vec::new();
    action.gene.visit_texts(&mut |path, string| {
        found.extend(begun_by(&string.text).map(|payload| payload_key(path, payload)));
    });
    let has_some = !found.is_empty();
    for key in found.into_iter().filter(|_| was_read(status) && status != 409) {
        count(memory.violations.entry(action.template).or_default(), key);
    }
    has_some
}

/// What an injected text is counted as.
pub(super) fn payload_key(path: &GenePath, payload: Payload) -> Box<str> {
    format!("{path:?} {payload:?}").into()
}

fn count(counts: &mut BTreeMap<Box<str>, u32>, name: Box<str>) {
    if counts.len() < MOST_COUNTED || counts.contains_key(&name) {
        let count = counts.entry(name).or_default();
        *count = count.saturating_add(1);
    }
}

/// Remembers which tables operations read, and which they fill when they succeed.
fn learn_tables(test: &Evaluated<RestAction>, memory: &mut RestMemory) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Some(sql) = &outcome.sql else { continue };
        let is_success = outcome.is_success();
        let written = if is_success { &sql.written[..] } else { &[] };
        if sql.read.is_empty() && written.is_empty() {
            continue;
        }
        let known = memory.tables.entry(action.template).or_default();
        for (tables, seen) in [(&mut known.read, &sql.read[..]), (&mut known.written, written)] {
            for table in seen {
                if tables.len() < MOST_TABLES && !tables.contains(table) {
                    tables.insert(table.clone());
                }
            }
        }
    }
}

fn is_empty_list(body: &str) -> bool {
    let body = body.trim();
    body == "[]"
        || serde_json::from_str::<Value>(body)
            .is_ok_and(|body| elements(&body).is_some_and(Vec::is_empty))
}

/// Remembers the scalars of a response by name; what names a thing also by the thing and its name.
fn remember(
    memory: &mut RestMemory,
    template: TemplateId,
    thing: &str,
    name: &str,
    value: &Value,
    left: &mut usize,
) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    match value {
        Value::Object(members) => {
            for (name, part) in members {
                let inner = inner_thing(name, part);
                remember(memory, template, inner.as_deref().unwrap_or(thing), name, part, left);
            }
        }
        Value::Array(elements) => {
            for part in elements.iter().take(20) {
                remember(memory, template, thing, name, part, left);
            }
        }
        Value::String(text) if text.len() > 200 => {}
        Value::String(_) | Value::Number(_) if !name.is_empty() => {
            memory.pool.add(name, value, template);
            let name_of = plain(name);
            if NAMES.contains(&&*name_of) || CALLED.contains(&&*name_of) {
                memory.pool.add(&format!("{thing}{name}"), value, template);
            }
        }
        _ => {}
    }
}

/// What a member of an answer is: a thing or a list of some says it by its name, but for wrappers.
pub(super) fn inner_thing(name: &str, member: &Value) -> Option<String> {
    let is_thing = member.is_object() || member.is_array();
    let name = Some(plain(name)).filter(|it| is_thing && !is_wrapper(it));
    name.map(|name| singular(&name))
}

/// Whether a member of this name only holds what an answer is about.
fn is_wrapper(name: &str) -> bool {
    [
        "data", "items", "results", "result", "content", "list", "records", "rows", "values",
        "embedded",
    ]
    .contains(&name)
}

/// Whether a text was compared with another one of the test: two values that should perhaps be
/// equal, and nothing that the code knows.
fn is_own(individual: &Individual<RestAction>, text_use: &TextUse) -> bool {
    let (Specialisation::Constant(constant) | Specialisation::ConstantIgnoreCase(constant)) =
        &text_use.specialisation
    else {
        return false;
    };
    let mut is_there = wallace_genes::is_tainted(constant);
    for (_, action) in individual.actions() {
        action.gene.visit_texts(&mut |_, string| {
            is_there |= !string.text.is_empty() && string.text.eq_ignore_ascii_case(constant);
        });
    }
    is_there
}
