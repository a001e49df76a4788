//! Texts of which several things are asked at once: patterns, a format, a length.

use std::sync::Arc;

use super::{FormatSpec, TextFormat};
use crate::rng::Rng;

/// Tries to find a text that follows all.
const TRIES: usize = 40;

/// Specification of texts that follow several formats and have a length.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSpec {
    /// At least one.
    parts: Arc<[FormatSpec]>,
    min: u32,
    pub(super) max: u32,
    simplest: Arc<str>,
}

impl RuleSpec {
    /// Texts of `min` to `max` characters that follow all `parts`; nothing when none was found.
    pub(super) fn new(parts: Vec<FormatSpec>, min: u32, max: u32) -> Option<Self> {
        let simplest = parts.first()?.simplest();
        let mut rule = Self { parts: parts.into(), min, max, simplest: simplest.into() };
        if !rule.is_valid(&rule.simplest) {
            // The same texts are tried for a rule wherever it is met.
            rule.simplest = rule.found(&mut Rng::new(0, 0))?.into();
        }
        Some(rule)
    }

    fn found(&self, rng: &mut Rng) -> Option<String> {
        let mut texts = (0..TRIES).map(|attempt| {
            // Each part alone may make what all allow; else one pattern is often about the beginning
            // and another one about the end.
            let alone = attempt / 2 % self.parts.len();
            let makers = match attempt % 2 {
                0 => &self.parts[alone..=alone],
                _ => &self.parts[..],
            };
            self.stretched(makers.iter().map(|part| part.sample(rng)).collect())
        });
        texts.find(|text| self.is_valid(text))
    }

    /// Most formats let the last character be repeated until the text is long enough.
    fn stretched(&self, mut text: String) -> String {
        let missing = (self.min as usize).saturating_sub(text.chars().count());
        if let Some(last) = text.chars().last() {
            text.extend(std::iter::repeat_n(last, missing.min(10_000)));
        }
        text
    }
}

impl TextFormat for RuleSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        self.found(rng).unwrap_or_else(|| self.simplest.to_string())
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        self.stretched(self.parts[0].mutant(text, rng))
    }

    fn is_valid(&self, text: &str) -> bool {
        (self.min as usize..=self.max as usize).contains(&text.chars().count())
            && self.parts.iter().all(|part| part.is_valid(text))
    }

    fn simplest(&self) -> String {
        self.simplest.to_string()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        self.parts[0].simpler(text)
    }

    fn weight(&self) -> f64 {
        self.parts[0].weight()
    }
}
