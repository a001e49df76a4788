//! Things by kind and id: what the tests of a run made, and what they took away.
//!
//! Where ids are small numbers, 5 names an order that a test made and a country that was there from the
//! start. So an id is kept with the words of the operation that made it, and compared with the words
//! of the argument or the operation that names it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_problems::{HttpProblem, HttpRequest};

/// Most things that are remembered.
const MOST_THINGS: usize = 50_000;
/// Deepest level of an answer where the thing that was made names itself.
const MOST_DEPTH: usize = 4;

/// What came and went, each by a word of its kind and its id.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MadeThings {
    made: BTreeSet<(Box<str>, Box<str>)>,
    /// Those that were there before the run.
    gone: BTreeSet<(Box<str>, Box<str>)>,
}

impl MadeThings {
    /// Looks at a call that changed something, and at its answer.
    pub(crate) fn learn<P: HttpProblem>(
        &mut self,
        problem: &P,
        (action, request): (&P::Action, &HttpRequest),
        answer: Option<&Value>,
    ) {
        if self.made.len() + self.gone.len() >= MOST_THINGS {
            return;
        }
        let kinds = problem.kinds(action);
        // What the request names was there: it is changed, and not made.
        let ids = answer.map_or_else(Vec::new, |answer| first_ids(answer, &kinds));
        let said = said(request);
        for id in ids.into_iter().filter(|id| !is_sent(&said, id)) {
            self.made.extend(kinds.iter().map(|kind| (kind.as_str().into(), id.as_str().into())));
        }
        if problem.touch(action, request).is_some_and(|touch| touch.is_deletion) {
            for thing in things(problem, action, &said) {
                if !self.made.remove(&thing) {
                    self.gone.insert(thing);
                }
            }
        }
    }

    /// Whether a call names a thing that the run made, or was refused for one that the run took away.
    /// What the test itself came by is `known`.
    pub(crate) fn are_used_by<P: HttpProblem>(
        &self,
        problem: &P,
        (action, request): (&P::Action, &HttpRequest),
        went_well: bool,
        known: &BTreeSet<String>,
    ) -> bool {
        let is_left = |thing: &(Box<str>, Box<str>)| {
            self.made.contains(thing) || !went_well && self.gone.contains(thing)
        };
        let things = things(problem, action, &said(request));
        things.into_iter().any(|thing| !known.contains(&*thing.1) && is_left(&thing))
    }
}

/// The things that a call names as it was sent, by each word of their kinds.
fn things<P: HttpProblem>(
    problem: &P,
    action: &P::Action,
    said: &str,
) -> Vec<(Box<str>, Box<str>)> {
    let named = problem.named_things(action).into_iter().filter(|(_, id)| is_sent(said, id));
    let by_words = |(kinds, id): (Vec<String>, String)| -> Vec<_> {
        kinds.into_iter().map(|kind| (kind.into(), id.as_str().into())).collect()
    };
    named.flat_map(by_words).collect()
}

/// The ids of the things that an answer is about: those nearest to its root.
fn first_ids(answer: &Value, kinds: &[String]) -> Vec<String> {
    let mut level = vec![answer];
    for _ in 0..MOST_DEPTH {
        let mut ids = Vec::new();
        let mut below = Vec::new();
        for value in level {
            match value {
                Value::Object(members) => {
                    let named = members.iter().filter(|(name, _)| is_own_id(name, kinds));
                    ids.extend(named.filter_map(|(_, value)| id(value)));
                    below.extend(members.values());
                }
                Value::Array(elements) => below.extend(elements),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        if !ids.is_empty() {
            return ids;
        }
        level = below;
    }
    Vec::new()
}

/// Whether a member names its own object: `id`, or `order_id` of an order.
fn is_own_id(name: &str, kinds: &[String]) -> bool {
    let name = name.to_ascii_lowercase();
    let before = name.strip_suffix("id").map(|it| it.trim_end_matches(['_', '-']));
    before.is_some_and(|it| it.is_empty() || kinds.iter().any(|kind| kind == it))
}

fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
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
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_about_what_stands_nearest_to_its_root() {
        let kinds = ["order".to_owned()];
        let answer = json!({ "data": { "createOrder": { "id": "5", "customer": { "id": 3 } } } });
        assert_eq!(first_ids(&answer, &kinds), ["5"]);
        let answer = json!([{ "order_id": 6, "customer_id": 3 }, { "order_id": 7 }]);
        assert_eq!(first_ids(&answer, &kinds), ["6", "7"]);
    }
}
