//! What a response says, by the rules of GraphQL.
//!
//! Only the top level and the list of errors are read; `data` is looked at and not built, since
//! the search needs to know of most responses only that it is there. Judging `data` by the
//! selection that was asked for belongs beside this module and starts from the same body.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use thiserror::Error;

/// The top level of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// Whether there is data.
    pub data: ResponseData,
    /// The errors, at most [`Response::MOST_ERRORS`] of them.
    pub errors: Vec<ResponseError>,
    /// Whether there is a member `errors` that is not a non-empty list, which GraphQL forbids.
    pub has_malformed_errors: bool,
}

/// The member `data` of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ResponseData {
    /// There is none: the request was not executed.
    Absent,
    /// It is null: execution failed as a whole.
    Null,
    /// It is there.
    Present,
}

/// One entry of the member `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ResponseError {
    /// What the service says, cut to [`ResponseError::LONGEST_MESSAGE`] characters; the entry
    /// itself as JSON when it has no message.
    pub message: String,
    /// The response names that lead to the field at fault, `/` before each and `*` for every list
    /// index; empty when the error names no path.
    pub path: String,
    /// `extensions.code` or `extensions.classification`; empty when there is none.
    pub code: String,
}

/// Why a body is no GraphQL response.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotGraphql {
    /// It is not JSON, or not text.
    #[error("the body is not JSON: {0}")]
    NotJson(String),
    /// It is JSON, but not an object with `data` or `errors`.
    #[error("the body is JSON, but no object with `data` or `errors`")]
    NotResponse,
}

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    data: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    errors: Option<&'a RawValue>,
}

/// A member that is there, be it null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Response {
    /// Most errors kept of one response.
    pub const MOST_ERRORS: usize = 100;

    /// Reads a body. Time and memory grow with its length only, however deep it is.
    ///
    /// # Errors
    /// When the body is not JSON, or no object with `data` or `errors`.
    pub fn read(body: &[u8]) -> Result<Self, NotGraphql> {
        let wire: Wire<'_> = serde_json::from_slice(body).map_err(|error| {
            if error.is_data() {
                NotGraphql::NotResponse
            } else {
                NotGraphql::NotJson(error.to_string())
            }
        })?;
        let data = match wire.data.map(RawValue::get) {
            None => ResponseData::Absent,
            Some("null") => ResponseData::Null,
            Some(_) => ResponseData::Present,
        };
        if data == ResponseData::Absent && wire.errors.is_none() {
            return Err(NotGraphql::NotResponse);
        }
        let listed = wire
            .errors
            .map_or(Ok(Vec::new()), |errors| serde_json::from_str::<Vec<&RawValue>>(errors.get()));
        let has_malformed_errors =
            wire.errors.is_some() && !listed.as_ref().is_ok_and(|list| !list.is_empty());
        let listed = listed.unwrap_or_default();
        let errors = listed.into_iter().take(Self::MOST_ERRORS).map(ResponseError::read).collect();
        Ok(Self { data, errors, has_malformed_errors })
    }

    /// What a response says; of the events of a stream, the first one.
    ///
    /// # Errors
    /// As [`Response::read`]; a stream without events says nothing.
    pub fn of(response: &crate::http::HttpResponse) -> Result<Self, NotGraphql> {
        if response.content_type != super::subscription::EVENTS {
            return Self::read(response.body.as_bytes());
        }
        let events: Vec<&RawValue> =
            serde_json::from_str(&response.body).map_err(|_| NotGraphql::NotResponse)?;
        events.first().map_or(Err(NotGraphql::NotResponse), |it| Self::read(it.get().as_bytes()))
    }

    /// Whether there is data and no error.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.data == ResponseData::Present && self.errors.is_empty()
    }
}

impl ResponseError {
    /// Longest message kept, in characters.
    pub const LONGEST_MESSAGE: usize = 2_000;

    fn read(raw: &RawValue) -> Self {
        // Entries nested too deeply for a tree are kept as text.
        let entry: Value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
        let message = entry.get("message").and_then(Value::as_str).unwrap_or(raw.get());
        let extension = |name: &str| entry.get("extensions")?.get(name)?.as_str();
        let code = extension("code").or_else(|| extension("classification")).unwrap_or_default();
        let cut = |text: &str| text.chars().take(Self::LONGEST_MESSAGE).collect();
        Self { message: cut(message), path: path(entry.get("path")), code: cut(code) }
    }
}

fn path(path: Option<&Value>) -> String {
    let mut text = String::new();
    for step in path.and_then(Value::as_array).into_iter().flatten() {
        text.push('/');
        text.push_str(step.as_str().unwrap_or("*"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Response {
        Response::read(body.as_bytes()).unwrap()
    }

    #[test]
    fn data_is_present_null_or_absent() {
        assert_eq!(read(r#"{"data":{"a":1}}"#).data, ResponseData::Present);
        assert_eq!(read(r#"{"data": null ,"errors":[{"message":"m"}]}"#).data, ResponseData::Null);
        assert_eq!(read(r#"{"errors":[{"message":"m"}]}"#).data, ResponseData::Absent);
        assert!(read(r#"{"data":{"a":null},"extensions":{"errors":[1]}}"#).is_success());
        assert!(!read(r#"{"data":{},"errors":[{"message":"m"}]}"#).is_success());
    }

    #[test]
    fn an_error_keeps_message_code_and_a_path_without_indices() {
        let body = r#"{"data":null,"errors":[
            {"message":"boom","path":["users",3,"posts",0,"id"],"extensions":{"code":"X"}},
            {"message":"bang","extensions":{"classification":"DataFetchingException"}},
            {"oops":1}]}"#;
        let errors = read(body).errors;
        let error = |message: &str, path: &str, code: &str| ResponseError {
            message: message.to_owned(),
            path: path.to_owned(),
            code: code.to_owned(),
        };
        let expected = [
            error("boom", "/users/*/posts/*/id", "X"),
            error("bang", "", "DataFetchingException"),
            error(r#"{"oops":1}"#, "", ""),
        ];
        assert_eq!(errors, expected);
    }

    #[test]
    fn errors_that_are_no_filled_list_are_malformed() {
        for errors in ["null", "[]", "{}", "\"boom\"", "0"] {
            let response = read(&format!(r#"{{"data":{{}},"errors":{errors}}}"#));
            assert!(response.has_malformed_errors && response.errors.is_empty(), "{errors}");
        }
        assert!(!read(r#"{"data":{}}"#).has_malformed_errors);
        assert!(!read(r#"{"data":{},"errors":[1]}"#).has_malformed_errors);
    }

    #[test]
    fn what_is_no_response_says_so() {
        let not_response = ["[]", "1", "null", "\"data\"", "{}", r#"{"message":"no"}"#];
        for body in not_response {
            assert_eq!(Response::read(body.as_bytes()), Err(NotGraphql::NotResponse), "{body}");
        }
        let not_json: [&[u8]; 5] =
            [b"", b"<html>", br#"{"data":{"#, b"{\"data\":\"\xff\"}", br#"{"data":{}} x"#];
        for body in not_json {
            assert!(matches!(Response::read(body), Err(NotGraphql::NotJson(_))), "{body:?}");
        }
    }

    #[test]
    fn deep_and_long_bodies_are_read_in_bounds() {
        let deep = "[".repeat(500_000) + &"]".repeat(500_000);
        assert_eq!(read(&format!(r#"{{"data":{deep}}}"#)).data, ResponseData::Present);
        let response = read(&format!(r#"{{"errors":[{{"message":{deep}}}]}}"#));
        assert_eq!(response.errors[0].message.len(), ResponseError::LONGEST_MESSAGE);
        let many = vec![r#"{"message":"m"}"#; 5_000].join(",");
        assert_eq!(read(&format!(r#"{{"errors":[{many}]}}"#)).errors.len(), Response::MOST_ERRORS);
    }
}
