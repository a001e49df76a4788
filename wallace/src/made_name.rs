//! Names that only this run knows: what tests leave behind in a service that is not reset.
//!
//! A test that asks for thing 25 passes as long as the thing is there that another test made, and fails
//! on a fresh start. So what answers name after the run began to change things is remembered, and a
//! test that uses such a name without an answer of its own that tells it is not written.

mod lean;
mod place;
mod said;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Evaluated, Problem};
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest};

use crate::asked::{Answered, Asked, hash};
use crate::made_thing::{Called, MadeThings};
use crate::service_family::ServiceFamily;
use place::Places;
use said::{
    in_document, in_link, in_members, in_path, is_taken, may_name, referred, segments, told_by,
};

pub(crate) use lean::Lean;
pub(crate) use said::{failed_below, is_of_call};

/// Most names that are remembered.
const MOST_NAMES: usize = 50_000;
/// Longest answer that is looked at, in bytes.
const LONGEST_ANSWER: usize = 256 << 10;
/// Deepest part of an answer that is looked at.
const MOST_DEPTH: usize = 8;
/// Members that name things; also what ends in one of the first three.
const NAMES: [&str; 6] = ["id", "uuid", "key", "name", "code", "slug"];

/// What a service was seen to name since something was changed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MadeNames {
    has_changed: bool,
    pub(super) names: BTreeSet<String>,
    /// What calls that changed something said of what they made, in lower case: names that differ in
    /// case alone are one to many services.
    chosen: BTreeSet<String>,
    /// Those that were there before.
    old: BTreeSet<String>,
    /// Texts that answers told under whatever name: what is chosen later is none that was there.
    #[serde(default)]
    told: BTreeSet<Box<str>>,
    #[serde(default)]
    pub(super) things: MadeThings,
    #[serde(default)]
    pub(super) asked: Asked,
    #[serde(default)]
    places: Places,
    /// Operations whose changes were refused when they were made again.
    #[serde(default)]
    once: BTreeSet<String>,
    /// Kinds of which a service takes one thing, whatever is said of it: a suite has room for one.
    #[serde(default)]
    sole: BTreeSet<String>,
    /// Operations that said of a thing that it is not there: they do not make what they name.
    #[serde(default)]
    absent: BTreeSet<String>,
    /// Operations that took, as what a thing is about, what nobody had said or told before: they make it.
    #[serde(default)]
    introduce: BTreeSet<String>,
    /// Hashes of the texts at limits that changes said of what they made: many tests send the same.
    #[serde(default)]
    limits: BTreeSet<u64>,
    /// Operations that went well with texts of which nobody had said any before: they do not ask for what
    /// another call made, as a login does.
    #[serde(default)]
    free: BTreeSet<String>,
    /// Operations and members of their bodies that took what nobody had said or told: they do not ask for
    /// what another call made.
    #[serde(default)]
    loose: BTreeSet<String>,
    /// Operations that answered somebody unknown otherwise than by asking who that is.
    #[serde(default)]
    open: BTreeSet<String>,
}

impl MadeNames {
    /// Looks at the answers of a test.
    pub(crate) fn learn<P: ServiceFamily>(
        &mut self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
    ) {
        // Requests of changes that went well in this test.
        let mut done: Vec<Arc<HttpRequest>> = Vec::new();
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { continue };
            let went_well = problem.went_well(outcome) || failed_below(&response.body);
            let is_change = went_well && !HttpProblem::is_read(problem, &**action);
            if response.status == 404 {
                self.absent.insert(problem.operation(action).to_owned());
            }
            if problem.caller(action).is_none() && !problem.is_unknown(outcome) {
                self.open.insert(problem.operation(action).to_owned());
            }
            self.has_changed |= is_change;
            let request = outcome.request(problem, action);
            let sent = outcome.sent(&**action);
            let answered = Answered::new(problem, &*sent, &request, outcome);
            self.asked.note(answered, test.evaluation);
            // A name that is refused since it is there is taken once, whoever made the first.
            let is_chosen = || in_document(&request).iter().any(|name| self.has_chosen(name));
            let may_take = !went_well && !HttpProblem::is_read(problem, &**action);
            // So is one with which a change went well just before, in whatever words.
            let is_again = || done.contains(&request) && !in_document(&request).is_empty();
            if may_take && (is_taken(outcome) && is_chosen() || is_again()) {
                self.note_once(problem.operation(action));
            }
            if is_change {
                done.push(Arc::clone(&request));
            }
            let change = is_change.then_some(&request);
            if let Some(request) = change
                && self.chosen.len() < MOST_NAMES
            {
                // What an answer named before was there: it is changed, and not made.
                let is_new = |name: &String| {
                    let is_named = self.names.contains(name) || self.old.contains(name);
                    !is_named && !self.told.contains(&**name)
                };
                let is_first = |name: &String| is_new(name) && !self.has_chosen(name);
                let operation = problem.operation(action);
                let introduces = referred(request).iter().any(is_first);
                let loose = in_members(request).into_iter();
                let loose = loose.filter(|(_, text)| may_name(text) && is_first(text));
                let loose = loose.map(|(member, _)| format!("{operation} {member}"));
                let loose: Vec<String> = loose.collect();
                if introduces {
                    self.introduce.insert(operation.to_owned());
                }
                if self.loose.len() < MOST_NAMES {
                    self.loose.extend(loose);
                }
                let mut chosen = in_document(request);
                let names: Vec<&String> = chosen.iter().filter(|name| may_name(name)).collect();
                let is_free = !names.is_empty() && !names.iter().any(|name| self.has_chosen(name));
                if is_free && !self.free.contains(operation) {
                    self.free.insert(operation.to_owned());
                }
                let limits = chosen.iter().filter(|text| !text.is_empty() && !may_name(text));
                let limits: Vec<u64> = limits.map(hash).collect();
                if self.limits.len() < MOST_NAMES {
                    self.limits.extend(limits);
                }
                chosen.extend(made_in_path(problem, action, request));
                let chosen = chosen.into_iter().filter(|name| may_name(name)).filter(is_new);
                self.chosen.extend(chosen.map(|name| name.to_lowercase()));
            }
            let is_open = self.names.len() + self.old.len() < MOST_NAMES;
            if !went_well || response.body.len() > LONGEST_ANSWER || !(is_open || is_change) {
                continue;
            }
            let body = serde_json::from_str::<Value>(&response.body);
            if self.told.len() < MOST_NAMES {
                let told = told_by(body.as_ref().ok(), &response.body).into_iter();
                let told = told.filter(|text| may_name(text));
                self.told.extend(told.map(String::into_boxed_str));
            }
            if let Some(request) = change {
                let evaluation = test.evaluation;
                let call = Called { action: &*sent, request, went_well, evaluation };
                self.things.learn(problem, &call, body.as_ref().ok());
            } else if let Ok(body) = &body {
                self.places.learn(&request, body);
                self.things.learn_told(problem, action, body, test.evaluation);
            }
            if let Ok(body) = body
                && is_open
            {
                let mut found = Vec::new();
                named(&body, "", 0, &mut found);
                found.retain(|name| may_name(name));
                if self.has_changed {
                    self.names.extend(found.into_iter().filter(|it| !self.old.contains(it)));
                } else {
                    self.old.extend(found);
                }
            }
        }
    }

    /// Whether a call that changed something said this of what it made.
    pub(crate) fn has_chosen(&self, name: &str) -> bool {
        self.chosen.contains(&name.to_lowercase())
    }

    /// The same, or said it as a text at a limit.
    fn has_said(&self, text: &str) -> bool {
        self.has_chosen(text) || self.limits.contains(&hash(&text))
    }

    /// Notes that a change of this operation was refused when it was made again.
    pub(crate) fn note_once(&mut self, operation: &str) {
        if self.once.len() < MOST_NAMES {
            self.once.insert(operation.to_owned());
        }
    }

    /// Whether changes of this operation are refused when they are made again.
    pub(crate) fn takes_once(&self, operation: &str) -> bool {
        self.once.contains(operation)
    }

    /// Notes that a change was refused when it was made again, whatever it was to make.
    pub(crate) fn note_sole<P: ServiceFamily>(
        &mut self,
        problem: &P,
        action: &<P as Problem>::Action,
    ) {
        if self.sole.len() < MOST_NAMES {
            self.sole.extend(made_kind(problem, action));
        }
    }

    /// The kinds that a test makes and of which a service takes one thing, whatever is said of it.
    pub(crate) fn sole<P: ServiceFamily>(
        &self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
    ) -> BTreeSet<String> {
        let actions = test.individual.actions().iter();
        let kinds = actions.filter_map(|(_, action)| made_kind(problem, action));
        kinds.filter(|kind| self.sole.contains(kind)).collect()
    }

    /// Whether a call was turned away before anybody looked at what it is about: by its verb, or as one
    /// of somebody unknown where all of these are.
    pub(super) fn is_turned_away<P: ServiceFamily>(
        &self,
        problem: &P,
        action: &<P as Problem>::Action,
        outcome: &HttpOutcome,
    ) -> bool {
        let is_stranger = problem.caller(action).is_none() && problem.is_unknown(outcome);
        outcome.status() == Some(405)
            || is_stranger && !self.open.contains(problem.operation(action))
    }

    /// Whether some call changed something.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether a call names what was there before the run, and what the run took away.
    pub(crate) fn has_taken<P: ServiceFamily>(
        &self,
        problem: &P,
        action: &<P as Problem>::Action,
        request: &HttpRequest,
    ) -> bool {
        self.things.has_taken(problem, action, request)
    }
}

/// The kind of what a call makes, if it names nothing that is there and takes nothing away.
fn made_kind<P: ServiceFamily>(problem: &P, action: &<P as Problem>::Action) -> Option<String> {
    let takes = || problem.touch(action, &problem.request(action)).is_some_and(|it| it.is_deletion);
    let makes = !HttpProblem::is_read(problem, action)
        && problem.named_things(action).is_empty()
        && !takes();
    makes.then(|| problem.kinds(action).pop()).flatten()
}

/// The name that a call may have made the last thing of its path under: what stands before it was there.
pub(crate) fn made_in_path<P: ServiceFamily>(
    problem: &P,
    action: &<P as Problem>::Action,
    request: &HttpRequest,
) -> Option<String> {
    let may_make = matches!(request.method.as_str(), "PUT" | "POST");
    let last = segments(request).last().filter(|_| may_make)?;
    in_path(problem, action, request).into_iter().rfind(|name| *name == last)
}

/// The names of things in an answer.
fn named(value: &Value, name: &str, depth: usize, found: &mut Vec<String>) {
    if depth > MOST_DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| named(member, name, depth + 1, found));
        }
        Value::Array(elements) => {
            elements.iter().take(50).for_each(|element| named(element, name, depth + 1, found));
        }
        Value::String(_) | Value::Number(_) => {
            // An address names things by what no word in it is.
            let link = value.as_str().into_iter().flat_map(in_link);
            found.extend(link.filter(|part| part.contains(|c: char| c.is_ascii_digit())));
            let name = name.to_ascii_lowercase();
            let is_name =
                NAMES.contains(&&*name) || NAMES[..3].iter().any(|end| name.ends_with(end));
            if is_name {
                found.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_name_things() {
        let mut found = Vec::new();
        named(
            &json!([{ "id": 7, "flow_id": "f1", "size": 3, "n": { "name": "x" } }]),
            "",
            0,
            &mut found,
        );
        found.sort();
        assert_eq!(found, ["7", "f1", "x"]);
    }
}
