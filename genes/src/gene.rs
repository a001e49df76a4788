//! What a value is: genes.
//!
//! A [`Gene`] is plain data. It knows nothing of its specification, its parent or how it is
//! printed, and holds only what is selected, so that copying, mutating and printing an operation
//! cost what the operation is worth and not what its schema would allow.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;
use crate::knowledge::SpecialisationId;

/// The value chosen for one position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Gene {
    /// Fields of an object that are present.
    Object(ObjectGene),
    /// Arguments of a field in schema order, then the selection if the field returns an object.
    Tuple(Vec<Gene>),
    /// Elements of a list.
    Array(Vec<Gene>),
    /// Entries of a map: key and value. Keys differ.
    Map(Vec<(Gene, Gene)>),
    /// The chosen alternative.
    Choice(ChoiceGene),
    /// An optional value that is left out.
    Absent,
    /// An optional value that is explicitly null.
    Null,
    /// Text.
    String(StringGene),
    /// Index into the list of names.
    Enum(u32),
    /// A 32-bit integer.
    Integer(i32),
    /// A 64-bit integer.
    Long(i64),
    /// A finite double.
    Float(Finite),
    /// An exact decimal, or an integer of any size.
    Decimal(Box<Decimal>),
    /// True or false.
    Boolean(bool),
    /// The only value of its position.
    Constant,
    /// Stands in an expanded template where a type repeats; never in a valid gene.
    CycleObject,
    /// Stands in an expanded template where the depth limit is reached; never in a valid gene.
    LimitObject,
}

/// An object: the fields that are present, in ascending position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct ObjectGene {
    /// Position of the field in the specification, and its value; ascending, without repetition.
    pub fields: Vec<(u32, Gene)>,
}

impl ObjectGene {
    /// The value of a field, when it is present.
    #[must_use]
    pub fn get(&self, field: u32) -> Option<&Gene> {
        let found = self.fields.binary_search_by_key(&field, |(position, _)| *position).ok()?;
        Some(&self.fields[found].1)
    }

    /// The value of a field for change, when it is present.
    pub fn get_mut(&mut self, field: u32) -> Option<&mut Gene> {
        let found = self.fields.binary_search_by_key(&field, |(position, _)| *position).ok()?;
        Some(&mut self.fields[found].1)
    }

    /// Puts a field in its place, replacing an earlier value. [`Gene::Absent`] removes it.
    pub fn set(&mut self, field: u32, value: Gene) {
        match self.fields.binary_search_by_key(&field, |(position, _)| *position) {
            Ok(found) if value == Gene::Absent => {
                self.fields.remove(found);
            }
            Ok(found) => self.fields[found].1 = value,
            Err(_) if value == Gene::Absent => {}
            Err(place) => self.fields.insert(place, (field, value)),
        }
    }
}

/// A choice: which branch, and its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChoiceGene {
    /// Position of the branch in the specification.
    pub branch: u32,
    /// Value of the branch.
    pub value: Box<Gene>,
}

/// Text, and the learnt specialisation it was made from, if any.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct StringGene {
    /// The text as the service receives it; escaping belongs to whoever prints it.
    pub text: Box<str>,
    /// What the text was made from, in the knowledge of its position.
    pub specialisation: Option<SpecialisationId>,
}

impl StringGene {
    /// Text that no specialisation stands behind.
    #[must_use]
    pub fn plain(text: impl Into<Box<str>>) -> Self {
        Self { text: text.into(), specialisation: None }
    }
}

/// A finite double with equality and hash by its bits; -0 and 0 differ.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Finite(f64);

impl Finite {
    /// The number, or the nearest finite one; not-a-number becomes 0.
    #[must_use]
    pub fn nearest(number: f64) -> Self {
        if number.is_nan() { Self(0.0) } else { Self(number.clamp(f64::MIN, f64::MAX)) }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Finite {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Finite {}

impl Hash for Finite {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl Gene {
    /// Text without specialisation.
    #[must_use]
    pub fn text(text: impl Into<Box<str>>) -> Self {
        Self::String(StringGene::plain(text))
    }

    /// A finite double; see [`Finite::nearest`].
    #[must_use]
    pub fn float(number: f64) -> Self {
        Self::Float(Finite::nearest(number))
    }

    /// Whether the gene may only stand in an expanded template.
    #[must_use]
    pub fn is_placeholder(&self) -> bool {
        matches!(self, Self::CycleObject | Self::LimitObject)
    }

    /// Number of genes in this tree, itself included.
    #[must_use]
    pub fn size(&self) -> usize {
        let below = match self {
            Self::Object(object) => object.fields.iter().map(|(_, part)| part.size()).sum(),
            Self::Tuple(parts) | Self::Array(parts) => parts.iter().map(Self::size).sum(),
            // The chain of all kinds of parts costs a leaf more than counting it.
            Self::Map(_) | Self::Choice(_) => self.parts().map(Self::size).sum::<usize>(),
            _ => 0,
        };
        1 + below
    }

    /// Direct parts; of a map each key, then its value.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let (mut fields, mut elements): (&[(u32, Self)], &[Self]) = (&[], &[]);
        let (mut entries, mut value): (&[(Self, Self)], Option<&Self>) = (&[], None);
        match self {
            Self::Object(object) => fields = &object.fields,
            Self::Tuple(parts) | Self::Array(parts) => elements = parts,
            Self::Map(parts) => entries = parts,
            Self::Choice(choice) => value = Some(&choice.value),
            _ => {}
        }
        let entries = entries.iter().flat_map(|(key, value)| [key, value]);
        fields.iter().map(|(_, part)| part).chain(elements).chain(entries).chain(value)
    }

    /// Calls `visit` with every text in this tree and its address.
    pub fn visit_texts(&self, visit: &mut dyn FnMut(&crate::GenePath, &StringGene)) {
        self.visit_leaves(&mut |path, leaf| {
            if let Self::String(string) = leaf {
                visit(path, string);
            }
        });
    }

    /// Calls `visit` with every gene of this tree that has no parts, and its address.
    pub fn visit_leaves(&self, visit: &mut dyn FnMut(&crate::GenePath, &Self)) {
        self.visit_leaves_below(&mut crate::GenePath::default(), visit);
    }

    fn visit_leaves_below(
        &self,
        path: &mut crate::GenePath,
        visit: &mut dyn FnMut(&crate::GenePath, &Self),
    ) {
        use crate::path::PathStep;
        let mut below = |step: PathStep, part: &Self| {
            path.0.push(step);
            part.visit_leaves_below(path, visit);
            path.0.pop();
        };
        match self {
            Self::Object(object) => {
                object.fields.iter().for_each(|(field, part)| below(PathStep::Field(*field), part));
            }
            Self::Tuple(elements) => {
                let parts = (0..).zip(elements);
                parts.for_each(|(index, part)| below(PathStep::Field(index), part));
            }
            Self::Array(elements) => {
                let parts = (0..).zip(elements);
                parts.for_each(|(index, part)| below(PathStep::Element(index), part));
            }
            Self::Map(entries) => {
                for (index, (key, value)) in (0..).zip(entries) {
                    below(PathStep::Key(index), key);
                    below(PathStep::Element(index), value);
                }
            }
            Self::Choice(choice) => below(PathStep::Branch(choice.branch), &choice.value),
            leaf => visit(path, leaf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gene_stays_small() {
        // Trees are copied for every mutation, so the size of a node is a cost per evaluation.
        assert!(size_of::<Gene>() <= 32, "{}", size_of::<Gene>());
    }

    #[test]
    fn serialising_gives_the_gene_back() {
        let gene = Gene::Object(ObjectGene {
            fields: vec![
                (0, Gene::float(-0.0)),
                (2, Gene::Array(vec![Gene::text("a\u{0}\u{1F600}"), Gene::Null])),
            ],
        });
        let text = serde_json::to_string(&gene).unwrap();
        assert_eq!(serde_json::from_str::<Gene>(&text).unwrap(), gene);
    }

    #[test]
    fn setting_a_field_keeps_the_order() {
        let mut object = ObjectGene::default();
        object.set(3, Gene::Boolean(true));
        object.set(1, Gene::Null);
        object.set(3, Gene::Boolean(false));
        object.set(2, Gene::Absent);
        assert_eq!(object.fields, [(1, Gene::Null), (3, Gene::Boolean(false))]);
        object.set(1, Gene::Absent);
        assert_eq!(object.fields, [(3, Gene::Boolean(false))]);
    }
}
