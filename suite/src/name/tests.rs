//! Names of tests: a table, and what holds of all of them.

use serde_json::json;

use super::*;
use crate::expectation::ExpectedError;
use crate::request::Request;

fn step(operation: &str, expectations: Vec<Expectation>) -> Step {
    let request = Request::graphql("/graphql", "{ a }");
    Step { operation: operation.to_owned(), request, captures: Vec::new(), expectations }
}

fn returning(operation: &str, data: &Value) -> Step {
    step(operation, vec![Expectation::Status(200), Expectation::json_equals("/data", data)])
}

fn name(steps: &[Step]) -> String {
    TestNamer::default().name(steps, &[])
}

#[test]
fn the_result_of_the_last_operation_names_the_test() {
    for (data, expected) in [
        (json!({ "f": 1 }), "f_returns_1"),
        (json!({ "f": -1 }), "f_returns_minus_1"),
        (json!({ "f": 0.5 }), "f_returns_0_5"),
        (json!({ "f": 0.125_678 }), "f_returns_0_125678"),
        (json!({ "f": -1.234_567_890_123_456_7e-250 }), "f_returns_a_number"),
        (json!({ "f": true }), "f_returns_true"),
        (json!({ "f": null }), "f_returns_null"),
        (json!({ "f": "" }), "f_returns_an_empty_text"),
        (json!({ "f": "Not found" }), "f_returns_not_found"),
        (json!({ "f": "ab\"; drop" }), "f_returns_a_text"),
        (json!({ "f": "x".repeat(25) }), "f_returns_a_text"),
        (json!({ "f": "--" }), "f_returns_a_text"),
        (json!({ "f": [] }), "f_returns_no_items"),
        (json!({ "f": [1] }), "f_returns_one_item"),
        (json!({ "f": [1, 2] }), "f_returns_2_items"),
        (json!({ "f": { "a": 1 } }), "f_returns_data"),
        (json!({ "f": 1, "g": 2 }), "f_returns_data"),
    ] {
        assert_eq!(name(&[returning("Query.f", &data)]), expected);
    }
}

#[test]
fn errors_and_statuses_name_the_test() {
    let errors = || Expectation::Errors(vec![ExpectedError::default()]);
    let none = json!({ "f": null });
    let some = json!({ "f": 1, "g": null });
    for (expectations, expected) in [
        (vec![Expectation::Status(200), errors()], "f_returns_an_error"),
        (vec![errors(), Expectation::json_equals("/data", &none)], "f_returns_an_error"),
        (vec![errors(), Expectation::json_equals("/data", &some)], "f_returns_data_and_errors"),
        (vec![Expectation::Status(500), errors()], "f_answers_500"),
        (vec![Expectation::Status(404)], "f_answers_404"),
    ] {
        assert_eq!(name(&[step("Query.f", expectations)]), expected);
    }
}

#[test]
fn all_operations_are_named_while_there_is_room() {
    let one = |operation: &str| returning(operation, &json!({ "f": { "a": 1 } }));
    let named = |operations: &[&str]| {
        name(&operations.iter().map(|operation| one(operation)).collect::<Vec<_>>())
    };
    assert_eq!(named(&["Query.calc", "Query.cookie"]), "calc_then_cookie_returns_data");
    assert_eq!(named(&["Query.a", "Query.a"]), "a_twice_returns_data");
    assert_eq!(
        named(&["Query.a", "Query.a", "Query.a", "Query.b"]),
        "a_3_times_then_b_returns_data"
    );
    assert_eq!(
        named(&["Query.a", "Query.b", "Query.c", "Query.d", "Query.e"]),
        "a_and_3_more_then_e_returns_data"
    );
    assert_eq!(named(&["GET:/books/{bookId}/pages"]), "get_books_by_book_id_pages_returns_data");
    assert_eq!(named(&["Query.HTTPServer2Go"]), "http_server2_go_returns_data");
    assert_eq!(named(&["Query.2nd"]), "test_2nd_returns_data");
    assert_eq!(named(&["\"é\"\n"]), "operation_returns_data");
}

#[test]
fn faults_name_the_test() {
    let fault = |code: u16| Fault {
        code,
        operation: "Query.f".to_owned(),
        context: String::new(),
        explanation: Vec::new(),
    };
    let steps = [step("Query.f", vec![Expectation::Status(500)])];
    let named = |faults: &[Fault]| TestNamer::default().name(&steps, faults);
    assert_eq!(named(&[fault(100)]), "f_shows_fault_100");
    assert_eq!(named(&[fault(971), fault(100), fault(971)]), "f_shows_faults_100_971");
}

#[test]
fn names_are_unique_short_and_identifiers() {
    let mut namer = TestNamer::default();
    let mut names = BTreeSet::new();
    let long = "Query.".to_owned() + &"veryLongName".repeat(20);
    for round in 0..300 {
        for operation in ["Query.f", "", "Query.", "ö", &long, &"x".repeat(500), "Query.type"] {
            let steps = vec![returning(operation, &json!({ "f": round % 2 }))];
            let name = namer.name(&steps, &[]);
            assert!(name.len() <= LONGEST_NAME, "{name}");
            assert!(name.starts_with(|first: char| first.is_ascii_lowercase()), "{name}");
            assert_eq!(name, snake_case(&name));
            assert!(names.insert(name));
        }
    }
    assert_eq!(namer.name(&[], &[]), "test");
    assert_eq!(namer.name(&[], &[]), "test_2");
}
