//! Which captured values the rest of a test uses: only those get a variable.

use std::collections::BTreeSet;

use crate::expectation::{Expectation, Shape};
use crate::request::{Body, JsonBody, Request};
use crate::test_case::{Capture, Step};
use crate::text::{RequestText, TextPart};

/// Names of the captured values that these steps use.
pub(crate) fn used_variables(steps: &[Step]) -> BTreeSet<&str> {
    let mut used = BTreeSet::new();
    for step in steps {
        used_in_request(&step.request, &mut used);
        for expectation in &step.expectations {
            if let Expectation::Json { shape, .. } = expectation {
                used_in_shape(shape, &mut used);
            }
        }
    }
    used
}

/// What a step captures for the steps after it.
pub(crate) fn used_captures<'a>(step: &'a Step, later: &[Step]) -> Vec<&'a Capture> {
    let used = used_variables(later);
    step.captures.iter().filter(|capture| used.contains(capture.variable.as_str())).collect()
}

fn used_in_request<'a>(request: &'a Request, used: &mut BTreeSet<&'a str>) {
    texts(request).into_iter().for_each(|text| used_in_text(text, used));
    match &request.body {
        Body::GraphQl { variables: Some(json), .. } | Body::Json(json) => used_in_json(json, used),
        Body::None | Body::GraphQl { variables: None, .. } | Body::Text { .. } => {}
    }
}

/// The texts of a request that may have open places.
pub(crate) fn texts(request: &Request) -> Vec<&RequestText> {
    let mut texts = vec![&request.path];
    texts.extend(request.headers.iter().map(|(_, value)| value));
    match &request.body {
        Body::None | Body::Json(_) => {}
        Body::GraphQl { document, .. } => texts.push(document),
        Body::Text { text, .. } => texts.push(text),
    }
    texts
}

fn used_in_text<'a>(text: &'a RequestText, used: &mut BTreeSet<&'a str>) {
    used.extend(text.parts.iter().filter_map(|part| match part {
        TextPart::Captured { variable, .. } => Some(variable.as_str()),
        TextPart::Literal(_) | TextPart::Environment { .. } => None,
    }));
}

fn used_in_json<'a>(json: &'a JsonBody, used: &mut BTreeSet<&'a str>) {
    let present = json.captured.iter().filter(|(pointer, _)| json.value.pointer(pointer).is_some());
    used.extend(present.map(|(_, variable)| variable.as_str()));
}

fn used_in_shape<'a>(shape: &'a Shape, used: &mut BTreeSet<&'a str>) {
    match shape {
        Shape::Captured(variable) => {
            used.insert(variable);
        }
        Shape::Object(fields) => fields.values().for_each(|field| used_in_shape(field, used)),
        Shape::List { first, .. } => first.iter().for_each(|shape| used_in_shape(shape, used)),
        Shape::Including(fields) | Shape::ByType { types: fields, .. } => {
            fields.values().for_each(|field| used_in_shape(field, used));
        }
        Shape::Nullable(inner) | Shape::Each(inner) => used_in_shape(inner, used),
        Shape::Anything | Shape::Kind(_) | Shape::Exactly(_) | Shape::NonNull | Shape::OneOf(_) => {
        }
    }
}
