//! Different values of one specification: for lists without repetition and for keys of maps.

use crate::gene::Gene;
use crate::spec::{GeneSpec, SpecId};
use crate::walk::Walk;

/// How many values a specification has, as far as that is small and plain to see; [`u64::MAX`]
/// otherwise. `at` gives the specification at a position, `depth` is 0.
pub(crate) fn count_values<'a>(
    spec: &'a GeneSpec,
    at: impl Fn(SpecId) -> &'a GeneSpec + Copy,
    depth: u32,
) -> u64 {
    let inner = |id: SpecId| {
        if depth > 16 { u64::MAX } else { count_values(at(id), at, depth + 1) }
    };
    match spec {
        GeneSpec::Boolean => 2,
        GeneSpec::Constant => 1,
        GeneSpec::Enum(names) => names.values.len() as u64,
        GeneSpec::Integer(range) => (i64::from(range.max) - i64::from(range.min)) as u64 + 1,
        GeneSpec::String(range) if range.max == 0 => 1,
        GeneSpec::Nullable(wrapped) => inner(*wrapped).saturating_add(1),
        GeneSpec::Disruptive(wrapped) | GeneSpec::Immutable(wrapped) => inner(*wrapped),
        GeneSpec::Seeded(seeded) => inner(seeded.inner),
        _ => u64::MAX,
    }
}

impl Walk<'_> {
    /// The value of the given rank, simple ones first; different ranks give different values.
    /// Nothing where there are no more, or where the kind cannot be counted through.
    pub(crate) fn nth(&mut self, id: SpecId, rank: u32) -> Option<Gene> {
        match self.graph.spec(id) {
            GeneSpec::Boolean => (rank < 2).then_some(Gene::Boolean(rank == 1)),
            GeneSpec::Enum(names) => {
                ((rank as usize) < names.values.len()).then_some(Gene::Enum(rank))
            }
            GeneSpec::Integer(range) => {
                let value = i64::from(range.min) + i64::from(rank);
                (value <= i64::from(range.max)).then_some(Gene::Integer(value as i32))
            }
            GeneSpec::Long(range) => {
                let value = range.min.checked_add(i64::from(rank))?;
                (value <= range.max).then_some(Gene::Long(value))
            }
            GeneSpec::Decimal(range) => {
                let value = range.moved(&range.min(), i128::from(rank))?;
                Some(Gene::Decimal(Box::new(value)))
            }
            GeneSpec::Float(range) => {
                let value = range.min + f64::from(rank);
                (value <= range.max && value - f64::from(rank) == range.min)
                    .then(|| Gene::float(value))
            }
            GeneSpec::String(range) => {
                let text = numbered(rank, range.min as usize);
                (text.len() <= range.max as usize).then(|| Gene::text(text))
            }
            GeneSpec::Nullable(inner) => match rank.checked_sub(1) {
                None => Some(Gene::Null),
                Some(rank) => self.nth(*inner, rank),
            },
            GeneSpec::Disruptive(inner) => self.nth(*inner, rank),
            GeneSpec::Seeded(seeded) => self.nth(seeded.inner, rank),
            _ => (rank == 0).then(|| self.simplest(id)).filter(|value| !value.is_placeholder()),
        }
    }
}

/// The rank as letters of at least the given number: a, b .. z, ba, bb ..
fn numbered(rank: u32, least: usize) -> String {
    let (mut letters, mut rest) = (Vec::new(), rank);
    while rest > 0 || letters.len() < least.max(1) {
        letters.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_texts_differ_and_are_long_enough() {
        let texts: std::collections::BTreeSet<String> =
            (0..1_000).map(|rank| numbered(rank, 2)).collect();
        assert_eq!(texts.len(), 1_000);
        assert!(texts.iter().all(|text| text.len() >= 2));
        assert_eq!(["aa", "ab", "ba"], [0, 1, 26].map(|rank| numbered(rank, 2)).as_slice());
    }
}
