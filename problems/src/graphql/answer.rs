//! Answers: the JSON of a response beside the selection that was asked for.
//!
//! [`Answer::of`] parses a response once; [`walk`] then goes through `data` and what the call selects
//! together and tells a [`Sight`] of every value: what targets, coverage, harvest and the oracle of
//! shapes have in common.

mod breach;
mod seen;
mod walk;

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::action::Form;
use super::form;
use super::response::{NotGraphql, Response, ResponseData};
use super::subscription::EVENTS;
use super::template::OperationTemplate;
use crate::http::{HttpOutcome, HttpResponse};

pub(crate) use breach::Breach;
pub(crate) use seen::Seen;
pub use walk::contradiction;
pub(crate) use walk::{Sight, walk};

/// A response, parsed.
#[derive(Debug)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// The top level, or why the body is no GraphQL response.
    pub(crate) response: Result<Response, NotGraphql>,
    /// The body as a tree; nothing when it is not JSON, or nested too deeply or too long for a tree.
    pub(crate) body: Option<Value>,
    /// What the form asked for a second time: a value of the root field, or a whole answer.
    pub(crate) again: Option<Value>,
    /// Of a stream, the events after the first one.
    pub(crate) events: Option<Vec<Value>>,
}

impl Answer {
    /// The answer of a call, as its plain form would have given it, and as if the operation were in no
    /// namespace; nothing when there was no response.
    pub(crate) fn of(
        outcome: &HttpOutcome,
        form: Form,
        operation: Option<&OperationTemplate>,
    ) -> Option<Self> {
        let response = outcome.response.as_ref().ok()?;
        if response.content_type == EVENTS {
            return Some(Self::of_events(response));
        }
        let operation = operation.filter(|_| form != Form::Introspection);
        let body = response.tree().map(|body| match operation {
            Some(operation) => form::within(body, operation),
            None => body,
        });
        let body = body.map(|body| form::plain(body, form));
        let (body, again) = body.map_or((None, None), |(body, again)| (Some(body), again));
        let mut top = match (&body, form, &again) {
            // One answer of a list.
            (Some(body), Form::Batched, Some(_)) => Response::read(body.to_string().as_bytes()),
            _ => Response::read(response.body.as_bytes()),
        };
        if let (Some(operation), Ok(top)) = (operation, &mut top) {
            form::errors_within(&mut top.errors, operation);
        }
        match (&body, form, &mut top) {
            (Some(body), Form::Twice, Ok(top)) => form::name_once(&mut top.errors, body),
            (_, Form::Aliases, Ok(top)) => form::name_plainly(&mut top.errors),
            (_, Form::Beside(_), Ok(top)) => form::leave_out_beside(top),
            _ => {}
        }
        let status = response.status;
        Some(Self { status, response: top, body, again, events: None })
    }

    fn of_events(response: &HttpResponse) -> Self {
        let mut events: Vec<Value> = serde_json::from_str(&response.body).unwrap_or_default();
        let first = if events.is_empty() { None } else { Some(events.remove(0)) };
        Self {
            status: response.status,
            response: Response::of(response),
            body: first,
            again: None,
            events: Some(events),
        }
    }

    /// One event of a stream.
    pub(crate) fn of_event(event: &Value) -> Self {
        let response = Response::read(event.to_string().as_bytes());
        Self { status: 200, response, body: Some(event.clone()), again: None, events: None }
    }

    /// Whether this is a stream on which nothing happened.
    pub(crate) fn is_silent(&self) -> bool {
        self.events.is_some() && self.body.is_none()
    }

    /// The object `data`, where there is one.
    pub(crate) fn data(&self) -> Option<&Map<String, Value>> {
        self.body.as_ref()?.get("data")?.as_object()
    }

    /// Whether there is data and no error.
    pub(crate) fn is_success(&self) -> bool {
        self.response.as_ref().is_ok_and(Response::is_success)
    }

    /// Whether `data` is there and not null.
    pub(crate) fn has_data(&self) -> bool {
        self.response.as_ref().is_ok_and(|response| response.data == ResponseData::Present)
    }

    /// Whether the root field gave a value and there is no error, not among the data either.
    pub(crate) fn gave(&self, root: &str) -> bool {
        let value = self.data().and_then(|data| data.get(root));
        self.is_success() && value.is_some_and(|it| !it.is_null() && declined(it).is_none())
    }

    /// What the service says of a call that it refused: its errors, without where they are in the
    /// request and the result, or those among the data.
    pub(crate) fn refusal(&self, root: &str) -> Option<Value> {
        let Some(errors) = self.body.as_ref()?.get("errors").and_then(Value::as_array) else {
            return declined(self.data()?.get(root)?).cloned();
        };
        let mut errors = errors.clone();
        for entry in errors.iter_mut().filter_map(Value::as_object_mut) {
            entry.retain(|name, _| !matches!(&**name, "locations" | "path"));
        }
        Some(errors.into())
    }

    /// Whether an error says that the caller may not do this.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.status, 401 | 403)
            || self.response.as_ref().is_ok_and(|response| {
                response.errors.iter().any(|error| {
                    let code = error.code.to_ascii_uppercase();
                    is_denial(&error.message)
                        || ["UNAUTHENTICATED", "FORBIDDEN", "UNAUTHORIZED", "ACCESS_DENIED"]
                            .iter()
                            .any(|refusal| code.contains(refusal))
                })
            })
    }

    /// Whether an error says that the service does not know who calls.
    pub(crate) fn is_unknown(&self) -> bool {
        // What stands before the endpoint answers in a form of its own.
        let is_told_before = || {
            let body = self.body.as_ref().filter(|_| self.status >= 400);
            let texts =
                ["error", "message", "error_description"].map(|name| body?.get(name)?.as_str());
            texts.into_iter().flatten().any(asks_for_login)
        };
        let Ok(response) = &self.response else { return self.status == 401 || is_told_before() };
        self.status == 401
            || response.errors.iter().any(|error| {
                error.code.eq_ignore_ascii_case("UNAUTHENTICATED")
                    || plain(&error.message) == "unauthorized"
                    || asks_for_login(&error.message)
            })
    }
}

/// Whether a message is nothing but the words by which a service denies something, as resolvers throw them
/// without a code.
fn is_denial(message: &str) -> bool {
    const DENIALS: [&str; 9] = [
        "forbidden",
        "unauthorized",
        "not authorized",
        "access denied",
        "permission denied",
        "not allowed",
        "insufficient permissions",
        "you are not authorized",
        "you do not have permission",
    ];
    DENIALS.contains(&plain(message).as_str())
}

/// A message in lower case, without what it ends with.
fn plain(message: &str) -> String {
    message.trim().trim_end_matches(['.', '!']).to_ascii_lowercase()
}

/// Whether a message tells whoever calls to log in.
fn asks_for_login(message: &str) -> bool {
    static LOGIN: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?xi)
            \b(must|need(s)?\ to|ha(ve|s)\ to|please|should)\ (first\ |be\ )?(log|sign)(ged|ed)?[\ -]?in\b |
            \bnot\ (logged|signed)[\ -]?in\b | \b(un|not\ )authenticated\b |
            \b(authentication|log[\ -]?in)\ (is\ )?(required|needed) | credentials\ were\ not\ provided |
            \bsession\ (has\ |is\ |was\ )?(been\ )?(expired|ended|revoked|terminated|invalid)\b |
            \b(invalid|expired|unknown)\ (session(\ token)?|(access|auth)\ token)\b";
        Regex::new(pattern).expect("the pattern is valid")
    });
    LOGIN.is_match(message)
}

/// The errors that a result tells as data: a list of them beside what was asked for, as in
/// `userErrors { field message }`, or the result itself, where its type is that of an error or a member says
/// that it failed, or what such a result holds, as in `result { succeeded message }`.
fn declined(result: &Value) -> Option<&Value> {
    let members = result.as_object()?;
    let named = members.iter().filter(|(name, _)| name.to_ascii_lowercase().ends_with("result"));
    declined_at(result).or_else(|| named.map(|(_, inner)| inner).find_map(declined_at))
}

fn declined_at(result: &Value) -> Option<&Value> {
    const SUCCESS: [&str; 5] = ["succeeded", "success", "successful", "ok", "isSuccess"];
    let has_message = |value: &Value| {
        let message = value.get("message").or_else(|| value.get("messages"));
        message.is_some_and(|message| !message.is_null())
    };
    let members = result.as_object()?;
    let name = members.get("__typename").and_then(Value::as_str).unwrap_or_default();
    let went_well = SUCCESS.iter().find_map(|name| members.get(*name)?.as_bool());
    let is_code = |code: &Value| !code.is_null() && *code != 0 && *code != "";
    let is_error = match went_well {
        Some(went_well) => !went_well,
        None => {
            ["Error", "ErrorPayload", "Failure"].iter().any(|end| name.ends_with(end))
                || members.get("errorCode").is_some_and(is_code)
        }
    };
    // A type of errors, or a code of one, needs no message; that something is not `ok` may be what was
    // asked for.
    if is_error && (went_well.is_none() || has_message(result)) {
        return Some(result);
    }
    let lists = members.iter().filter(|(name, _)| name.to_ascii_lowercase().ends_with("errors"));
    lists.map(|(_, list)| list).find(|list| list.get(0).is_some_and(has_message))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whoever_must_log_in_is_not_known() {
        let is_unknown = |error: Value| {
            let body = json!({ "data": null, "errors": [error] }).to_string();
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap().is_unknown()
        };
        for message in [
            "you need to login",
            "You must be logged in to do this",
            "Please sign in",
            "Not authenticated",
            "Authentication credentials were not provided.",
            "Your session has expired",
            "Invalid session token",
        ] {
            assert!(is_unknown(json!({ "message": message })), "{message}");
        }
        assert!(is_unknown(
            json!({ "message": "no", "extensions": { "code": "UNAUTHENTICATED" } })
        ));
        assert!(is_unknown(json!({ "message": "Unauthorized" })));
        for message in ["permission denied", "the user needs to log hours", "login failed"] {
            assert!(!is_unknown(json!({ "message": message })), "{message}");
        }
    }

    #[test]
    fn what_stands_before_the_endpoint_may_not_know_the_caller() {
        let is_unknown = |status: u16, body: Value| {
            let response = HttpResponse { status, body: body.to_string(), ..Default::default() };
            Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap().is_unknown()
        };
        let told = |text: &str| json!({ "code": 209, "error": text });
        assert!(is_unknown(400, told("Invalid session token")));
        assert!(
            !is_unknown(400, told("Invalid page token"))
                && !is_unknown(200, told("Not authenticated"))
        );
    }

    #[test]
    fn errors_among_the_data_decline_a_call() {
        for (result, is_declined) in [
            (json!({ "userErrors": [{ "field": ["name"], "message": "is too short" }] }), true),
            (
                json!({ "errors": [{ "field": "name", "messages": ["is required"] }], "ok": false }),
                true,
            ),
            (json!({ "__typename": "EmailTakenError", "message": "taken" }), true),
            (json!({ "__typename": "LanguageNotAvailableError" }), true),
            (json!({ "ok": false }), false),
            (json!({ "errorCode": "TAKEN", "message": "taken" }), true),
            (json!({ "result": { "succeeded": false, "message": "taken" } }), true),
            (json!({ "success": false, "message": "taken" }), true),
            (json!({ "success": true, "errorCode": 7, "message": "taken" }), false),
            (json!({ "errorCode": 0, "message": "ok" }), false),
            (json!({ "userErrors": [], "product": { "id": 1 } }), false),
            (json!({ "errors": null, "message": "done" }), false),
            (json!({ "__typename": "Message", "message": "hello" }), false),
            (json!("text"), false),
        ] {
            assert_eq!(declined(&result).is_some(), is_declined, "{result}");
        }
    }
}
