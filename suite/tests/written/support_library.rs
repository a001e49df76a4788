//! The library that generated tests share, compiled here to check how it compares.

#[allow(dead_code, unreachable_pub, clippy::pedantic, reason = "the source of another crate")]
#[rustfmt::skip]
#[path = "../../templates/rust/lib.rs"]
mod support;

use serde_json::{Value, json};

fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    support::compare(expected, actual, "", &mut found);
    found
}

#[test]
fn equal_values_do_not_differ() {
    for value in [json!(null), json!(1), json!("a"), json!([1, [2]]), json!({ "a": { "b": [] } })] {
        assert!(differences(&value, &value).is_empty());
    }
}

#[test]
fn every_difference_is_told_with_its_place() {
    for (expected, actual, told) in [
        (json!(1), json!(2), "body: expected 1, found 2"),
        (json!(1), json!(1.0), "body: expected 1, found 1.0"),
        (
            json!(0.1),
            json!(0.100_000_000_000_000_02),
            "body: expected 0.1, found 0.10000000000000002",
        ),
        (json!("1"), json!(1), "body: expected \"1\", found 1"),
        (json!({ "a": 1 }), json!({}), "/a: missing"),
        (json!({}), json!({ "a": 1 }), "/a: not expected, found 1"),
        (json!({ "a/b": [1] }), json!({ "a/b": [2] }), "/a~1b/0: expected 1, found 2"),
        (json!([1]), json!([1, 2]), "body: expected 1 elements, found 2"),
        (json!([]), json!({}), "body: expected [], found {}"),
        (support::any_string(), json!(1), "body: expected any string, found 1"),
        (support::any_string(), json!(null), "body: expected any string, found null"),
        (
            support::list_starting_with(2, json!([])),
            json!([1]),
            "body: expected 2 elements, found 1",
        ),
        (support::list_starting_with(2, json!([1])), json!([2, 2]), "/0: expected 1, found 2"),
        (
            support::list_starting_with(2, json!([])),
            json!("ab"),
            "body: expected any list, found \"ab\"",
        ),
        (support::any_integer(), json!(1.5), "body: expected any integer, found 1.5"),
        (support::non_null(), json!(null), "body: expected any non-null value, found null"),
        (support::nullable(support::any_string()), json!(1), "body: expected any string, found 1"),
        (support::each(json!("a")), json!(["a", "b"]), "/1: expected \"a\", found \"b\""),
        (support::each(json!("a")), json!(null), "body: expected any list, found null"),
        (
            support::one_of(json!(["A", "B"])),
            json!("C"),
            "body: expected \"A\" or \"B\", found \"C\"",
        ),
        (support::one_of(json!(["A"])), json!(1), "body: expected any string, found 1"),
        (support::including(json!({ "a": 1 })), json!({ "b": 1 }), "/a: missing"),
        (
            support::by_type("t", json!({ "A": { "t": "A", "x": 1 } })),
            json!({ "t": "A", "x": 2 }),
            "/x: expected 1, found 2",
        ),
        (
            support::by_type("t", json!({ "A": {} })),
            json!({ "t": "B" }),
            "body: expected a type of the schema, found \"B\"",
        ),
    ] {
        assert_eq!(differences(&expected, &actual), [told]);
    }
}

#[test]
fn matchers_stand_for_many_values() {
    for (matcher, value) in [
        (support::anything(), json!(null)),
        (support::anything(), json!([1])),
        (support::any_string(), json!("")),
        (support::any_number(), json!(-0.5)),
        (support::any_boolean(), json!(false)),
        (support::any_list(), json!([1])),
        (support::any_object(), json!({ "a": 1 })),
        (support::list_starting_with(3, json!([support::any_number()])), json!([7, "b", null])),
        (support::any_integer(), json!(-3)),
        (support::non_null(), json!(0)),
        (support::nullable(json!("a")), json!(null)),
        (support::nullable(json!("a")), json!("a")),
        (support::each(support::any_number()), json!([])),
        (support::each(support::nullable(support::any_number())), json!([1, null])),
        (support::one_of(json!(["A", "B"])), json!("B")),
        (support::including(json!({ "a": 1 })), json!({ "a": 1, "b": 2 })),
        (support::by_type("t", json!({ "A": { "t": "A" } })), json!({ "t": "A" })),
    ] {
        assert!(differences(&matcher, &value).is_empty());
        assert!(differences(&json!({ "a": [matcher] }), &json!({ "a": [value] })).is_empty());
    }
}

#[test]
fn captured_values_are_written_in_three_ways() {
    assert_eq!(support::json_text(&json!("a\"b")), "\"a\\\"b\"");
    assert_eq!(support::json_text(&json!(1)), "1");
    assert_eq!(support::plain_text(&json!("a\"b")), "a\"b");
    assert_eq!(support::plain_text(&json!(true)), "true");
    assert_eq!(support::path_segment(&json!("a/b ä-1")), "a%2Fb%20%C3%A4-1");
}
