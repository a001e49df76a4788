//! Variables are declared once, used, and used where their types allow.

use std::collections::HashSet;
use std::sync::Arc;

use super::value::Expected;
use super::{Fragment, Judge, Operation, Selection};
use crate::graphql::document::{Directive, Literal};
use crate::graphql::executable::VariableDefinition;
use crate::graphql::schema::{InputValue, Schema, SchemaPosition, Wrapper};

/// Scalars that variables may have even where the schema uses none of them.
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

impl<'a> Judge<'a> {
    /// The declarations of the operation's variables.
    pub(super) fn variable_definitions(&mut self) {
        let mut seen = HashSet::new();
        let variables = std::mem::take(&mut self.variables);
        for variable in variables {
            let position = variable.position;
            if !seen.insert(&variable.name) {
                self.add(position, format!("`${}` is declared twice", variable.name));
            }
            // No variables are known here: what is declared is constant.
            self.directives(&variable.directives, "VARIABLE_DEFINITION", position);
            self.variable_type(variable);
        }
        self.variables = variables;
    }

    fn variable_type(&mut self, variable: &'a VariableDefinition) {
        let (name, type_name) = (&variable.name, &variable.type_name);
        match self.type_named(type_name) {
            Some(owner) if owner.schema.definition(owner.id).is_input() => {
                if let Some(default) = &variable.default {
                    let expected = Expected::new(owner.schema, owner.id, &variable.wrappers);
                    self.value(expected, default, variable.position);
                }
            }
            Some(_) => {
                let reason = format!("`${name}` cannot be a `{type_name}`: that is only answered");
                self.add(variable.position, reason);
            }
            None if BUILT_IN.contains(&&**type_name) => {}
            None => self.add(variable.position, format!("there is no type `{type_name}`")),
        }
    }

    /// Whether the value of an argument is no variable whose marks do not fit; says so otherwise.
    pub(super) fn may_be(
        &mut self,
        schema: &Schema,
        argument: &InputValue,
        value: &Literal,
        position: SchemaPosition,
    ) -> bool {
        let Literal::Variable(name) = value else { return true };
        let Some(variable) = self.variables.iter().find(|it| it.name == *name) else { return true };
        let place = argument.type_ref.wrappers();
        // A default, here or there, takes the place of a value that is not given.
        let has_default = variable.default.is_some() || argument.default.is_some();
        let fits = match place {
            [Wrapper::NonNull, nullable @ ..] if has_default => {
                is_assignable(&variable.wrappers, place)
                    || is_assignable(&variable.wrappers, nullable)
            }
            _ => is_assignable(&variable.wrappers, place),
        };
        let is_same = *variable.type_name == *schema.definition(argument.type_ref.named()).name;
        if !fits || !is_same {
            let expected = schema.type_text(&argument.type_ref);
            let given = type_text(variable);
            let reason =
                format!("`${name}` is `{given}` and `{}` takes `{expected}`", argument.name);
            self.add(position, reason);
        }
        fits && is_same
    }

    pub(super) fn unused_variables(
        &mut self,
        operation: &'a Operation,
        fragments: &[&'a Fragment],
    ) {
        let mut used = HashSet::new();
        in_directives(&operation.directives, &mut used);
        in_selections(&operation.selections, &mut used);
        for fragment in fragments {
            in_directives(&fragment.directives, &mut used);
            in_selections(&fragment.selections, &mut used);
        }
        for variable in &operation.variables {
            if !used.contains(&variable.name) {
                self.add(variable.position, format!("`${}` is not used", variable.name));
            }
        }
    }
}

/// A variable's type as GraphQL writes it.
fn type_text(variable: &VariableDefinition) -> String {
    variable.wrappers.iter().rev().fold(variable.type_name.to_string(), |inner, mark| match mark {
        Wrapper::List => format!("[{inner}]"),
        Wrapper::NonNull => format!("{inner}!"),
    })
}

/// Whether a value with the marks of a variable can stand where these marks are.
fn is_assignable(variable: &[Wrapper], place: &[Wrapper]) -> bool {
    match (variable, place) {
        ([Wrapper::NonNull, variable @ ..], [Wrapper::NonNull, place @ ..])
        | ([Wrapper::List, variable @ ..], [Wrapper::List, place @ ..]) => {
            is_assignable(variable, place)
        }
        (_, [Wrapper::NonNull, ..]) => false,
        ([Wrapper::NonNull, variable @ ..], _) => is_assignable(variable, place),
        ([], []) => true,
        _ => false,
    }
}

fn in_selections<'a>(selections: &'a [Selection], used: &mut HashSet<&'a Arc<str>>) {
    for selection in selections {
        in_directives(&selection.directives, used);
        let arguments = selection.as_field().map_or(&[][..], |field| &field.arguments);
        arguments.iter().for_each(|(_, value)| in_value(value, used));
        in_selections(&selection.selections, used);
    }
}

fn in_directives<'a>(directives: &'a [Directive], used: &mut HashSet<&'a Arc<str>>) {
    let values = directives.iter().flat_map(|directive| &directive.arguments);
    values.for_each(|(_, value)| in_value(value, used));
}

/// The variables of a value.
pub(super) fn in_value<'a>(value: &'a Literal, used: &mut HashSet<&'a Arc<str>>) {
    match value {
        Literal::Variable(name) => drop(used.insert(name)),
        Literal::List(elements) => elements.iter().for_each(|it| in_value(it, used)),
        Literal::Object(fields) => fields.iter().for_each(|(_, it)| in_value(it, used)),
        _ => {}
    }
}
