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
use crate::http::HttpResponse;
use crate::oracle::Fault;
use crate::telling::normalised;
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
        // Whatever the body is: a trace in it is one.
        told_inside(&without_echo(&case.action.gene, &response.body), "body", faults);
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
    // A message may be kind, with the trace beside it.
    let extensions = entry.and_then(|entry| entry.get("extensions"));
    let extensions =
        extensions.map(|it| without_echo(&case.action.gene, &text_of(it))).unwrap_or_default();
    if cause::is_null_inside(&message) {
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
            faults.push(fault(970, format!("{place}: {}", normalised(&message))));
            // What it tells of the inside is the same failure once more; a trace is a leak besides.
            if has_trace(&format!("{message}\n{extensions}")) {
                faults.push(fault(209, format!("{place}: a stack trace")));
            }
            return;
        }
    }
    told_inside(&format!("{message}\n{extensions}"), place, faults);
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
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::HttpOutcome;

    #[test]
    fn nulls_at_one_position_are_one_fault_whatever_leads_there() {
        let sdl = "type Query { user: User users: [User] } type User { name: String! }";
        let templates = Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap();
        let judged = |place: usize, path: Value| {
            let operation = &templates.operations()[place];
            let gene = simplest(&operation.spec, &GeneSettings::default());
            let message = "Cannot return null for non-nullable field User.name.";
            let body = json!({ "data": null, "errors": [{ "message": message, "path": path }] });
            let body = body.to_string();
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
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
                is_query: true,
            };
            let answer = Answer::of(&outcome, action.form, None).unwrap();
            let mut faults = Vec::new();
            judge(&case, &response, &answer, &mut faults);
            faults
        };
        let expected = [fault(971, "User.name: null at a non-null position")];
        assert_eq!(judged(0, json!(["user", "name"])), expected);
        assert_eq!(judged(1, json!(["users", 3, "name"])), expected);
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
