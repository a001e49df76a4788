//! From a request to something that can be executed, or to a request error.

use apollo_compiler::executable::{ExecutableDocument, OperationType};
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{Schema, schema::ExtendedType};
use apollo_compiler::{ast, request};
use serde_json::{Map, Value, json};

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
    pub(super) document: Valid<ExecutableDocument>,
    pub(super) is_mutation: bool,
}

/// The judge of documents: independent of the executor.
#[derive(Debug)]
pub(super) struct Judge {
    schema: Valid<Schema>,
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
        let schema = Schema::parse_and_validate(text, "schema.graphql");
        Self { schema: schema.expect("the tests read the same schema") }
    }

    /// Checks everything that can be checked before execution.
    pub(super) fn check(&self, shop: &Shop, request: Request) -> Result<Checked, RequestError> {
        if token::count(&request.query) > TOKENS {
            return Err(RequestError::limit("tokens"));
        }
        let request = if shop.has("gql-enum-fallback") { self.fall_back(request) } else { request };
        let document = self.validate(&request.query)?;
        let operation = document.operations.get(request.operation_name.as_deref());
        let operation = operation.map_err(|_| {
            let message = "the operation to execute cannot be determined";
            RequestError::new(422, "GRAPHQL_VALIDATION_FAILED", message)
        })?;
        let variables: JsonMap =
            serde_json::from_value(Value::Object(request.variables.clone())).unwrap_or_default();
        request::coerce_variable_values(&self.schema, operation, &variables).map_err(|error| {
            RequestError::new(422, "BAD_USER_INPUT", &error.message().to_string())
        })?;
        if let Some(name) = limit::exceeded(shop, &document, operation) {
            return Err(RequestError::limit(name));
        }
        let is_mutation = operation.operation_type == OperationType::Mutation;
        Ok(Checked { request, is_mutation, document })
    }

    fn validate(&self, query: &str) -> Result<Valid<ExecutableDocument>, RequestError> {
        let document = ast::Document::parse(query, "request")
            .map_err(|failure| request_errors(400, "GRAPHQL_PARSE_FAILED", &failure.errors))?;
        document
            .to_executable_validate(&self.schema)
            .map_err(|failure| request_errors(422, "GRAPHQL_VALIDATION_FAILED", &failure.errors))
    }

    /// Reads unknown words for an order of products as `ID`.
    fn fall_back(&self, mut request: Request) -> Request {
        let Some(ExtendedType::Enum(sorts)) = self.schema.types.get("ProductSort") else {
            return request;
        };
        let is_known = |word: &str| sorts.values.contains_key(word);
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

fn request_errors(
    status: u16,
    code: &str,
    errors: &apollo_compiler::validation::DiagnosticList,
) -> RequestError {
    let described = errors.iter().map(|error| {
        let error = error.to_json();
        json!({
            "message": error.message, "locations": error.locations,
            "extensions": { "code": code },
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
