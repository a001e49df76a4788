//! Oracles, merged operations, chains of mutations.

use std::sync::Arc;

use serde_json::{Value, json};
use wallace_harvest::{Harvest, HarvestSettings, read_text};
use wallace_problems::AnswerPlace;
use wallace_problems::graphql::Schema;
use wallace_suite::{Body, Expectation, TestCase, TestSuite, Writer, writer::RustWriter};

const SCHEMA: &str = "type Query { user(id: ID!): User! any: [Any!] node: Node when: Time! } \
    type Mutation { userCreate(name: String!): User userDelete(user: ID!): User \
      orderCreate(user: ID!, first: Int): Order orderUpdate(id: ID!): Order } \
    union Any = User | Order  interface Node { id: ID! }  enum Role { ADMIN GUEST }  scalar Time \
    type User implements Node { id: ID! name: String age: Int! score: Float roles: [Role!]! } \
    type Order implements Node { id: ID! done: Boolean! by: User }";

fn harvest(lines: &[Value], settings: &mut HarvestSettings) -> Harvest {
    let log: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let schema = Arc::new(Schema::from_sdl(SCHEMA).unwrap());
    let harvest = Harvest::new(schema, read_text("log", &log.join("\n")), settings);
    assert_eq!(harvest.rejected(), []);
    harvest
}

fn source(tests: Vec<TestCase>) -> String {
    let suite = TestSuite {
        provenance: wallace_suite::Provenance {
            tool: "Wallace".to_owned(),
            version: "0".to_owned(),
            seed: 0,
        },
        service: "shop".to_owned(),
        default_base_url: "http://127.0.0.1:1".to_owned(),
        start_command: None,
        tests,
    };
    let files = RustWriter.write(&suite);
    files.into_iter().find(|file| file.path == "tests/regression.rs").unwrap().content
}

/// The expected shape of an operation, as the Rust writer writes it, without layout.
fn shape(query: &str, variables: Value) -> String {
    let line = json!({ "query": query, "variables": variables });
    let source = source(harvest(&[line], &mut HarvestSettings::default()).tests());
    let text: String = source.split_whitespace().collect();
    let (_, shape) = text.split_once("expect_json(\"/data\",json!(").unwrap();
    let shape = shape.strip_suffix("));}").or_else(|| shape.strip_suffix("),);}")).unwrap();
    shape.replace(",}", "}").replace(",)", ")")
}

#[test]
fn every_selected_field_has_its_oracle() {
    assert_eq!(
        shape("{ user(id: 1) { __typename id name years: age score roles } when }", json!({})),
        "{\"user\":{\"__typename\":one_of(json!([\"User\"])),\"id\":any_string(),\
         \"name\":nullable(any_string()),\"roles\":each(one_of(json!([\"ADMIN\",\"GUEST\"]))),\
         \"score\":nullable(any_number()),\"years\":any_integer()},\"when\":non_null()}"
    );
}

#[test]
fn abstract_types_are_told_apart_where_the_query_asks() {
    let told =
        shape("{ any { __typename ... on User { name } ... on Order { done } } }", json!({}));
    assert_eq!(
        told,
        "{\"any\":nullable(each(by_type(\"__typename\",json!({\
         \"Order\":{\"__typename\":one_of(json!([\"Order\"])),\"done\":any_boolean()},\
         \"User\":{\"__typename\":one_of(json!([\"User\"])),\"name\":nullable(any_string())}}))))}"
    );
    let untold = shape("{ node { id ... on User { name } } }", json!({}));
    assert_eq!(untold, "{\"node\":nullable(including(json!({\"id\":any_string()})))}");
}

#[test]
fn directives_are_decided_by_the_variables() {
    let query = "query($a: Boolean!) { user(id: 1) { id @include(if: $a) age @skip(if: $a) ...F } } \
                 fragment F on User { name }";
    let with = shape(query, json!({ "a": true }));
    assert_eq!(with, "{\"user\":{\"id\":any_string(),\"name\":nullable(any_string())}}");
    let without = shape(query, json!({ "a": false }));
    assert_eq!(without, "{\"user\":{\"age\":any_integer(),\"name\":nullable(any_string())}}");
    assert_eq!(
        shape(query, Value::String("unknown".to_owned())),
        "{\"user\":including(json!({\"name\":nullable(any_string())}))}"
    );
}

#[test]
fn the_most_frequent_of_alike_operations_stands_for_all() {
    let line = |id: &str, count: u64, client: &str| json!({ "query": format!("query  A {{ user(id: \"{id}\") {{ id }} }}"), "count": count, "client": client });
    let lines = [line("1", 1, "web"), line("2", 7, "app"), line("3", 2, "web")];
    let merged = harvest(&lines, &mut HarvestSettings::default());
    let [operation] = merged.operations() else { panic!("{:?}", merged.operations()) };
    assert!(operation.logged.document.contains("\"2\""));
    assert_eq!((operation.times, operation.similar, operation.consumers.len()), (10, 3, 2));
    let mut apart = HarvestSettings { merges_similar: false, ..HarvestSettings::default() };
    assert_eq!(harvest(&lines, &mut apart).operations().len(), 3);
}

#[test]
fn mutations_are_put_in_an_order_that_works() {
    let line = |query: &str, variables: Value| json!({ "query": query, "variables": variables });
    let lines = [
        line("mutation D($u: ID!) { userDelete(user: $u) { id } }", json!({ "u": "U1" })),
        line("mutation O($user: ID!) { orderCreate(user: $user) { id } }", json!({ "user": "U1" })),
        line("mutation C { userCreate(name: \"n\") { id } }", json!({})),
        line("{ when }", json!({})),
    ];
    let harvest = harvest(&lines, &mut HarvestSettings::default());
    let calls: Vec<&str> =
        harvest.operations().iter().map(|operation| operation.calls[0].as_str()).collect();
    assert_eq!(
        calls,
        ["Query.when", "Mutation.userCreate", "Mutation.orderCreate", "Mutation.userDelete"]
    );
}

#[test]
fn recorded_answers_link_what_is_made_with_what_uses_it() {
    let answer = |data: Value| json!({ "status": 200, "body": { "data": data } });
    let lines = [
        json!({ "query": "mutation O($user: ID!) { orderCreate(user: $user) { id } }",
                "variables": { "user": "U-81" }, "response": answer(json!({ "orderCreate": { "id": "O-9" } })) }),
        json!({ "query": "mutation C { userCreate(name: \"n\") { id } }",
                "response": answer(json!({ "userCreate": { "id": "U-81" } })) }),
        json!({ "query": "mutation P($id: ID!) { orderUpdate(id: $id) { id done } }", "variables": { "id": "O-9" },
                "response": answer(json!({ "orderUpdate": { "id": "O-9", "done": true } })) }),
    ];
    let tests = harvest(&lines, &mut HarvestSettings::default()).tests();
    let last = tests.last().unwrap();
    let calls: Vec<&str> = last.steps.iter().map(|step| step.operation.as_str()).collect();
    assert_eq!(calls, ["Mutation.userCreate", "Mutation.orderCreate", "Mutation.orderUpdate"]);
    let Body::GraphQl { variables: Some(variables), .. } = &last.steps[2].request.body else {
        panic!("{:?}", last.steps[2].request.body)
    };
    let capture = &last.steps[1].captures[0];
    assert_eq!(variables.captured["/id"], capture.variable);
    assert_eq!(capture.place, AnswerPlace::Body("/data/orderCreate/id".to_owned()));
    let variable = capture.variable.clone();
    assert!(source(tests).contains(&format!("let {variable} =")));
}

#[test]
fn recorded_answers_can_be_what_is_expected() {
    let line = json!({ "query": "{ user(id: \"7\") { name age } }",
        "response": { "data": { "user": { "name": "Ann", "age": 41 } } } });
    let compares = |compares_answers| {
        let mut settings = HarvestSettings { compares_answers, ..HarvestSettings::default() };
        harvest(std::slice::from_ref(&line), &mut settings)
            .tests()
            .remove(0)
            .steps
            .remove(0)
            .expectations
    };
    let exact = json!({ "user": { "name": "Ann", "age": 41 } });
    assert!(compares(true).contains(&Expectation::json_equals("/data", &exact)));
    assert!(!compares(false).contains(&Expectation::json_equals("/data", &exact)));
}
