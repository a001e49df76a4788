//! The tests of a run against another version of the service: what is answered differently there.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Instant;

use serde_json::Value;
use wallace_engine::{Evaluator, Problem, Solution, Wanted};
use wallace_problems::{HttpEvaluator, HttpOutcome};

use crate::ledger::{Ledger, Purpose};
use crate::service_family::ServiceFamily;

/// Deepest parts of answers that are compared.
const MOST_LEVELS: usize = 20;
/// Most differences that are told.
const MOST: usize = 1_000;

/// An answer of another version of the service that differs from that of the tested one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The operation.
    pub operation: String,
    /// What differs, the tested version first.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.operation, self.what)
    }
}

/// Runs the tests of a solution against another version. Of each test, only the first answer that
/// differs counts: those behind it suffer from it. Values are not compared, since they depend on
/// what either version holds: statuses, media types, members and their kinds are.
pub(crate) fn compare<P: ServiceFamily>(
    problem: &P,
    solution: &Solution<<P as Problem>::Action>,
    other: &mut HttpEvaluator<P>,
    ledger: &mut Ledger,
) -> BTreeSet<Difference> {
    let names = problem.operations();
    let mut found = BTreeSet::new();
    for test in &solution.tests {
        let individual = &test.evaluated.individual;
        let begin = Instant::now();
        let Ok(answered) = other.evaluate(individual, &Wanted::Everything) else { continue };
        ledger.book::<P>(Purpose::Compare, individual, &answered.outcomes, begin.elapsed());
        for (place, outcome) in test.evaluated.outcomes.iter().enumerate() {
            let Some(there) = answered.outcomes.get(place) else { break };
            let repeats = test.repeats.iter().filter_map(|repeat| repeat.get(place));
            let here: Vec<Shape> = std::iter::once(outcome).chain(repeats).map(Shape::of).collect();
            let Some(what) = difference(&here, &Shape::of(there)) else { continue };
            let template = wallace_engine::Action::template(&*individual.actions()[place].1);
            let operation = names.get(template.0 as usize).cloned().unwrap_or_default();
            found.insert(Difference { operation, what });
            break;
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// What of an answer is compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Shape {
    status: String,
    media_type: String,
    /// JSON pointers with the kinds of what they lead to; elements of lists are alike.
    parts: BTreeSet<String>,
}

impl Shape {
    fn of(outcome: &HttpOutcome) -> Self {
        match &outcome.response {
            Err(failure) => Self { status: failure.as_str().to_owned(), ..Self::default() },
            Ok(response) => {
                let mut parts = BTreeSet::new();
                if let Ok(body) = serde_json::from_str::<Value>(&response.body) {
                    collect(&body, &mut String::new(), 0, &mut parts);
                }
                let (status, media_type) = (response.status.to_string(), response.media_type());
                Self { status, media_type, parts }
            }
        }
    }
}

fn collect(value: &Value, pointer: &mut String, level: usize, parts: &mut BTreeSet<String>) {
    let kind = match value {
        // Whether something is there at all depends on the data.
        Value::Null => "",
        Value::Bool(_) => "truth value",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    };
    parts.insert(format!("{pointer} {kind}"));
    if level == MOST_LEVELS {
        return;
    }
    let length = pointer.len();
    match value {
        Value::Object(members) => {
            for (name, part) in members {
                pointer.push('/');
                pointer.push_str(name);
                collect(part, pointer, level + 1, parts);
                pointer.truncate(length);
            }
        }
        Value::Array(elements) => {
            pointer.push_str("/*");
            elements.iter().for_each(|part| collect(part, pointer, level + 1, parts));
            pointer.truncate(length);
        }
        _ => {}
    }
}

/// What differs between an answer and those that the tested version gave to the same call.
fn difference(here: &[Shape], there: &Shape) -> Option<String> {
    let first = here.first()?;
    if !here.iter().any(|shape| shape.status == there.status) {
        return Some(format!("status {}, there {}", first.status, there.status));
    }
    if !here.iter().any(|shape| shape.media_type == there.media_type) {
        return Some(format!("media type {:?}, there {:?}", first.media_type, there.media_type));
    }
    let is_below_list = |part: &&String| part.contains("/*");
    // What hangs on a list that may be empty is not missing where it is.
    let always = first.parts.iter().filter(|part| {
        !is_below_list(part) && here.iter().all(|shape| shape.parts.contains(*part))
    });
    let is_null_there =
        |part: &str| there.parts.contains(&format!("{} ", part.split(' ').next().unwrap_or("")));
    let mut missing = always.filter(|part| !there.parts.contains(*part) && !is_null_there(part));
    if let Some(part) = missing.next() {
        return Some(format!("{part:?} is missing there"));
    }
    let is_new = |part: &&String| {
        let name = part.split(' ').next().unwrap_or_default();
        let is_known = |known: &String| known.split(' ').next() == Some(name);
        !is_below_list(part) && !here.iter().any(|shape| shape.parts.iter().any(is_known))
    };
    let new = there.parts.iter().find(is_new)?;
    Some(format!("{new:?} is new there"))
}

#[cfg(test)]
mod tests {
    use wallace_problems::HttpResponse;

    use super::*;

    fn shape(status: u16, body: &str) -> Shape {
        let content_type = "application/json".to_owned();
        let body = body.to_owned();
        let response = HttpResponse { status, content_type, body, ..HttpResponse::default() };
        Shape::of(&HttpOutcome::new(Ok(response)))
    }

    #[test]
    fn shapes_differ_and_values_do_not() {
        let here = [shape(200, r#"{"a":1,"l":[{"x":1}]}"#)];
        let there = |status, body| difference(&here, &shape(status, body));
        assert_eq!(there(200, r#"{"a":2,"l":[]}"#), None);
        assert_eq!(there(200, r#"{"a":null,"l":[]}"#), None);
        assert_eq!(there(404, "{}").as_deref(), Some("status 200, there 404"));
        assert_eq!(there(200, r#"{"l":[]}"#).as_deref(), Some(r#""/a number" is missing there"#));
        assert_eq!(
            there(200, r#"{"a":"1","l":[]}"#).as_deref(),
            Some(r#""/a number" is missing there"#)
        );
        assert_eq!(
            there(200, r#"{"a":1,"b":1,"l":[]}"#).as_deref(),
            Some(r#""/b number" is new there"#)
        );
        // What differs from run to run says nothing.
        let unsteady = [shape(200, "{}"), shape(500, "{}")];
        assert_eq!(difference(&unsteady, &shape(500, "{}")), None);
    }
}
