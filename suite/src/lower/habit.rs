//! What answers of a service showed over a whole run, where nothing brings it back between tests.
//!
//! Running a test again at the end shows little of what depends on state: the service is as the run
//! left it, and a list as long as before. So all answers of the run are compared: a part that came
//! otherwise for the same request is decided by the state. And a list that holds what was sent in
//! another order is a set, whose order comes from the process.

mod missing;

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_problems::{HttpRequest, HttpResponse, child_pointer};

use super::derivation::Volatility;
use super::repeat::compare_answers;
use super::volatile::is_part;
use missing::MissingLists;

/// Longest answer that is looked at, in bytes.
const LONGEST_ANSWER: usize = 64 << 10;
/// Most bytes of answers that are kept to be compared with later ones.
const MOST_KEPT: usize = 16 << 20;
/// Most parts that are remembered.
const MOST_PARTS: usize = 50_000;
/// Digits of a number that no longer stands in a request by chance.
const LONG_NUMBER: usize = 3;

/// What answers showed over a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct AnswerHabits {
    /// Parts that came otherwise for the same request, by operation; any index is `*`.
    unsteady: BTreeSet<(Box<str>, Box<str>)>,
    /// Those of them that were of another kind: a null in place of a text.
    #[serde(default)]
    unkind: BTreeSet<(Box<str>, Box<str>)>,
    /// Lists that are sets, by the last two names of where they stand.
    sets: BTreeSet<Box<str>>,
    /// Members that tests set of things which others may show.
    #[serde(default)]
    changed: BTreeSet<Box<str>>,
    /// Lists that some answers leave out.
    #[serde(default)]
    missing: MissingLists,
    /// The last answer to each request, and about each path.
    #[serde(skip)]
    last: HashMap<u64, Box<str>>,
    #[serde(skip)]
    kept: usize,
}

/// How a test was seen whose service keeps what other tests leave.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'a> {
    /// What the test sent up to an answer, the request of the answer included.
    pub(crate) sent: &'a str,
    /// Whether it was run again.
    pub(crate) is_repeated: bool,
    /// Whether the answer is a refusal, which counts nothing.
    pub(crate) is_refusal: bool,
}

impl AnswerHabits {
    /// Looks at the answer to a request that a user made.
    pub fn learn(
        &mut self,
        operation: &str,
        user: Option<usize>,
        request: &HttpRequest,
        response: &HttpResponse,
    ) {
        let body = &*response.body;
        if body.len() > LONGEST_ANSWER || !body.starts_with(['{', '[']) {
            return;
        }
        let hasher = fnv::FnvBuildHasher::default();
        let key = (user, &request.method, &request.path, &request.body, response.status);
        match self.keep(hasher.hash_one(key), body) {
            Some(before) if *before == *body => return,
            Some(before) => self.note_difference(operation, &before, body, &|_, _| true),
            None => {}
        }
        // Read once, and only where it is of use: answers are long.
        let answer = LazyCell::new(|| serde_json::from_str::<Value>(body).ok());
        // Answers of GraphQL leave nothing out.
        if response.is_success()
            && !(body.starts_with("{\"data\"") || body.starts_with("{\"errors\""))
            && let Some(answer) = &*answer
        {
            self.missing.learn(operation, answer);
        }
        if let Some(asked) = asked(request) {
            let key = (user, request.path.path(), asked, response.status);
            if let Some(before) = self.keep(hasher.hash_one(key), body) {
                self.note_difference(operation, &before, body, &is_same_scalar);
            }
        }
        if request.body.contains(&b'[')
            && let Ok(sent) = serde_json::from_slice(&request.body)
        {
            let sent = lists_of_texts(&sent);
            if !sent.is_empty()
                && let Some(answer) = &*answer
            {
                self.note_sets(&sent, "", answer);
            }
        }
    }

    /// Notes a member that a test set of a thing which it did not make.
    pub fn note_changed(&mut self, member: &str) {
        if self.changed.len() < MOST_PARTS {
            self.changed.insert(member.into());
        }
    }

    /// Whether a part of an answer is a member that some test may have set.
    fn is_changed(&self, pointer: &str) -> bool {
        pointer.rsplit('/').next().is_some_and(|member| self.changed.contains(member))
    }

    /// Keeps an answer in the place of the one before, which it returns.
    fn keep(&mut self, key: u64, body: &str) -> Option<Box<str>> {
        let before = match self.last.get_mut(&key) {
            Some(last) => Some(std::mem::replace(last, body.into())),
            None if self.kept + body.len() > MOST_KEPT => return None,
            None => self.last.insert(key, body.into()),
        };
        self.kept = self.kept - before.as_ref().map_or(0, |it| it.len()) + body.len();
        before
    }

    /// Notes the parts that came otherwise, as far as both values are `comparable`.
    fn note_difference(
        &mut self,
        operation: &str,
        before: &str,
        now: &str,
        comparable: &dyn Fn(&Value, &Value) -> bool,
    ) {
        let read = |text| serde_json::from_str::<Value>(text);
        let (Ok(before), Ok(now)) = (read(before), read(now)) else { return };
        let mut parts = BTreeMap::new();
        compare_answers(&before, &now, &mut parts);
        for (pointer, volatility) in parts {
            let values = before.pointer(&pointer).zip(now.pointer(&pointer));
            let is_comparable = values.is_some_and(|(one, other)| comparable(one, other));
            if is_comparable && self.unsteady.len() < MOST_PARTS {
                let part = (operation.into(), any_index(&pointer).into());
                if volatility == Volatility::Kind {
                    self.unkind.insert(part.clone());
                }
                self.unsteady.insert(part);
            }
        }
    }

    fn note_sets(&mut self, sent: &[Vec<&str>], pointer: &str, answer: &Value) {
        if let Some(found) = texts(answer)
            && sent.iter().any(|sent| *sent != found && sorted(sent) == sorted(&found))
            && self.sets.len() < MOST_PARTS
        {
            self.sets.insert(last_names(pointer).into());
        }
        for_each_child(pointer, answer, &mut |pointer, child| {
            self.note_sets(sent, pointer, child);
        });
    }

    /// Adds the parts of an answer, from a pointer on, whose order or value the next run may see
    /// otherwise. Where state is `shared` with other tests also what the state decides, but for what
    /// this test sent.
    pub(crate) fn add_to(
        &self,
        parts: &mut BTreeMap<String, Volatility>,
        operation: &str,
        (pointer, answer): (&str, &Value),
        shared: Option<Shared<'_>>,
    ) {
        // Errors are compared in any order, and by what they say.
        if pointer == "/errors" {
            if shared.is_some() && (are_in_list(answer) || are_many(answer)) {
                parts.insert(pointer.to_owned(), Volatility::Value);
            }
            return;
        }
        if let Some(shared) = shared.filter(|_| answer.is_object()) {
            for step in self.missing.of_object(operation, pointer) {
                let list = answer.pointer(&format!("/{step}"));
                if !list.is_some_and(|list| is_sent(list, shared.sent)) {
                    parts.insert(format!("{pointer}/{step}"), Volatility::Absence);
                }
            }
        }
        let is_set = answer.is_array() && self.sets.contains(last_names(pointer));
        let is_of_state = shared.is_some_and(|shared| {
            let is_unsteady =
                || self.unsteady.contains(&(operation.into(), any_index(pointer).into()));
            let may_differ = !shared.is_refusal
                && (counts(answer)
                    || tells_of_page(pointer, answer)
                    || !answer.is_object() && self.is_changed(pointer)
                    || is_unsteady())
                || !shared.is_repeated && has_digits(answer);
            // What a list shows as a whole others add to, whatever the test itself put there.
            let is_common = || pointer.is_empty() && answer.is_array() && is_unsteady();
            may_differ && (!is_sent(answer, shared.sent) || is_common())
        });
        if is_set || is_of_state {
            let is_unkind = !self.unkind.is_empty()
                && self.unkind.contains(&(operation.into(), any_index(pointer).into()));
            let volatility = if is_unkind { Volatility::Kind } else { Volatility::Value };
            let known = parts.entry(pointer.to_owned()).or_insert(volatility);
            *known = volatility.max(*known);
            return;
        }
        for_each_child(pointer, answer, &mut |pointer, child| {
            if parts.get(pointer) != Some(&Volatility::Absence) {
                self.add_to(parts, operation, (pointer, child), shared);
            }
        });
    }
}

/// Whether there are several errors: where a null went up, which of them are told depends on which resolver was
/// done first.
fn are_many(errors: &Value) -> bool {
    errors.as_array().is_some_and(|errors| errors.len() > 1)
}

/// Whether errors stand in a list: others make elements before them, and more that fail.
fn are_in_list(errors: &Value) -> bool {
    let paths = errors.as_array().into_iter().flatten().map(|error| &error["path"]);
    paths.filter_map(Value::as_array).flatten().any(Value::is_number)
}

/// What a read asks for, where another request may ask for more or less of the same thing: a path with
/// another query, a field of a document with another selection.
fn asked(request: &HttpRequest) -> Option<&str> {
    if request.method == Method::GET {
        return request.path.query().map(|_| "");
    }
    let text = std::str::from_utf8(&request.body).ok()?;
    let document = text.split_once("\"query\":\"")?.1;
    if !(document.starts_with('{') || document.starts_with("query")) {
        return None;
    }
    let (mut depth, mut selections) = (0_usize, 0);
    let end = document.find(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '{' if depth == 0 => selections += 1,
            _ => {}
        }
        selections == 2
    })?;
    Some(&document[..end])
        .filter(|_| text.contains("\"variables\":{}") || !text.contains("\"variables\""))
}

/// Whether two values are scalars of one kind.
fn is_same_scalar(one: &Value, other: &Value) -> bool {
    let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
    is_scalar(one) && std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Whether a value says how many things there are: any list or number may, also a number that is
/// written as a text, as those of 64 bits are.
fn counts(answer: &Value) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    answer.is_array() || answer.is_number() || answer.as_str().is_some_and(is_number)
}

/// Whether a value says where a page stands among the others, as `hasNextPage` or `last`.
fn tells_of_page(pointer: &str, answer: &Value) -> bool {
    let name = pointer.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let name: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    answer.is_boolean()
        && (["more", "next", "previous", "prev"].iter().any(|word| name.contains(word))
            || ["first", "last", "empty", "islast", "isfirst", "isempty"].contains(&&*name))
}

/// Whether a value is a text with a number in it, which may be another one the next time.
fn has_digits(answer: &Value) -> bool {
    answer.as_str().is_some_and(|text| text.contains(|letter: char| letter.is_ascii_digit()))
}

/// Whether a test sent what it got: a text, a long number, or a list of such.
fn is_sent(answer: &Value, sent: &str) -> bool {
    match answer {
        Value::String(text) => is_part(text, sent),
        Value::Number(number) => {
            let number = number.to_string();
            number.len() >= LONG_NUMBER && is_part(&number, sent)
        }
        Value::Array(elements) => {
            !elements.is_empty() && elements.iter().all(|element| is_sent(element, sent))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    }
}

fn for_each_child(pointer: &str, value: &Value, visit: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, child)| visit(&child_pointer(pointer, name), child));
        }
        Value::Array(elements) => elements.iter().enumerate().for_each(|(index, child)| {
            visit(&child_pointer(pointer, &index.to_string()), child);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The lists of at least two texts in a value.
fn lists_of_texts(value: &Value) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = texts(value).into_iter().collect();
    match value {
        Value::Object(members) => found.extend(members.values().flat_map(lists_of_texts)),
        Value::Array(elements) => found.extend(elements.iter().flat_map(lists_of_texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

/// The elements of a list of at least two texts.
fn texts(value: &Value) -> Option<Vec<&str>> {
    let texts: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    texts.filter(|texts| texts.len() >= 2)
}

fn sorted<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts
}

/// A pointer with `*` for each index.
fn any_index(pointer: &str) -> String {
    let is_index = |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let steps = pointer.split('/').map(|step| if is_index(step) { "*" } else { step });
    steps.collect::<Vec<_>>().join("/")
}

/// The last two names of a pointer.
fn last_names(pointer: &str) -> &str {
    let start = pointer.rmatch_indices('/').nth(1).map_or(0, |(start, _)| start);
    &pointer[start..]
}

#[cfg(test)]
mod tests;
