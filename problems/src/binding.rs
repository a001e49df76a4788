//! Bindings at run time: values of earlier calls fill the genes of later ones.
//!
//! A binding is resolved once, when its call is sent. What it was filled with, and where that came
//! from, is kept with the outcome: whoever wants to know later reads it there.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Action, ActionId, Binding, BindingSource, Individual};
use wallace_genes::{Gene, GenePath, SpecRef};

use crate::evaluator::HttpProblem;
use crate::http::{HttpOutcome, HttpResponse};
use crate::rest::decoded;

/// A gene of a call that was bound, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filled {
    /// The gene.
    pub path: GenePath,
    /// What it held.
    pub value: Gene,
    /// Where in an earlier answer that stands; none where it is the own value of a gene of another
    /// call.
    pub from: Option<Found>,
}

/// A place in the answer to an earlier call of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The call.
    pub action: ActionId,
    /// The place in its answer.
    pub place: AnswerPlace,
}

/// A place in an answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AnswerPlace {
    /// In the body, at this JSON pointer.
    Body(String),
    /// The whole of the header of this name in lower case.
    Header(String),
    /// A part of the path of an address.
    Segment {
        /// JSON pointer to the address in the body; none for the header `location`.
        address: Option<String>,
        /// Which of the parts between slashes, counted from the last one, which is 1.
        from_end: usize,
    },
}

impl AnswerPlace {
    /// What an answer holds there, whose body as JSON is `body`; a part of an address without its percent
    /// encoding.
    #[must_use]
    pub fn value(&self, answer: &HttpResponse, body: Option<&Value>) -> Option<Value> {
        let at = |pointer: &str| body.and_then(|body| body.pointer(pointer));
        let (address, from_end) = match self {
            Self::Body(pointer) => return at(pointer).cloned(),
            Self::Header(name) => return Some(Value::from(answer.header(name)?)),
            Self::Segment { address: Some(pointer), from_end } => {
                (at(pointer)?.as_str()?, from_end)
            }
            Self::Segment { address: None, from_end } => (answer.header("location")?, from_end),
        };
        let segment = segments(address).nth_back(from_end.checked_sub(1)?)?;
        Some(Value::String(decoded(segment)))
    }

    /// The same place in a value that stands at a pointer of the body.
    pub(crate) fn below(self, above: &str) -> Self {
        let whole = |pointer: &str| format!("{above}{pointer}");
        match self {
            Self::Body(pointer) => Self::Body(whole(&pointer)),
            Self::Segment { address: Some(pointer), from_end } => {
                Self::Segment { address: Some(whole(&pointer)), from_end }
            }
            other => other,
        }
    }
}

impl fmt::Display for AnswerPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(pointer) => formatter.write_str(pointer),
            Self::Header(name) => write!(formatter, "the header {name}"),
            Self::Segment { address, .. } => {
                write!(formatter, "a part of {}", address.as_deref().unwrap_or("the location"))
            }
        }
    }
}

/// The parts between slashes of the path of an address, which may be that of another host.
pub(crate) fn segments(address: &str) -> impl DoubleEndedIterator<Item = &str> {
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |start| &rest[start..]),
        None => address,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|part| !part.is_empty())
}

/// The JSON pointer to a key or index below another pointer (RFC 6901).
#[must_use]
pub fn child_pointer(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The action at `place` as it is to be sent, and what its bound genes are filled with. A part of a
/// body that is not there leaves the gene as it is; where another source gives nothing, the test
/// ends before the call, which is told by `None`.
///
/// # Panics
/// When there is no such position.
pub(crate) fn filled<'a, P: HttpProblem>(
    problem: &P,
    individual: &'a Individual<P::Action>,
    place: usize,
    outcomes: &[HttpOutcome],
) -> Option<(Cow<'a, P::Action>, Vec<Filled>)> {
    let (id, action) = &individual.actions()[place];
    let spec = problem.spec_of(action);
    let mut sent = Cow::Borrowed(&**action);
    let mut all = Vec::new();
    for binding in individual.bindings().iter().filter(|binding| binding.action == *id) {
        let source = individual.position(binding.source.action())?;
        let (giver, outcome) = (&*individual.actions()[source].1, outcomes.get(source)?);
        let gene = sent.to_mut().gene_mut();
        let from = if let BindingSource::Gene { path, .. } = &binding.source {
            // What one call takes from the genes of another, it takes from what was sent.
            let given = outcome.sent(giver);
            let value = problem.spec_of(giver).and_then(|it| it.value_at(given.gene(), path));
            let is_put = value.is_some_and(|value| put(spec.as_ref(), gene, &binding.path, &value));
            if !is_put {
                let own = path.find(given.gene())?.clone();
                put_gene(binding.path.find_mut(gene)?, &own);
            }
            let known = outcome.filled.iter().find(|filled| filled.path == *path);
            known.and_then(|filled| filled.from.clone())
        } else {
            let response = outcome.response.as_ref().ok();
            let may_lack = matches!(binding.source, BindingSource::Response { .. });
            let given = response.and_then(|response| match &binding.source {
                BindingSource::Response { pointer, .. } => in_body(response, pointer),
                BindingSource::Header { name, .. } => in_header(response, name),
                _ => problem.named((giver, response), (action, binding)),
            });
            match given {
                None if may_lack => continue,
                None => return None,
                Some((place, value)) => {
                    let is_put = put(spec.as_ref(), gene, &binding.path, &value);
                    if !is_put && is_name(binding) {
                        return None;
                    }
                    is_put.then(|| Found { action: binding.source.action(), place })
                }
            }
        };
        let value = binding.path.find(sent.gene()).cloned();
        all.extend(value.map(|value| Filled { path: binding.path.clone(), value, from }));
    }
    Some((sent, all))
}

/// Whether a binding is to what names a thing: without it the call would mean nothing.
fn is_name(binding: &Binding) -> bool {
    matches!(binding.source, BindingSource::Created { .. } | BindingSource::Listed { .. })
}

/// The part of a body that a pointer leads to, if that is a text, number or truth value.
fn in_body(response: &HttpResponse, pointer: &str) -> Option<(AnswerPlace, Value)> {
    let value = response.tree()?.pointer_mut(pointer)?.take();
    let is_scalar = matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_));
    is_scalar.then(|| (AnswerPlace::Body(pointer.to_owned()), value))
}

fn in_header(response: &HttpResponse, name: &str) -> Option<(AnswerPlace, Value)> {
    let value = Value::String(response.header(name)?.to_owned());
    Some((AnswerPlace::Header(name.to_owned()), value))
}

/// Puts a gene in the place of another one, as far as the kinds allow it; texts and numbers become
/// each other.
fn put_gene(place: &mut Gene, gene: &Gene) {
    let value = match gene {
        gene if std::mem::discriminant(gene) == std::mem::discriminant(place) => {
            *place = gene.clone();
            return;
        }
        Gene::String(string) => Value::String(string.text.to_string()),
        Gene::Integer(number) => (*number).into(),
        Gene::Long(number) => (*number).into(),
        Gene::Boolean(value) => (*value).into(),
        _ => return,
    };
    put_scalar(place, &GenePath::default(), &value);
}

/// Puts a value of elsewhere into a gene, by what it may be where that is known.
fn put(spec: Option<&SpecRef>, gene: &mut Gene, path: &GenePath, value: &Value) -> bool {
    match spec {
        Some(spec) => spec.put(gene, path, value),
        None => put_scalar(gene, path, value),
    }
}

/// Puts a JSON value in the place of a text, number or truth value, where the kinds allow it, see
/// [`Gene::put`]. Returns whether it did.
pub fn put_scalar(gene: &mut Gene, path: &GenePath, value: &Value) -> bool {
    path.find_mut(gene).is_some_and(|place| place.put(value))
}

#[cfg(test)]
mod format_tests;

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::PathStep;

    use super::*;

    #[test]
    fn awkward_keys_are_found_again() {
        for key in ["a", "", "a/b", "~", "~1", "ä\""] {
            let value = json!({ key: 7 });
            assert_eq!(value.pointer(&child_pointer("", key)), Some(&json!(7)), "{key}");
        }
    }

    #[test]
    fn values_go_where_their_kind_fits() {
        let put = |mut gene: Gene, value: Value| {
            let has_put = put_scalar(&mut gene, &GenePath::default(), &value);
            (has_put, gene)
        };
        assert_eq!(put(Gene::text("x"), json!(7)), (true, Gene::text("7")));
        assert_eq!(put(Gene::Integer(1), json!("42")), (true, Gene::Integer(42)));
        assert_eq!(put(Gene::Integer(1), json!("product:1")), (false, Gene::Integer(1)));
        assert_eq!(put(Gene::Integer(1), json!(4_294_967_296_i64)), (false, Gene::Integer(1)));
        assert_eq!(put(Gene::Boolean(false), json!(true)), (true, Gene::Boolean(true)));
        assert_eq!(put(Gene::text("x"), json!({})), (false, Gene::text("x")));
        let nowhere = GenePath(vec![PathStep::Field(1)]);
        assert!(!put_scalar(&mut Gene::text("x"), &nowhere, &json!(1)));
    }
}
