//! Names that only this run knows: what tests leave behind in a service that is not reset.
//!
//! A test that asks for thing 25 passes as long as the thing is there that another test made, and fails
//! on a fresh start. So what answers name after the run began to change things is remembered, and a
//! test that uses such a name without an answer of its own that tells it is not written.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Evaluated, Problem};
use wallace_problems::{HttpProblem, HttpRequest};

use crate::face::Face;

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
    names: BTreeSet<String>,
    /// Those that were there before.
    old: BTreeSet<String>,
}

impl MadeNames {
    /// Looks at the answers of a test.
    pub(crate) fn learn<P: Face>(&mut self, problem: &P, test: &Evaluated<<P as Problem>::Action>) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { continue };
            let went_well = problem.went_well(outcome);
            self.has_changed |= went_well && !HttpProblem::is_read(problem, &**action);
            if !went_well
                || response.body.len() > LONGEST_ANSWER
                || self.names.len() + self.old.len() >= MOST_NAMES
            {
                continue;
            }
            if let Ok(body) = serde_json::from_str::<Value>(&response.body) {
                let mut found = Vec::new();
                named(&body, "", 0, &mut found);
                match self.has_changed {
                    true => {
                        self.names.extend(found.into_iter().filter(|it| !self.old.contains(it)))
                    }
                    false => self.old.extend(found),
                }
            }
        }
    }

    /// Whether a test uses a name that none of its own answers told before.
    pub(crate) fn are_used_by<P: Face>(
        &self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
    ) -> bool {
        let calls = test.individual.actions().iter().zip(&test.outcomes).enumerate();
        calls.into_iter().any(|(place, ((_, action), outcome))| {
            let request = outcome.request(problem, action);
            let told = |name: &str| {
                let before = test.outcomes[..place].iter();
                let mut answers = before.filter_map(|it| it.response.as_ref().ok());
                answers.any(|answer| {
                    let located = answer.header("location").unwrap_or_default();
                    answer.body.contains(name) || located.contains(name)
                })
            };
            let chosen = |name: &str| {
                let before = test.individual.actions().iter().zip(&test.outcomes).take(place);
                before.into_iter().any(|((_, action), outcome)| {
                    sent(&outcome.request(problem, action)).any(|other| other == name)
                })
            };
            sent(&request).any(|name| self.names.contains(&name) && !told(&name) && !chosen(&name))
        })
    }
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

/// What may be a name in a request: segments of its path, values of its query, and texts of its body.
fn sent(request: &HttpRequest) -> impl Iterator<Item = String> {
    let decoded =
        |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let path = request.path.path().split('/').filter(|segment| !segment.is_empty());
    let query = request.path.query().unwrap_or_default().split('&');
    let query = query.filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
    let mut found: Vec<String> = path.chain(query).map(decoded).collect();
    let body = String::from_utf8_lossy(&request.body);
    if let Ok(body) = serde_json::from_str::<Value>(&body) {
        texts(&body, &mut found);
    }
    found.into_iter()
}

/// The texts of a body; of a document also those that it quotes.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains('{') => {
            found.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
        }
        Value::String(text) => found.push(text.clone()),
        Value::Array(elements) => elements.iter().for_each(|element| texts(element, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_name_things_and_requests_use_names() {
        let mut found = Vec::new();
        named(
            &json!([{ "id": 7, "flow_id": "f1", "size": 3, "n": { "name": "x" } }]),
            "",
            0,
            &mut found,
        );
        found.sort();
        assert_eq!(found, ["7", "f1", "x"]);
        let request = HttpRequest {
            method: http::Method::POST,
            path: "/a%20b/7?of=f1&n".parse().unwrap(),
            headers: http::HeaderMap::new(),
            body: json!({ "query": "{ a(id: \"9\") { b } }", "other": ["t"] }).to_string().into(),
        };
        let mut sent: Vec<String> = sent(&request).collect();
        sent.sort();
        assert_eq!(sent, ["7", "9", "a b", "f1", "t"]);
    }
}
