//! Helpers: calls that brought some target nearer when they were put before a test.
//!
//! What a test waits for may be a state, and a call that changes it for one target often does for
//! others.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use wallace_genes::Rng;

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};
use crate::individual::fingerprint::fingerprint;

/// The calls that helped last, each with what it is bound to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Helpers<A: Action> {
    known: VecDeque<Individual<A>>,
}

impl<A: Action> Default for Helpers<A> {
    fn default() -> Self {
        Self { known: VecDeque::new() }
    }
}

impl<A: Action> Helpers<A> {
    /// Most calls that are known; the oldest go first.
    const MOST: usize = 24;

    /// Notes the call that a mutant has and its parent has not, where it is one.
    pub(crate) fn note(&mut self, parent: &Individual<A>, mutant: &Individual<A>) {
        let is_new = |id: &ActionId| parent.position(*id).is_none();
        let mut new = mutant.actions().iter().map(|(id, _)| *id).filter(is_new);
        // What comes before it is what it needs.
        let Some(last) = new.next_back() else { return };
        let helper = mutant.trimmed_to(last);
        if helper.size() == mutant.size() {
            return;
        }
        let print = fingerprint(&helper);
        self.known.retain(|known| fingerprint(known) != print);
        if self.known.len() == Self::MOST {
            self.known.pop_front();
        }
        self.known.push_back(helper);
    }

    /// One of the calls that helped.
    pub(crate) fn pick(&self, rng: &mut Rng) -> Option<&Individual<A>> {
        if self.known.is_empty() { None } else { self.known.get(rng.below(self.known.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    #[test]
    fn what_was_put_before_a_test_is_known_once() {
        let test = |value| Individual::new([Step::integer(value)]);
        let mut helpers = Helpers::default();
        let mut rng = Rng::new(1, 1);
        assert_eq!(helpers.pick(&mut rng), None);
        let prepared = |helper: i32| test(1).joined(1, &test(helper), 0);
        helpers.note(&test(1), &prepared(7));
        helpers.note(&test(1), &prepared(7));
        let shown = helpers.pick(&mut rng).map(fingerprint);
        assert_eq!((helpers.known.len(), shown), (1, Some(fingerprint(&test(7)))));
        helpers.note(&prepared(8), &prepared(8));
        assert_eq!(helpers.known.len(), 1, "nothing was put there");
        (0..100).for_each(|helper| helpers.note(&test(1), &prepared(helper)));
        assert_eq!(helpers.known.len(), Helpers::<Step>::MOST);
    }
}
