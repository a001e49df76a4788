//! Logins with the password of an account that the test itself makes.
//!
//! No description says that `POST /users/login` goes well with what `POST /users` was given. It shows:
//! all that the login takes is called as what the other takes, a password among it.

use std::collections::BTreeSet;

use http::Method;
use wallace_genes::TemplateId;

use super::description::Operation;
use super::schema::{SchemaId, Schemas};
use super::template::Templates;
use crate::auth::is_password;
use crate::word::words;

/// Levels of members looked at, as in `{ user: { email, password } }`.
const LEVELS: usize = 2;

/// Words of a path that leads to a login, where what it takes does not tell it from what makes an account.
const LOGIN: [&str; 8] =
    ["login", "signin", "logon", "session", "sessions", "token", "authenticate", "auth"];

/// Pairs of an operation that makes an account and one that logs into it.
pub(super) fn sign_ins(
    templates: &Templates,
    callable: &[TemplateId],
) -> Vec<(TemplateId, TemplateId)> {
    let schemas = &templates.description().schemas;
    let posts = callable.iter().map(|id| (*id, templates.operation(*id)));
    let posts = posts.filter(|(_, operation)| operation.method == Method::POST);
    let taking: Vec<(TemplateId, &Operation, BTreeSet<String>)> = posts
        .map(|(id, operation)| (id, operation, members(schemas, operation)))
        .filter(|(_, _, names)| names.len() > 1 && names.iter().any(|name| is_password(name)))
        .collect();
    let mut found = Vec::new();
    for (login, operation, taken) in &taking {
        let makes_account =
            |(maker, other, given): &&(TemplateId, &Operation, BTreeSet<String>)| {
                let is_more = given.len() > taken.len()
                    || (leads_to_login(operation) && !leads_to_login(other));
                maker != login && is_more && given.is_superset(taken)
            };
        let makers = taking.iter().filter(makes_account);
        found.extend(makers.map(|(maker, ..)| (*maker, *login)));
    }
    found
}

/// Whether a name, or the segments of a path, lead to a login.
pub(crate) fn is_login(words: &[String]) -> bool {
    words.iter().any(|word| LOGIN.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| matches!([&*pair[0], &*pair[1]], ["log" | "sign", "in" | "on"]))
}

fn leads_to_login(operation: &Operation) -> bool {
    is_login(&operation.segments().flat_map(words).collect::<Vec<_>>())
}

/// What the values in the body of an operation are called.
fn members(schemas: &Schemas, operation: &Operation) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let below = |parts: Vec<SchemaId>| {
        let parts: Vec<_> = parts.into_iter().map(Into::into).collect();
        schemas.flat(&parts).properties
    };
    let body = operation.bodies.first();
    let mut open: Vec<_> =
        body.into_iter().map(|body| (below(vec![body.schema]), LEVELS)).collect();
    while let Some((properties, levels)) = open.pop() {
        for (name, member) in properties {
            let inner = below(member);
            if inner.is_empty() {
                names.insert(name.to_string());
            } else if levels > 1 {
                open.push((inner, levels - 1));
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::{BindingSource, Learnt};
    use wallace_genes::Draw;

    use crate::rest::problem::support::{named, problem};

    const LOGIN: &str = "POST:/users/login";

    fn body(members: &str) -> String {
        format!(
            "{{requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, required: \
             [user], properties: {{user: {{type: object, required: [{members}], properties: {{{}}}}}}}}}}}}}}}}}",
            members
                .split(", ")
                .map(|it| format!("{it}: {{type: string}}"))
                .collect::<Vec<_>>()
                .join(", ")
        )
    }

    #[test]
    fn a_login_takes_the_password_of_an_account_that_the_test_makes() {
        let paths = format!(
            "{{/users: {{post: {}}}, /users/login: {{post: {}}}, /articles: {{post: {}}}, \
             /users/password: {{post: {}}}}}",
            body("name, email, password"),
            body("email, password"),
            body("email, title"),
            body("password, token"),
        );
        let problem = problem(&paths, 0);
        let (login, maker) = (named(&problem, LOGIN), named(&problem, "POST:/users"));
        let pairs = super::sign_ins(
            problem.templates(),
            &[maker, login, named(&problem, "POST:/articles")],
        );
        assert_eq!(pairs, [(maker, login)]);
        let (learnt, mut fed) = (Learnt::default(), 0);
        for number in 0..20 {
            let mut draw = Draw::new(3, number, Arc::default());
            let plan = problem.planner(&learnt, &mut draw).plan_after(login, 0.0);
            let last = plan.actions().last().unwrap();
            let bound = plan.bindings().iter().filter(|binding| {
                binding.action == last.0 && matches!(binding.source, BindingSource::Gene { .. })
            });
            fed += usize::from(bound.count() == 2);
        }
        assert!((5..15).contains(&fed), "{fed} of 20, by half a chance");
    }
}
