//! What one proposal of the search draws with.

use std::sync::Arc;

use crate::dormant::Dormant;
use crate::gene::Gene;
use crate::history::History;
use crate::rng::Rng;
use crate::settings::GeneSettings;

/// Kinds of sampled tests, for whoever counts what calls are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sampled {
    /// Any test.
    #[default]
    Plain,
    /// Calls that need each other.
    Plan,
    /// A test made so that an answer can be judged.
    Check,
}

/// Chance, settings and progress for one proposal: everything that decides what is sampled or
/// mutated, besides what was learnt.
#[derive(Debug, Clone)]
pub struct Draw {
    /// The generator of this proposal.
    pub rng: Rng,
    /// Limits and probabilities.
    pub settings: Arc<GeneSettings>,
    /// Progress towards focused search in `[0, 1]`; 1 from its beginning on.
    pub progress: f64,
    /// Whether texts may be tainted: only where a driver reports how they are used.
    pub is_tainting: bool,
    /// Parts switched off earlier in the same lineage.
    pub dormant: Dormant,
    /// What earlier changes in the same lineage did; of use with
    /// [`GeneSettings::guided`](crate::GeneSettings) above 0.
    pub history: History,
    /// What kind of test was sampled with it, said by whoever samples; it decides nothing.
    pub sampled: Sampled,
    /// Texts and numbers that may be copied; `None` where nothing is.
    donors: Option<Vec<Gene>>,
    evaluation: u64,
    tainted_texts: u64,
}

impl Draw {
    /// Most tainted texts of one proposal that have numbers of their own.
    const TAINTED_TEXTS: u64 = 1_000;
    /// Genes that are tried by chance as something to copy.
    const TRIES: u32 = 8;

    /// What proposal `evaluation` of the run with seed `seed` draws with.
    #[must_use]
    pub fn new(seed: u64, evaluation: u64, settings: Arc<GeneSettings>) -> Self {
        Self {
            rng: Rng::new(seed, evaluation),
            settings,
            progress: 0.0,
            is_tainting: false,
            dormant: Dormant::default(),
            history: History::default(),
            sampled: Sampled::default(),
            donors: None,
            evaluation,
            tainted_texts: 0,
        }
    }

    /// A value that moves linearly from `start` to `end` while focused search comes nearer.
    #[must_use]
    pub fn scheduled(&self, start: f64, end: f64) -> f64 {
        start + (end - start) * self.progress
    }

    /// A tainted text for a position of at most `max` characters, with the probability of this
    /// moment.
    ///
    /// The number in it is derived from the evaluation and the count of texts in it, so that it
    /// does not depend on the number of workers.
    pub(crate) fn tainted_text(&mut self, max: u32) -> Option<Box<str>> {
        let is_wanted = self.is_tainting
            && self.progress < 1.0
            && self.rng.chance(self.scheduled(self.settings.taint_start, self.settings.taint_end));
        if !is_wanted {
            return None;
        }
        let number =
            self.evaluation * Self::TAINTED_TEXTS + self.tainted_texts % Self::TAINTED_TEXTS;
        self.tainted_texts += 1;
        let text = format!("_EM_{number}_XYZ_");
        (text.len() <= max as usize).then(|| text.into())
    }

    /// Lets mutated values be copied from the texts and numbers of a gene of the same test, besides
    /// those of genes given before.
    pub fn copy_from(&mut self, gene: &Gene) {
        collect(gene, self.donors.get_or_insert_default());
    }

    /// A random gene of the test that `fits`, with the probability of copying.
    ///
    /// Most tests have hundreds of texts, of which nearly all fit or nearly none: a few are tried
    /// by chance, and all are looked through only where none of these fits.
    pub(crate) fn copied<T>(&mut self, fits: impl Fn(&Gene) -> Option<T>) -> Option<T> {
        let donors = self.donors.as_ref()?;
        if !self.rng.chance(self.settings.copy) {
            return None;
        }
        for _ in 0..Self::TRIES {
            if let Some(value) = fits(self.rng.pick(donors)?) {
                return Some(value);
            }
        }
        let mut candidates: Vec<T> = donors.iter().filter_map(fits).collect();
        if candidates.is_empty() {
            return None;
        }
        let chosen = self.rng.below(candidates.len());
        Some(candidates.swap_remove(chosen))
    }
}

fn collect(gene: &Gene, donors: &mut Vec<Gene>) {
    use Gene::{Decimal, Float, Integer, Long, String};
    if matches!(gene, String(_) | Integer(_) | Long(_) | Float(_) | Decimal(_)) {
        donors.push(gene.clone());
    }
    gene.parts().for_each(|part| collect(part, donors));
}

/// Whether the text is one that taint analysis recognises: `_EM_<number>_XYZ_`, in any case
/// (docs/reference/heuristics.md#taint).
#[must_use]
pub fn is_tainted(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(head), Some(tail)) = (bytes.get(..4), bytes.len().checked_sub(5)) else {
        return false;
    };
    tail > 4
        && head.eq_ignore_ascii_case(b"_EM_")
        && bytes[tail..].eq_ignore_ascii_case(b"_XYZ_")
        && bytes[4..tail].iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tainted_texts_are_recognised_and_distinct() {
        let mut draw = Draw::new(1, 2, Arc::new(GeneSettings::default()));
        draw.is_tainting = true;
        draw.settings = Arc::new(GeneSettings { taint_start: 1.0, ..GeneSettings::default() });
        let first = draw.tainted_text(100).unwrap();
        let second = draw.tainted_text(100).unwrap();
        assert_ne!(first, second);
        assert!(is_tainted(&first) && is_tainted(&first.to_lowercase()));
        assert_eq!(draw.tainted_text(9), None);
        draw.progress = 1.0;
        assert_eq!(draw.tainted_text(100), None);
        for other in ["", "_EM__XYZ_", "_EM_1_XYZ", "EM_1_XYZ_", "_EM_1a_XYZ_", "_EM_\u{e9}_XYZ_"] {
            assert!(!is_tainted(other), "{other}");
        }
    }
}
