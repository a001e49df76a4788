//! Documents: parsed once for each text, validated against the schema.

use std::collections::HashMap;
use std::sync::Arc;

use apollo_compiler::validation::{DiagnosticList, Valid};
use apollo_compiler::{Node, ast};
use wallace_problems::graphql::{OperationKind, Schema};

use crate::harvest::HarvestError;
use crate::schema::definitions;

/// A document that is valid for the schema.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) ast: ast::Document,
}

impl Document {
    /// The operation of a name, or the only one.
    pub(crate) fn operation(&self, name: Option<&str>) -> Option<&Node<ast::OperationDefinition>> {
        let mut operations = self.operations();
        match name {
            Some(name) => operations
                .find(|operation| operation.name.as_ref().is_some_and(|it| it.as_str() == name)),
            None => operations.next().filter(|_| operations.next().is_none()),
        }
    }

    pub(crate) fn operations(&self) -> impl Iterator<Item = &Node<ast::OperationDefinition>> {
        self.ast.definitions.iter().filter_map(ast::Definition::as_operation_definition)
    }

    pub(crate) fn fragments(&self) -> impl Iterator<Item = &Node<ast::FragmentDefinition>> {
        self.ast.definitions.iter().filter_map(ast::Definition::as_fragment_definition)
    }

    pub(crate) fn fragment(&self, name: &str) -> Option<&Node<ast::FragmentDefinition>> {
        self.fragments().find(|fragment| fragment.name.as_str() == name)
    }
}

/// Why a document cannot be used, and in which line of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) line: usize,
    pub(crate) reason: String,
}

/// Parses and validates against one schema.
#[derive(Debug)]
pub(crate) struct Validator {
    schema: Valid<apollo_compiler::Schema>,
    known: HashMap<Arc<str>, Result<Arc<Document>, Invalid>>,
}

impl Validator {
    /// # Errors
    /// When the schema itself is not valid.
    pub(crate) fn new(schema: &Schema) -> Result<Self, HarvestError> {
        let schema = definitions(schema).to_schema_validate();
        let schema = schema.map_err(|error| HarvestError::InvalidSchema {
            reason: invalid(&error.errors).reason,
        })?;
        Ok(Self { schema, known: HashMap::new() })
    }

    /// The document of a text, which is parsed only once.
    pub(crate) fn document(&mut self, text: &Arc<str>) -> Result<Arc<Document>, Invalid> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let parsed = self.parse(text);
        self.known.insert(Arc::clone(text), parsed.clone());
        parsed
    }

    fn parse(&self, text: &str) -> Result<Arc<Document>, Invalid> {
        let ast =
            ast::Document::parse(text, "operation").map_err(|error| invalid(&error.errors))?;
        ast.to_executable_validate(&self.schema).map_err(|error| invalid(&error.errors))?;
        Ok(Arc::new(Document { ast }))
    }

    /// All that is wrong with a text, for this schema.
    pub(crate) fn problems(&self, text: &str) -> Vec<Invalid> {
        let ast = match ast::Document::parse(text, "operation") {
            Ok(ast) => ast,
            Err(error) => return vec![invalid(&error.errors)],
        };
        match ast.to_executable_validate(&self.schema) {
            Ok(_) => Vec::new(),
            Err(error) => error
                .errors
                .iter()
                .map(|error| Invalid {
                    line: error.line_column_range().map_or(1, |range| range.start.line),
                    reason: error.error.to_string(),
                })
                .collect(),
        }
    }
}

/// Problems told of one document, at most.
const TOLD: usize = 3;

fn invalid(errors: &DiagnosticList) -> Invalid {
    let first = errors.iter().next();
    let line = first.as_ref().and_then(|it| it.line_column_range()).map_or(1, |it| it.start.line);
    let told: Vec<String> = errors.iter().take(TOLD).map(|it| it.error.to_string()).collect();
    Invalid { line, reason: told.join("; ") }
}

/// Whether an operation reads, writes or listens.
pub(crate) fn kind(definition: &ast::OperationDefinition) -> OperationKind {
    match definition.operation_type {
        ast::OperationType::Query => OperationKind::Query,
        ast::OperationType::Mutation => OperationKind::Mutation,
        ast::OperationType::Subscription => OperationKind::Subscription,
    }
}

/// Coordinates of the fields of the root.
pub(crate) fn calls(schema: &Schema, definition: &ast::OperationDefinition) -> Vec<String> {
    let Some(root) = schema.root(kind(definition)) else { return Vec::new() };
    let root = &schema.definition(root).name;
    let fields = definition.selection_set.iter().filter_map(ast::Selection::as_field);
    fields.map(|field| format!("{root}.{}", field.name)).collect()
}
