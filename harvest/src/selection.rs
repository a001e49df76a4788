//! What a document selects, with the types of the schema and fragments in place of their spreads.

use apollo_compiler::ast;
use serde_json::Value;
use wallace_problems::graphql::{FieldId, Schema, TypeId};

use crate::document::Document;

/// Fragments within fragments, at most; valid documents have no cycles.
const MAX_DEPTH: usize = 64;

/// A part of a selection.
#[derive(Debug)]
pub(crate) enum Selected {
    /// A field.
    Field {
        /// Its key in the answer.
        key: String,
        /// The field; nothing for `__typename` and introspection.
        field: Option<FieldId>,
        /// Whether the key may be missing in the answer.
        is_optional: bool,
        selection: Vec<Selected>,
    },
    /// What is selected of objects of one type only, by an inline fragment or a named one.
    On { type_id: TypeId, selection: Vec<Selected> },
}

/// Turns selections of one document into [`Selected`].
pub(crate) struct Selector<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) document: &'s Document,
    /// Values of variables, by which `@skip` and `@include` are decided. Where they are not known
    /// a field is optional.
    pub(crate) variables: Option<&'s Value>,
}

impl Selector<'_> {
    pub(crate) fn select(&self, owner: TypeId, selections: &[ast::Selection]) -> Vec<Selected> {
        self.parts(owner, selections, false, MAX_DEPTH)
    }

    fn parts(
        &self,
        owner: TypeId,
        selections: &[ast::Selection],
        is_optional: bool,
        depth: usize,
    ) -> Vec<Selected> {
        let part = |selection| self.part(owner, selection, is_optional, depth);
        selections.iter().filter_map(part).collect()
    }

    fn part(
        &self,
        owner: TypeId,
        selection: &ast::Selection,
        is_optional: bool,
        depth: usize,
    ) -> Option<Selected> {
        let depth = depth.checked_sub(1)?;
        let presence = self.presence(directives(selection));
        let is_optional = is_optional || presence.is_none();
        if presence == Some(false) {
            return None;
        }
        match selection {
            ast::Selection::Field(field) => self.field(owner, field, is_optional, depth),
            ast::Selection::InlineFragment(fragment) => {
                let name = fragment.type_condition.as_ref();
                let type_id = name.map_or(Some(owner), |it| self.schema.type_named(it.as_str()))?;
                let selection = self.parts(type_id, &fragment.selection_set, is_optional, depth);
                Some(Selected::On { type_id, selection })
            }
            ast::Selection::FragmentSpread(spread) => {
                let fragment = self.document.fragment(spread.fragment_name.as_str())?;
                let type_id = self.schema.type_named(fragment.type_condition.as_str())?;
                let selection = self.parts(type_id, &fragment.selection_set, is_optional, depth);
                Some(Selected::On { type_id, selection })
            }
        }
    }

    fn field(
        &self,
        owner: TypeId,
        field: &ast::Field,
        is_optional: bool,
        depth: usize,
    ) -> Option<Selected> {
        let key = field.response_name().to_string();
        if field.name.starts_with("__") {
            return Some(Selected::Field { key, field: None, is_optional, selection: Vec::new() });
        }
        let id = field_named(self.schema, owner, field.name.as_str())?;
        let returned = self.schema.field(id).type_ref.named();
        let selection = self.parts(returned, &field.selection_set, false, depth);
        Some(Selected::Field { key, field: Some(id), is_optional, selection })
    }

    /// Whether directives let a part stay; nothing when that depends on an unknown variable.
    fn presence(&self, directives: &ast::DirectiveList) -> Option<bool> {
        let mut is_sure = true;
        for directive in directives.iter() {
            let stays_if = match directive.name.as_str() {
                "include" => true,
                "skip" => false,
                // Parts that arrive later or not at all.
                "defer" | "client" => return None,
                _ => continue,
            };
            let argument = directive.specified_argument_by_name("if");
            match argument.and_then(|value| self.truth(value)) {
                Some(truth) if truth != stays_if => return Some(false),
                Some(_) => {}
                None => is_sure = false,
            }
        }
        is_sure.then_some(true)
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

/// The field of this name that a type declares.
pub(crate) fn field_named(schema: &Schema, owner: TypeId, name: &str) -> Option<FieldId> {
    let fields = schema.definition(owner).fields();
    let index = fields.iter().position(|field| &*field.name == name)?;
    Some(FieldId { owner, index: index as u32 })
}
