//! Feedback-directed sampling: which target to work on next.

use std::collections::BTreeSet;

use crate::archive::population::{Effort, Population};
use crate::individual::action::Action;
use crate::settings::{SearchSettings, TargetChoice};
use crate::target::TargetId;

/// Open targets in the order in which they are to be worked on.
///
/// An ordered set, so that choosing costs the same with ten targets and with ten thousand; only
/// targets that were worked on or improved change their place.
#[derive(Debug, Default, Clone)]
pub(crate) struct PickQueue {
    order: BTreeSet<Place>,
    places: Vec<Option<Place>>,
    pub(crate) current: Option<TargetId>,
}

/// Rank, then key inside the rank, then a pseudo-random tie-break.
type Place = (u8, u32, u32, TargetId);

impl PickQueue {
    /// Puts a target where it belongs after its population changed.
    pub(crate) fn update<A: Action>(
        &mut self,
        target: TargetId,
        population: &Population<A>,
        settings: &SearchSettings,
    ) {
        if self.places.len() <= target.index() {
            self.places.resize(target.index() + 1, None);
        }
        if let Some(place) = self.places[target.index()].take() {
            self.order.remove(&place);
        }
        if population.is_covered() || population.best().is_none() {
            return;
        }
        let (rank, key) = rank(population, settings);
        let place = (rank, key, tie(target, population.effort.counter, settings.seed), target);
        self.order.insert(place);
        self.places[target.index()] = Some(place);
    }

    /// The target to work on; `None` when no reached target is open.
    pub(crate) fn pick(&mut self, settings: &SearchSettings) -> Option<TargetId> {
        let may_stay = settings.target_choice == TargetChoice::FocusedQuickest;
        let is_patient =
            |target: &TargetId| matches!(self.places[target.index()], Some((0, _, _, _)));
        if may_stay && self.current.as_ref().is_some_and(is_patient) {
            return self.current;
        }
        self.current = self.order.first().map(|(_, _, _, target)| *target);
        self.current
    }
}

fn rank<A: Action>(population: &Population<A>, settings: &SearchSettings) -> (u8, u32) {
    let Effort { counter, last } = population.effort;
    // A target that never improved has the patience of one that took half of it.
    let effort = last.unwrap_or(settings.patience / 2);
    match settings.target_choice {
        TargetChoice::FocusedQuickest
            if counter < effort.saturating_mul(2).max(settings.patience) =>
        {
            (0, effort)
        }
        TargetChoice::FocusedQuickest => (1, counter),
        TargetChoice::LowestCounter => (0, counter),
        TargetChoice::Last => (0, effort),
        TargetChoice::Uniform => (0, 0),
    }
}

/// Breaks ties anew whenever a counter moves, without favouring old or new targets
/// (finaliser of MurmurHash3).
fn tie(target: TargetId, counter: u32, seed: u64) -> u32 {
    let mut mixed = seed ^ (u64::from(target.0) << 32) ^ u64::from(counter);
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (mixed >> 32) as u32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::individual::Individual;
    use crate::problem::evaluated::{Evaluated, Fitness};
    use crate::target::Score;
    use crate::testing::Step;

    fn population(counter: u32, last: Option<u32>) -> Population<Step> {
        let mut population = Population::new();
        let test = Evaluated::new(Individual::new([]), Vec::new(), Vec::new(), 0, 0, true);
        let fitness = Fitness { score: Score::new(0.5), secondary: 0.0, size: 1, length: 1 };
        population.offer(fitness, &Arc::new(test), 10);
        population.effort = Effort { counter, last };
        population
    }

    fn picked(choice: TargetChoice, populations: &[(u32, Option<u32>)]) -> Option<u32> {
        let settings = SearchSettings { target_choice: choice, ..SearchSettings::default() };
        let mut queue = PickQueue::default();
        for (index, (counter, last)) in populations.iter().enumerate() {
            queue.update(TargetId(index as u32), &population(*counter, *last), &settings);
        }
        queue.pick(&settings).map(|target| target.0)
    }

    #[test]
    fn the_quickest_comes_first_and_the_exhausted_last() {
        use TargetChoice::{FocusedQuickest, Last, LowestCounter};
        let populations = [(3, Some(30)), (25, Some(4)), (19, None), (1, Some(25))];
        assert_eq!(picked(FocusedQuickest, &populations), Some(2));
        assert_eq!(picked(LowestCounter, &populations), Some(3));
        assert_eq!(picked(Last, &populations), Some(1));
        assert_eq!(picked(FocusedQuickest, &[(90, Some(3)), (80, Some(3))]), Some(1));
        assert_eq!(picked(FocusedQuickest, &[]), None);
    }

    #[test]
    fn work_stays_on_a_target_while_it_may_improve() {
        let settings = SearchSettings::default();
        let mut queue = PickQueue::default();
        queue.update(TargetId(0), &population(0, Some(9)), &settings);
        assert_eq!(queue.pick(&settings), Some(TargetId(0)));
        queue.update(TargetId(1), &population(0, Some(2)), &settings);
        assert_eq!(queue.pick(&settings), Some(TargetId(0)));
        queue.update(TargetId(0), &population(20, Some(9)), &settings);
        assert_eq!(queue.pick(&settings), Some(TargetId(1)));
    }
}
