//! The values of decisions that a recorder keeps while somebody asks for them.

use std::collections::BTreeMap;

use wallace_sut_driver::RecordedOperands;

use super::Recorder;
use crate::decision::Decision;
use crate::registry::registry;
use crate::state::{count_keeping, lock};

/// What a recorder keeps: the best score and its values, by slot.
pub(super) type Decisions = BTreeMap<u32, (f64, Decision)>;

impl Recorder {
    /// Starts or stops keeping the values of decisions.
    pub(crate) fn keep_decisions(&self, is_on: bool) {
        let mut kept = lock(&self.decisions);
        if kept.is_some() != is_on {
            count_keeping(is_on);
            *kept = is_on.then(Decisions::new);
        }
    }

    /// Keeps the values of a decision that missed the target of this slot with this score.
    pub(crate) fn note_decision(&self, slot: u32, score: f64, decide: impl FnOnce() -> Decision) {
        if let Some(kept) = &mut *lock(&self.decisions) {
            let before = kept.get(&slot).map_or(0.0, |(score, _)| *score);
            if score >= before {
                kept.insert(slot, (score, decide()));
            }
        }
    }

    /// Forgets the values of the test.
    pub(crate) fn clear_decisions(&self) {
        if let Some(kept) = &mut *lock(&self.decisions) {
            kept.clear();
        }
    }

    /// The values of the sides that the test missed.
    pub(crate) fn decisions(&self) -> Vec<RecordedOperands> {
        let kept = lock(&self.decisions).clone().unwrap_or_default();
        let missed = kept.into_iter().filter(|(slot, _)| !self.is_covered(*slot, 1));
        missed
            .map(|(slot, (_, decision))| RecordedOperands {
                target: registry().target(self.number(slot)).name,
                left: decision.left,
                relation: decision.relation,
                right: decision.right,
                has_distance: decision.has_distance,
            })
            .collect()
    }
}
