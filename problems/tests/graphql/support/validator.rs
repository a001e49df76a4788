//! An independent implementation of GraphQL: answers introspection, validates documents.

use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema as Sdl, introspection};
use serde_json::Value;
use wallace_problems::graphql::{INTROSPECTION_QUERY, Schema};

use super::sdl;

/// What a service with this schema answers to the introspection query.
pub(crate) fn introspect(text: &str) -> Value {
    let schema = Sdl::parse_and_validate(text, "schema.graphql").unwrap();
    let query = INTROSPECTION_QUERY;
    let document = ExecutableDocument::parse_and_validate(&schema, query, "q.graphql").unwrap();
    let operation = document.operations.iter().next().unwrap();
    let variables = coerce_variable_values(&schema, operation, &JsonMap::new()).unwrap();
    let implementers = schema.implementers_map();
    let answer =
        introspection::partial_execute(&schema, &implementers, &document, operation, &variables);
    serde_json::to_value(answer.unwrap()).unwrap()
}

/// Validates documents against a schema.
pub(crate) struct Validator(Valid<Sdl>);

impl Validator {
    /// The validator of a schema, or what is wrong with the schema.
    pub(crate) fn new(schema: &Schema) -> Result<Self, String> {
        let sdl = sdl::print(schema);
        Sdl::parse_and_validate(sdl, "schema.graphql").map(Self).map_err(|e| e.errors.to_string())
    }

    /// Panics with the document and the reasons when the document is invalid.
    pub(crate) fn accept(&self, document: &str) {
        let result = ExecutableDocument::parse_and_validate(&self.0, document, "d.graphql");
        if let Err(invalid) = result {
            panic!("invalid document\n{document}\n{}", invalid.errors);
        }
    }
}
