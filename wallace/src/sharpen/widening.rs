//! One test of each operation looks at every plain field in reach.

use std::collections::BTreeSet;

use wallace_engine::Action;

use super::Sharpening;
use crate::service_family::ServiceFamily;

impl<P: ServiceFamily> Sharpening<'_, P> {
    /// Widens the first call of each operation that is answered.
    pub(super) fn widen(&mut self) {
        let mut done = BTreeSet::new();
        for place in 0..self.tests.len() {
            if self.is_over() {
                return;
            }
            if self.tests[place].may_change() {
                self.widen_test(place, &mut done);
            }
        }
    }

    fn widen_test(&mut self, place: usize, done: &mut BTreeSet<u32>) {
        for call in 0..self.tests[place].individual.actions().len() {
            let kept = &self.tests[place];
            let action = &kept.individual.actions()[call].1;
            let template = action.template().0;
            let is_answered = kept.seen.as_ref().is_some_and(|seen| {
                seen.evaluation.outcomes.get(call).is_some_and(|outcome| P::result(outcome).0)
            });
            if !is_answered || done.contains(&template) {
                continue;
            }
            let Some(wide) = self.problem.widened(action) else { continue };
            let mut individual = kept.individual.clone();
            *individual.action_mut(call) = wide;
            if let Some(seen) = self.observe(&individual)
                && self.change(place, individual, seen)
            {
                done.insert(template);
            }
        }
    }
}
