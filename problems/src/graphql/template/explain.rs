//! Why an operation cannot be called.

use std::collections::HashSet;

use wallace_genes::SpecGraph;

use super::build::Build;
use crate::graphql::schema::{FieldId, InputValue, TypeId, TypeKind};

impl Build<'_> {
    /// Why no call of the field is valid.
    pub(super) fn why_impossible(&self, graph: &SpecGraph, id: FieldId) -> String {
        let field = self.schema.field(id);
        if let Some(argument) = self.impossible(graph, &field.arguments) {
            let name = &argument.name;
            let type_text = self.schema.type_text(&argument.type_ref);
            let reason = self.why_no_value(graph, argument.type_ref.named());
            return format!("its argument `{name}` of type `{type_text}` has no value: {reason}");
        }
        let returned = self.schema.definition(field.type_ref.named());
        match &returned.kind {
            TypeKind::Broken { reason } => {
                format!("it returns `{}`, which cannot be used: {reason}", returned.name)
            }
            _ => format!("it returns `{}`, which is an input type", returned.name),
        }
    }

    /// The first value that must be given and cannot.
    fn impossible<'a>(
        &self,
        graph: &SpecGraph,
        inputs: &'a [InputValue],
    ) -> Option<&'a InputValue> {
        inputs.iter().find(|input| {
            let spec = self.arguments.get(&(&input.type_ref, input.default.is_some()));
            spec.is_some_and(|spec| !graph.cost(*spec).is_finite())
        })
    }

    /// Why the type has no value: follows what it requires to a broken type or a cycle.
    fn why_no_value(&self, graph: &SpecGraph, start: TypeId) -> String {
        let mut seen = HashSet::new();
        let mut id = start;
        loop {
            let definition = self.schema.definition(id);
            let name = &definition.name;
            match &definition.kind {
                TypeKind::Broken { reason } => {
                    return format!("the type `{name}` cannot be used: {reason}");
                }
                TypeKind::Scalar { .. } => return format!("`{name}` is a file, and none is sent"),
                TypeKind::Enum { .. } => return format!("the enum `{name}` has no values"),
                TypeKind::InputObject { fields, is_one_of } => {
                    if !seen.insert(id) {
                        return format!("the input type `{name}` requires itself");
                    }
                    let next =
                        if *is_one_of { fields.first() } else { self.impossible(graph, fields) };
                    match next {
                        Some(field) => id = field.type_ref.named(),
                        None => return format!("the input type `{name}` has no finite value"),
                    }
                }
                _ => return format!("`{name}` is no input type"),
            }
        }
    }
}
