//! What is of the state, what is sent, and what counts.

use http::HeaderMap;
use serde_json::json;

use super::*;

fn learn(habits: &mut AnswerHabits, sent: &Value, answer: &Value) {
    let (path, body) = ("/things".parse().unwrap(), sent.to_string().into());
    let request = HttpRequest { method: Method::POST, path, headers: HeaderMap::new(), body };
    let body = answer.to_string();
    let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
    habits.learn("POST /things", None, &request, &response);
}

fn parts(habits: &AnswerHabits, answer: &Value, sent: Option<&str>) -> Vec<String> {
    let mut parts = BTreeMap::new();
    let shared = sent.map(|sent| Shared { sent, is_repeated: true, is_refusal: false });
    habits.add_to(&mut parts, "POST /things", ("", answer), shared);
    parts.into_keys().collect()
}

#[test]
fn what_differed_for_the_same_request_is_of_the_state() {
    let mut habits = AnswerHabits::default();
    learn(&mut habits, &json!({}), &json!({ "a": [{ "b": "x", "c": "y" }] }));
    learn(&mut habits, &json!({}), &json!({ "a": [{ "b": "z", "c": "y" }] }));
    let answer = json!({ "d": { "b": "x" }, "a": { "7": { "b": "x", "c": "y" } } });
    assert_eq!(parts(&habits, &answer, Some("")), ["/a/7/b"]);
    assert!(parts(&habits, &answer, Some(r#"{"b":"x"}"#)).is_empty(), "the test sent it");
    assert!(parts(&habits, &answer, None).is_empty(), "nobody else changes it");
}

#[test]
fn what_was_null_at_another_time_may_be_anything() {
    let mut habits = AnswerHabits::default();
    learn(&mut habits, &json!({}), &json!({ "mean": null, "most": 1 }));
    learn(&mut habits, &json!({}), &json!({ "mean": 0.5, "most": 2 }));
    let mut parts = BTreeMap::new();
    let shared = Some(Shared { sent: "", is_repeated: true, is_refusal: false });
    let answer = json!({ "mean": 0.5, "most": 2 });
    habits.add_to(&mut parts, "POST /things", ("", &answer), shared);
    let expected = [("/mean", Volatility::Kind), ("/most", Volatility::Value)];
    assert_eq!(parts, expected.map(|(at, it)| (at.to_owned(), it)).into());
}

#[test]
fn others_add_to_a_list_that_was_seen_with_more() {
    let mut habits = AnswerHabits::default();
    let answer = json!(["INTEGRITY"]);
    assert!(parts(&habits, &answer, Some(r#"{"kind":"INTEGRITY"}"#)).is_empty());
    learn(&mut habits, &json!({}), &json!(["INTEGRITY"]));
    learn(&mut habits, &json!({}), &json!(["INTEGRITY", "VALIDITY"]));
    assert_eq!(parts(&habits, &answer, Some(r#"{"kind":"INTEGRITY"}"#)), [""]);
    let mut habits = AnswerHabits::default();
    let whole = json!({ "kinds": ["INTEGRITY"] });
    learn(&mut habits, &json!({}), &whole);
    learn(&mut habits, &json!({}), &json!({ "kinds": ["INTEGRITY", "VALIDITY"] }));
    assert!(parts(&habits, &whole, Some(r#"{"kinds":["INTEGRITY"]}"#)).is_empty(), "its own");
}

#[test]
fn what_differed_for_another_query_about_the_same_thing_is_of_the_state() {
    let mut habits = AnswerHabits::default();
    let mut read = |query: &str, answer: Value| {
        let path = format!("/things/7?{query}").parse().unwrap();
        let (headers, body) = (HeaderMap::new(), "".into());
        let request = HttpRequest { method: Method::GET, path, headers, body };
        let body = answer.to_string();
        let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
        habits.learn("POST /things", None, &request, &response);
    };
    read("a=1", json!({ "kind": "x", "of": "o", "more": "m", "parts": { "p": 1 } }));
    read("a=2", json!({ "kind": "y", "of": "o", "more": null, "parts": null }));
    let answer = json!({ "kind": "x", "of": "o", "more": "m", "parts": { "p": "q" } });
    assert_eq!(parts(&habits, &answer, Some("")), ["/kind"]);
}

#[test]
fn what_a_field_is_asked_with_is_told_apart_and_what_is_asked_of_it_is_not() {
    let asked = |document: &str| {
        let (path, body) = ("/graphql".parse().unwrap(), json!({ "query": document }));
        let (headers, body) = (HeaderMap::new(), body.to_string().into());
        let request = HttpRequest { method: Method::POST, path, headers, body };
        asked(&request).map(str::to_owned)
    };
    assert_eq!(asked("query{me{name}}"), asked("query{me{id name}}"));
    assert_ne!(asked("query{user(id:1){name}}"), asked("query{user(id:2){name}}"));
    let by_object = |name: &str| asked(&format!("query{{users(of:{{a:{name}}}){{name}}}}"));
    assert_ne!(by_object("1"), by_object("2"));
    assert_eq!(asked("mutation{me{name}}"), None);
}

#[test]
fn lists_and_numbers_count_what_others_made() {
    let habits = AnswerHabits::default();
    let answer = json!({
        "total": 7, "price": 1250, "items": [], "tags": ["red"], "name": "n", "revision": "12"
    });
    assert_eq!(
        parts(&habits, &answer, Some("price=1250&tag=red&total=7")),
        ["/items", "/revision", "/total"]
    );
}

#[test]
fn a_list_that_is_left_out_when_empty_is_not_expected() {
    let mut habits = AnswerHabits::default();
    let full = json!({ "items": [{ "name": "n" }] });
    learn(&mut habits, &json!({ "a": 1 }), &full);
    learn(&mut habits, &json!({ "a": 2 }), &json!({}));
    let found = |answer: &Value, shared| {
        let mut parts = BTreeMap::new();
        habits.add_to(&mut parts, "POST /things", ("", answer), shared);
        parts.into_iter().next()
    };
    let shared = Shared { sent: "n", is_repeated: true, is_refusal: false };
    let absence = Some(("/items".to_owned(), Volatility::Absence));
    assert_eq!(found(&full, Some(shared)), absence);
    assert_eq!(found(&json!({}), Some(shared)), absence);
    assert_eq!(found(&full, None), None);
}

#[test]
fn a_page_has_others_made_before_or_behind_it() {
    let habits = AnswerHabits::default();
    let answer = json!({ "page": { "hasMore": true, "last": false }, "enabled": true });
    assert_eq!(parts(&habits, &answer, Some("")), ["/page/hasMore", "/page/last"]);
    assert!(parts(&habits, &answer, None).is_empty());
}

#[test]
fn errors_in_a_list_depend_on_what_others_made() {
    let habits = AnswerHabits::default();
    let error = |path: Value| json!({ "message": "m", "path": path });
    let inside = json!({ "errors": [error(json!(["a"])), error(json!(["b", 7, "c"]))] });
    assert_eq!(parts(&habits, &inside, Some("")), ["/errors"]);
    assert!(parts(&habits, &inside, None).is_empty());
    let outside = json!({ "errors": [error(json!(["a", "b"]))] });
    assert!(parts(&habits, &outside, Some("")).is_empty());
}

#[test]
fn of_a_refusal_only_numbers_in_texts_that_came_once_may_differ() {
    let answer = json!({ "message": "see log A0IkBQx1", "code": 7, "of": "a1", "reason": "no" });
    let found = |is_repeated| {
        let mut parts = BTreeMap::new();
        let shared = Shared { sent: "/things/a1", is_repeated, is_refusal: true };
        AnswerHabits::default().add_to(&mut parts, "GET /things", ("", &answer), Some(shared));
        parts.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(found(false), ["/message"]);
    assert!(found(true).is_empty());
}

#[test]
fn a_list_in_another_order_than_it_was_sent_is_a_set() {
    let mut habits = AnswerHabits::default();
    let sent = json!({ "data": { "read": ["b", "a"] }, "tags": ["y", "x"] });
    learn(&mut habits, &sent, &json!({ "in": { "read": ["a", "b"] }, "tags": ["y", "x"] }));
    let answer = json!({ "deep": { "in": { "read": ["c", "d"] } }, "tags": ["v", "u"] });
    assert_eq!(parts(&habits, &answer, None), ["/deep/in/read"]);
}

#[test]
fn what_is_kept_is_bounded() {
    let mut habits = AnswerHabits::default();
    for number in 0..1_000 {
        let answer = json!({ "text": "x".repeat(60_000) });
        learn(&mut habits, &json!({ "number": number }), &answer);
    }
    assert!(habits.kept <= MOST_KEPT && habits.last.len() > 100);
}
