//! Grading of errors: which of them are the service's fault.
//!
//! GraphQL does not tell faults of the user from faults of the service, so the evidence decides:
//! codes first, then what the message says. An error without any evidence is no fault.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::cause::{self, Cause};
use super::position::coordinate;
use super::{Case, database, fault, leak};
use crate::echo::without_echo;
use crate::graphql::answer::Answer;
use crate::graphql::response::{ResponseData, ResponseError};
use crate::graphql::subscription::EVENTS;
use crate::http::HttpResponse;
use crate::oracle::Fault;
use crate::telling::{message_of, normalised};
use crate::trace::has_trace;

/// Codes by which servers say that they failed, without case and separators.
const SERVER_CODES: [&str; 7] = [
    "INTERNALSERVERERROR",
    "INTERNALERROR",
    "INTERNAL",
    "DATAFETCHINGEXCEPTION",
    "EXECUTIONABORTED",
    "DOWNSTREAMSERVICEERROR",
    "UNHANDLED",
];

/// What validators say of a document that they refuse.
static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)cannot query field|unknown (field|argument|type|directive|fragment)|undefined field|field .* (doesn't|does not) exist|fields .* conflict|syntax error|must have a selection";
    Regex::new(pattern).expect("the pattern is valid")
});

/// What limits on documents say.
static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b(limit|depth|complex|complexity|cost|too (many|deep|large|long|expensive)|exceed\w*|maximum|alias\w*|recursion)\b";
    Regex::new(pattern).expect("the pattern is valid")
});

pub(super) fn judge(
    case: &Case<'_>,
    response: &HttpResponse,
    answer: &Answer,
    faults: &mut Vec<Fault>,
) {
    if response.status >= 500 {
        // Whatever the body is: a trace in it is one, where it was not asked for.
        let text = match (&answer.response, &answer.body) {
            (Ok(_), Some(Value::Object(members))) => {
                let beside =
                    members.iter().filter(|(name, _)| !["data", "errors"].contains(&&***name));
                beside.map(|(_, member)| text_of(member)).collect::<Vec<_>>().join("\n")
            }
            _ => response.body.clone(),
        };
        told_inside(&without_echo(&case.action.gene, &text), "body", faults);
    }
    let Ok(top) = &answer.response else { return };
    for (index, error) in top.errors.iter().enumerate() {
        let pointer = format!("/errors/{index}");
        let entry = answer.body.as_ref().and_then(|body| body.pointer(&pointer));
        if entry.is_some_and(|entry| !is_well_formed(entry)) {
            faults.push(fault(976, "a malformed entry of errors"));
        }
        let before = faults.len();
        grade(case, error, entry, faults);
        // A failure that is told says the same of its entry.
        let is_told = faults[before..].iter().any(|fault| fault.code == 970);
        if !is_told
            && top.data == ResponseData::Present
            && error.path.is_empty()
            && case.action.form.has_shape()
        {
            faults.push(fault(977, "an execution error without path"));
        }
    }
    let is_rejected = top.data != ResponseData::Present
        && !top.errors.is_empty()
        && top.errors.iter().all(|error| error.path.is_empty());
    if is_rejected && case.action.form.is_valid() {
        faults.extend(top.errors.iter().find_map(|error| rejection(case, error)));
    }
}

/// Faults that one entry of `errors` shows: one for each cause.
fn grade(case: &Case<'_>, error: &ResponseError, entry: Option<&Value>, faults: &mut Vec<Fault>) {
    let message = without_echo(&case.action.gene, &error.message);
    let place = if error.path.is_empty() { "request" } else { &error.path };
    let code: String = error.code.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_server = SERVER_CODES.contains(&&*code.to_ascii_uppercase());
    // A message may be kind, with the trace beside it, mostly in `extensions`.
    let beside = entry.and_then(Value::as_object).into_iter().flatten();
    let beside = beside.filter(|(name, _)| *name != "message" && *name != "path");
    let beside: Vec<String> = beside.map(|(_, member)| text_of(member)).collect();
    let beside = without_echo(&case.action.gene, &beside.join("\n"));
    if cause::is_null_inside(&message) {
        if is_unopened(case, error) {
            return;
        }
        let position = coordinate(case.schema, case.selections, &error.path);
        let place = position.as_deref().unwrap_or(place);
        faults.push(fault(971, format!("{place}: null at a non-null position")));
    } else {
        let is_failure = match cause::of(&message, !error.path.is_empty()) {
            Cause::Failure => true,
            Cause::Refusal => false,
            Cause::Unknown => {
                is_server
                    || leak::gave_up(&message)
                    || has_trace(&message)
                    || case.is_query && database::is_named(&message)
            }
        };
        if is_failure {
            let told = message_of(&message).unwrap_or_else(|| normalised(&message));
            faults.push(fault(970, format!("{place}: {told}")));
            // What it tells of the inside is the same failure once more; a trace is a leak besides.
            if has_trace(&format!("{message}\n{beside}")) {
                faults.push(fault(209, format!("{place}: a stack trace")));
            }
            return;
        }
    }
    told_inside(&format!("{message}\n{beside}"), place, faults);
}

/// Whether an error is that a stream was asked for where there are none: not the data is wrong.
fn is_unopened(case: &Case<'_>, error: &ResponseError) -> bool {
    let is_root = error.path.trim_matches('/').split('/').count() <= 1;
    let response = case.outcome.response.as_ref();
    is_root && case.is_stream && response.is_ok_and(|response| response.content_type != EVENTS)
}

/// Faults 209 and 985: a stack trace, or words of the inside.
fn told_inside(text: &str, place: &str, faults: &mut Vec<Fault>) {
    if has_trace(text) {
        faults.push(fault(209, format!("{place}: a stack trace")));
    } else if let Some(words) = leak::internal(text) {
        faults.push(fault(985, format!("{place}: {}", normalised(words))));
    }
}

/// Fault 978: a valid document was refused as invalid.
fn rejection(case: &Case<'_>, error: &ResponseError) -> Option<Fault> {
    let code = error.code.to_ascii_uppercase();
    // What others may ask for is another schema than the one that this is judged by.
    if case.has_other_schema || LIMIT.is_match(&error.message) || code.contains("LIMIT") {
        return None;
    }
    let is_validation = code.contains("VALIDATION") || code.contains("PARSE_FAILED");
    let is_refusal = REFUSAL.is_match(&error.message);
    // What is a value of a custom scalar is known to the service alone.
    let is_fault = is_refusal || (is_validation && !case.has_guess);
    is_fault.then(|| fault(978, normalised(&error.message)))
}

/// All texts of a JSON value, one a line.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(elements) => elements.iter().map(text_of).collect::<Vec<_>>().join("\n    "),
        Value::Object(fields) => fields.values().map(text_of).collect::<Vec<_>>().join("\n"),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn is_well_formed(entry: &Value) -> bool {
    let is_natural =
        |value: Option<&Value>| value.and_then(Value::as_u64).is_some_and(|it| it >= 1);
    let is_location =
        |location: &Value| is_natural(location.get("line")) && is_natural(location.get("column"));
    let is_step = |step: &Value| step.is_string() || step.as_u64().is_some();
    let all = |name: &str, fits: &dyn Fn(&Value) -> bool| match entry.get(name) {
        None | Some(Value::Null) => true,
        Some(value) => value.as_array().is_some_and(|list| list.iter().all(fits)),
    };
    entry.get("message").is_some_and(Value::is_string)
        && all("locations", &is_location)
        && all("path", &is_step)
        && entry.get("extensions").is_none_or(|it| it.is_object() || it.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::{GeneSettings, simplest};

    use super::*;
    use crate::graphql::action::GraphqlAction;
    use crate::graphql::schema::{OperationKind, Schema};
    use crate::graphql::template::Templates;
    use crate::http::HttpOutcome;

    /// What the answer to the simplest call of an operation shows.
    fn judged(sdl: &str, place: usize, (status, body): (u16, &Value)) -> Vec<Fault> {
        let templates = Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap();
        let operation = &templates.operations()[place];
        let gene = simplest(&operation.spec, &GeneSettings::default());
        let response = HttpResponse { status, body: body.to_string(), ..HttpResponse::default() };
        let outcome = HttpOutcome::new(Ok(response.clone()));
        let action = GraphqlAction::new(operation.id, gene);
        let selections = [templates.called_field(operation, &action.gene)];
        let case = Case {
            schema: templates.schema(),
            action: &action,
            selections: &selections,
            outcome: &outcome,
            has_guess: false,
            has_other_schema: false,
            is_query: operation.kind == OperationKind::Query,
            is_stream: operation.kind == OperationKind::Subscription,
        };
        let answer = Answer::of(&outcome, action.form, None).unwrap();
        let mut faults = Vec::new();
        judge(&case, &response, &answer, &mut faults);
        faults
    }

    #[test]
    fn nulls_at_one_position_are_one_fault_whatever_leads_there() {
        let sdl = "type Query { user: User users: [User] } type User { name: String! }
            type Subscription { ticks: Int! }";
        let null = |name: &str, path: Value| {
            let message = format!("Cannot return null for non-nullable field {name}.");
            json!({ "data": null, "errors": [{ "message": message, "path": path }] })
        };
        let expected = [fault(971, "User.name: null at a non-null position")];
        let judged = |place: usize, body: Value| judged(sdl, place, (200, &body));
        assert_eq!(judged(0, null("User.name", json!(["user", "name"]))), expected);
        assert_eq!(judged(1, null("User.name", json!(["users", 3, "name"]))), expected);
        let unopened = null("Subscription.ticks", json!(["ticks"]));
        assert_eq!(judged(2, unopened), [], "there was no stream");
    }

    #[test]
    fn a_trace_that_was_asked_for_is_no_leak() {
        let sdl = "type Query { run: Run } type Run { stack: String }";
        let trace = "Traceback (most recent call last):\n  File \"a.py\", line 3, in run";
        let asked = json!({ "data": { "run": { "stack": trace } },
            "errors": [{ "message": "no such run", "path": ["run"] }] });
        assert_eq!(judged(sdl, 0, (500, &asked)), []);
        let mut beside = asked.clone();
        beside["errors"][0]["stack"] = json!(trace);
        assert_eq!(judged(sdl, 0, (500, &beside)), [fault(209, "/run: a stack trace")]);
        let mut above = asked;
        above["debug"] = json!(trace);
        assert_eq!(judged(sdl, 0, (500, &above)), [fault(209, "body: a stack trace")]);
        let page = json!(trace);
        assert_eq!(judged(sdl, 0, (500, &page)), [fault(209, "body: a stack trace")]);
    }

    #[test]
    fn entries_keep_to_their_shape() {
        let fine =
            json!({"message": "m", "path": ["a", 0], "locations": [{"line": 1, "column": 2}]});
        assert!(is_well_formed(&fine));
        for wrong in [
            json!({}),
            json!("m"),
            json!({"message": 1}),
            json!({"message": "m", "path": [-1]}),
            json!({"message": "m", "path": "a"}),
            json!({"message": "m", "locations": [{"line": 0, "column": 1}]}),
            json!({"message": "m", "extensions": []}),
        ] {
            assert!(!is_well_formed(&wrong), "{wrong}");
        }
    }
}
