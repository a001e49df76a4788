//! Stagnation: what a search does when nothing improves any more (search-mio.md 14.7).

use serde::{Deserialize, Serialize};

use crate::settings::SearchSettings;

/// Share of the budget without progress after which a phase of exploration begins.
const WAIT: f64 = 0.1;
/// Share of the budget that such a phase takes.
const LENGTH: f64 = 0.05;

/// Since when nothing improved, and whether the search explores because of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stagnation {
    /// Evaluations and used share of the budget at the last progress, or at the end of the last
    /// phase.
    since: (u64, f64),
    /// Used share of the budget at which the phase ends.
    end: Option<f64>,
}

impl Stagnation {
    /// Probability of sampling in a phase, at least.
    pub(crate) const SAMPLING: f64 = 0.5;
    /// Probability of splicing in a phase, at least.
    pub(crate) const SPLICE: f64 = 0.2;

    /// Whether the search explores at the moment.
    pub(crate) fn is_on(&self) -> bool {
        self.end.is_some()
    }

    /// Notes an evaluation. Returns whether a phase began or ended with it.
    pub(crate) fn advance(
        &mut self,
        has_improved: bool,
        evaluations: u64,
        used: f64,
        settings: &SearchSettings,
    ) -> bool {
        match self.end {
            Some(end) if used < end => return false,
            Some(_) => {
                *self = Self { since: (evaluations, used), end: None };
                return true;
            }
            None if has_improved => self.since = (evaluations, used),
            None => {}
        }
        let is_long = evaluations - self.since.0 >= settings.stagnation;
        let begins = settings.stagnation > 0 && is_long && used - self.since.1 >= WAIT;
        self.end = begins.then_some(used + LENGTH);
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluations at which a phase begins or ends, in a run of 50,000 with progress at some; in
    /// tens, since shares are not exact.
    fn changes(progress: &[u64], settings: &SearchSettings) -> Vec<u64> {
        let mut stagnation = Stagnation::default();
        let advance = |evaluation: &u64| {
            let used = *evaluation as f64 / 50_000.0;
            stagnation.advance(progress.contains(evaluation), *evaluation, used, settings)
        };
        (1..=20_000).filter(advance).map(|evaluation| evaluation / 10 * 10).collect()
    }

    #[test]
    fn a_phase_begins_after_a_tenth_of_the_budget_without_progress() {
        let settings = SearchSettings::default();
        assert_eq!(changes(&[], &settings), [5_000, 7_500, 12_500, 15_000]);
        assert_eq!(changes(&[3_000], &settings), [8_000, 10_500, 15_500, 18_000]);
        let patient = SearchSettings { stagnation: 6_000, ..settings.clone() };
        assert_eq!(changes(&[], &patient), [6_000, 8_500, 14_500, 17_000]);
        assert!(changes(&[], &SearchSettings { stagnation: 0, ..settings }).is_empty());
    }
}
