//! Targets of one's own on a GraphQL service: prices that nobody should ever be quoted.
//!
//! The service stands in this process, so that the example needs no network: its transport reads the
//! document of a request and computes the answer. The search knows the service by its schema alone;
//! what it is to look for is said by a `TargetSource`, which grades each answer.
//!
//! Run: `cargo run -p wallace-problems --example own_target`

#![allow(clippy::print_stdout)]

use std::sync::Arc;

use async_graphql_parser::types::{DocumentOperations, ExecutableDocument, Field, Selection};
use async_graphql_value::ConstValue;
use http::uri::PathAndQuery;
use serde_json::json;
use wallace_engine::{
    Budget, Individual, Score, Search, SearchSettings, TargetScore, TargetSource,
};
use wallace_problems::graphql::{
    CheckSettings, GraphqlAction, GraphqlProblem, Schema, Style, Templates,
};
use wallace_problems::{
    CallFailure, HttpEvaluator, HttpOutcome, HttpRequest, HttpResponse, Transport,
};

const SCHEMA: &str = "
    type Query { quote(items: Int!, coupon: Int): Quote! }
    type Quote { price: Int!  currency: String! }
";

/// The shop: 25 for each item; a coupon takes off as much as it says, however much that is.
struct Shop;

impl Transport for Shop {
    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let quote = quoted(&request.body).ok_or(CallFailure::Malformed)?;
        let (status, content_type) = (200, "application/json".to_owned());
        let body = json!({ "data": { "quote": quote } }).to_string();
        Ok(HttpResponse { status, content_type, body, ..HttpResponse::default() })
    }
}

/// The answer to the only query that the shop knows; `None` for a body that is none.
fn quoted(body: &[u8]) -> Option<serde_json::Value> {
    let body: serde_json::Value = serde_json::from_slice(body).ok()?;
    let document = async_graphql_parser::parse_query(body.get("query")?.as_str()?).ok()?;
    let quote = first_field(&document)?;
    let number = |name: &str| match quote.get_argument(name)?.node.clone().into_const()? {
        ConstValue::Number(number) => number.as_i64(),
        _ => None,
    };
    let price = 25 * number("items")? - number("coupon").unwrap_or(0);
    let mut answer = serde_json::Map::new();
    for selection in &quote.selection_set.node.items {
        let Selection::Field(field) = &selection.node else { continue };
        let value = match field.node.name.node.as_str() {
            "price" => json!(price),
            "currency" => json!("EUR"),
            _ => json!("Quote"),
        };
        answer.insert(field.node.response_key().node.to_string(), value);
    }
    Some(answer.into())
}

fn first_field(document: &ExecutableDocument) -> Option<&Field> {
    let operation = match &document.operations {
        DocumentOperations::Single(operation) => operation,
        DocumentOperations::Multiple(operations) => operations.values().next()?,
    };
    match &operation.node.selection_set.node.items.first()?.node {
        Selection::Field(field) => Some(&field.node),
        _ => None,
    }
}

/// What nobody should be quoted: nothing to pay for something, a negative price, and one that a
/// customer of the shop once complained about.
struct Suspicious;

impl TargetSource<GraphqlAction> for Suspicious {
    fn targets(
        &self,
        test: &Individual<GraphqlAction>,
        outcomes: &[HttpOutcome],
    ) -> Vec<TargetScore> {
        let mut scores = Vec::new();
        for ((id, _), outcome) in test.actions().iter().zip(outcomes) {
            // An answer without a price says nothing: its targets are not reached.
            let Some(price) = price(outcome) else { continue };
            let mut add = |name: &str, distance: i64| {
                let score = Score::new(1.0 / (1.0 + distance as f64));
                scores.push(TargetScore { name: name.into(), score, action: Some(*id) });
            };
            add("price is nothing", price.abs());
            add("price is negative", (price + 1).max(0));
            add("price is 1,234,567", (price - 1_234_567).abs());
        }
        scores
    }
}

fn price(outcome: &HttpOutcome) -> Option<i64> {
    let response = outcome.response.as_ref().ok()?;
    let answer: serde_json::Value = serde_json::from_str(&response.body).ok()?;
    answer.pointer("/data/quote/price")?.as_i64()
}

pub(crate) fn main() {
    let schema = Schema::from_sdl(SCHEMA).expect("the schema is valid");
    let templates = Arc::new(Templates::new(Arc::new(schema)).expect("it has a query"));
    let settings = SearchSettings::default();
    let path = PathAndQuery::from_static("/graphql");
    let problem = GraphqlProblem::new(Arc::clone(&templates), path, &settings)
        .expect("its query can be called")
        .black_box()
        .with_checks(CheckSettings::NONE);
    let problem = Arc::new(problem);
    let mut search = Search::new(&*problem, settings, Budget::calls(2_000));
    search.add_targets(Box::new(Suspicious));
    let solution = search.run(&mut HttpEvaluator::new(Arc::clone(&problem), Box::new(Shop), None));
    for test in &solution.tests {
        for (_, action) in test.evaluated.individual.actions() {
            let operation = &templates.operations()[action.template.0 as usize];
            let mut document = String::new();
            templates.render_into(operation, &action.gene, Style::Compact, &mut document);
            println!("{document}");
        }
        for target in &test.covers {
            println!("    {target}");
        }
    }
    let own = solution.targets.iter().filter(|target| target.name.as_str().starts_with("price is"));
    assert_eq!(own.filter(|target| target.score.is_covered()).count(), 3, "all three are quoted");
}
