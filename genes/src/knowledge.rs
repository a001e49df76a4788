//! What a search has learnt about positions of its templates.
//!
//! Knowledge is a serialisable overlay beside the immutable specifications, keyed by template and
//! normalised path: what code was seen doing with the text at a position. Genes refer to entries
//! by number, and entries are never removed, so a number stays good for the whole run.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::gene::Gene;
use crate::path::{GenePath, NormalisedPath, PathStep};

/// Number of an operation template of a problem.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct TemplateId(pub u32);

/// Number of a specialisation among those of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpecialisationId(pub u32);

/// How text at a position is used by the system under test.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Specialisation {
    /// Compared with this text.
    Constant(Arc<str>),
    /// Compared with this text without regard to case.
    ConstantIgnoreCase(Arc<str>),
    /// Parsed as an integer of 32 bits.
    Integer,
    /// Parsed as an integer of 64 bits.
    Long,
    /// Parsed as a floating-point number.
    Float,
    /// Parsed as `true` or `false`.
    Boolean,
    /// Matched against a regular expression.
    Regex {
        /// The expression.
        pattern: Arc<str>,
        /// Whether the whole text must match, and not only a part of it.
        is_whole: bool,
    },
}

/// Learnt specialisations of all positions.
///
/// Memory is bounded: at most [`Knowledge::LIMIT`] entries a position; positions are as many as the
/// schema has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knowledge {
    templates: BTreeMap<TemplateId, BTreeMap<NormalisedPathKey, Vec<Learnt>>>,
}

/// One entry: a specialisation, and how often a text made from it was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learnt {
    /// How the text is used.
    pub specialisation: Specialisation,
    /// Evaluated tests that held a text made from it.
    pub tries: u32,
}

/// A normalised path as a map key that also serialises as text in JSON.
type NormalisedPathKey = String;

impl Knowledge {
    /// Most entries kept for one position. Positions compared with more constants than this are
    /// look-up tables, where further constants open no new branch.
    pub const LIMIT: usize = 64;

    /// Notes a specialisation of the text at `path`. Returns whether it is new.
    pub fn learn(
        &mut self,
        template: TemplateId,
        path: &GenePath,
        specialisation: Specialisation,
    ) -> bool {
        let key = path.normalised().to_string();
        let known = self.templates.entry(template).or_default().entry(key).or_default();
        let is_new = known.len() < Self::LIMIT
            && !known.iter().any(|entry| entry.specialisation == specialisation);
        if is_new {
            known.push(Learnt { specialisation, tries: 0 });
        }
        is_new
    }

    /// Counts the texts of an evaluated gene that were made from a specialisation.
    pub fn count_tries(&mut self, template: TemplateId, gene: &Gene) {
        let Some(positions) = self.templates.get_mut(&template) else { return };
        gene.visit_texts(&mut |path, string| {
            let Some(id) = string.specialisation else { return };
            let entries = positions.get_mut(&path.normalised().to_string());
            if let Some(entry) = entries.and_then(|entries| entries.get_mut(id.0 as usize)) {
                entry.tries = entry.tries.saturating_add(1);
            }
        });
    }

    /// The number of a specialisation of the text at a position, when it is known.
    #[must_use]
    pub fn find(
        &self,
        template: TemplateId,
        path: &GenePath,
        specialisation: &Specialisation,
    ) -> Option<SpecialisationId> {
        let known = self.specialisations(template, &path.0);
        let place = known.iter().position(|entry| entry.specialisation == *specialisation)?;
        Some(SpecialisationId(place as u32))
    }

    /// What is known of the text at a position, oldest first.
    #[must_use]
    pub fn specialisations(&self, template: TemplateId, path: &[PathStep]) -> &[Learnt] {
        let Some(positions) = self.templates.get(&template) else {
            return &[];
        };
        positions.get(&NormalisedPath::of(path).to_string()).map_or(&[], Vec::as_slice)
    }

    /// Number of specialisations of all positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.templates.values().flat_map(BTreeMap::values).map(Vec::len).sum()
    }

    /// Whether nothing has been learnt.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_of_a_list_shares_what_is_known() {
        let mut knowledge = Knowledge::default();
        let at = |index| GenePath(vec![PathStep::Field(1), PathStep::Element(index)]);
        let constant = Specialisation::Constant("pi".into());
        assert!(knowledge.learn(TemplateId(2), &at(0), constant.clone()));
        assert!(!knowledge.learn(TemplateId(2), &at(5), constant.clone()));
        let known = knowledge.specialisations(TemplateId(2), &at(9).0);
        assert_eq!(known, [Learnt { specialisation: constant, tries: 0 }]);
        assert!(knowledge.specialisations(TemplateId(1), &at(9).0).is_empty());
        let text = serde_json::to_string(&knowledge).unwrap();
        assert_eq!(serde_json::from_str::<Knowledge>(&text).unwrap(), knowledge);
    }

    #[test]
    fn a_position_keeps_a_bounded_number() {
        let mut knowledge = Knowledge::default();
        for number in 0..1_000 {
            let constant = Specialisation::Constant(number.to_string().into());
            knowledge.learn(TemplateId(0), &GenePath::default(), constant);
        }
        assert_eq!(knowledge.len(), Knowledge::LIMIT);
    }
}
