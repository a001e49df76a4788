//! Documents: parsed once for each text, validated against the schema.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_problems::graphql::Schema;
use wallace_problems::graphql::executable::{ExecutableDocument, Invalid, Operation, Selection};

/// Parses and validates against one schema.
#[derive(Debug)]
pub(crate) struct Validator<'s> {
    schema: &'s Schema,
    known: HashMap<Arc<str>, Result<Arc<ExecutableDocument>, String>>,
}

impl<'s> Validator<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Self { schema, known: HashMap::new() }
    }

    /// The document of a text, which is parsed only once, or why it is not valid.
    pub(crate) fn document(&mut self, text: &Arc<str>) -> Result<Arc<ExecutableDocument>, String> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let parsed = self.valid(text).map(Arc::new).map_err(|problems| told(&problems));
        self.known.insert(Arc::clone(text), parsed.clone());
        parsed
    }

    fn valid(&self, text: &str) -> Result<ExecutableDocument, Vec<Invalid>> {
        let document = ExecutableDocument::parse(text).map_err(|invalid| vec![invalid])?;
        let problems = document.problems(self.schema);
        if problems.is_empty() { Ok(document) } else { Err(problems) }
    }

    /// All that is wrong with a text, for this schema.
    pub(crate) fn problems(&self, text: &str) -> Vec<Invalid> {
        self.valid(text).err().unwrap_or_default()
    }
}

/// Problems told of one document, at most.
const TOLD: usize = 3;

fn told(problems: &[Invalid]) -> String {
    let line = problems.first().map_or(1, |first| first.position.line);
    let reasons: Vec<&str> = problems.iter().take(TOLD).map(|it| it.reason.as_str()).collect();
    format!("line {line} of the operation: {}", reasons.join("; "))
}

/// Coordinates of the fields of the root.
pub(crate) fn calls(schema: &Schema, operation: &Operation) -> Vec<String> {
    let Some(root) = schema.root(operation.kind) else { return Vec::new() };
    let root = &schema.definition(root).name;
    let fields = operation.selections.iter().filter_map(Selection::as_field);
    fields.map(|field| format!("{root}.{}", field.name)).collect()
}
