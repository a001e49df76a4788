//! Credentials of callers: never written down, always read from the environment.

use std::collections::BTreeSet;

use wallace_problems::auth::{Place, User};

use crate::name::snake_case;
use crate::test_case::TestSuite;
use crate::text::{RequestText, TextPart};
use crate::usage::texts;

/// Headers of a user, their values read from the environment.
pub(crate) fn credentials(user: &User) -> Vec<(String, RequestText)> {
    let variable = format!("WALLACE_CREDENTIALS_{}", snake_case(&user.name).to_ascii_uppercase());
    let secret =
        || RequestText { parts: vec![TextPart::Environment { variable: variable.clone() }] };
    let mut headers: Vec<(String, RequestText)> =
        user.headers.iter().map(|(name, _)| (name.clone(), secret())).collect();
    if let Some(login) = &user.login {
        match login.token.as_ref().map(|token| &token.place) {
            Some(Place::Header(name)) => headers.push((name.clone(), secret())),
            Some(Place::Query(_)) => {}
            None => headers.push(("Cookie".to_owned(), secret())),
        }
    }
    headers
}

/// The environment variables that the tests of a suite read.
pub(crate) fn environment_variables(suite: &TestSuite) -> BTreeSet<&str> {
    let steps = suite.tests.iter().flat_map(|test| &test.steps);
    let parts = steps.flat_map(|step| texts(&step.request)).flat_map(|text| &text.parts);
    let variables = parts.filter_map(|part| match part {
        TextPart::Environment { variable } => Some(variable.as_str()),
        TextPart::Literal(_) | TextPart::Captured { .. } => None,
    });
    variables.collect()
}
