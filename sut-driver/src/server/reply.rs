//! The shapes of answers: wrapped ones, and those that the peers' container makes by itself.

use axum::http::header::{ACCEPT, CONNECTION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::json::{Object, ToJson, to_json};
use crate::wire::BASE_PATH;

/// Media type of every wrapped answer.
const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=utf8;version=1");

/// 200 with `data`.
pub(super) fn data(data: &impl ToJson) -> Response {
    wrapped(StatusCode::OK, Some(data), None)
}

/// 201, done.
pub(super) fn created() -> Response {
    wrapped(StatusCode::CREATED, None::<&String>, None)
}

/// 204, done.
pub(super) fn done() -> Response {
    (StatusCode::NO_CONTENT, [(CONTENT_TYPE, JSON)]).into_response()
}

/// `status` with a reason.
pub(super) fn refused(status: StatusCode, reason: &str) -> Response {
    wrapped(status, None::<&String>, Some(reason))
}

/// 400 for a body that cannot be read.
pub(super) fn unreadable(reason: &str) -> Response {
    let plain = HeaderValue::from_static("text/plain");
    let body = reason.to_owned();
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, plain)], body).into_response()
}

/// 500 without a body, closing the connection, as after an exception that nobody caught.
pub(super) fn crashed() -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, closing()).into_response()
}

/// 500 in the container's shape, closing the connection.
pub(super) fn failed(accepted: &HeaderMap, uri: &Uri) -> Response {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    let answer = by_container(status, "Request failed.", accepted, uri);
    (closing(), answer).into_response()
}

pub(super) async fn not_found(headers: HeaderMap, uri: Uri) -> Response {
    by_container(StatusCode::NOT_FOUND, "Not Found", &headers, &uri)
}

pub(super) async fn method_not_allowed(headers: HeaderMap, uri: Uri) -> Response {
    let status = StatusCode::METHOD_NOT_ALLOWED;
    by_container(status, "Method Not Allowed", &headers, &uri)
}

/// The root of the protocol, where only people come by.
pub(super) async fn warn_people(headers: HeaderMap, uri: Uri) -> Response {
    let accept = accept(&headers);
    if !(accept.is_empty() || accept.contains("*/*") || accept.contains("text/html")) {
        return by_container(StatusCode::NOT_ACCEPTABLE, "Not Acceptable", &headers, &uri);
    }
    let page = "<!DOCTYPE html><html><head><title>Driver</title></head><body><h1>Driver</h1>\
                <p>A fuzzing engine talks to this address; there is nothing to see here.</p>\
                </body></html>";
    let html = HeaderValue::from_static("text/html");
    (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, html)], page).into_response()
}

pub(super) async fn redirect_to_slash() -> Response {
    (StatusCode::FOUND, [(LOCATION, format!("{BASE_PATH}/"))]).into_response()
}

/// `status` with `data` although something went wrong.
pub(super) fn partly(status: StatusCode, data: &impl ToJson) -> Response {
    wrapped(status, Some(data), None)
}

fn wrapped<T: ToJson>(status: StatusCode, data: Option<&T>, error: Option<&str>) -> Response {
    let mut body = String::new();
    let mut object = Object::open(&mut body);
    object.field("data", &data);
    object.field("error", &error);
    object.close();
    (status, [(CONTENT_TYPE, JSON)], body).into_response()
}

struct ContainerError<'a> {
    servlet: &'a str,
    message: &'a str,
    url: &'a str,
    status: &'a str,
}

to_json! {
    ContainerError<'a> { servlet: "servlet", message: "message", url: "url", status: "status" }
}

/// An error that is not wrapped: JSON where the client asked for it, a page otherwise.
fn by_container(status: StatusCode, message: &str, headers: &HeaderMap, uri: &Uri) -> Response {
    let body =
        ContainerError { servlet: "wallace", message, url: uri.path(), status: status.as_str() };
    let (media_type, text) = if accept(headers) == "application/json" {
        let mut json = String::new();
        body.write_json(&mut json);
        ("application/json", json)
    } else {
        let page = format!("<html><head><title>Error {status}</title></head></html>\n");
        ("text/html;charset=iso-8859-1", page)
    };
    (status, [(CONTENT_TYPE, HeaderValue::from_static(media_type))], text).into_response()
}

fn accept(headers: &HeaderMap) -> &str {
    let value = headers.get(ACCEPT);
    value.and_then(|v| v.to_str().ok()).unwrap_or_default()
}

fn closing() -> [(axum::http::HeaderName, HeaderValue); 1] {
    [(CONNECTION, HeaderValue::from_static("close"))]
}
