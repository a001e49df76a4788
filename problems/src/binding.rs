//! Bindings at run time: values of earlier calls fill the genes of later ones.

use std::borrow::Cow;

use serde_json::Value;
use wallace_engine::{Action, ActionId, BindingSource, Individual};
use wallace_genes::{Gene, GenePath};

use crate::http::HttpOutcome;

/// The action at `place` as it is sent: genes that are bound hold what the calls before it gave,
/// as far as that is there; all others hold their own value.
///
/// # Panics
/// When there is no such position.
#[must_use]
pub fn bound_action<'a, A: Action<Outcome = HttpOutcome>>(
    individual: &'a Individual<A>,
    place: usize,
    outcomes: &[HttpOutcome],
) -> Cow<'a, A> {
    let (id, action) = &individual.actions()[place];
    let mut sent = Cow::Borrowed(&**action);
    for binding in individual.bindings().iter().filter(|binding| binding.action == *id) {
        match &binding.source {
            BindingSource::Response { action: source, pointer } => {
                if let Some(value) = response_value(individual, *source, pointer, outcomes) {
                    put_scalar(sent.to_mut().gene_mut(), &binding.path, &value);
                }
            }
            BindingSource::Gene { action: source, path } => {
                let gene = individual
                    .position(*source)
                    .and_then(|from| path.find(individual.actions()[from].1.gene()).cloned());
                if let (Some(gene), Some(place)) =
                    (gene, binding.path.find_mut(sent.to_mut().gene_mut()))
                {
                    put_gene(place, &gene);
                }
            }
        }
    }
    sent
}

/// The part of an earlier response that a pointer leads to, if that is a text, number or truth
/// value.
pub(crate) fn response_value<A: Action>(
    individual: &Individual<A>,
    source: ActionId,
    pointer: &str,
    outcomes: &[HttpOutcome],
) -> Option<Value> {
    let outcome = outcomes.get(individual.position(source)?)?;
    let body = outcome.response.as_ref().ok()?.tree()?;
    body.pointer(pointer).filter(|value| is_scalar(value)).cloned()
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}

/// Puts a gene in the place of another one, as far as the kinds allow it; texts and numbers become
/// each other.
pub(crate) fn put_gene(place: &mut Gene, gene: &Gene) {
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

/// Puts a JSON value in the place of a text, number or truth value, where the kinds allow it, see
/// [`Gene::put`]. Returns whether it did.
pub fn put_scalar(gene: &mut Gene, path: &GenePath, value: &Value) -> bool {
    path.find_mut(gene).is_some_and(|place| place.put(value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::PathStep;

    use super::*;

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
