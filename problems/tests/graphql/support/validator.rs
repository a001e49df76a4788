//! An independent implementation of GraphQL: answers introspection, validates documents.

use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema as Sdl, introspection};
use serde_json::Value;
use wallace_problems::graphql::{INTROSPECTION_QUERY, Schema, executable};

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
pub(crate) struct Validator<'s> {
    schema: Valid<Sdl>,
    model: &'s Schema,
}

impl<'s> Validator<'s> {
    /// The validator of a schema, or what is wrong with the schema.
    pub(crate) fn new(model: &'s Schema) -> Result<Self, String> {
        let sdl = sdl::print(model);
        let schema = Sdl::parse_and_validate(sdl, "schema.graphql");
        schema.map(|schema| Self { schema, model }).map_err(|e| e.errors.to_string())
    }

    /// What is wrong with a document, if it is not valid.
    pub(crate) fn judged(&self, document: &str) -> Result<(), String> {
        let result = ExecutableDocument::parse_and_validate(&self.schema, document, "d.graphql");
        result.map(|_| ()).map_err(|invalid| invalid.errors.to_string())
    }

    /// Panics with the document and the reasons when the document is invalid, for this judge or for
    /// our own.
    pub(crate) fn accept(&self, document: &str) {
        if let Err(reasons) = self.judged(document) {
            panic!("invalid document\n{document}\n{reasons}");
        }
        let ours = executable::ExecutableDocument::parse(document).unwrap().problems(self.model);
        assert_eq!(ours, [], "invalid document\n{document}");
    }
}
