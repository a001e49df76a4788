//! Accounts: mutations that log into what another one makes.
//!
//! No schema says that `login(email:, password:)` goes well with what `register` was given. It shows: all
//! that the login takes is called as what the other takes, a password among it.

use std::collections::{BTreeMap, BTreeSet};

use wallace_genes::TemplateId;

use crate::auth::is_password;
use crate::graphql::link::{Effect, effect};
use crate::graphql::schema::{InputValue, OperationKind, TypeKind};
use crate::graphql::template::{OperationTemplate, Templates};
use crate::rest::is_login;
use crate::word::words;

/// Levels of input objects looked at, as in `login(input: { email, password })`.
const LEVELS: usize = 2;

/// Operations that make accounts, by those that log into them.
pub(super) fn makers(templates: &Templates) -> BTreeMap<TemplateId, Vec<TemplateId>> {
    let operations = templates.operations().iter();
    let taking: Vec<(&OperationTemplate, BTreeSet<&str>)> = operations
        .filter(|operation| operation.kind != OperationKind::Subscription)
        .map(|operation| (operation, leaves(templates, operation)))
        .filter(|(_, names)| names.len() > 1 && names.iter().any(|name| is_password(name)))
        .collect();
    let mut found: BTreeMap<TemplateId, Vec<TemplateId>> = BTreeMap::new();
    for (login, taken) in taking.iter().filter(|(it, _)| is_login(&words(&it.full_name))) {
        let makes_account = |(maker, given): &&(&OperationTemplate, BTreeSet<&str>)| {
            effect(maker) == Effect::Create && given.is_superset(taken)
        };
        let makers: Vec<TemplateId> =
            taking.iter().filter(makes_account).map(|(maker, _)| maker.id).collect();
        if !makers.is_empty() {
            found.insert(login.id, makers);
        }
    }
    found
}

/// What the values that an operation takes are called.
fn leaves<'t>(templates: &'t Templates, operation: &OperationTemplate) -> BTreeSet<&'t str> {
    let schema = templates.schema();
    let mut names = BTreeSet::new();
    let mut open: Vec<(&[InputValue], usize)> =
        vec![(&schema.field(operation.field).arguments, LEVELS)];
    while let Some((inputs, levels)) = open.pop() {
        for input in inputs {
            match &schema.definition(input.type_ref.named()).kind {
                TypeKind::InputObject { fields, .. } if levels > 1 => {
                    open.push((fields, levels - 1))
                }
                TypeKind::InputObject { .. } => {}
                _ => {
                    names.insert(&*input.name);
                }
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::graphql::schema::Schema;

    #[test]
    fn a_login_takes_what_an_account_was_made_with() {
        let schema = Schema::from_sdl(
            "type Query { me: String }
             input Account { name: String!, email: String!, password: String! }
             type Mutation {
               register(input: Account!): String
               login(email: String!, password: String!): String
               resetPassword(email: String!, password: String!): String
               createPost(title: String!, email: String!): String
             }",
        );
        let templates = Templates::new(Arc::new(schema.unwrap())).unwrap();
        let named = |name: &str| {
            let mut operations = templates.operations().iter();
            operations.find(|it| &*it.full_name == name).unwrap().id
        };
        let expected = BTreeMap::from([(named("login"), vec![named("register")])]);
        assert_eq!(makers(&templates), expected);
    }
}
