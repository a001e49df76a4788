//! Edits: what a hint changes at a position of a gene tree.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, GeneSettings, SpecRef, repair};

/// What to change at a position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Edit {
    /// Sets a number.
    Number(f64),
    /// Cuts or fills a text or a list to a length.
    Length(u32),
    /// Sets one character of a text.
    Character(u32, char),
}

/// Makes the edit at a position of a gene tree; whether anything changed. The tree stays valid.
pub(crate) fn apply(
    edit: Edit,
    path: &GenePath,
    spec: &SpecRef,
    root: &mut Gene,
    settings: &GeneSettings,
) -> bool {
    let was = root.clone();
    let Some(gene) = path.find_mut(root) else { return false };
    match (edit, gene) {
        (Edit::Number(value), Gene::Integer(integer)) => *integer = libm::round(value) as i32,
        (Edit::Number(value), Gene::Long(long)) => *long = libm::round(value) as i64,
        (Edit::Number(value), gene @ Gene::Float(_)) => *gene = Gene::float(value),
        (Edit::Length(length), Gene::Array(elements)) if !elements.is_empty() => {
            let last = elements[elements.len() - 1].clone();
            elements.resize(length as usize, last);
        }
        (Edit::Length(length), gene @ Gene::String(_)) => {
            let Gene::String(string) = &*gene else { return false };
            let text = string.text.chars().chain(std::iter::repeat('a')).take(length as usize);
            *gene = Gene::text(text.collect::<String>());
        }
        (Edit::Character(place, character), gene @ Gene::String(_)) => {
            let Gene::String(string) = &*gene else { return false };
            let mut text: Vec<char> = string.text.chars().collect();
            let Some(there) = text.get_mut(place as usize) else { return false };
            *there = character;
            *gene = Gene::text(text.into_iter().collect::<String>());
        }
        _ => return false,
    }
    repair(spec, root, settings);
    *root != was
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_stays_within_bounds() {
        let mut builder = wallace_genes::SpecBuilder::new();
        let range = wallace_genes::spec::IntegerSpec { min: 0, max: 9 };
        let id = builder.add(wallace_genes::GeneSpec::Integer(range));
        let spec = SpecRef::new(builder.build(), id);
        let mut gene = Gene::Integer(5);
        let (path, settings) = (GenePath::default(), GeneSettings::default());
        assert!(apply(Edit::Number(1e300), &path, &spec, &mut gene, &settings));
        assert_eq!(gene, Gene::Integer(9));
        assert!(!apply(Edit::Number(9.4), &path, &spec, &mut gene, &settings));
        assert!(!apply(Edit::Length(3), &path, &spec, &mut gene, &settings));
    }
}
