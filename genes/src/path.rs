//! Addresses of genes inside a gene tree.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::gene::Gene;

/// One step from a gene to a part of it. Optional values add no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PathStep {
    /// Field of an object or element of a tuple, by its position in the specification.
    Field(u32),
    /// Element of an array, or value of a map; [`PathStep::EVERY`] stands for all of them.
    Element(u32),
    /// Key of a map, by the position of its entry; [`PathStep::EVERY`] stands for all of them.
    Key(u32),
    /// The chosen branch of a choice.
    Branch(u32),
}

impl PathStep {
    /// The index that stands for every element of an array in a [`NormalisedPath`].
    pub const EVERY: u32 = u32::MAX;

    fn normalised(self) -> Self {
        match self {
            Self::Element(_) => Self::Element(Self::EVERY),
            Self::Key(_) => Self::Key(Self::EVERY),
            Self::Field(_) | Self::Branch(_) => self,
        }
    }
}

/// Address of one gene, from the root gene of an action.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct GenePath(pub Vec<PathStep>);

impl GenePath {
    /// The same address with list indices replaced by "every element".
    #[must_use]
    pub fn normalised(&self) -> NormalisedPath {
        NormalisedPath::of(&self.0)
    }

    /// The gene at this address, if it is there.
    #[must_use]
    pub fn find<'a>(&self, root: &'a Gene) -> Option<&'a Gene> {
        self.0.iter().try_fold(root, |gene, step| match (gene, *step) {
            (Gene::Object(object), PathStep::Field(field)) => object.get(field),
            (Gene::Tuple(elements), PathStep::Field(index))
            | (Gene::Array(elements), PathStep::Element(index)) => elements.get(index as usize),
            (Gene::Map(entries), PathStep::Key(index)) => {
                entries.get(index as usize).map(|(key, _)| key)
            }
            (Gene::Map(entries), PathStep::Element(index)) => {
                entries.get(index as usize).map(|(_, value)| value)
            }
            (Gene::Choice(choice), PathStep::Branch(branch)) if choice.branch == branch => {
                Some(&*choice.value)
            }
            _ => None,
        })
    }

    /// The gene at this address for change, if it is there.
    pub fn find_mut<'a>(&self, root: &'a mut Gene) -> Option<&'a mut Gene> {
        self.0.iter().try_fold(root, |gene, step| match (gene, *step) {
            (Gene::Object(object), PathStep::Field(field)) => object.get_mut(field),
            (Gene::Tuple(elements), PathStep::Field(index))
            | (Gene::Array(elements), PathStep::Element(index)) => elements.get_mut(index as usize),
            (Gene::Map(entries), PathStep::Key(index)) => {
                entries.get_mut(index as usize).map(|(key, _)| key)
            }
            (Gene::Map(entries), PathStep::Element(index)) => {
                entries.get_mut(index as usize).map(|(_, value)| value)
            }
            (Gene::Choice(choice), PathStep::Branch(branch)) if choice.branch == branch => {
                Some(&mut *choice.value)
            }
            _ => None,
        })
    }
}

/// Address of a position in a template: a [`GenePath`] whose list indices all mean "every element".
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct NormalisedPath(Vec<PathStep>);

impl NormalisedPath {
    pub(crate) fn of(steps: &[PathStep]) -> Self {
        Self(steps.iter().map(|step| step.normalised()).collect())
    }

    /// The steps, list indices being [`PathStep::EVERY`].
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }
}

impl fmt::Display for NormalisedPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                PathStep::Field(index) => write!(formatter, "/{index}")?,
                PathStep::Element(_) => formatter.write_str("/*")?,
                PathStep::Key(_) => formatter.write_str("/#")?,
                PathStep::Branch(index) => write!(formatter, "/|{index}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gene::{ChoiceGene, ObjectGene};

    fn tree() -> Gene {
        let list = Gene::Array(vec![Gene::Integer(1), Gene::Integer(2)]);
        let choice = Gene::Choice(ChoiceGene { branch: 3, value: Box::new(list) });
        Gene::Object(ObjectGene { fields: vec![(4, Gene::Tuple(vec![choice]))] })
    }

    #[test]
    fn a_path_finds_its_gene_and_no_other() {
        let steps =
            vec![PathStep::Field(4), PathStep::Field(0), PathStep::Branch(3), PathStep::Element(1)];
        let path = GenePath(steps);
        assert_eq!(path.find(&tree()), Some(&Gene::Integer(2)));
        assert_eq!(path.find_mut(&mut tree()), Some(&mut Gene::Integer(2)));
        assert_eq!(path.normalised().to_string(), "/4/0/|3/*");
        assert_eq!(GenePath(vec![PathStep::Field(0)]).find(&tree()), None);
    }
}
