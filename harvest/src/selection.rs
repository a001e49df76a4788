//! What a document selects, with the types of the schema and fragments in place of their spreads.

use std::sync::Arc;

use serde_json::Value;
use wallace_problems::graphql::executable::{self, ExecutableDocument};
use wallace_problems::graphql::{Directive, Field, Literal, Part, Schema, Selection, TypeId};

/// Fragments within fragments, at most; valid documents have no cycles.
const MAX_DEPTH: usize = 64;

/// Turns selections of one document into those of the schema. What stays in them under a directive may
/// be missing in the answer.
pub(crate) struct Selector<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) document: &'s ExecutableDocument,
    /// Values of variables, by which `@skip` and `@include` are decided. Where they are not known
    /// the directive stays.
    pub(crate) variables: Option<&'s Value>,
}

impl Selector<'_> {
    pub(crate) fn select(
        &self,
        owner: TypeId,
        selections: &[executable::Selection],
    ) -> Vec<Selection> {
        self.parts(owner, selections, MAX_DEPTH)
    }

    fn parts(
        &self,
        owner: TypeId,
        selections: &[executable::Selection],
        depth: usize,
    ) -> Vec<Selection> {
        selections.iter().filter_map(|selection| self.part(owner, selection, depth)).collect()
    }

    fn part(
        &self,
        owner: TypeId,
        selection: &executable::Selection,
        depth: usize,
    ) -> Option<Selection> {
        let depth = depth.checked_sub(1)?;
        let directives = self.undecided(&selection.directives)?;
        let (part, on, below) = match &selection.part {
            executable::Part::Field(field) => {
                let id = self.schema.field_named(owner, &field.name);
                if id.is_none() && !field.name.starts_with("__") {
                    return None;
                }
                let (alias, name) = (field.alias.clone(), Arc::clone(&field.name));
                let part = Part::Field(Field { alias, name, id, arguments: Vec::new() });
                (part, id.map(|id| self.schema.returned(id)), &selection.selections)
            }
            executable::Part::Inline(on) => {
                let on = on.as_ref().map_or(Some(owner), |name| self.schema.type_named(name))?;
                (self.fragment(on), Some(on), &selection.selections)
            }
            executable::Part::Spread(name) => {
                let fragment = self.document.fragment(name)?;
                let on = self.schema.type_named(&fragment.on)?;
                (self.fragment(on), Some(on), &fragment.selections)
            }
        };
        let selections = on.map_or_else(Vec::new, |on| self.parts(on, below, depth));
        Some(Selection { part, directives, selections })
    }

    fn fragment(&self, on: TypeId) -> Part {
        Part::Fragment { on, name: Arc::clone(&self.schema.definition(on).name) }
    }

    /// The directives by which a part may be missing, as variables that are not known decide;
    /// nothing where it certainly is.
    fn undecided(&self, directives: &[Directive]) -> Option<Vec<Directive>> {
        let mut undecided = Vec::new();
        for directive in directives {
            let is_open = match &*directive.name {
                "include" | "skip" => {
                    let condition = directive.arguments.iter().find(|(name, _)| &**name == "if");
                    let truth = condition.and_then(|(_, value)| self.truth(value));
                    if truth.is_some_and(|truth| truth != (&*directive.name == "include")) {
                        return None;
                    }
                    truth.is_none()
                }
                // Parts that arrive later or not at all.
                "defer" | "client" => true,
                _ => false,
            };
            if is_open {
                let name = Arc::clone(&directive.name);
                undecided.push(Directive { name, arguments: Vec::new() });
            }
        }
        Some(undecided)
    }

    fn truth(&self, value: &Literal) -> Option<bool> {
        match value {
            Literal::Boolean(truth) => Some(*truth),
            Literal::Variable(name) => self.variables?.get(&**name)?.as_bool(),
            _ => None,
        }
    }
}
