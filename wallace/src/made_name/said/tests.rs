//! What requests and answers say.

use serde_json::json;
use wallace_problems::HttpResponse;

use super::*;

#[test]
fn texts_of_a_body_have_the_members_that_hold_them() {
    let body = |body: serde_json::Value| HttpRequest {
        method: http::Method::POST,
        path: http::uri::PathAndQuery::from_static("/flows"),
        headers: http::HeaderMap::new(),
        body: body.to_string().into(),
    };
    let mut found = in_members(&body(json!({
        "name": "x", "nodes": [{ "id": "n1", "at": { "any": { "id": "n2" } } }], "tags": ["t"], "n": 1
    })));
    found.sort();
    let expected = [("name/name", "x"), ("nodes/id", "n1"), ("nodes/id", "n2"), ("tags/tags", "t")];
    assert_eq!(found, expected.map(|(member, text)| (member.to_owned(), text.to_owned())));
    assert!(in_members(&body(json!({ "query": "{ a(id: \"x\") }" }))).is_empty());
}

#[test]
fn what_stands_in_placeholders_is_told_from_the_rest_of_a_path() {
    let request = HttpRequest {
        method: http::Method::PUT,
        path: http::uri::PathAndQuery::from_static("/api/v1/flows/f%201/tags/t?limit=3&name=x"),
        headers: http::HeaderMap::new(),
        body: bytes::Bytes::new(),
    };
    assert_eq!(filled(&request, "PUT:/flows/{id}/tags/{tag}"), ["f 1", "t"]);
    assert_eq!(in_address(&request, "PUT:/flows/{id}/tags/{tag}"), ["f 1", "t", "x"]);
    assert!(filled(&request, "Query.flows").is_empty());
}

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
fn a_document_says_the_texts_that_it_holds() {
    let query = r#"mutation { login(email: "a@b\"c", note: """x y""", at: "") { id } }"#;
    let body = json!({ "query": query }).to_string();
    let request = HttpRequest {
        method: http::Method::POST,
        path: "/".parse().unwrap(),
        headers: http::HeaderMap::new(),
        body: body.into(),
    };
    let found = in_document(&request);
    assert!(found.contains(&"a@b\"c".to_owned()) && found.contains(&String::new()), "{found:?}");
}

#[test]
fn what_an_answer_tells_is_known_whole() {
    assert_eq!(told(r#"{"at":"2026-11-24","of":[25]}"#), ["2026-11-24", "25"]);
    assert_eq!(told("abc\n"), ["abc"]);
}

#[test]
fn texts_at_limits_name_nothing() {
    let long = "ab".repeat(80);
    assert!(["x", "ab", "first post", "aab", " \n "].map(may_name) == [true; 5]);
    assert!(["", " ", "aaaaaaaa", "\0", &long].map(may_name) == [false; 5]);
}

#[test]
fn what_is_wrong_in_itself_is_wrong_anywhere() {
    let answer = |status: u16, body: &str| {
        let answer = HttpResponse { status, body: body.into(), ..HttpResponse::default() };
        HttpOutcome::new(Ok(answer))
    };
    assert!(is_wrong(&answer(422, "colour: must begin with #")));
    let others = [(422, ""), (422, "name must be unique"), (400, "In use"), (404, "x"), (500, "x")];
    assert!(others.iter().all(|(status, body)| !is_wrong(&answer(*status, body))));
}

#[test]
fn a_brace_makes_no_document() {
    let said = |text: &str| {
        let mut found = Vec::new();
        texts(&json!({ "name": text }), &mut found);
        found
    };
    assert_eq!(said("9{Y"), ["9{Y"]);
    assert_eq!(said(" mutation { a(id: \"7\") }"), ["7"]);
}

#[test]
fn what_a_body_refers_to_ends_in_id() {
    let body = json!({ "data": [{ "trace_id": "t", "note": "n", "of": { "ID": "o", "id": 5 } }] });
    let request = HttpRequest {
        method: http::Method::POST,
        path: "/notes".parse().unwrap(),
        headers: http::HeaderMap::new(),
        body: body.to_string().into(),
    };
    let mut found = referred(&request);
    found.sort();
    assert_eq!(found, ["o", "t"]);
}

#[test]
fn numbers_of_a_body_name_things_where_their_member_says_so() {
    let request = HttpRequest {
        method: http::Method::DELETE,
        path: "/records".parse().unwrap(),
        headers: http::HeaderMap::new(),
        body: json!([{ "Id": 46, "price": 7 }, { "of": { "orderId": 3 } }]).to_string().into(),
    };
    assert_eq!(numbered(&request), ["46", "3"]);
}

#[test]
fn what_chance_drew_is_told_by_its_looks() {
    let drawn =
        ["0b7f3c1e-8a52-4d0b-9c5f-6a1e2d3c4b5a", "X1VzZXI6QWJjRGVm", "5f1d7a84c2b9e6031a7d4f20"];
    assert!(drawn.map(is_drawn) == [true; 3]);
    assert!(is_drawn("tool-45953b6e-9fdf-409b-b425-db247c4f8168") && !is_drawn("tool-20-of-30"));
    let chosen = ["default", "20261126120000000", "gpt-4o-mini", "MainBranch", "zone-17"];
    assert!(chosen.map(is_drawn) == [false; 5]);
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
fn requests_use_names() {
    let request = HttpRequest {
        method: http::Method::POST,
        path: "/a%20b/7?of=f1&n&limit=3".parse().unwrap(),
        headers: http::HeaderMap::new(),
        body: json!({ "query": "{ a(id: \"9\") { b } }", "other": ["t"] }).to_string().into(),
    };
    assert_eq!(in_address(&request, "POST:/a b/{id}"), ["7", "f1"]);
    assert_eq!(in_address(&request, "POST:/{id}"), ["7", "f1"], "below a base path");
    assert_eq!(in_address(&request, "Query.a"), ["f1"]);
    let mut texts = in_body(&request);
    texts.sort();
    assert_eq!(texts, ["9", "t"]);
}
