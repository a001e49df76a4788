//! Things by kind and id: what the tests of a run made, and what they took away.
//!
//! Where ids are small numbers, 5 names an order that a test made and a country that was there from the
//! start. So an id is kept with the words of the operation that made it, and compared with the words
//! of the argument or the operation that names it.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_problems::{HttpProblem, HttpRequest, scalar};

/// Most things that are remembered.
const MOST_THINGS: usize = 50_000;
/// Deepest level of an answer where the thing that was made names itself.
const MOST_DEPTH: usize = 4;

/// Highest id that a service which counts its things may give during a run.
const HIGHEST_COUNT: u64 = 10_000;

/// How far beyond the last id of a run a suite may come.
const NEAR: u64 = 50;

/// Bytes of the shortest id that is drawn and not counted.
const LENGTH_DRAWN: usize = 16;

/// A word of a kind, and an id.
type Thing = (Box<str>, Box<str>);

/// What came and went.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MadeThings {
    /// Also what was taken away later: a fresh start has neither.
    made: BTreeMap<Thing, Maker>,
    /// Those that were there before the run, with the number of the test that took them.
    gone: BTreeMap<Thing, u64>,
    /// Kinds of which some was made whose id no answer told, with the first test that did.
    untold: BTreeMap<Box<str>, u64>,
    /// Those that reads told of, with the first test that did.
    told: BTreeMap<Thing, u64>,
}

/// What made a thing first.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Maker {
    operation: Box<str>,
    evaluation: u64,
}

/// A call of a test, for those who ask whether it leans on others.
pub(crate) struct Called<'a, P: HttpProblem> {
    pub(crate) action: &'a P::Action,
    pub(crate) request: &'a HttpRequest,
    pub(crate) went_well: bool,
    /// The number of the test.
    pub(crate) evaluation: u64,
}

impl MadeThings {
    /// Looks at what a call that only reads told of.
    pub(crate) fn learn_told<P: HttpProblem>(
        &mut self,
        problem: &P,
        action: &P::Action,
        answer: &Value,
        evaluation: u64,
    ) {
        if self.told.len() >= MOST_THINGS {
            return;
        }
        let kinds = problem.kinds(action);
        let Some(last) = kinds.last() else { return };
        for id in first_ids(answer, &kinds) {
            self.told.entry((last.as_str().into(), id.into())).or_insert(evaluation);
        }
    }

    /// Looks at a call that changed something, and at its answer.
    pub(crate) fn learn<P: HttpProblem>(
        &mut self,
        problem: &P,
        call: &Called<'_, P>,
        answer: Option<&Value>,
    ) {
        if self.made.len() + self.gone.len() >= MOST_THINGS {
            return;
        }
        let kinds = problem.kinds(call.action);
        let named = things(problem, call.action, call.request);
        if let Some(touch) = problem.touch(call.action, call.request)
            && touch.is_deletion
        {
            // What it names besides, as the group that somebody is taken out of, is still there.
            let taken =
                named.into_iter().filter(|(kind, _)| touch.subject.iter().any(|it| **it == **kind));
            for thing in taken.filter(|thing| !self.made.contains_key(thing)).collect::<Vec<_>>() {
                self.gone.entry(thing).or_insert(call.evaluation);
            }
            return;
        }
        // What the request names as its own was there: it is changed, and not made.
        let Some(last) = kinds.last() else { return };
        let is_own =
            |id: &str| named.iter().any(|(kind, named)| **kind == **last && **named == *id);
        let mut ids = answer.map_or_else(Vec::new, |answer| first_ids(answer, &kinds));
        if ids.is_empty() && call.request.method == Method::POST {
            ids = said_ids(call.request, last);
        }
        if ids.is_empty() && !named.iter().any(|(kind, _)| **kind == **last) {
            self.untold.entry(last.as_str().into()).or_insert(call.evaluation);
        }
        for id in ids.iter().filter(|id| !is_own(id)) {
            for kind in &kinds {
                let maker = || Maker {
                    operation: problem.operation(call.action).into(),
                    evaluation: call.evaluation,
                };
                let thing = (kind.as_str().into(), id.as_str().into());
                self.made.entry(thing).or_insert_with(maker);
            }
        }
    }

    /// Whether a call names a thing that the run made or had taken away, or takes one away that others may
    /// need. What the test itself came by is `known`.
    pub(crate) fn are_used_by<P: HttpProblem>(
        &self,
        problem: &P,
        call: &Called<'_, P>,
        known: &BTreeSet<String>,
    ) -> bool {
        let is_made_untold = |thing: &Thing| {
            // What is refused for an id that nobody counts up to is refused on a fresh start too.
            let may_be = |_: &&u64| call.went_well || is_counted(&thing.1);
            let since = self.untold.get(&thing.0).filter(may_be);
            since.is_some_and(|since| self.told.get(thing).is_none_or(|told| told > since))
        };
        let is_left = |thing: &Thing| {
            self.made.contains_key(thing)
                || self.gone.get(thing).is_some_and(|it| *it < call.evaluation)
                || is_made_untold(thing)
        };
        let touch = problem.touch(call.action, call.request).filter(|touch| touch.is_deletion);
        let takes = |(kind, _): &Thing| {
            let mut subject = touch.iter().flat_map(|touch| &touch.subject);
            call.went_well && subject.any(|word| **word == **kind)
        };
        let things = things(problem, call.action, call.request);
        let mut foreign = things.iter().filter(|thing| !known.contains(&*thing.1));
        let is_next = |thing: &Thing| !call.went_well && self.may_be_next(thing);
        foreign.any(|thing| is_left(thing) || takes(thing) || is_next(thing))
    }

    /// Whether a number is one that the service may give to something of the kind while a suite runs: it
    /// counts them, and is not far beyond.
    fn may_be_next(&self, (kind, id): &Thing) -> bool {
        let Some(number) = counted(id) else { return false };
        let of_kind = self.made.range((kind.clone(), Box::default())..);
        let of_kind = of_kind.take_while(|((known, _), _)| known == kind);
        let highest = of_kind.filter_map(|((_, id), _)| counted(id)).max();
        highest.is_some_and(|highest| number <= highest.saturating_add(NEAR))
    }

    /// Whether the run made things of the kind that a call is about.
    pub(crate) fn has_made<P: HttpProblem>(&self, problem: &P, action: &P::Action) -> bool {
        let Some(kind) = problem.kinds(action).pop().map(String::into_boxed_str) else {
            return false;
        };
        let mut from = self.made.range((kind.clone(), Box::default())..);
        self.untold.contains_key(&kind) || from.next().is_some_and(|((known, _), _)| *known == kind)
    }

    /// Whether an answer is about one thing that the call did not name and that another operation made for
    /// an earlier test, as settings of which there is one; or that the same operation made, as one that
    /// gives back what is there already.
    pub(crate) fn is_shown_by<P: HttpProblem>(
        &self,
        problem: &P,
        call: &Called<'_, P>,
        answer: &str,
    ) -> bool {
        let kinds = problem.kinds(call.action);
        let Some(last) = kinds.last().filter(|_| call.went_well) else { return false };
        if !problem.named_things(call.action).is_empty() {
            return false;
        }
        let answer = serde_json::from_str(answer).unwrap_or_default();
        let shown = ids_above(&answer, &kinds, false);
        let is_again = |id: &str| !is_given_once(id) || is_sent(&said(call.request), id);
        shown.into_iter().any(|id| {
            let is_other = |maker: &Maker| {
                maker.evaluation < call.evaluation
                    && (*maker.operation != *problem.operation(call.action) || !is_again(&id))
            };
            self.made.get(&(last.as_str().into(), id.as_str().into())).is_some_and(is_other)
        })
    }

    /// Whether a call names a thing that was there before the run, and that the run took away.
    pub(crate) fn has_taken<P: HttpProblem>(
        &self,
        problem: &P,
        action: &P::Action,
        request: &HttpRequest,
    ) -> bool {
        things(problem, action, request).iter().any(|thing| self.gone.contains_key(thing))
    }
}

/// The number that an id is, where it is one as a service gives them that counts its things.
fn counted(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number: &u64| (1..=HIGHEST_COUNT).contains(number))
}

fn is_counted(id: &str) -> bool {
    counted(id).is_some()
}

/// Whether an id is one that no service gives to another thing, as a UUID.
fn is_given_once(id: &str) -> bool {
    let has = |is: fn(&u8) -> bool| id.as_bytes().iter().any(is);
    let is_drawn = id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    id.len() >= LENGTH_DRAWN && is_drawn && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// The things that a call names as it was sent, by each word of their kinds.
fn things<P: HttpProblem>(problem: &P, action: &P::Action, request: &HttpRequest) -> Vec<Thing> {
    let said = said(request);
    let named = problem.named_things(action).into_iter().filter(|(_, id)| is_sent(&said, id));
    let by_words = |(kinds, id): (Vec<String>, String)| -> Vec<_> {
        kinds.into_iter().map(|kind| (kind.into(), id.as_str().into())).collect()
    };
    named.flat_map(by_words).collect()
}

/// The ids of the things that an answer is about: those nearest to its root.
fn first_ids(answer: &Value, kinds: &[String]) -> Vec<String> {
    ids_above(answer, kinds, true)
}

/// The same, of those in lists where these are wanted.
fn ids_above(answer: &Value, kinds: &[String], in_lists: bool) -> Vec<String> {
    let mut level = vec![answer];
    for _ in 0..MOST_DEPTH {
        let mut ids = Vec::new();
        let mut below = Vec::new();
        // Where a member is called like what the answer is about, nothing beside it and nothing that it
        // holds is that.
        let mut own = Vec::new();
        for value in level {
            match value {
                Value::Object(members) => {
                    let named = members.iter().filter(|(name, _)| is_own_id(name, kinds));
                    ids.extend(named.filter_map(|(_, value)| scalar(value)));
                    below.extend(members.values());
                    let is_own = |name: &str| {
                        kinds.last().is_some_and(|kind| name.eq_ignore_ascii_case(kind))
                    };
                    own.extend(members.iter().filter(|(name, it)| it.is_object() && is_own(name)));
                }
                Value::Array(elements) if in_lists => below.extend(elements),
                Value::Array(_)
                | Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_) => {}
            }
        }
        if !ids.is_empty() {
            return ids;
        }
        if !own.is_empty() {
            let objects = own.into_iter().filter_map(|(_, value)| value.as_object()).flatten();
            let named = objects.filter(|(name, _)| is_own_id(name, kinds));
            return named.filter_map(|(_, value)| scalar(value)).collect();
        }
        level = below;
    }
    Vec::new()
}

/// What a request says that the thing is called which it makes, where the answer tells nothing: `ruleType`
/// of a rule, `name` of anything.
fn said_ids(request: &HttpRequest, kind: &str) -> Vec<String> {
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else { return Vec::new() };
    let kind = kind.to_ascii_lowercase();
    let names = |name: &str| {
        let name = name.to_ascii_lowercase();
        let end = name.strip_prefix(&*kind).map(|end| end.trim_start_matches(['_', '-']));
        let last = end.unwrap_or(&name);
        ["id", "name", "key", "code", "slug"].contains(&last) || end == Some("type")
    };
    let members = body.as_object().into_iter().flatten();
    members.filter(|(name, _)| names(name)).filter_map(|(_, value)| scalar(value)).collect()
}

/// Whether a member names its own object: `id`, or `order_id` of an order.
fn is_own_id(name: &str, kinds: &[String]) -> bool {
    let name = name.to_ascii_lowercase();
    let before = name.strip_suffix("id").map(|it| it.trim_end_matches(['_', '-']));
    before.is_some_and(|it| it.is_empty() || kinds.iter().any(|kind| kind == it))
}

/// What a request says: its path, decoded, and its body.
fn said(request: &HttpRequest) -> String {
    let path = percent_encoding::percent_decode_str(request.path.as_str()).decode_utf8_lossy();
    format!("{path} {}", String::from_utf8_lossy(&request.body))
}

/// Whether a request says an id as a whole word.
fn is_sent(said: &str, id: &str) -> bool {
    let mut words = said.split(|letter: char| !letter.is_alphanumeric() && !id.contains(letter));
    words.any(|word| word == id)
}

#[cfg(test)]
pub(crate) mod tests;
