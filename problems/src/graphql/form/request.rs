//! Requests and answers: what a form sends beside the document, and what comes back in it.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Map, Value};
use sha2::Digest;

use super::{AGAIN, ALIAS, BESIDE};
use crate::auth::percent_encoded;
use crate::graphql::action::{Form, Overload};
use crate::graphql::render::request_body;
use crate::graphql::response::{Response, ResponseData, ResponseError};
use crate::http::HttpRequest;

/// The request of an action.
pub(crate) fn request(
    (document, variables): (String, Map<String, Value>),
    form: Form,
    path: &PathAndQuery,
    mut headers: HeaderMap,
) -> HttpRequest {
    let post = |headers: HeaderMap, body: String| HttpRequest {
        method: Method::POST,
        path: path.clone(),
        headers,
        body: Bytes::from(body),
    };
    let body = |document: &str| {
        if variables.is_empty() {
            return request_body(document);
        }
        let mut body = request_body(document);
        body.pop();
        let variables = Value::Object(variables.clone());
        format!("{body},\"variables\":{variables}}}")
    };
    match form {
        Form::Get => {
            headers.remove(CONTENT_TYPE);
            let query = format!("query={}", percent_encoded(&document));
            let joint = if path.query().is_some() { '&' } else { '?' };
            let target = format!("{path}{joint}{query}");
            // Documents are encoded, so every target is one; long ones are refused by the client.
            let path = PathAndQuery::try_from(target).unwrap_or_else(|_| path.clone());
            HttpRequest { method: Method::GET, path, headers, body: Bytes::new() }
        }
        Form::Legacy => {
            headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
            post(headers, body(&document))
        }
        Form::FormEncoded => {
            let media = "application/x-www-form-urlencoded";
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
            post(headers, format!("query={}", percent_encoded(&document)))
        }
        Form::PlainText => {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
            post(headers, body(&document))
        }
        Form::Overload(Overload::Batch(count)) => {
            let one = body(&document);
            post(headers, format!("[{}]", vec![one; usize::from(count)].join(",")))
        }
        Form::Batched => {
            let one = body(&document);
            post(headers, format!("[{one},{one}]"))
        }
        Form::Persisted => {
            let mut text = body(&document);
            text.pop();
            post(headers, format!("{text},{}}}", kept_under(&document)))
        }
        Form::PersistedHash => post(headers, format!("{{{}}}", kept_under(&document))),
        _ => post(headers, body(&document)),
    }
}

/// The member by which services are asked for documents that they keep (the protocol of automatic
/// persisted queries, version 1).
fn kept_under(document: &str) -> String {
    let hash = sha2::Sha256::digest(document.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(r#""extensions":{{"persistedQuery":{{"version":1,"sha256Hash":"{hash}"}}}}"#)
}

/// The answer as the plain form would have given it, and what it holds a second time: a value of
/// the root field, or a whole answer.
pub(crate) fn plain(mut body: Value, form: Form) -> (Value, Option<Value>) {
    match (form, &mut body) {
        (Form::Aliases, _) => (without_aliases(body), None),
        (Form::Twice, Value::Object(top)) => {
            let data = top.get_mut("data").and_then(Value::as_object_mut);
            let again = data.and_then(|data| data.remove(AGAIN));
            (body, again)
        }
        (Form::Beside(_), Value::Object(top)) => {
            // Where all data is null, they say why.
            let Some(data) = top.get_mut("data").and_then(Value::as_object_mut) else {
                return (body, None);
            };
            data.remove(BESIDE);
            if let Some(Value::Array(errors)) = top.get_mut("errors") {
                errors.retain(|error| error["path"][0] != BESIDE);
                if errors.is_empty() {
                    top.remove("errors");
                }
            }
            (body, None)
        }
        (Form::Batched, Value::Array(answers)) if answers.len() == 2 => {
            let again = answers.pop();
            (answers.pop().unwrap_or_default(), again)
        }
        _ => (body, None),
    }
}

/// Errors of the second time that the root field was asked for stand where those of the first time do:
/// our name of it is none of the service's. Of an answer that names the field nowhere they lose it.
pub(crate) fn name_once(errors: &mut [ResponseError], body: &Value) {
    let first = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let names = body["data"].as_object().into_iter().flat_map(|data| data.keys().cloned());
    let names = names.chain(errors.iter().map(|error| first(&error.path)));
    let root = names.into_iter().find(|name| !name.is_empty() && name != AGAIN);
    let root = root.map_or_else(String::new, |name| format!("/{name}"));
    for error in errors.iter_mut().filter(|error| first(&error.path) == AGAIN) {
        error.path.replace_range(..=AGAIN.len(), &root);
    }
}

/// Errors of the field beside are told by calls of its own, unless they say why all data is null.
pub(crate) fn leave_out_beside(response: &mut Response) {
    if response.data == ResponseData::Present {
        response.errors.retain(|error| error.path.split('/').nth(1) != Some(BESIDE));
    }
}

/// Errors below our names of fields stand where those of the fields do.
pub(crate) fn name_plainly(errors: &mut [ResponseError]) {
    for error in errors {
        let names = error.path.split('/').map(|name| name.strip_prefix(ALIAS).unwrap_or(name));
        error.path = names.collect::<Vec<_>>().join("/");
    }
}

fn without_aliases(value: Value) -> Value {
    match value {
        Value::Array(elements) => elements.into_iter().map(without_aliases).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(key, value)| {
                let key = key.strip_prefix(ALIAS).map_or_else(|| key.clone(), str::to_owned);
                (key, without_aliases(value))
            });
            Value::Object(fields.collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::TemplateId;

    use super::*;

    #[test]
    fn aliases_are_taken_off_again() {
        let body = json!({"data": {"wa_user": [{"wa_id": 1, "__typename": "User"}]}});
        let plain_body = json!({"data": {"user": [{"id": 1, "__typename": "User"}]}});
        assert_eq!(plain(body, Form::Aliases), (plain_body, None));
    }

    #[test]
    fn what_is_asked_twice_is_answered_twice() {
        let body = json!({"data": {"user": 1, "wallaceAgain": 2}});
        assert_eq!(plain(body, Form::Twice), (json!({"data": {"user": 1}}), Some(json!(2))));
        let batch = json!([{"data": {"user": 1}}, {"data": {"user": 2}}]);
        let (one, other) = (json!({"data": {"user": 1}}), json!({"data": {"user": 2}}));
        assert_eq!(plain(batch, Form::Batched), (one.clone(), Some(other)));
        assert_eq!(plain(one.clone(), Form::Batched), (one, None));
        let beside = json!({"data": {"user": 1, "wallaceBeside": 2}});
        let form = Form::Beside(TemplateId(0));
        assert_eq!(plain(beside, form), (json!({"data": {"user": 1}}), None));
        let failed = json!({"data": {"user": 1, "wallaceBeside": null},
            "errors": [{"message": "no", "path": ["wallaceBeside", "id"]}]});
        assert_eq!(plain(failed, form), (json!({"data": {"user": 1}}), None));
    }

    #[test]
    fn an_error_of_the_second_time_stands_where_that_of_the_first_does() {
        let named = |paths: &[&str], data: Value| {
            let error = |path: &&str| ResponseError {
                message: String::new(),
                path: (*path).to_owned(),
                code: String::new(),
            };
            let mut errors: Vec<ResponseError> = paths.iter().map(error).collect();
            name_once(&mut errors, &json!({ "data": data }));
            errors.into_iter().map(|error| error.path).collect::<Vec<_>>()
        };
        let data = json!({ "user": null });
        assert_eq!(named(&["/wallaceAgain/name", ""], data), ["/user/name", ""]);
        assert_eq!(named(&["/wallaceAgain", "/user"], Value::Null), ["/user", "/user"]);
        assert_eq!(named(&["/wallaceAgain/name"], Value::Null), ["/name"]);
    }

    #[test]
    fn an_error_below_our_names_stands_at_the_fields() {
        let path = "/wa_user/*/wa_name".to_owned();
        let mut errors = [ResponseError { message: String::new(), path, code: String::new() }];
        name_plainly(&mut errors);
        assert_eq!(errors[0].path, "/user/*/name");
    }

    #[test]
    fn documents_are_kept_under_the_hash_of_their_text() {
        // The example of the protocol's description.
        let hash = "ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38";
        assert!(kept_under("{__typename}").contains(hash), "{}", kept_under("{__typename}"));
    }
}
