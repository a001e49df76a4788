//! From a request to something that can be executed, or to a request error.

use serde_json::{Map, Value, json};
use wallace_problems::graphql::executable::{ExecutableDocument, Invalid};
use wallace_problems::graphql::{OperationKind, Schema, TypeKind};

use super::{limit, token};
use crate::flawed_shop::shop::Shop;

/// Most tokens of a document.
const TOKENS: usize = 1_000;

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    pub(super) query: String,
    pub(super) operation_name: Option<String>,
    pub(super) variables: Map<String, Value>,
}

/// Why nothing of a request is executed.
#[derive(Debug)]
pub(super) struct RequestError {
    /// Status where the media type of GraphQL is accepted.
    pub(super) status: u16,
    pub(super) errors: Value,
}

impl RequestError {
    pub(super) fn new(status: u16, code: &str, message: &str) -> Self {
        let error = json!({ "message": message, "extensions": { "code": code } });
        Self { status, errors: json!([error]) }
    }

    fn limit(name: &str) -> Self {
        Self::new(400, "LIMIT_EXCEEDED", &format!("the limit on {name} is exceeded"))
    }
}

/// A request that passed.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) request: Request,
    pub(super) document: ExecutableDocument,
    pub(super) is_mutation: bool,
}

/// The judge of documents: independent of the executor.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) schema: Schema,
}

impl Judge {
    /// A judge by the shop's schema; where a fault says so, a field of it is not known.
    pub(super) fn new(shop: &Shop) -> Self {
        let text = include_str!("schema.graphql");
        let text = if shop.has("gql-field-unknown") {
            text.replace("weightGrams: Int", "")
        } else {
            text.to_owned()
        };
        Self { schema: Schema::from_sdl(&text).expect("the tests read the same schema") }
    }

    /// Checks everything that can be checked before execution.
    pub(super) fn check(&self, shop: &Shop, request: Request) -> Result<Checked, RequestError> {
        if token::count(&request.query) > TOKENS {
            return Err(RequestError::limit("tokens"));
        }
        let request = if shop.has("gql-enum-fallback") { self.fall_back(request) } else { request };
        let document = self.validate(&request.query)?;
        let Some(operation) = document.operation(request.operation_name.as_deref()) else {
            let message = "the operation to execute cannot be determined";
            return Err(RequestError::new(422, "GRAPHQL_VALIDATION_FAILED", message));
        };
        operation
            .check_variables(&self.schema, &request.variables)
            .map_err(|reason| RequestError::new(422, "BAD_USER_INPUT", &reason))?;
        if let Some(name) = limit::exceeded(shop, &document, operation) {
            return Err(RequestError::limit(name));
        }
        let is_mutation = operation.kind == OperationKind::Mutation;
        Ok(Checked { request, is_mutation, document })
    }

    fn validate(&self, query: &str) -> Result<ExecutableDocument, RequestError> {
        let document = ExecutableDocument::parse(query)
            .map_err(|invalid| request_errors(400, "GRAPHQL_PARSE_FAILED", &[invalid]))?;
        let problems = document.problems(&self.schema);
        if problems.is_empty() {
            return Ok(document);
        }
        Err(request_errors(422, "GRAPHQL_VALIDATION_FAILED", &problems))
    }

    /// Reads unknown words for an order of products as `ID`.
    fn fall_back(&self, mut request: Request) -> Request {
        let sorts =
            self.schema.type_named("ProductSort").map(|id| &self.schema.definition(id).kind);
        let Some(TypeKind::Enum { values }) = sorts else { return request };
        let is_known = |word: &str| values.iter().any(|value| *value.name == *word);
        if let Some(text) = fall_back_inline(&request.query, is_known) {
            request.query = text;
        }
        let declared = declared_sorts(&request.query);
        for (name, value) in &mut request.variables {
            let is_unknown = value.as_str().is_some_and(|word| !is_known(word));
            if declared.contains(name) && is_unknown {
                *value = json!("ID");
            }
        }
        request
    }
}

fn request_errors(status: u16, code: &str, problems: &[Invalid]) -> RequestError {
    let described = problems.iter().map(|Invalid { position, reason }| {
        let location = json!({ "line": position.line, "column": position.column });
        json!({
            "message": reason, "locations": [location], "extensions": { "code": code },
        })
    });
    RequestError { status, errors: described.collect() }
}

/// The document with unknown words behind `sort:` read as `ID`; `None` when there are none.
fn fall_back_inline(query: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let pattern = regex::Regex::new(r"\bsort\s*:\s*([A-Za-z_]\w*)").expect("a pattern");
    let unknown = |captures: &regex::Captures<'_>| !is_known(&captures[1]);
    pattern.captures_iter(query).any(|captures| unknown(&captures)).then(|| {
        let replace = |captures: &regex::Captures<'_>| {
            if unknown(captures) { "sort: ID".to_owned() } else { captures[0].to_owned() }
        };
        pattern.replace_all(query, replace).into_owned()
    })
}

/// Names of the variables that are orders of products.
fn declared_sorts(query: &str) -> Vec<String> {
    let pattern = regex::Regex::new(r"\$(\w+)\s*:\s*ProductSort\b").expect("a pattern");
    pattern.captures_iter(query).map(|captures| captures[1].to_owned()).collect()
}
