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

    /// Whether an open target comes only when no other is worth a call.
    pub(crate) fn is_exhausted(&self, target: TargetId) -> bool {
        let place = self.places.get(target.index()).copied().flatten();
        place.is_some_and(|(rank, ..)| rank >= EXHAUSTED)
    }

    /// The target to work on; `None` when no reached target is open.
    pub(crate) fn pick(&mut self, settings: &SearchSettings) -> Option<TargetId> {
        let may_stay = settings.target_choice == TargetChoice::FocusedQuickest;
        let first = self.order.first().copied();
        let place = self.current.and_then(|target| self.places[target.index()]);
        if let (true, Some((rank, ..)), Some((least, ..))) = (may_stay, place, first)
            && rank == least
            && rank < EXHAUSTED
        {
            return self.current;
        }
        self.current = first.map(|(_, _, _, target)| target);
        self.current
    }
}

/// Rank of targets that come when no other is worth a call: those that nothing improves any more, and
/// those that improved for long without being covered.
const EXHAUSTED: u8 = 3;
/// Times the patience that a target which goes on improving is worked on before others come first that
/// took less; twice as much for each rank. A climb of ever smaller steps would take all calls.
const TURN: u32 = 5;
/// Evaluations that an improving target takes, among exhausted ones, for each that others take in vain.
const IMPROVING: u32 = 8;

fn rank<A: Action>(population: &Population<A>, settings: &SearchSettings) -> (u8, u32) {
    let Effort { counter, last, total } = population.effort;
    // A target that never improved has the patience of one that took half of it.
    let effort = last.unwrap_or(settings.patience / 2);
    match settings.target_choice {
        TargetChoice::FocusedQuickest => {
            let total = if settings.by_yield { total } else { 0 };
            let turns = total / settings.patience.saturating_mul(TURN).max(1);
            let turn = (turns + 1).ilog2() as u8;
            if counter < effort.saturating_mul(2).max(settings.patience) && turn < EXHAUSTED {
                (turn, effort)
            } else {
                (EXHAUSTED, counter.max(total / IMPROVING))
            }
        }
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
        population.offer(fitness, &Arc::new(test), 10, true);
        population.effort = Effort { counter, last, total: counter };
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
    fn what_improves_without_end_makes_room() {
        let settings = SearchSettings { by_yield: true, ..SearchSettings::default() };
        let mut queue = PickQueue::default();
        let turn = settings.patience * TURN;
        let put = |queue: &mut PickQueue, target, counter, total| {
            let mut population = population(counter, Some(1));
            population.effort.total = total;
            queue.update(TargetId(target), &population, &settings);
        };
        put(&mut queue, 0, 0, turn - 1);
        assert_eq!(queue.pick(&settings), Some(TargetId(0)));
        put(&mut queue, 1, 5, 5);
        assert_eq!(queue.pick(&settings), Some(TargetId(0)), "its turn is not over");
        put(&mut queue, 0, 0, turn);
        assert_eq!(queue.pick(&settings), Some(TargetId(1)));
        put(&mut queue, 1, 20, 20);
        assert_eq!(queue.pick(&settings), Some(TargetId(0)), "nothing else is worth a call");
        put(&mut queue, 0, 0, 100 * turn);
        assert_eq!(queue.pick(&settings), Some(TargetId(1)), "it had far more than its share");
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
