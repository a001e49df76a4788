//! Genes as JSON, and JSON as genes.
//!
//! Whoever sends genes writes them here, and whoever has a value from elsewhere, an example or an
//! earlier answer, makes a gene of it here: what a value may be is known to its specification alone.

mod take;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Number, Value};

use crate::decimal::Decimal;
use crate::gene::{ChoiceGene, Gene, ObjectGene};
use crate::map::has_duplicates;
use crate::spec::{GeneSpec, SpecGraph, SpecId};
use crate::wrapper::SeededSpec;

/// Deepest value that is read.
const MOST_DEPTH: usize = 50;
/// Bytes that most values need at most; what is longer grows.
const USUAL_LENGTH: usize = 512;

/// What a gene stands for, to be written without a tree of values in between: most of what a
/// request costs would be the parts of that tree.
struct Written<'g> {
    graph: &'g SpecGraph,
    id: SpecId,
    gene: &'g Gene,
}

/// How much of a value must fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strictness {
    Whole,
    Part,
}

impl SpecGraph {
    /// The value that a gene stands for; `None` when it is left out.
    #[must_use]
    pub fn value_of(&self, id: SpecId, gene: &Gene) -> Option<Value> {
        serde_json::to_value(self.written(id, gene)?).ok()
    }

    /// The value that a gene stands for as JSON, `null` when it is left out; members come in the
    /// order of their specification.
    #[must_use]
    pub fn write(&self, id: SpecId, gene: &Gene) -> Vec<u8> {
        let mut text = Vec::with_capacity(USUAL_LENGTH);
        serde_json::to_writer(&mut text, &self.written(id, gene))
            .expect("names are texts, numbers are finite, and memory takes all that is written");
        text
    }

    fn written<'g>(&'g self, mut id: SpecId, mut gene: &'g Gene) -> Option<Written<'g>> {
        loop {
            match (self.spec(id), gene) {
                (_, Gene::Absent | Gene::CycleObject | Gene::LimitObject) => return None,
                (GeneSpec::Optional(optional), _) => id = optional.inner,
                (
                    GeneSpec::Nullable(inner)
                    | GeneSpec::Disruptive(inner)
                    | GeneSpec::Immutable(inner)
                    | GeneSpec::Seeded(SeededSpec { inner, .. }),
                    _,
                ) => id = *inner,
                (GeneSpec::Choice(choice), Gene::Choice(value)) => {
                    id = choice.branches.get(value.branch as usize)?.spec;
                    gene = &value.value;
                }
                (GeneSpec::Enum(listed), Gene::Enum(index)) => {
                    listed.values.get(*index as usize)?;
                    return Some(Written { graph: self, id, gene });
                }
                _ => return Some(Written { graph: self, id, gene }),
            }
        }
    }

    /// The text of a key; none for a key of another kind, which JSON has not.
    fn key<'g>(&'g self, id: SpecId, gene: &'g Gene) -> Option<&'g str> {
        let written = self.written(id, gene)?;
        match (self.spec(written.id), written.gene) {
            (GeneSpec::Enum(listed), Gene::Enum(index)) => listed.name(*index),
            (_, Gene::String(string)) => Some(&string.text),
            _ => None,
        }
    }

    /// The gene that stands for a value, where the specification has one. Members that it does
    /// not know are left out.
    #[must_use]
    pub fn read(&self, id: SpecId, value: &Value) -> Option<Gene> {
        self.read_below(id, value, (0, Strictness::Whole))
    }

    /// The same for a value that need not follow the specification in all: what does not fit is left out,
    /// and what is missing stays so. Such a gene is to be repaired.
    pub(crate) fn read_in_part(&self, id: SpecId, value: &Value) -> Option<Gene> {
        self.read_below(id, value, (0, Strictness::Part))
    }

    fn read_below(
        &self,
        id: SpecId,
        value: &Value,
        (depth, strictness): (usize, Strictness),
    ) -> Option<Gene> {
        if depth > MOST_DEPTH {
            return None;
        }
        let is_whole = strictness == Strictness::Whole;
        let below = |id: SpecId, value: &Value| self.read_below(id, value, (depth + 1, strictness));
        match self.spec(id) {
            GeneSpec::Optional(optional) if optional.is_nullable && value.is_null() => {
                Some(Gene::Null)
            }
            GeneSpec::Nullable(_) if value.is_null() => Some(Gene::Null),
            GeneSpec::Optional(optional) => below(optional.inner, value),
            GeneSpec::Nullable(inner)
            | GeneSpec::Disruptive(inner)
            | GeneSpec::Immutable(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. }) => below(*inner, value),
            GeneSpec::Choice(choice) => {
                let mut branches = choice.branches.iter().enumerate();
                branches.find_map(|(branch, field)| {
                    let value = Box::new(below(field.spec, value)?);
                    Some(Gene::Choice(ChoiceGene { branch: branch as u32, value }))
                })
            }
            GeneSpec::Object(object) => {
                let members = value.as_object()?;
                let mut gene = ObjectGene::default();
                for (position, field) in object.fields.iter().enumerate() {
                    let part = members.get(&*field.name);
                    match part.map(|part| below(field.spec, part)) {
                        Some(Some(part)) => gene.fields.push((position as u32, part)),
                        None if self.is_optional(field.spec) => {}
                        Some(None) | None if is_whole => return None,
                        Some(None) | None => {}
                    }
                }
                (is_whole || !gene.fields.is_empty()).then_some(Gene::Object(gene))
            }
            GeneSpec::Map(map) => {
                let entry = |(name, part): (&String, &Value)| {
                    Some((below(map.key, &Value::String(name.clone()))?, below(map.value, part)?))
                };
                let entries = value.as_object()?.iter().map(entry).collect::<Option<Vec<_>>>()?;
                map.defect(&entries).is_none().then_some(Gene::Map(entries))
            }
            spec @ (GeneSpec::Array(array) | GeneSpec::UniqueArray(array)) => {
                let elements = value.as_array()?.iter().map(|part| below(array.element, part));
                let elements: Vec<Gene> = match strictness {
                    Strictness::Whole => elements.collect::<Option<_>>()?,
                    Strictness::Part => elements.flatten().collect(),
                };
                let is_unique = matches!(spec, GeneSpec::UniqueArray(_));
                let is_right = (array.min..=array.max).contains(&(elements.len() as u32))
                    && !(is_unique && has_duplicates(elements.iter()));
                is_right.then_some(Gene::Array(elements))
            }
            GeneSpec::Tuple(tuple) => {
                let elements = value.as_array().filter(|it| it.len() == tuple.elements.len())?;
                let parts = tuple.elements.iter().zip(elements);
                let parts = parts.map(|(field, part)| below(field.spec, part));
                parts.collect::<Option<Vec<_>>>().map(Gene::Tuple)
            }
            leaf => read_leaf(leaf, value),
        }
    }
}

fn read_leaf(spec: &GeneSpec, value: &Value) -> Option<Gene> {
    let gene = match spec {
        GeneSpec::Enum(listed) => {
            Gene::Enum(listed.values.iter().position(|known| known == value)? as u32)
        }
        GeneSpec::String(_) | GeneSpec::Format(_) => Gene::text(value.as_str()?),
        GeneSpec::Integer(_) => Gene::Integer(i32::try_from(value.as_i64()?).ok()?),
        GeneSpec::Long(_) => Gene::Long(value.as_i64()?),
        GeneSpec::Float(_) => Gene::float(value.as_f64()?),
        GeneSpec::Decimal(_) if value.is_number() => {
            Gene::Decimal(Box::new(value.to_string().parse().ok()?))
        }
        GeneSpec::Boolean => Gene::Boolean(value.as_bool()?),
        GeneSpec::Constant if value.is_null() => Gene::Constant,
        _ => return None,
    };
    crate::check::leaf_defect(spec, &gene).is_none().then_some(gene)
}

/// The number of JSON nearest to a decimal: exact up to 64 bits, a double beyond.
fn number(decimal: &Decimal) -> Number {
    decimal.to_string().parse().unwrap_or_else(|_| 0.into())
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let graph = self.graph;
        match (graph.spec(self.id), self.gene) {
            (GeneSpec::Object(object), Gene::Object(value)) => {
                let mut map = serializer.serialize_map(None)?;
                for (position, part) in &value.fields {
                    if let Some(field) = object.fields.get(*position as usize)
                        && let Some(part) = graph.written(field.spec, part)
                    {
                        map.serialize_entry(&*field.name, &part)?;
                    }
                }
                map.end()
            }
            (GeneSpec::Map(spec), Gene::Map(entries)) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, part) in entries {
                    if let Some(key) = graph.key(spec.key, key)
                        && let Some(part) = graph.written(spec.value, part)
                    {
                        map.serialize_entry(key, &part)?;
                    }
                }
                map.end()
            }
            (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
                let elements = elements.iter();
                serializer
                    .collect_seq(elements.filter_map(|part| graph.written(array.element, part)))
            }
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                let parts = tuple.elements.iter().zip(elements);
                serializer
                    .collect_seq(parts.filter_map(|(field, part)| graph.written(field.spec, part)))
            }
            (GeneSpec::Enum(listed), Gene::Enum(index)) => {
                listed.values.get(*index as usize).serialize(serializer)
            }
            (_, Gene::String(string)) => serializer.serialize_str(&string.text),
            (_, Gene::Integer(number)) => serializer.serialize_i32(*number),
            (_, Gene::Long(number)) => serializer.serialize_i64(*number),
            (_, Gene::Float(number)) => serializer.serialize_f64(number.get()),
            (_, Gene::Boolean(value)) => serializer.serialize_bool(*value),
            (_, Gene::Decimal(decimal)) => number(decimal).serialize(serializer),
            _ => serializer.serialize_unit(),
        }
    }
}
