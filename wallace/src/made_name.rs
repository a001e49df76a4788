//! Names that only this run knows: what tests leave behind in a service that is not reset.
//!
//! A test that asks for thing 25 passes as long as the thing is there that another test made, and fails
//! on a fresh start. So what answers name after the run began to change things is remembered, and a
//! test that uses such a name without an answer of its own that tells it is not written.

use std::collections::BTreeSet;

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Evaluated, Problem};
use wallace_problems::{HttpProblem, HttpRequest};
use wallace_suite::TestCase;

use crate::face::Face;
use crate::made_thing::{Called, MadeThings};

/// Most names that are remembered.
const MOST_NAMES: usize = 50_000;
/// Longest answer that is looked at, in bytes.
const LONGEST_ANSWER: usize = 256 << 10;
/// Deepest part of an answer that is looked at.
const MOST_DEPTH: usize = 8;
/// Members that name things; also what ends in one of the first three.
const NAMES: [&str; 6] = ["id", "uuid", "key", "name", "code", "slug"];

/// How a test leans on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// It says a name that was first told after something was changed: it may have been there before.
    Perhaps,
    /// It is about what others made or took away.
    Surely,
}

/// What a service was seen to name since something was changed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MadeNames {
    has_changed: bool,
    names: BTreeSet<String>,
    /// What calls that changed something said of what they made, in lower case: names that differ in
    /// case alone are one to many services.
    chosen: BTreeSet<String>,
    /// Those that were there before.
    old: BTreeSet<String>,
    #[serde(default)]
    things: MadeThings,
}

impl MadeNames {
    /// Looks at the answers of a test.
    pub(crate) fn learn<P: Face>(&mut self, problem: &P, test: &Evaluated<<P as Problem>::Action>) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { continue };
            let went_well = problem.went_well(outcome) || failed_below(&response.body);
            let is_change = went_well && !HttpProblem::is_read(problem, &**action);
            self.has_changed |= is_change;
            let request = is_change.then(|| outcome.request(problem, action));
            if let Some(request) = &request
                && self.chosen.len() < MOST_NAMES
            {
                // What an answer named before was there: it is changed, and not made.
                let is_new = |name: &String| !self.names.contains(name) && !self.old.contains(name);
                let chosen = in_body(request).into_iter().filter(is_new);
                self.chosen.extend(chosen.map(|name| name.to_lowercase()));
            }
            let is_open = self.names.len() + self.old.len() < MOST_NAMES;
            if !went_well || response.body.len() > LONGEST_ANSWER || !(is_open || is_change) {
                continue;
            }
            let body = serde_json::from_str::<Value>(&response.body);
            if let Some(request) = &request {
                let evaluation = test.evaluation;
                let sent = outcome.sent(&**action);
                let call = Called { action: &*sent, request, went_well, evaluation };
                self.things.learn(problem, &call, body.as_ref().ok());
            } else if let Ok(body) = &body {
                self.things.learn_told(problem, action, body, test.evaluation);
            }
            if let Ok(body) = body
                && is_open
            {
                let mut found = Vec::new();
                named(&body, "", 0, &mut found);
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

    /// Whether some call changed something.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether a call names what was there before the run, and what the run took away.
    pub(crate) fn has_taken<P: Face>(
        &self,
        problem: &P,
        action: &<P as Problem>::Action,
        request: &HttpRequest,
    ) -> bool {
        self.things.has_taken(problem, action, request)
    }

    /// Whether a test uses a name that none of its own calls made or chose before: in a request, or, as it
    /// is written, in what it expects of an answer.
    pub(crate) fn lean<P: Face>(
        &self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
        case: Option<&TestCase>,
    ) -> Option<Lean> {
        let mut lean = None;
        let mut known: BTreeSet<String> = BTreeSet::new();
        // What a first change conflicts with, others left.
        let mut has_changed = false;
        let steps = case.into_iter().flat_map(|case| &case.steps);
        let mut steps = steps.filter(|step| !step.is_set_up());
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let step = steps.next();
            let request = outcome.request(problem, action);
            let is_change = !HttpProblem::is_read(problem, &**action);
            let answer = outcome.response.as_ref().map_or("", |answer| &*answer.body);
            let went_well = problem.went_well(outcome);
            let has_effect = is_change && (went_well || failed_below(answer));
            // Whoever is known on a fresh start had lost the login by then.
            if problem.caller(action).is_some() && problem.is_unknown(outcome) {
                lean = Some(Lean::Perhaps);
            }
            let evaluation = test.evaluation;
            let sent = outcome.sent(&**action);
            let call = Called { action: &*sent, request: &request, went_well, evaluation };
            if names_state(&request)
                || outcome.status() == Some(409) && !has_changed
                || !is_change
                    && !has_changed
                    && fails_in_list(answer)
                    && self.things.has_made(problem, action)
                || self.things.are_used_by(problem, &call, &known)
            {
                return Some(Lean::Surely);
            }
            has_changed |= has_effect;
            let texts = in_body(&request);
            // What a call that makes things says of them, it chooses; unless another chose it before.
            let named = problem.touch(action, &request).map_or_else(Vec::new, |touch| touch.ids);
            let is_foreign = |name: &String| match (is_change, self.has_chosen(name)) {
                (true, true) => !went_well || named.contains(name),
                _ => self.names.contains(name),
            };
            let in_address = in_address(&request);
            let in_address = in_address.iter().filter(|name| self.names.contains(*name));
            let mut used = in_address.chain(texts.iter().filter(|name| is_foreign(name)));
            if used.any(|name| !known.contains(name)) {
                lean = Some(Lean::Perhaps);
            }
            known.extend(texts);
            if has_effect {
                known.extend(problem.named_things(&sent).into_iter().map(|(_, id)| id));
            }
            if is_change && let Ok(answer) = &outcome.response {
                let location = answer.header("location").unwrap_or_default().split('/');
                known.extend(location.map(str::to_owned));
                known.extend(told(&answer.body));
            }
            let mut expected = Vec::new();
            if let Some(step) = step
                && let Ok(value) = serde_json::to_value(&step.expectations)
            {
                self::texts(&value, &mut expected);
            }
            let mut expected = expected.iter().filter(|it| self.names.contains(*it));
            if expected.any(|name| !known.contains(name)) {
                lean = Some(Lean::Perhaps);
            }
        }
        lean
    }
}

/// Whether an answer in the form of GraphQL tells of errors inside of what was done or found alone: the
/// call took effect.
fn failed_below(body: &str) -> bool {
    let paths = error_paths(body);
    !paths.is_empty() && paths.iter().all(|path| path.len() >= 2)
}

/// Whether an answer in the form of GraphQL tells of an error in an element of a list.
fn fails_in_list(body: &str) -> bool {
    error_paths(body).iter().flatten().any(Value::is_number)
}

/// Where the errors of an answer in the form of GraphQL stand.
fn error_paths(body: &str) -> Vec<Vec<Value>> {
    if !body.contains("\"errors\"") {
        return Vec::new();
    }
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.map(|error| error["path"].as_array().cloned().unwrap_or_default()).collect()
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

/// Whether a request names a state of a thing by its tag or time, which a fresh start gives anew.
fn names_state(request: &HttpRequest) -> bool {
    let conditions = [IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE];
    let mut values = conditions.iter().filter_map(|name| request.headers.get(name));
    values.any(|value| value != "*")
}

/// What may be a name in the address of a request: segments of its path, and values of its query that
/// are no plain numbers, as limits are.
fn in_address(request: &HttpRequest) -> Vec<String> {
    let decoded =
        |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let path = request.path.path().split('/').filter(|segment| !segment.is_empty());
    let query = request.path.query().unwrap_or_default().split('&');
    let query = query.filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
    path.chain(query.filter(|value| value.parse::<f64>().is_err())).map(decoded).collect()
}

/// What may be a name in the body of a request: its texts.
fn in_body(request: &HttpRequest) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(body) = serde_json::from_slice::<Value>(&request.body) {
        texts(&body, &mut found);
    }
    found
}

/// What an answer tells that may be a name: its texts and numbers.
fn told(body: &str) -> Vec<String> {
    fn scalars(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Number(number) => found.push(number.to_string()),
            Value::Array(elements) => elements.iter().for_each(|element| scalars(element, found)),
            Value::Object(members) => members.values().for_each(|member| scalars(member, found)),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut found = Vec::new();
    match serde_json::from_str(body) {
        Ok(value) => scalars(&value, &mut found),
        // A name alone.
        Err(_) => found.push(body.trim().to_owned()),
    }
    found
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
    fn a_tag_names_a_state_and_any_tag_does_not() {
        let request = |value: &'static str| HttpRequest {
            method: http::Method::GET,
            path: "/".parse().unwrap(),
            headers: [(IF_NONE_MATCH, value.parse().unwrap())].into_iter().collect(),
            body: "".into(),
        };
        assert!(names_state(&request("\"17\"")) && !names_state(&request("*")));
    }

    #[test]
    fn what_an_answer_tells_is_known_whole() {
        assert_eq!(told(r#"{"at":"2026-11-24","of":[25]}"#), ["2026-11-24", "25"]);
        assert_eq!(told("abc\n"), ["abc"]);
    }

    #[test]
    fn an_error_stands_at_the_call_or_below_it_or_in_a_list() {
        let answer = |paths: Value| {
            let errors: Vec<Value> =
                paths.as_array().unwrap().iter().map(|path| json!({ "path": path })).collect();
            json!({ "errors": errors, "data": null }).to_string()
        };
        let (call, below) = (json!(["make"]), json!(["make", "name"]));
        assert!(failed_below(&answer(json!([below]))));
        assert!(!failed_below(&answer(json!([below, call]))));
        assert!(!failed_below(&answer(json!([]))) && !failed_below("{\"data\":1}"));
        assert!(fails_in_list(&answer(json!([["things", 3, "name"]]))));
        assert!(!fails_in_list(&answer(json!([below]))));
    }

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
            path: "/a%20b/7?of=f1&n&limit=3".parse().unwrap(),
            headers: http::HeaderMap::new(),
            body: json!({ "query": "{ a(id: \"9\") { b } }", "other": ["t"] }).to_string().into(),
        };
        assert_eq!(in_address(&request), ["a b", "7", "f1"]);
        let mut texts = in_body(&request);
        texts.sort();
        assert_eq!(texts, ["9", "t"]);
    }
}
