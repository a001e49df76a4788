//! What a document selects, with the types of the schema and fragments in place of their spreads.

use std::sync::Arc;

use apollo_compiler::ast;
use serde_json::Value;
use wallace_problems::graphql::{Directive, Field, Part, Schema, Selection, TypeId};

use crate::document::Document;

/// Fragments within fragments, at most; valid documents have no cycles.
const MAX_DEPTH: usize = 64;

/// Turns selections of one document into those of the schema. What stays in them under a directive may
/// be missing in the answer.
pub(crate) struct Selector<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) document: &'s Document,
    /// Values of variables, by which `@skip` and `@include` are decided. Where they are not known
    /// the directive stays.
    pub(crate) variables: Option<&'s Value>,
}

impl Selector<'_> {
    pub(crate) fn select(&self, owner: TypeId, selections: &[ast::Selection]) -> Vec<Selection> {
        self.parts(owner, selections, MAX_DEPTH)
    }

    fn parts(&self, owner: TypeId, selections: &[ast::Selection], depth: usize) -> Vec<Selection> {
        selections.iter().filter_map(|selection| self.part(owner, selection, depth)).collect()
    }

    fn part(&self, owner: TypeId, selection: &ast::Selection, depth: usize) -> Option<Selection> {
        let depth = depth.checked_sub(1)?;
        let directives = self.undecided(directives(selection))?;
        let (part, on, below) = match selection {
            ast::Selection::Field(field) => {
                let id = self.schema.field_named(owner, &field.name);
                if id.is_none() && !field.name.starts_with("__") {
                    return None;
                }
                let alias = field.alias.as_ref().map(|alias| alias.as_str().into());
                let name = field.name.as_str().into();
                let part = Part::Field(Field { alias, name, id, arguments: Vec::new() });
                (part, id.map(|id| self.schema.returned(id)), &field.selection_set)
            }
            ast::Selection::InlineFragment(fragment) => {
                let name = fragment.type_condition.as_ref();
                let on = name.map_or(Some(owner), |it| self.schema.type_named(it.as_str()))?;
                (self.fragment(on), Some(on), &fragment.selection_set)
            }
            ast::Selection::FragmentSpread(spread) => {
                let fragment = self.document.fragment(spread.fragment_name.as_str())?;
                let on = self.schema.type_named(fragment.type_condition.as_str())?;
                (self.fragment(on), Some(on), &fragment.selection_set)
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
    fn undecided(&self, directives: &ast::DirectiveList) -> Option<Vec<Directive>> {
        let mut undecided = Vec::new();
        for directive in directives.iter() {
            let is_open = match directive.name.as_str() {
                "include" | "skip" => {
                    let condition = directive.specified_argument_by_name("if");
                    let truth = condition.and_then(|value| self.truth(value));
                    if truth.is_some_and(|truth| truth != (directive.name == "include")) {
                        return None;
                    }
                    truth.is_none()
                }
                // Parts that arrive later or not at all.
                "defer" | "client" => true,
                _ => false,
            };
            if is_open {
                let name = directive.name.as_str().into();
                undecided.push(Directive { name, arguments: Vec::new() });
            }
        }
        Some(undecided)
    }

    fn truth(&self, value: &ast::Value) -> Option<bool> {
        match value {
            ast::Value::Boolean(truth) => Some(*truth),
            ast::Value::Variable(name) => self.variables?.get(name.as_str())?.as_bool(),
            _ => None,
        }
    }
}

fn directives(selection: &ast::Selection) -> &ast::DirectiveList {
    match selection {
        ast::Selection::Field(field) => &field.directives,
        ast::Selection::InlineFragment(fragment) => &fragment.directives,
        ast::Selection::FragmentSpread(spread) => &spread.directives,
    }
}
