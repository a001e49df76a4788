//! A call beside its answer.

use serde_json::Value;

use super::{Answer, Sight, walk};
use crate::graphql::action::{Form, GraphqlAction};
use crate::graphql::document::Selection;
use crate::graphql::schema::{FieldId, OperationKind, Schema};
use crate::graphql::template::OperationTemplate;

/// A call with its answer.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    /// Position in the test.
    pub(crate) place: usize,
    pub(crate) action: &'a GraphqlAction,
    pub(crate) operation: &'a OperationTemplate,
    /// What it selects, as the plain form does; nothing where the answer has another shape.
    pub(crate) selections: &'a [Selection],
    pub(crate) answer: &'a Answer,
}

impl<'a> Seen<'a> {
    pub(crate) fn is_query(&self) -> bool {
        self.operation.kind == OperationKind::Query
    }

    /// Whether the operation gave a value without any error.
    pub(crate) fn gave(&self) -> bool {
        self.answer.gave(&self.operation.name)
    }

    /// The value of the operation.
    pub(crate) fn value(&self) -> Option<&'a Value> {
        self.answer.data()?.get(&*self.operation.name)
    }

    /// What the operation gave the second time, where the form asks for it twice.
    pub(crate) fn value_again(&self) -> Option<&Value> {
        let again = self.answer.again.as_ref()?;
        match self.action.form {
            Form::Batched => again.get("data")?.get(&*self.operation.name),
            _ => Some(again),
        }
    }

    /// Tells all that the answer holds.
    pub(crate) fn walk(self, schema: &Schema, see: &mut dyn FnMut(FieldId, Sight<'a>)) {
        if let Some(data) = self.answer.data() {
            walk(schema, self.selections, data, see);
        }
    }

    /// Whether two calls ask the same, whoever asks and in whatever form.
    pub(crate) fn asks_as(&self, other: &Self) -> bool {
        self.action.template == other.action.template && self.action.gene == other.action.gene
    }
}
