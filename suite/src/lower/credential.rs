//! Credentials of callers: never written down, always read from the environment.

use std::collections::BTreeSet;

use wallace_problems::auth::{Place, User};

use super::set_up::DRIVER;
use crate::name::snake_case;
use crate::test_case::TestSuite;
use crate::text::{RequestText, TextPart};
use crate::usage::texts;

/// Headers by which a user says who it is, each with the environment variable that holds its value
/// where requests are written down.
#[must_use]
pub fn credential_variables(user: &User) -> Vec<(String, String)> {
    let variable = format!("WALLACE_CREDENTIALS_{}", snake_case(&user.name).to_ascii_uppercase());
    let mut headers: Vec<String> = user.headers.iter().map(|(name, _)| name.clone()).collect();
    if let Some(login) = &user.login {
        match login.token.as_ref().map(|token| &token.place) {
            Some(Place::Header(name)) => headers.push(name.clone()),
            Some(Place::Query(_)) => {}
            None => headers.push("Cookie".to_owned()),
        }
    }
    let variable = |(place, name): (usize, String)| match place {
        0 => (name, variable.clone()),
        // Another header has another value.
        _ => {
            let header = snake_case(&name).to_ascii_uppercase();
            (name, format!("{variable}_{header}"))
        }
    };
    headers.into_iter().enumerate().map(variable).collect()
}

/// The same as they are sent.
pub(crate) fn credentials(user: &User) -> impl Iterator<Item = (String, RequestText)> {
    credential_variables(user).into_iter().map(|(name, variable)| {
        (name, RequestText { parts: vec![TextPart::Environment { variable }] })
    })
}

/// The environment variables from which the tests of a suite read who calls.
pub(crate) fn environment_variables(suite: &TestSuite) -> BTreeSet<&str> {
    let steps = suite.tests.iter().flat_map(|test| &test.steps);
    let parts = steps.flat_map(|step| texts(&step.request)).flat_map(|text| &text.parts);
    let variables = parts.filter_map(|part| match part {
        TextPart::Environment { variable } => Some(variable.as_str()).filter(|it| *it != DRIVER),
        TextPart::Literal(_) | TextPart::Captured { .. } => None,
    });
    variables.collect()
}
