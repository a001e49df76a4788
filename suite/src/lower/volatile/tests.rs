//! Tables of texts that stay and texts that go.

use serde_json::json;

use super::*;

/// 2026-03-01T12:00:00Z.
const RECORDED: u64 = 1_772_366_400;

fn rules(request: &str) -> StaticRules {
    StaticRules {
        request_text: request.to_owned(),
        recorded_at: Some(RECORDED),
        captured_texts: Vec::new(),
    }
}

#[test]
fn texts_that_change_from_run_to_run_are_recognised() {
    for text in [
        "6f1c2a9e-3b5d-4a7f-8c21-0d9e8b7a6c5f",
        "order 6F1C2A9E-3B5D-4A7F-8C21-0D9E8B7A6C5F not found",
        "507f1f77bcf86cd799439011",
        "d41d8cd98f00b204e9800998ecf8427e",
        "com.shop.Order@1b6d3586",
        "[Lshop.Item;@7a81197d is no item",
        "value at 0x00007ffd1c2a",
        "http://localhost:43121/items/1",
        "OPTIONS is not allowed, but [POST,GET] are",
        "no answer from 127.0.0.1:5432",
        "db.internal.example:5432 refused",
        "[::1]:8080",
        "2026-03-01T11:59:58.123Z",
        "2026-02-28",
        "created 2026-03-02 00:10:00",
        "expires 2027-03-01T12:00:00Z",
        "Sun, 01 Mar 2026 12:00:00 GMT",
        "at 11:59:58.123",
        "no job UhVddQoVJVUhCYTUQguytP",
        "took 12 ms",
        "took 1.25 seconds",
        "the given interval would create 18089 buckets",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig",
        "Zm9vYmFyMTIzNDU2Nzg5QUJD",
        "1772366399",
        "1772366399123",
    ] {
        assert!(rules("").is_volatile_text(text), "{text}");
    }
}

#[test]
fn stable_texts_stay() {
    for text in [
        "",
        "equilateral",
        "a must be between -10000 and 10000",
        "at most 65535 or 99999 bytes",
        "ann@example.com",
        "ann@abcde.com",
        "1999-12-31",
        "1999-12-31T23:59:59Z",
        "2027-03-01",
        "2147483647",
        "1234567890123456789",
        "deadbeef",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "Cannot query field \"nme\" on type \"User\".",
        "12:30",
        "1.5:30",
        "3 items",
        "key: value",
        "ftp//:abc/def",
    ] {
        assert!(!rules("").is_volatile_text(text), "{text}");
    }
}

#[test]
fn what_the_request_contains_is_an_echo() {
    let uuid = "6f1c2a9e-3b5d-4a7f-8c21-0d9e8b7a6c5f";
    let asking = rules(&format!("{{ order(key: \"{uuid}\") {{ key }} }}"));
    assert!(!asking.is_volatile_text(uuid));
    assert!(!asking.is_volatile_text(&format!("no order {uuid}")));
    assert!(asking.is_volatile_text("6f1c2a9e-3b5d-4a7f-8c21-000000000000"));
    let date = rules("{ day(date: \"2026-03-01\") }");
    assert!(!date.is_volatile_text("2026-03-01"));
}

#[test]
fn without_a_time_of_recording_only_points_in_time_are_volatile() {
    let rules = StaticRules { recorded_at: None, ..rules("") };
    assert!(rules.is_volatile_text("1999-12-31T23:59:59Z"));
    assert!(!rules.is_volatile_text("2026-03-01"));
    assert!(!rules.is_volatile("count", &json!(1_772_366_400)));
}

#[test]
fn identities_are_volatile_unless_the_request_names_them() {
    let is_volatile =
        |request: &str, key: &str, value: Value| rules(request).is_volatile(key, &value);
    for key in ["id", "_id", "ID", "authorId", "author_id", "userID", "createdAt", "updated_at"] {
        assert!(is_volatile("", key, json!("17")), "{key}");
        assert!(is_volatile("", key, json!(17)), "{key}");
        assert!(!is_volatile("", key, json!(true)), "{key}");
    }
    for key in ["name", "valid", "paid", "idea", "at", "date"] {
        assert!(!is_volatile("", key, json!("17")), "{key}");
    }
    assert!(!is_volatile("{ author(id: \"17\") { id } }", "id", json!("17")));
    assert!(!is_volatile("{\"authorId\":17}", "id", json!(17)));
    assert!(!is_volatile("/authors/17", "id", json!(17)));
    assert!(is_volatile("/authors/171", "id", json!(17)));
    assert!(is_volatile("{ authors(first: 17) { id } }", "id", json!("17")));
}

#[test]
fn numbers_near_now_are_points_in_time() {
    assert!(rules("").is_volatile("seconds", &json!(RECORDED - 5)));
    assert!(rules("").is_volatile("millis", &json!(RECORDED * 1_000 + 17)));
    assert!(!rules("").is_volatile("seconds", &json!(RECORDED - 400_000)));
    assert!(!rules("").is_volatile("largest", &json!(i32::MAX)));
    assert!(!rules("{ f(x: 1772366400) }").is_volatile("x", &json!(RECORDED)));
}

#[test]
fn texts_with_captured_values_are_volatile() {
    let rules = StaticRules { captured_texts: vec!["17".to_owned()], ..rules("") };
    assert!(rules.is_volatile_text("no author 17"));
    assert!(rules.is_volatile_text("author(17)"));
    assert!(!rules.is_volatile_text("no author 171"));
}
