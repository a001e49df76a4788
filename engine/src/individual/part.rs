//! Parts of tests, and tests of parts of others: bound values keep what they are bound to.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::binding::Binding;
use crate::individual::Individual;
use crate::individual::action::{Action, ActionId, Role};
use crate::individual::initialisation::Initialisation;

impl<A: Action> Individual<A> {
    /// The test without the actions at the given positions, and without those that are bound to
    /// their answers, directly or through others: what is left keeps the producers of the values it
    /// uses. What was bound to a gene of theirs has the same value without them. `None` when no main
    /// action would be left, or nothing is removed.
    #[must_use]
    pub fn without(&self, places: std::ops::Range<usize>) -> Option<Self> {
        let mut gone: Vec<ActionId> = self.actions.get(places)?.iter().map(|(id, _)| *id).collect();
        let mut rest = self.clone();
        loop {
            rest.free_from(&gone);
            let is_bound = |binding: &&Binding| {
                gone.contains(&binding.source.action()) && !gone.contains(&binding.action)
            };
            let bound: Vec<ActionId> =
                rest.bindings.iter().filter(is_bound).map(|binding| binding.action).collect();
            if bound.is_empty() {
                break;
            }
            gone.extend(bound);
        }
        rest.actions.retain(|(id, _)| !gone.contains(id));
        rest.repair_bindings();
        (rest.size() > 0 && rest.actions.len() < self.actions.len()).then_some(rest)
    }

    /// The test cut down to one action and what it is bound to: the producers of the values it
    /// uses, and theirs.
    #[must_use]
    pub fn trimmed_to(&self, id: ActionId) -> Self {
        let mut needed = vec![id];
        let mut next = 0;
        while let Some(consumer) = needed.get(next).copied() {
            let sources = self.bindings.iter().filter(|binding| binding.action == consumer);
            for source in sources.map(|binding| binding.source.action()) {
                if !needed.contains(&source) {
                    needed.push(source);
                }
            }
            next += 1;
        }
        let mut trimmed = self.clone();
        trimmed
            .actions
            .retain(|(id, action)| needed.contains(id) || action.role() == Role::Initialisation);
        trimmed.repair_bindings();
        trimmed
    }

    /// The first `head` actions of this test, then those of another from `tail` on with new ids.
    /// Bindings inside either part are kept.
    #[must_use]
    pub fn joined(&self, head: usize, other: &Self, tail: usize) -> Self {
        let mut joined = self.clone();
        joined.actions.truncate(head);
        let mut ids = BTreeMap::new();
        for (old, action) in other.actions.iter().skip(tail) {
            let id = ActionId(joined.next_id);
            joined.next_id += 1;
            ids.insert(*old, id);
            joined.actions.push((id, Arc::clone(action)));
        }
        for binding in &other.bindings {
            let consumer = ids.get(&binding.action);
            let producer = ids.get(&binding.source.action());
            if let (Some(action), Some(producer)) = (consumer, producer) {
                let (source, path) = (binding.source.of(*producer), binding.path.clone());
                joined.bindings.push(Binding { source, action: *action, path });
            }
        }
        for step in &other.initialisation {
            let mut step = Initialisation::clone(step);
            step.feeds.retain_mut(|feed| {
                let id = ids.get(&feed.action);
                id.inspect(|id| feed.action = **id).is_some()
            });
            if joined.initialisation.len() < Self::MOST_INITIALISATIONS {
                joined.initialisation.push(Arc::new(step));
            }
        }
        joined.repair_bindings();
        joined
    }

    /// The test without the steps of initialisation at the given positions; `None` when there are
    /// none.
    #[must_use]
    pub fn without_initialisation(&self, places: std::ops::Range<usize>) -> Option<Self> {
        let is_there = places.start < places.end.min(self.initialisation.len());
        is_there.then(|| {
            let mut rest = self.clone();
            rest.initialisation.drain(places.start..places.end.min(self.initialisation.len()));
            rest
        })
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{Gene, GenePath, TemplateId};

    use super::*;
    use crate::individual::initialisation::Feed;
    use crate::testing::Step;

    fn step(value: i32, feeds: Vec<Feed>) -> Initialisation {
        Initialisation { template: TemplateId(9), gene: Gene::Integer(value), round: 2, feeds }
    }

    #[test]
    fn initialisation_counts_as_length_and_not_as_size() {
        let mut test = Individual::new([Step::integer(1)]);
        let (size, length, plain) = (test.size(), test.length(), test.clone());
        let feed = |action| Feed { from: GenePath::default(), action, path: GenePath::default() };
        let own = test.actions()[0].0;
        test.set_initialisation(vec![
            step(1, vec![feed(own), feed(ActionId(77))]),
            step(2, vec![]),
        ]);
        assert_eq!((test.size(), test.length(), test.round()), (size, length + 2, 2));
        assert_eq!(test.initialisation()[0].feeds.len(), 1, "a feed of no action is dropped");
        let rest = test.without_initialisation(0..1).unwrap();
        assert_eq!(rest.initialisation()[0].gene, Gene::Integer(2));
        assert_eq!(rest.without_initialisation(1..2), None);
        assert_eq!(rest.without_initialisation(0..5), Some(plain));
    }

    #[test]
    fn joined_and_trimmed_tests_keep_initialisation() {
        let mut test = Individual::new([Step::integer(1), Step::integer(2)]);
        let own = test.actions()[1].0;
        let feed = Feed { from: GenePath::default(), action: own, path: GenePath::default() };
        test.set_initialisation(vec![step(7, vec![feed])]);
        assert_eq!(test.trimmed_to(own).initialisation().len(), 1);
        let joined = test.joined(2, &test, 0);
        let last = joined.actions()[3].0;
        assert_eq!(joined.initialisation().len(), 2);
        assert_eq!(joined.initialisation()[1].feeds[0].action, last, "feeds follow new ids");
    }
}
