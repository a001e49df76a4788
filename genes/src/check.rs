//! Validity, and making a gene valid again.

use thiserror::Error;

use crate::gene::{Finite, Gene};
use crate::map::has_duplicates;
use crate::object::object_defect;
use crate::path::{GenePath, PathStep};
use crate::settings::GeneSettings;
use crate::spec::{GeneSpec, SpecGraph, SpecId, SpecRef};
use crate::string::{fitted, has_valid_length};
use crate::wrapper::SeededSpec;

/// Why a gene is no value of its specification.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("invalid gene at {}: {reason}", path.normalised())]
pub struct InvalidGene {
    /// Where.
    pub path: GenePath,
    /// What is wrong there.
    pub reason: &'static str,
}

/// Checks that the gene is a value of the specification.
///
/// # Errors
/// The first defect in the order of a walk.
pub fn check(spec: &SpecRef, gene: &Gene) -> Result<(), InvalidGene> {
    let mut path = GenePath::default();
    match defect(spec.graph(), spec.id(), gene, &mut path) {
        None => Ok(()),
        Some(reason) => Err(InvalidGene { path, reason }),
    }
}

/// The first defect; `path` then leads to it.
fn defect(graph: &SpecGraph, id: SpecId, gene: &Gene, path: &mut GenePath) -> Option<&'static str> {
    if gene.is_placeholder() {
        return Some("a placeholder");
    }
    let mut inside = |step: PathStep, id: SpecId, part: &Gene| {
        path.0.push(step);
        let found = defect(graph, id, part, path);
        if found.is_none() {
            path.0.pop();
        }
        found
    };
    match (graph.spec(id), gene) {
        (GeneSpec::Optional(_), Gene::Absent) => None,
        (GeneSpec::Optional(optional), Gene::Null) => {
            let is_allowed =
                optional.is_nullable || defect(graph, optional.inner, gene, path).is_none();
            (!is_allowed).then_some("null where it is not allowed")
        }
        (GeneSpec::Optional(optional), present) => defect(graph, optional.inner, present, path),
        (GeneSpec::Nullable(_), Gene::Null) => None,
        (
            GeneSpec::Nullable(inner)
            | GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner),
            gene,
        ) => defect(graph, *inner, gene, path),
        (GeneSpec::Object(object), Gene::Object(value)) => {
            let is_optional = |id: SpecId| graph.is_optional(id);
            object_defect(object, value, is_optional).or_else(|| {
                value.fields.iter().find_map(|(position, part)| {
                    let spec = object.fields[*position as usize].spec;
                    inside(PathStep::Field(*position), spec, part)
                })
            })
        }
        (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
            if elements.len() != tuple.elements.len() {
                return Some("wrong number of elements");
            }
            let mut parts = elements.iter().zip(&tuple.elements).enumerate();
            parts.find_map(|(position, (part, field))| {
                inside(PathStep::Field(position as u32), field.spec, part)
            })
        }
        (GeneSpec::Map(map), Gene::Map(entries)) => map.defect(entries).or_else(|| {
            let mut parts = entries.iter().enumerate();
            parts.find_map(|(index, (key, value))| {
                inside(PathStep::Key(index as u32), map.key, key)
                    .or_else(|| inside(PathStep::Element(index as u32), map.value, value))
            })
        }),
        (GeneSpec::UniqueArray(_), Gene::Array(elements)) if has_duplicates(elements.iter()) => {
            Some("an element occurs twice")
        }
        (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
            let length = elements.len() as u32;
            if !(array.min..=array.max).contains(&length) {
                return Some("wrong number of elements");
            }
            let mut parts = elements.iter().enumerate();
            parts.find_map(|(index, part)| {
                inside(PathStep::Element(index as u32), array.element, part)
            })
        }
        (GeneSpec::Choice(choice), Gene::Choice(value)) => {
            let Some(branch) = choice.branches.get(value.branch as usize) else {
                return Some("no such branch");
            };
            inside(PathStep::Branch(value.branch), branch.spec, &value.value)
        }
        (spec, leaf) => leaf_defect(spec, leaf),
    }
}

pub(crate) fn leaf_defect(spec: &GeneSpec, gene: &Gene) -> Option<&'static str> {
    let is_valid = match (spec, gene) {
        (GeneSpec::String(range), Gene::String(string)) => has_valid_length(&string.text, range),
        (GeneSpec::Enum(names), Gene::Enum(index)) => (*index as usize) < names.values.len(),
        (GeneSpec::Integer(range), Gene::Integer(value)) => (range.min..=range.max).contains(value),
        (GeneSpec::Long(range), Gene::Long(value)) => (range.min..=range.max).contains(value),
        (GeneSpec::Float(range), Gene::Float(value)) => {
            (range.min..=range.max).contains(&value.get())
        }
        (GeneSpec::Decimal(range), Gene::Decimal(value)) => range.contains(value),
        (GeneSpec::Format(format), Gene::String(string)) => format.holds(string),
        (GeneSpec::Boolean, Gene::Boolean(_)) | (GeneSpec::Constant, Gene::Constant) => true,
        _ => return Some("a value of another kind"),
    };
    (!is_valid).then_some("a value out of its range")
}

/// Makes the gene a value of the specification, changing as little as it can: values are moved
/// into their range, what is missing becomes its simplest value, what must not be there goes.
///
/// A valid gene stays as it is, so repairing twice is repairing once. Where the specification has
/// no value at all, the gene becomes a placeholder.
pub fn repair(spec: &SpecRef, gene: &mut Gene, settings: &GeneSettings) {
    crate::expansion::prune(spec, gene);
    repair_at(spec, spec.id(), gene, settings);
}

fn repair_at(spec: &SpecRef, id: SpecId, gene: &mut Gene, settings: &GeneSettings) {
    let graph = spec.graph();
    if defect(graph, id, gene, &mut GenePath::default()).is_none() {
        return;
    }
    if !graph.cost(id).is_finite() {
        *gene = Gene::CycleObject;
        return;
    }
    let simplest = || crate::simplest(&spec.at(id), settings);
    match (graph.spec(id), &mut *gene) {
        (GeneSpec::Optional(_), Gene::Null | Gene::CycleObject | Gene::LimitObject) => {
            *gene = Gene::Absent;
        }
        (GeneSpec::Optional(optional), _) => {
            repair_at(spec, optional.inner, gene, settings);
            if gene.is_placeholder() {
                *gene = Gene::Absent;
            }
        }
        (GeneSpec::Nullable(inner), _) => {
            repair_at(spec, *inner, gene, settings);
            if gene.is_placeholder() {
                *gene = Gene::Null;
            }
        }
        (
            GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner),
            _,
        ) => repair_at(spec, *inner, gene, settings),
        (GeneSpec::Object(object), Gene::Object(value)) => {
            value.fields.sort_by_key(|(position, _)| *position);
            value.fields.dedup_by_key(|(position, _)| *position);
            value.fields.retain(|(position, _)| (*position as usize) < object.fields.len());
            for (position, part) in &mut value.fields {
                repair_at(spec, object.fields[*position as usize].spec, part, settings);
            }
            value.fields.retain(|(_, part)| *part != Gene::Absent && !part.is_placeholder());
            let is_optional = |id: SpecId| graph.is_optional(id);
            if object_defect(object, value, is_optional).is_some() {
                match simplest() {
                    Gene::Object(simple) => {
                        for (position, part) in simple.fields {
                            if value.get(position).is_none() {
                                value.set(position, part);
                            }
                        }
                    }
                    placeholder => *gene = placeholder,
                }
            }
        }
        (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
            elements.truncate(tuple.elements.len());
            for (position, field) in tuple.elements.iter().enumerate() {
                match elements.get_mut(position) {
                    Some(part) => repair_at(spec, field.spec, part, settings),
                    None => elements.push(crate::simplest(&spec.at(field.spec), settings)),
                }
            }
            if let Some(lost) = elements.iter().find(|element| element.is_placeholder()) {
                *gene = lost.clone();
            }
        }
        (GeneSpec::Array(array), Gene::Array(elements)) => {
            elements.truncate(array.max as usize);
            elements.iter_mut().for_each(|part| repair_at(spec, array.element, part, settings));
            elements.retain(|part| !part.is_placeholder());
            while (elements.len() as u32) < array.min {
                elements.push(crate::simplest(&spec.at(array.element), settings));
            }
        }
        (GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
            elements.iter_mut().for_each(|part| repair_at(spec, array.element, part, settings));
            let mut seen = std::collections::HashSet::new();
            elements.retain(|part| !part.is_placeholder() && seen.insert(part.clone()));
            elements.truncate(array.max as usize);
            if (elements.len() as u32) < array.min {
                *gene = simplest();
            }
        }
        (GeneSpec::Map(map), Gene::Map(entries)) => {
            for (key, value) in entries.iter_mut() {
                repair_at(spec, map.key, key, settings);
                repair_at(spec, map.value, value, settings);
            }
            entries.retain(|(key, value)| !key.is_placeholder() && !value.is_placeholder());
            map.remove_taken(entries);
            if (entries.len() as u32) < map.min {
                *gene = simplest();
            }
        }
        (GeneSpec::Decimal(range), Gene::Decimal(value)) => **value = range.nearest(value),
        (GeneSpec::Choice(choice), Gene::Choice(value))
            if (value.branch as usize) < choice.branches.len() =>
        {
            let branch = choice.branches[value.branch as usize].spec;
            repair_at(spec, branch, &mut value.value, settings);
            if value.value.is_placeholder() {
                *gene = simplest();
            }
        }
        (GeneSpec::String(range), Gene::String(string)) => {
            string.text = fitted(&string.text, range)
        }
        (GeneSpec::Integer(range), Gene::Integer(value)) => {
            *value = (*value).clamp(range.min, range.max)
        }
        (GeneSpec::Long(range), Gene::Long(value)) => *value = (*value).clamp(range.min, range.max),
        (GeneSpec::Float(range), Gene::Float(value)) => {
            *value = Finite::nearest(value.get().clamp(range.min, range.max));
        }
        _ => *gene = simplest(),
    }
}
