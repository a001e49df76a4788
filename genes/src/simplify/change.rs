//! One change on the way to a simpler gene.

use crate::gene::Gene;
use crate::path::{GenePath, PathStep};

/// A change, and how early it is tried.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    /// Genes that it removes.
    pub(super) removed: usize,
    /// Rank among the ideas for its place.
    pub(super) order: u32,
    pub(super) change: Change,
}

/// What is changed. Values are not copied where a place in the tree says enough.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// Another value at a place; [`Gene::Absent`] removes a field.
    Put(GenePath, Gene),
    /// A part of the tree moves up to a place above it.
    Lift { from: GenePath, to: GenePath },
    /// Elements of the list, or entries of the map, at a place go.
    RemoveElements(GenePath, std::ops::Range<usize>),
    /// Fields of the object at a place go, by position.
    RemoveFields(GenePath, Vec<u32>),
    /// Several changes that do not touch one another.
    All(Vec<Edit>),
}

impl Edit {
    /// The changed gene.
    pub(super) fn applied(&self, gene: &Gene) -> Gene {
        let mut changed = gene.clone();
        self.apply(&mut changed);
        changed
    }

    fn apply(&self, gene: &mut Gene) {
        match &self.change {
            Change::Put(path, value) => put(gene, path, value.clone()),
            Change::Lift { from, to } => {
                if let Some(part) = from.find(gene).cloned() {
                    put(gene, to, part);
                }
            }
            Change::RemoveElements(path, range) => match path.find_mut(gene) {
                Some(Gene::Array(elements)) => drop(elements.drain(range.clone())),
                Some(Gene::Map(entries)) => drop(entries.drain(range.clone())),
                _ => {}
            },
            Change::RemoveFields(path, positions) => {
                if let Some(Gene::Object(object)) = path.find_mut(gene) {
                    object.fields.retain(|(position, _)| !positions.contains(position));
                }
            }
            Change::All(edits) => edits.iter().for_each(|edit| edit.apply(gene)),
        }
    }
}

/// Puts a value at a place. An absent field is one that is not there.
fn put(gene: &mut Gene, path: &GenePath, value: Gene) {
    if let (Gene::Absent, Some((PathStep::Field(field), above))) = (&value, path.0.split_last())
        && let Some(Gene::Object(object)) = GenePath(above.to_vec()).find_mut(gene)
    {
        object.set(*field, Gene::Absent);
    } else if let Some(place) = path.find_mut(gene) {
        *place = value;
    }
}
