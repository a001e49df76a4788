//! Texts of given characters and lengths.

use std::sync::Arc;

use super::TextFormat;
use super::edit::edited;
use crate::rng::Rng;

/// Most characters beyond the least that are sampled.
const LENGTH: u32 = 16;

/// Specification of texts whose characters all come from some ranges.
///
/// ```
/// use wallace_genes::{CharacterSpec, FormatSpec};
///
/// let plate = CharacterSpec::new(&['A'..='Z', '0'..='9'], 3, 8);
/// assert!(FormatSpec::Characters(plate.clone()).is_valid("BE4"));
/// assert!(!FormatSpec::Characters(plate).is_valid("be4"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterSpec {
    ranges: Arc<[(char, char)]>,
    min: u32,
    max: u32,
}

impl CharacterSpec {
    /// Texts of `min` to `max` characters out of `ranges`, of which empty ones do not count. With
    /// no range at all only the empty text is left, whatever `min` says; the sampler takes no
    /// more than 16 characters above `min`.
    #[must_use]
    pub fn new(ranges: &[std::ops::RangeInclusive<char>], min: u32, max: u32) -> Self {
        let ranges: Arc<[(char, char)]> = ranges
            .iter()
            .filter(|range| !range.is_empty())
            .map(|range| (*range.start(), *range.end()))
            .collect();
        let (min, max) = if ranges.is_empty() { (0, 0) } else { (min, max.max(min)) };
        Self { ranges, min, max }
    }

    /// Fewest characters.
    #[must_use]
    pub fn min(&self) -> u32 {
        self.min
    }

    /// Most characters.
    #[must_use]
    pub fn max(&self) -> u32 {
        self.max
    }

    /// Whether the character may occur.
    #[must_use]
    pub fn contains(&self, character: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&character))
    }

    /// A character, each range being equally likely.
    fn character(&self, rng: &mut Rng) -> char {
        let Some((low, high)) = rng.pick(&self.ranges).copied() else { return 'a' };
        let code = rng.between(i64::from(u32::from(low)), i64::from(u32::from(high))) as u32;
        // A range may span the gap of the surrogates.
        char::from_u32(code).unwrap_or(low)
    }

    fn first(&self) -> char {
        self.ranges.first().map_or('a', |(low, _)| *low)
    }
}

impl TextFormat for CharacterSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        let most = self.max.min(self.min.saturating_add(LENGTH));
        let length = rng.between(i64::from(self.min), i64::from(most));
        (0..length).map(|_| self.character(rng)).collect()
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        edited(text, rng, |rng| self.character(rng))
    }

    fn is_valid(&self, text: &str) -> bool {
        let length = text.chars().count();
        (self.min as usize..=self.max as usize).contains(&length)
            && text.chars().all(|character| self.contains(character))
    }

    fn simplest(&self) -> String {
        std::iter::repeat_n(self.first(), self.min as usize).collect()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let (half, first) = (characters.len().div_ceil(2), self.first());
        let mut texts =
            vec![characters[..half].iter().collect(), characters[half..].iter().collect()];
        for place in (0..characters.len()).rev().take(32) {
            let mut shorter = characters.clone();
            shorter.remove(place);
            texts.push(shorter.into_iter().collect());
            let mut plainer = characters.clone();
            plainer[place] = first;
            texts.push(plainer.into_iter().collect());
        }
        texts
    }
}
