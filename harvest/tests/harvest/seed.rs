//! Harvested operations as tests that a search begins with.

use std::sync::Arc;

use http::uri::PathAndQuery;
use wallace_engine::SearchSettings;
use wallace_harvest::{Harvest, HarvestSettings, read_text};
use wallace_problems::graphql::{GraphqlProblem, Schema, Style, Templates};

const SDL: &str = "
    interface Node { id: ID! }
    union Any = User | Group
    enum Order { UP DOWN }
    input By { name: String = \"x\" tags: [String!] order: Order deep: By }
    input One @oneOf { id: ID name: String }
    type User implements Node { id: ID! name(upper: Boolean! = false): String friends(first: Int!): [User!]! }
    type Group implements Node { id: ID! title: String }
    type Query { user(id: ID!): User any(by: By): [Any!] node(one: One, n: Float): Node count: Int! }
    type Mutation { drop(ids: [ID!]!): Boolean }";

/// The operations of a log as the search's own printer writes them.
fn seeds(log: &str) -> Vec<Vec<String>> {
    let schema = Arc::new(Schema::from_sdl(SDL).unwrap());
    let reading = read_text("log.ndjson", log);
    let harvest = Harvest::new(Arc::clone(&schema), reading, &mut HarvestSettings::default());
    assert_eq!(harvest.rejected(), []);
    let templates = Arc::new(Templates::new(schema).unwrap());
    let path = PathAndQuery::from_static("/graphql");
    let seeds = harvest.seeds(&templates);
    let problem = GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap();
    let text = |action: &_| problem.document(action, Style::Compact).0;
    seeds.iter().map(|test| test.iter().map(text).collect()).collect()
}

#[test]
fn arguments_and_selections_come_through() {
    let log = r#"{"query":"query Q($id: ID!, $n: Int = 3) { u: user(id: $id) { ...F name(upper: true) friends(first: $n) { __typename } } } fragment F on User { id other: friends(first: 1) { id } }","variables":{"id":7}}
{"query":"{ any(by: {name: null, tags: \"a\", order: DOWN, deep: {}}) { ... on User { id } ...on Group { title } } }"}
{"query":"{ node(one: {name: \"n\"}, n: 2) { id ... on User { name } } count }"}
{"query":"mutation { drop(ids: [1, \"b\"]) }"}"#;
    assert_eq!(
        seeds(log),
        [
            vec!["query{user(id:\"7\"){id name(upper:true) friends(first:1){id __typename}}}"],
            vec![
                "query{any(by:{name:null,tags:[\"a\"],order:DOWN,deep:{}}){... on User{id} ... on Group{title}}}"
            ],
            vec!["query{node(one:{name:\"n\"},n:2.0){id ... on User{name}}}", "query{count}"],
            vec!["mutation{drop(ids:[\"1\",\"b\"])}"],
        ]
    );
}

#[test]
fn calls_that_cannot_be_made_are_left_out() {
    let log = r#"{"query":"query Q($id: ID!) { user(id: $id) { id } count }"}
{"query":"query R($id: ID!) { user(id: $id) { name } }"}"#;
    assert_eq!(seeds(log), [["query{count}"]], "the variables are not known");
}
