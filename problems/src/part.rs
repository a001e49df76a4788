//! Parts of calls that may be left out, and how calls with them went.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, PathStep};

/// Most parts that are counted.
const MOST_PARTS: usize = 50_000;
/// Probability that a part is left out of a call that holds little more than it must.
pub(crate) const NEARLY_BARE: f64 = 0.85;

/// How calls with a part went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartRecord {
    /// Calls with it that were accepted, or refused for a reason that may be this part.
    pub sent: u32,
    /// Those that were accepted.
    pub accepted: u32,
    /// Refusals that named it although it was not sent, since the last call that was accepted
    /// without it.
    pub missed: u32,
}

impl PartRecord {
    /// Probability that the part stays in a call that was sampled with it: 1 while most calls with it
    /// go well, and falling fast from there.
    pub(crate) fn stays(self) -> f64 {
        let rate = (f64::from(self.accepted) + 1.0) / (f64::from(self.sent) + 2.0);
        (2.0 * rate).min(1.0).powi(2).max(0.02)
    }
}

/// How calls with each part went, by what tells the part from the others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartRecords(BTreeMap<Box<str>, PartRecord>);

impl PartRecords {
    /// How calls with a part went.
    pub(crate) fn get(&self, key: &str) -> Option<PartRecord> {
        self.0.get(key).copied()
    }

    /// The record of a part, which begins here.
    pub(crate) fn begin(&mut self, key: Box<str>) -> Option<&mut PartRecord> {
        if self.0.len() < MOST_PARTS {
            return Some(self.0.entry(key).or_default());
        }
        self.0.get_mut(&key)
    }

    /// The record of a part that has one.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut PartRecord> {
        self.0.get_mut(key)
    }

    /// Counts a call that was accepted, with the part or without it.
    pub(crate) fn accept(&mut self, key: Box<str>, is_sent: bool) {
        if !is_sent {
            // Nobody misses it any more.
            self.get_mut(&key).into_iter().for_each(|record| record.missed = 0);
        } else if let Some(record) = self.begin(key) {
            record.sent = record.sent.saturating_add(1);
            record.accepted = record.accepted.saturating_add(1);
        }
    }

    /// Counts a call that was refused, for a reason that may be the part, or that names it.
    pub(crate) fn refuse(&mut self, key: Box<str>, is_sent: bool, is_named: bool) {
        if !is_sent && !is_named {
            return;
        }
        let Some(record) = self.begin(key) else { return };
        let count = if is_sent { &mut record.sent } else { &mut record.missed };
        *count = count.saturating_add(1);
    }
}

/// Puts a value at the address of a part; [`Gene::Absent`] takes the part away.
pub(crate) fn put(gene: &mut Gene, path: &GenePath, value: Gene) {
    let Some((PathStep::Field(last), above)) = path.0.split_last() else { return };
    match GenePath(above.to_vec()).find_mut(gene) {
        Some(Gene::Object(object)) => object.set(*last, value),
        Some(Gene::Tuple(elements)) => {
            if let Some(element) = elements.get_mut(*last as usize) {
                *element = value;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_harm_stays_seldom_and_what_is_new_is_tried() {
        let record = |sent, accepted| PartRecord { sent, accepted, missed: 0 }.stays();
        assert!(record(0, 0) >= 1.0 && record(10, 8) >= 1.0);
        assert!(record(3, 0) < 0.2 && record(50, 0) < 0.05 && record(50, 0) > 0.0);
    }

    #[test]
    fn what_is_missed_is_named_until_a_call_goes_well_without_it() {
        let mut records = PartRecords::default();
        let missed = |records: &PartRecords| records.get("a").map(|record| record.missed);
        records.refuse("a".into(), false, false);
        assert_eq!(missed(&records), None);
        records.refuse("a".into(), false, true);
        assert_eq!(missed(&records), Some(1));
        records.accept("a".into(), false);
        assert_eq!(missed(&records), Some(0));
    }
}
