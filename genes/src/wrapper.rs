//! Wrappers: specifications that say how a value is drawn or changed, not what it is.
//!
//! The gene of a wrapper is the gene of what it wraps; a wrapper adds no step to a path.

use std::sync::Arc;

use serde_json::Value;

use crate::gene::Gene;
use crate::spec::{GeneSpec, SpecGraph, SpecId};
use crate::walk::Walk;

/// Most wrappers around one value.
const NESTING: usize = 16;

/// Specification of values of which examples are known.
#[derive(Debug, Clone, PartialEq)]
pub struct SeededSpec {
    /// The values.
    pub inner: SpecId,
    /// Some of them; those that are not valid are repaired when they are used.
    pub examples: Arc<[Gene]>,
    /// Probability in `[0, 1]` that an example is sampled, or put in place of another value by a
    /// mutation.
    pub probability: f64,
}

/// Examples of the values of a specification under construction.
#[derive(Debug)]
pub(crate) struct Seed {
    pub(crate) id: SpecId,
    pub(crate) inner: SpecId,
    pub(crate) values: Vec<Value>,
}

impl SpecGraph {
    /// The specification inside a wrapper that says how a value is drawn or changed.
    fn unwrapped(&self, id: SpecId) -> Option<SpecId> {
        match self.spec(id) {
            GeneSpec::Disruptive(inner) | GeneSpec::Immutable(inner) => Some(*inner),
            GeneSpec::Seeded(seeded) => Some(seeded.inner),
            _ => None,
        }
    }

    /// The specification inside optional and nullable values and wrappers: what a gene that is
    /// neither absent nor null is built by, and is printed by.
    #[must_use]
    pub fn value(&self, id: SpecId) -> SpecId {
        let inner = |id: &SpecId| match self.spec(*id) {
            GeneSpec::Optional(optional) => Some(optional.inner),
            GeneSpec::Nullable(inner) => Some(*inner),
            _ => self.unwrapped(*id),
        };
        std::iter::successors(Some(id), inner).take(NESTING).last().unwrap_or(id)
    }

    /// Whether the value may be left out.
    #[must_use]
    pub fn is_optional(&self, id: SpecId) -> bool {
        let mut around = std::iter::successors(Some(id), |id| self.unwrapped(*id)).take(NESTING);
        around.any(|id| matches!(self.spec(id), GeneSpec::Optional(_)))
    }
}

impl Walk<'_> {
    pub(crate) fn sample_nullable(&mut self, inner: SpecId) -> Gene {
        if self.is_full() || self.draw.rng.chance(self.draw.settings.null) {
            return Gene::Null;
        }
        self.sample_not_null(inner)
    }

    fn sample_not_null(&mut self, inner: SpecId) -> Gene {
        if !self.graph.cost(inner).is_finite() {
            return Gene::Null;
        }
        match self.sample(inner) {
            placeholder if placeholder.is_placeholder() => Gene::Null,
            value => value,
        }
    }

    pub(crate) fn mutate_nullable(&mut self, inner: SpecId, gene: &mut Gene) -> bool {
        if *gene == Gene::Null {
            *gene = self.awaken().unwrap_or_else(|| self.sample_not_null(inner));
            return *gene != Gene::Null;
        }
        let switches = self.draw.rng.chance(self.draw.settings.switch_off);
        if !switches && let Some(has_changed) = self.mutate_any(inner, gene) {
            return has_changed;
        }
        let was = std::mem::replace(gene, Gene::Null);
        self.put_to_sleep(was);
        true
    }

    pub(crate) fn sample_seeded(&mut self, seeded: &SeededSpec) -> Gene {
        match self.example(seeded, self.draw.settings.examples) {
            Some(example) => example,
            None => self.sample(seeded.inner),
        }
    }

    pub(crate) fn mutate_seeded(&mut self, seeded: &SeededSpec, gene: &mut Gene) -> bool {
        match self.example(seeded, 0.0) {
            Some(example) if example != *gene => {
                *gene = example;
                true
            }
            _ => self.mutate_any(seeded.inner, gene).unwrap_or(false),
        }
    }

    /// An example, with its probability, which is not below `least`.
    fn example(&mut self, seeded: &SeededSpec, least: f64) -> Option<Gene> {
        let probability = seeded.probability.max(least);
        if seeded.examples.is_empty() || !self.draw.rng.chance(probability) {
            return None;
        }
        let mut example = self.draw.rng.pick(&seeded.examples)?.clone();
        crate::repair(&self.spec_at(seeded.inner), &mut example, &self.draw.settings);
        Some(example)
    }
}
