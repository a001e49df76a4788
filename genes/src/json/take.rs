//! Plain values from elsewhere in the place of genes: what an earlier call was answered names a thing
//! in a later one, whatever the kind and format of its name.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::expand::simplest_leaf;
use crate::gene::{ChoiceGene, Gene};
use crate::path::{GenePath, PathStep};
use crate::spec::{GeneSpec, SpecGraph, SpecId, SpecRef};

impl SpecGraph {
    /// The gene of a plain value from elsewhere, such as an earlier answer: texts and numbers
    /// become each other, a listed value is found however it is written, and what a service calls
    /// its own is taken although it is beyond a documented range or format. None for lists, objects
    /// and what the kind cannot hold.
    #[must_use]
    pub fn take(&self, id: SpecId, value: &Value) -> Option<Gene> {
        let inside = self.value(id);
        if value.is_null() {
            return (inside != id).then_some(Gene::Null);
        }
        match self.spec(inside) {
            GeneSpec::Enum(listed) => {
                let text = plain_text(value)?;
                let mut values = listed.values.iter();
                let index = values.position(|known| is_same(known, &text))?;
                Some(Gene::Enum(index as u32))
            }
            GeneSpec::Choice(choice) => {
                let mut branches = choice.branches.iter().enumerate();
                branches.find_map(|(branch, field)| {
                    let value = Box::new(self.take(field.spec, value)?);
                    Some(Gene::Choice(ChoiceGene { branch: branch as u32, value }))
                })
            }
            GeneSpec::Object(_)
            | GeneSpec::Map(_)
            | GeneSpec::Tuple(_)
            | GeneSpec::Array(_)
            | GeneSpec::UniqueArray(_) => None,
            leaf => {
                let mut gene = simplest_leaf(leaf);
                gene.put(value).then_some(gene)
            }
        }
    }

    /// The name of the field, if it has one, and the specification one step below another.
    #[must_use]
    pub fn below(&self, id: SpecId, step: PathStep) -> Option<(Option<&Arc<str>>, SpecId)> {
        let fields = match (self.spec(self.value(id)), step) {
            (GeneSpec::Object(object), PathStep::Field(_)) => &object.fields,
            (GeneSpec::Tuple(tuple), PathStep::Field(_)) => &tuple.elements,
            (GeneSpec::Choice(choice), PathStep::Branch(branch)) => {
                return Some((None, choice.branches.get(branch as usize)?.spec));
            }
            (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), PathStep::Element(_)) => {
                return Some((None, array.element));
            }
            (GeneSpec::Map(map), PathStep::Key(_)) => return Some((None, map.key)),
            (GeneSpec::Map(map), PathStep::Element(_)) => return Some((None, map.value)),
            _ => return None,
        };
        let PathStep::Field(position) = step else { return None };
        let field = fields.get(position as usize)?;
        Some((Some(&field.name), field.spec))
    }
}

impl SpecRef {
    fn at_path(&self, path: &GenePath) -> Option<SpecId> {
        let mut steps = path.0.iter();
        steps.try_fold(self.id(), |id, step| Some(self.graph().below(id, *step)?.1))
    }

    /// The value that the gene at an address below `root` stands for; `None` when there is none.
    #[must_use]
    pub fn value_at(&self, root: &Gene, path: &GenePath) -> Option<Value> {
        self.graph().value_of(self.at_path(path)?, path.find(root)?)
    }

    /// Puts a plain value from elsewhere in the place of the gene at an address below `root`, see
    /// [`SpecGraph::take`]. Returns whether there was a gene that can hold it.
    pub fn put(&self, root: &mut Gene, path: &GenePath, value: &Value) -> bool {
        let place = path.find_mut(root).filter(|place| !matches!(place, Gene::Absent | Gene::Null));
        let (Some(id), Some(place)) = (self.at_path(path), place) else { return false };
        let taken = if value.is_null() { None } else { self.graph().take(id, value) };
        taken.is_some_and(|gene| {
            *place = gene;
            true
        })
    }
}

impl Gene {
    /// Puts a plain value in the place of a text, number or truth value, where the kinds allow it:
    /// a text takes any, a number a text that reads as one. Returns whether it did. Where the
    /// specification is at hand, [`SpecRef::put`] can do more.
    pub fn put(&mut self, value: &Value) -> bool {
        let Some(text) = plain_text(value) else { return false };
        let number = text.trim();
        let put = match self {
            Self::String(_) => Some(Self::text(&*text)),
            Self::Integer(_) => number.parse().ok().map(Self::Integer),
            Self::Long(_) => number.parse().ok().map(Self::Long),
            Self::Float(_) => number.parse().ok().map(Self::float),
            Self::Decimal(_) => number.parse().ok().map(|it| Self::Decimal(Box::new(it))),
            Self::Boolean(_) => match number.to_ascii_lowercase().as_str() {
                "1" | "true" | "t" => Some(Self::Boolean(true)),
                "0" | "false" | "f" => Some(Self::Boolean(false)),
                _ => None,
            },
            _ => None,
        };
        put.is_some_and(|gene| {
            *self = gene;
            true
        })
    }
}

/// A text, number or truth value as text.
fn plain_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.into()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string().into()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a value is what the text says: numbers by value, all else as text.
fn is_same(value: &Value, text: &str) -> bool {
    let Some(own) = plain_text(value) else { return false };
    own == text
        || matches!((own.parse::<f64>(), text.parse::<f64>()), (Ok(one), Ok(other)) if one == other)
}
