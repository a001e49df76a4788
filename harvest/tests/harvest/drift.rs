//! What a new version of the schema breaks, and for whom.

use std::sync::Arc;

use serde_json::json;
use wallace_harvest::{BreakKind, Harvest, HarvestSettings, drift, read_text};
use wallace_problems::graphql::Schema;

const OLD: &str = "type Query { user(id: ID!, flag: Boolean): User! all: [User!]! find: Any state: State } \
    union Any = User | Shop  enum State { ON OFF } \
    type User { id: ID! name: String! age: Int old: Int }  type Shop { id: ID! }  type More { id: ID! }";

fn breaks(new: &str) -> Vec<(BreakKind, String, String, u64)> {
    let schema = Arc::new(Schema::from_sdl(OLD).unwrap());
    let log = [
        json!({ "query": "query A { user(id: 1, flag: true) { id name age } state }", "client": "web", "count": 5 }),
        json!({ "query": "query B { all { ...F } } fragment F on User { name old }", "client": "app" }),
        json!({ "query": "query C { find { __typename ... on Shop { id } } }", "client": "desk" }),
    ];
    let log: Vec<String> = log.iter().map(ToString::to_string).collect();
    let reading = read_text("log", &log.join("\n"));
    let harvest = Harvest::new(schema, reading, &mut HarvestSettings::default());
    let found = drift(&harvest, &Schema::from_sdl(new).unwrap());
    let row = |it: &wallace_harvest::Break| {
        let consumers: Vec<&str> = it.consumers.iter().map(String::as_str).collect();
        (it.kind, it.coordinate.clone(), consumers.join(","), it.times)
    };
    found.iter().map(row).collect()
}

#[track_caller]
fn check(from: &str, to: &str, kind: BreakKind, coordinate: &str, consumers: &str, times: u64) {
    assert!(OLD.contains(from), "{from}");
    let expected = (kind, coordinate.to_owned(), consumers.to_owned(), times);
    assert_eq!(breaks(&OLD.replace(from, to)), [expected]);
}

#[test]
fn the_same_schema_breaks_nothing() {
    assert_eq!(breaks(OLD), []);
    assert_eq!(breaks(&OLD.replace("age: Int", "age: Int! more: Int")), []);
}

#[test]
fn every_change_is_named_with_its_consumers() {
    check(" old: Int", "", BreakKind::FieldRemoved, "User.old", "app", 1);
    check("name: String!", "name: String", BreakKind::BecameNullable, "User.name", "app,web", 6);
    check("[User!]!", "[User]!", BreakKind::BecameNullable, "Query.all", "app", 1);
    check("age: Int", "age: Float", BreakKind::TypeChanged, "User.age", "web", 5);
    check(", flag: Boolean", "", BreakKind::ArgumentRemoved, "Query.user(flag:)", "web", 5);
    check(
        "id: ID!, flag",
        "id: ID!, in: Int!, flag",
        BreakKind::ArgumentRequired,
        "Query.user(in:)",
        "web",
        5,
    );
    check(
        "id: ID!, flag: Boolean",
        "id: ID!, flag: Int",
        BreakKind::ArgumentTypeChanged,
        "Query.user(flag:)",
        "web",
        5,
    );
    check("ON OFF", "ON OFF BROKEN", BreakKind::ValueAdded, "Query.state", "web", 5);
    check("User | Shop", "User | Shop | More", BreakKind::ValueAdded, "Query.find", "desk", 1);
}

#[test]
fn refusals_come_first() {
    let new = OLD.replace("name: String!", "name: String").replace(" old: Int", "");
    let found = breaks(&new);
    assert_eq!(found[0].0, BreakKind::FieldRemoved);
    assert_eq!(found[1].0, BreakKind::BecameNullable);
}
