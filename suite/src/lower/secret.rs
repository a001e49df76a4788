//! Secrets are neither sent as they are nor expected: what stands in their place in the files never
//! comes from a service.

use serde_json::Value;

use crate::expectation::{Expectation, JsonKind, Shape};
use crate::test_case::TestCase;

impl TestCase {
    /// Expects no more than the kind of whatever holds a secret. Returns whether the test can be
    /// written: one that sends a secret in a place of its own cannot.
    pub fn hide(&mut self, is_secret: &dyn Fn(&str) -> bool) -> bool {
        for step in &mut self.steps {
            if is_secret(&step.request.literal_text()) {
                return false;
            }
            step.expectations.retain_mut(|expectation| hide(expectation, is_secret));
        }
        true
    }
}

/// Whether anything is left to expect.
fn hide(expectation: &mut Expectation, is_secret: &dyn Fn(&str) -> bool) -> bool {
    match expectation {
        Expectation::Text(text) => !is_secret(text),
        Expectation::Errors(errors) => {
            for error in errors {
                error.message = error.message.take().filter(|text| !is_secret(text));
                error.code = error.code.take().filter(|text| !is_secret(text));
                let path = error.path.take();
                error.path = path.filter(|path| !is_secret(&path.to_string()));
            }
            true
        }
        Expectation::Json { pointer, shape } => {
            hide_in(shape, is_secret);
            !is_secret(pointer)
        }
        Expectation::Present(pointer) | Expectation::Absent(pointer) => !is_secret(pointer),
        Expectation::Status(_)
        | Expectation::MediaType(_)
        | Expectation::Header(_)
        | Expectation::EmptyBody
        | Expectation::NoAnswer => true,
    }
}

/// A text as what stands somewhere: a word may be secret as a value, and else a name.
fn value(text: &str) -> String {
    format!("=\"{text}\"")
}

fn hide_in(shape: &mut Shape, is_secret: &dyn Fn(&str) -> bool) {
    match shape {
        Shape::Exactly(Value::String(text)) if is_secret(&value(text)) => {
            *shape = Shape::Kind(JsonKind::String);
        }
        Shape::OneOf(texts) if texts.iter().any(|text| is_secret(&value(text))) => {
            *shape = Shape::Kind(JsonKind::String);
        }
        Shape::Object(fields) | Shape::Including(fields) => {
            if fields.keys().any(|name| is_secret(name)) {
                *shape = Shape::Kind(JsonKind::Object);
            } else {
                fields.values_mut().for_each(|inner| hide_in(inner, is_secret));
            }
        }
        Shape::ByType { types, .. } => {
            types.values_mut().for_each(|inner| hide_in(inner, is_secret));
        }
        Shape::List { first, .. } => first.iter_mut().for_each(|inner| hide_in(inner, is_secret)),
        Shape::Nullable(inner) | Shape::Each(inner) => hide_in(inner, is_secret),
        Shape::Exactly(_)
        | Shape::OneOf(_)
        | Shape::Anything
        | Shape::Kind(_)
        | Shape::Captured(_)
        | Shape::NonNull => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::request::Request;
    use crate::test_case::{Step, TestKind};

    #[test]
    fn what_holds_a_secret_is_expected_by_its_kind_alone() {
        let step = |document: &str, expectations| Step {
            operation: "Query.x".to_owned(),
            request: Request::graphql("/graphql", document),
            captures: Vec::new(),
            expectations,
        };
        let is_secret = |text: &str| text.contains("hunter2");
        let body = json!({ "token": "hunter2", "name": "ann", "all": ["hunter2", 1] });
        let mut test = TestCase {
            name: String::new(),
            purpose: Vec::new(),
            kind: TestKind::Regression,
            faults: Vec::new(),
            steps: vec![step(
                "{ x }",
                vec![Expectation::json_equals("", &body), Expectation::Text("hunter2".to_owned())],
            )],
        };
        assert!(test.hide(&is_secret));
        let shown = format!("{:?}", test.steps[0].expectations);
        assert!(!shown.contains("hunter2") && shown.contains("ann"), "{shown}");
        assert_eq!(test.steps[0].expectations.len(), 1);
        test.steps.push(step("{ x(password: \"hunter2\") }", Vec::new()));
        assert!(!test.hide(&is_secret));
    }
}
