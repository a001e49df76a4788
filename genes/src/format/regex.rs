//! Texts that match a regular expression, and stay in its language when they are mutated.
//!
//! The pattern is parsed once. A text is *derived* from it: which alternative, how many repetitions
//! and which characters lead to the text. A mutation changes one of these decisions, so that the
//! new text is derived from the pattern too. Anchors and word boundaries depend on what stands
//! around them; where a pattern has them, a text is looked at as a whole before it is used.

mod derive;
mod matcher;
mod program;
mod sample;

use std::sync::Arc;

use thiserror::Error;

use super::TextFormat;
use crate::rng::Rng;

use derive::Derivation;
use matcher::Matcher;
use program::Program;

/// Attempts to find a text of the language and of the allowed length.
const ATTEMPTS: u32 = 40;

/// Specification of texts that match a regular expression.
///
/// The subset: literals, escapes, `.`, classes (ranges, negation, `\d \w \s`, `\p{..}`, POSIX
/// names), groups of any kind that captures or not, alternation, all quantifiers, greedy or lazy,
/// the flags `i`, `s`, `m` and `x`, the anchors `^ $ \A \z` and the boundaries `\b \B`, as the
/// crate [regex](https://docs.rs/regex) reads them. Not: look-around, back references, and
/// quantifiers that ask for more than 1,000 repetitions. Where JavaScript reads a pattern
/// otherwise (`\d` means ASCII there), the texts made here match both ways: their characters are
/// ASCII wherever the class allows it.
///
/// ```
/// use wallace_genes::spec::{FormatSpec, RegexSpec};
///
/// let code = RegexSpec::whole("[A-Z]{3}-[0-9]+(/(old|new))?")?.with_length(0, 12)?;
/// assert_eq!(code.shortest(), "AAA-0");
/// assert!(FormatSpec::Regex(code).is_valid("XYZ-42/new"));
/// # Ok::<(), wallace_genes::spec::RegexError>(())
/// ```
#[derive(Debug, Clone)]
pub struct RegexSpec {
    pattern: Arc<str>,
    is_whole: bool,
    min: u32,
    max: u32,
    program: Arc<Program>,
    simplest: Arc<str>,
}

/// Why no texts can be made for a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegexError {
    /// It cannot be parsed, or is outside the subset.
    #[error("a pattern that cannot be used: {0}")]
    Unsupported(String),
    /// It is too large, or every text of it is too long.
    #[error("a pattern whose texts are too large")]
    TooLarge,
    /// No text was found that matches it and has an allowed length.
    #[error("no text was found that matches the pattern within the allowed lengths")]
    NoText,
}

impl PartialEq for RegexSpec {
    fn eq(&self, other: &Self) -> bool {
        let key = |spec: &Self| (Arc::clone(&spec.pattern), spec.is_whole, spec.min, spec.max);
        key(self) == key(other)
    }
}

impl RegexSpec {
    /// Texts that match the pattern from beginning to end, of at most 1,024 characters.
    ///
    /// # Errors
    /// When the pattern is outside the subset, or no text of it was found.
    pub fn whole(pattern: &str) -> Result<Self, RegexError> {
        Self::new(pattern, true)
    }

    /// Texts that contain a match, as JSON Schema's `pattern` asks, of at most 1,024 characters.
    ///
    /// # Errors
    /// As [`RegexSpec::whole`].
    pub fn partial(pattern: &str) -> Result<Self, RegexError> {
        Self::new(pattern, false)
    }

    fn new(pattern: &str, is_whole: bool) -> Result<Self, RegexError> {
        let program = Arc::new(Program::parse(pattern, is_whole)?);
        let pattern = pattern.into();
        Self { pattern, is_whole, min: 0, max: 1024, program, simplest: "".into() }.settled()
    }

    /// The same texts, but only those of `min` to `max` characters.
    ///
    /// # Errors
    /// When no text of such a length was found.
    pub fn with_length(self, min: u32, max: u32) -> Result<Self, RegexError> {
        Self { min, max, ..self }.settled()
    }

    /// Finds the simplest text, or some text at least.
    fn settled(mut self) -> Result<Self, RegexError> {
        let simplest = self.program.simplest();
        if self.is_valid(&simplest) {
            self.simplest = simplest.into();
            return Ok(self);
        }
        // The same texts are tried for a pattern wherever it is met.
        let mut rng = Rng::new(0, 0);
        let found = (0..20).filter_map(|_| self.found(&mut rng));
        let shortest = found.min_by_key(|text| text.chars().count());
        self.simplest = shortest.ok_or(RegexError::NoText)?.into();
        Ok(self)
    }

    /// A random text of the language, if some attempts find one.
    fn found(&self, rng: &mut Rng) -> Option<String> {
        (0..ATTEMPTS).find_map(|attempt| {
            // Two more repetitions than the least show each branch of a loop
            // (docs/reference/genes.md#patterns); a least length may need more of them, a largest
            // one none.
            let extra = match attempt % 4 {
                0 => 2,
                1 => 0,
                _ => 1_u32 << (attempt / 4).min(10),
            };
            let text = self.program.sample(rng, extra);
            self.is_valid(&text).then_some(text)
        })
    }

    /// The pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Most characters.
    pub(super) fn max(&self) -> u32 {
        self.max
    }

    /// The simplest text that matches.
    #[must_use]
    pub fn shortest(&self) -> &str {
        &self.simplest
    }

    /// How the text comes from the pattern.
    fn derivation(&self, characters: &[char]) -> Option<Derivation> {
        Matcher::new(&self.program, characters).derivation()
    }
}

/// A random text that matches the pattern, anchors and boundaries in it taken to hold; nothing when
/// the pattern cannot be used. Such patterns come from instrumented code, each for a few texts.
pub(crate) fn matching_text(pattern: &str, is_whole: bool, rng: &mut Rng) -> Option<String> {
    // Two more repetitions than the least show each branch of a loop
    // (docs/reference/genes.md#patterns).
    Program::parse(pattern, is_whole).ok().map(|program| program.sample(rng, 2))
}

impl TextFormat for RegexSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        self.found(rng).unwrap_or_else(|| self.simplest.to_string())
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let characters: Vec<char> = text.chars().collect();
        match self.derivation(&characters) {
            Some(derivation) => derivation.mutant(&self.program, &characters, rng),
            None => self.sample(rng),
        }
    }

    fn is_valid(&self, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        (self.min as usize..=self.max as usize).contains(&characters.len())
            && Matcher::new(&self.program, &characters).is_match()
    }

    fn simplest(&self) -> String {
        self.simplest.to_string()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        let derivation = self.derivation(&characters);
        derivation
            .map_or_else(Vec::new, |derivation| derivation.simpler(&self.program, &characters))
    }

    fn weight(&self) -> f64 {
        self.program.decisions() as f64
    }
}
