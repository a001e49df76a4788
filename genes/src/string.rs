//! Text: sampled from classes of characters, guided by what was learnt of the position.

use crate::gene::{Gene, StringGene};
use crate::knowledge::{Specialisation, SpecialisationId};
use crate::spec::StringSpec;
use crate::walk::Walk;

/// Characters of words; most text that code compares with is made of them.
const WORD: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// Share of texts that are made of them alone.
const WORDS: f64 = 0.70;

/// Share of specialised and tainted texts that become a part of the text that was there: prefixes,
/// suffixes and words inside a text are compared as often as whole texts.
const SPLICE: f64 = 0.3;

/// Text that has broken services before: ids of a wrong kind, dates that do not exist, and what
/// interpreters behind a service might take for their own (docs/reference/genes.md#text).
const HOSTILE: &[&str] =
    &["", "null", "0", "-1", "1e999", "\u{0}", "2026-02-30", "'", "\"", "\\", "{{1}}", "%00"];

impl Walk<'_> {
    pub(crate) fn sample_string(&mut self, spec: &StringSpec) -> Gene {
        let settings = &self.draw.settings;
        let specialise = settings.specialise_sample;
        if !self.specialisations().is_empty() && self.draw.rng.chance(specialise) {
            return Gene::String(self.specialised(spec));
        }
        if let Some(text) = self.draw.tainted_text(spec.max) {
            return Gene::text(fitted(&text, spec));
        }
        if let Some(copied) = self.draw.copied(text_of) {
            return Gene::text(fitted(&copied, spec));
        }
        Gene::text(self.random_text(spec))
    }

    fn random_text(&mut self, spec: &StringSpec) -> Box<str> {
        let rng = &mut self.draw.rng;
        let most = spec.max.min(spec.min.saturating_add(self.draw.settings.text_length));
        let length = rng.between(i64::from(spec.min), i64::from(most)) as usize;
        let mut text = String::with_capacity(length);
        let class = rng.unit();
        if class > 0.97 {
            return fitted(HOSTILE[rng.below(HOSTILE.len())], spec);
        }
        if class < WORDS {
            // By far the most characters that are ever drawn.
            text.extend((0..length).map(|_| word_character(rng)));
        } else {
            text.extend((0..length).map(|_| random_character(rng, class)));
        }
        text.into()
    }

    /// One of the learnt specialisations; those tried less are likelier, so that what was just
    /// learnt is tried soon and nothing is left out.
    fn chosen_specialisation(&mut self) -> usize {
        let known = self.specialisations();
        let weights: Vec<f64> =
            known.iter().map(|entry| 1.0 / f64::from(1 + entry.tries)).collect();
        self.draw.rng.weighted(&weights).unwrap_or(0)
    }

    /// Text made from one of the learnt specialisations, of whatever length.
    pub(crate) fn specialised_text(&mut self) -> Option<StringGene> {
        let index = self.chosen_specialisation();
        let known = self.specialisations().get(index)?;
        let text = known.specialisation.text(&mut self.draw.rng)?.into();
        Some(StringGene { text, specialisation: Some(SpecialisationId(index as u32)) })
    }

    fn specialised(&mut self, spec: &StringSpec) -> StringGene {
        let index = self.chosen_specialisation();
        let known = self.specialisations();
        let text = self.text_for(&known[index].specialisation, spec);
        let id = SpecialisationId(index as u32);
        StringGene { text: fitted(&text, spec), specialisation: Some(id) }
    }

    fn text_for(&mut self, specialisation: &Specialisation, spec: &StringSpec) -> String {
        let text = specialisation.text(&mut self.draw.rng);
        text.unwrap_or_else(|| self.random_text(spec).into())
    }

    /// Changes the text; what it was made from is followed or left.
    pub(crate) fn mutate_string(&mut self, spec: &StringSpec, gene: &mut StringGene) -> bool {
        if spec.max == 0 {
            return false;
        }
        for _ in 0..10 {
            let mutant = self.mutant_of_string(spec, gene);
            if mutant.text != gene.text {
                *gene = mutant;
                return true;
            }
        }
        let longer = format!("{}a", gene.text);
        let text = if longer.chars().count() > spec.max as usize { "a" } else { &longer };
        *gene = StringGene::plain(fitted(text, spec));
        true
    }

    fn mutant_of_string(&mut self, spec: &StringSpec, gene: &StringGene) -> StringGene {
        let specialise = self.draw.settings.specialise_mutation;
        if !self.specialisations().is_empty() && self.draw.rng.chance(specialise) {
            let special = self.specialised(spec);
            return if self.draw.rng.chance(SPLICE) {
                StringGene { text: self.spliced(&gene.text, &special.text, spec), ..special }
            } else {
                special
            };
        }
        if gene.specialisation.is_none()
            && !crate::is_tainted(&gene.text)
            && self.draw.rng.chance(0.5)
            && let Some(text) = self.draw.tainted_text(spec.max)
        {
            let is_part = !gene.text.is_empty() && self.draw.rng.chance(SPLICE);
            let text = if is_part { self.spliced(&gene.text, &text, spec) } else { text };
            return StringGene::plain(fitted(&text, spec));
        }
        if crate::is_tainted(&gene.text) && self.draw.rng.chance(0.5) {
            return StringGene::plain(self.random_text(spec));
        }
        if let Some(copied) = self.draw.copied(text_of) {
            let is_part = self.draw.rng.chance(0.5);
            let text = if is_part { self.spliced(&gene.text, &copied, spec) } else { copied };
            return StringGene::plain(fitted(&text, spec));
        }
        let mut characters: Vec<char> = gene.text.chars().collect();
        self.edit(&mut characters);
        StringGene::plain(fitted(&characters.into_iter().collect::<String>(), spec))
    }

    /// The text with another put before it, after it, or in place of a part of it.
    fn spliced(&mut self, text: &str, part: &str, spec: &StringSpec) -> Box<str> {
        let characters: Vec<char> = text.chars().collect();
        let (start, end) = match self.draw.rng.below(3) {
            0 => (0, 0),
            1 => (characters.len(), characters.len()),
            _ => {
                let start = self.draw.rng.below(characters.len() + 1);
                (start, start + self.draw.rng.below(characters.len() - start + 1))
            }
        };
        let whole = characters[..start].iter().copied();
        let whole = whole.chain(part.chars()).chain(characters[end..].iter().copied());
        fitted(&whole.collect::<String>(), spec)
    }

    /// One edit: a character changed by a power of two or redrawn, one inserted or removed, or a
    /// part repeated.
    fn edit(&mut self, characters: &mut Vec<char>) {
        let exponents = self.draw.scheduled(5.0, 2.0) as usize;
        let rng = &mut self.draw.rng;
        let place = rng.below(characters.len() + 1);
        let is_inside = place < characters.len();
        match rng.unit() {
            draw if draw < 0.55 && is_inside => {
                let delta = 1_i64 << rng.below(exponents + 1);
                let delta = if rng.chance(0.5) { delta } else { -delta };
                let code = i64::from(u32::from(characters[place])) + delta;
                let changed = u32::try_from(code).ok().and_then(char::from_u32);
                characters[place] = changed.unwrap_or('a');
            }
            draw if draw < 0.65 && is_inside => characters[place] = edited_character(rng),
            draw if draw < 0.80 && is_inside => {
                let place = if rng.chance(0.5) { characters.len() - 1 } else { place };
                characters.remove(place);
            }
            // A shorter text at once: lengths are compared too.
            draw if draw < 0.85 && is_inside => characters.truncate(place),
            draw if draw < 0.95 || !is_inside => {
                let place = if rng.chance(0.5) { characters.len() } else { place };
                characters.insert(place, edited_character(rng));
            }
            _ => {
                let end = place + 1 + rng.below(characters.len() - place);
                let part: Vec<char> = characters[place..end].to_vec();
                characters.splice(place..place, part);
            }
        }
    }
}

#[inline]
fn word_character(rng: &mut crate::Rng) -> char {
    char::from(WORD[rng.below(WORD.len())])
}

/// Classes: words 0.70, printable ASCII 0.15, white space 0.05, control 0.03, beyond ASCII 0.04;
/// the hostile dictionary takes the rest (docs/reference/genes.md#text).
fn random_character(rng: &mut crate::Rng, class: f64) -> char {
    match class {
        word if word < WORDS => word_character(rng),
        printable if printable < 0.85 => char::from(0x20 + rng.below(0x5f) as u8),
        white if white < 0.90 => [' ', '\t', '\n', '\u{a0}'][rng.below(4)],
        control if control < 0.93 => char::from(rng.below(0x20) as u8),
        _ => ['\u{e9}', '\u{df}', '\u{4e2d}', '\u{1F600}', '\u{301}', '\u{2028}'][rng.below(6)],
    }
}

/// A character for an edit: of words mostly, but separators are what many texts are split at.
pub(crate) fn edited_character(rng: &mut crate::Rng) -> char {
    let class = rng.unit();
    random_character(rng, if class < 0.7 { 0.0 } else { class })
}

fn text_of(gene: &Gene) -> Option<Box<str>> {
    match gene {
        Gene::String(string) => Some(string.text.clone()),
        _ => None,
    }
}

/// The text cut or filled to the bounds on its length.
pub(crate) fn fitted(text: &str, spec: &StringSpec) -> Box<str> {
    // A text has no more characters than bytes, so most need no counting.
    if text.len() <= spec.max as usize && spec.min == 0 {
        return text.into();
    }
    let mut fitted: String = text.chars().take(spec.max as usize).collect();
    let missing = (spec.min as usize).saturating_sub(fitted.chars().count());
    fitted.extend(std::iter::repeat_n('a', missing));
    fitted.into()
}

/// Whether the text has an allowed length.
pub(crate) fn has_valid_length(text: &str, spec: &StringSpec) -> bool {
    let length = text.chars().count();
    (spec.min as usize..=spec.max as usize).contains(&length)
}
