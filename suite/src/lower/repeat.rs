//! What running a test again showed: parts of answers that differ, and expectations that did not
//! hold every time.
//!
//! The engine runs every test of a solution again, in another order each time. What did not come
//! every time is not expected of the next run either.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wallace_problems::{CallFailure, HttpOutcome, HttpResponse, child_pointer};

use crate::check::Captured;
use crate::expectation::Expectation;
use crate::lower::derivation::{RecordedBody, RecordedResponse, Volatility};
use crate::test_case::{Step, TestCase};

/// The body of a response as JSON, if it is.
pub(crate) fn json(response: &HttpResponse) -> Option<Value> {
    serde_json::from_str(&response.body).ok()
}

/// A response with its body as expectations look at it.
pub(crate) fn recorded<'a>(
    response: &'a HttpResponse,
    json: Option<&'a Value>,
) -> RecordedResponse<'a> {
    let body = match json {
        _ if response.body.is_empty() => RecordedBody::Empty,
        Some(json) => RecordedBody::Json(json),
        None => RecordedBody::Text(&response.body),
    };
    let content_type = Some(response.content_type.as_str()).filter(|text| !text.is_empty());
    let (status, headers) = (response.told_status(), &response.headers);
    RecordedResponse { status, content_type, headers, body }
}

/// The parts of the answer at a place that were others when the test ran again.
pub(crate) fn volatile_parts(
    response: &HttpResponse,
    repeats: &[Vec<HttpOutcome>],
    place: usize,
) -> BTreeMap<String, Volatility> {
    let mut parts = BTreeMap::new();
    let Some(first) = json(response) else { return parts };
    for again in repeats.iter().filter_map(|run| run.get(place)?.response.as_ref().ok()) {
        if let Some(again) = json(again) {
            compare_answers(&first, &again, &mut parts);
        }
    }
    parts
}

/// Adds the parts that two answers to the same request tell otherwise. Of answers with results only the
/// results are compared: whether there is an error is expected, or was not reproduced, as a whole.
pub(super) fn compare_answers(
    one: &Value,
    other: &Value,
    parts: &mut BTreeMap<String, Volatility>,
) {
    let has_results = |answer: &Value| {
        let names = answer.as_object().map(|members| members.keys().map(String::as_str));
        names
            .is_some_and(|mut names| names.all(|it| ["data", "errors", "extensions"].contains(&it)))
    };
    if !has_results(one) || !has_results(other) {
        return compare(one, other, "", parts);
    }
    for name in ["data", "errors"] {
        let told = one.get(name).zip(other.get(name));
        if let Some((one, other)) = told.filter(|(one, other)| !one.is_null() && !other.is_null()) {
            compare(one, other, &format!("/{name}"), parts);
        }
    }
}

/// Adds the parts that two values tell otherwise.
fn compare(one: &Value, other: &Value, pointer: &str, parts: &mut BTreeMap<String, Volatility>) {
    let mut note = |volatility: Volatility| {
        let known = parts.entry(pointer.to_owned()).or_insert(volatility);
        *known = volatility.max(*known);
    };
    match (one, other) {
        (Value::Object(fields), Value::Object(others)) => {
            let keys: BTreeSet<&String> = fields.keys().collect();
            if keys != others.keys().collect() {
                return note(Volatility::Value);
            }
            for (key, value) in fields {
                compare(value, &others[key], &child_pointer(pointer, key), parts);
            }
        }
        (Value::Array(elements), Value::Array(others)) => {
            if elements.len() != others.len() || is_reordered(elements, others) {
                return note(Volatility::Value);
            }
            for (index, (value, other)) in elements.iter().zip(others).enumerate() {
                compare(value, other, &child_pointer(pointer, &index.to_string()), parts);
            }
        }
        _ if one == other => {}
        _ if std::mem::discriminant(one) == std::mem::discriminant(other) => {
            note(Volatility::Value);
        }
        _ => note(Volatility::Kind),
    }
}

/// Whether both lists hold the same in another order.
fn is_reordered(one: &[Value], other: &[Value]) -> bool {
    let texts = |values: &[Value]| {
        let mut texts: Vec<String> = values.iter().map(Value::to_string).collect();
        texts.sort_unstable();
        texts
    };
    one != other && texts(one) == texts(other)
}

/// Takes out what did not hold in every further run of the test.
pub(crate) fn keep_reproduced(test: &mut TestCase, repeats: &[Vec<HttpOutcome>]) {
    for run in repeats {
        let mut captured = Captured::new();
        for (step, outcome) in test.steps.iter_mut().zip(run) {
            let Ok(response) = &outcome.response else {
                // Where it is another failure, the service may be gone.
                if outcome.response != Err(CallFailure::Dropped) {
                    step.expectations.retain(|expected| *expected != Expectation::NoAnswer);
                }
                break;
            };
            let json = json(response);
            let recorded = recorded(response, json.as_ref());
            step.expectations
                .retain(|expected| expected.differences(&recorded, &captured).is_empty());
            capture(step, (response, json.as_ref()), &mut captured);
        }
    }
}

/// Keeps what a step captures of an answer, which comes with its body as JSON.
pub(crate) fn capture(
    step: &Step,
    (answer, body): (&HttpResponse, Option<&Value>),
    captured: &mut Captured,
) {
    for capture in &step.captures {
        if let Some(value) = capture.place.value(answer, body) {
            captured.insert(capture.variable.clone(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use wallace_problems::AnswerPlace;

    use super::*;
    use crate::expectation::Shape;
    use crate::request::Request;
    use crate::test_case::{Capture, TestKind};

    fn response(body: &Value) -> HttpResponse {
        HttpResponse { status: 200, body: body.to_string(), ..HttpResponse::default() }
    }

    fn outcome(body: &Value) -> HttpOutcome {
        HttpOutcome::new(Ok(response(body)))
    }

    #[test]
    fn parts_that_differ_are_found() {
        let first = json!({ "same": 1, "time": 5, "kind": 1, "list": [1, 2], "more": [1],
            "deep": [{ "id": "a", "x": 0 }], "keys": { "a": 1 } });
        let again = json!({ "same": 1, "time": 6, "kind": "1", "list": [2, 1], "more": [1, 2],
            "deep": [{ "id": "b", "x": 0 }], "keys": { "b": 1 } });
        let repeats = [vec![outcome(&first)], vec![outcome(&again)]];
        let parts = volatile_parts(&response(&first), &repeats, 0);
        let expected = [
            ("/deep/0/id", Volatility::Value),
            ("/keys", Volatility::Value),
            ("/kind", Volatility::Kind),
            ("/list", Volatility::Value),
            ("/more", Volatility::Value),
            ("/time", Volatility::Value),
        ];
        let expected = expected.map(|(pointer, volatility)| (pointer.to_owned(), volatility));
        assert_eq!(parts, BTreeMap::from(expected));
        assert!(volatile_parts(&response(&first), &repeats[..1], 0).is_empty());
    }

    #[test]
    fn only_what_holds_every_time_is_kept() {
        let captured = Shape::Captured("id".to_owned());
        let step = |captures, expectations| Step {
            operation: "Query.x".to_owned(),
            request: Request::graphql("/graphql", "{ x }"),
            captures,
            expectations,
        };
        let capture =
            Capture { variable: "id".to_owned(), place: AnswerPlace::Body("/id".to_owned()) };
        let same = Expectation::Json { pointer: "/id".to_owned(), shape: captured };
        let fixed = Expectation::json_equals("/at", &json!(1));
        let mut test = TestCase {
            name: String::new(),
            purpose: Vec::new(),
            kind: TestKind::Regression,
            faults: Vec::new(),
            steps: vec![
                step(vec![capture], Vec::new()),
                step(Vec::new(), vec![same.clone(), fixed]),
            ],
        };
        let run =
            |id, at| vec![outcome(&json!({ "id": id })), outcome(&json!({ "id": id, "at": at }))];
        keep_reproduced(&mut test, &[run(1, 1), run(2, 1)]);
        assert_eq!(test.steps[1].expectations.len(), 2);
        keep_reproduced(&mut test, &[run(3, 2)]);
        assert_eq!(test.steps[1].expectations, [same]);
    }

    #[test]
    fn that_nothing_comes_back_holds_while_the_service_is_there() {
        let expects = |again: Result<HttpResponse, CallFailure>| {
            let mut test = TestCase {
                name: String::new(),
                purpose: Vec::new(),
                kind: TestKind::Fault,
                faults: Vec::new(),
                steps: vec![Step {
                    operation: "GET:/x".to_owned(),
                    request: Request::graphql("/graphql", "{ x }"),
                    captures: Vec::new(),
                    expectations: vec![Expectation::NoAnswer],
                }],
            };
            keep_reproduced(&mut test, &[vec![HttpOutcome::new(again)]]);
            test.steps[0].expects_no_answer()
        };
        assert!(expects(Err(CallFailure::Dropped)));
        assert!(!expects(Err(CallFailure::Refused)));
        assert!(!expects(Ok(response(&json!({})))));
    }
}
