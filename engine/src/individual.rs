//! Individuals: tests under evolution.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::GenePath;

use crate::action::{Action, Role};

/// Number of an action inside one individual; survives insertion and deletion of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ActionId(pub u32);

/// Where a bound value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BindingSource {
    /// Part of the response of an earlier action, by JSON pointer.
    Response {
        /// The action that produces the value.
        action: ActionId,
        /// JSON pointer into its response.
        pointer: String,
    },
    /// Another gene of the test.
    Gene {
        /// The action that holds it.
        action: ActionId,
        /// Its address there.
        path: GenePath,
    },
}

impl BindingSource {
    /// The action that must come first.
    #[must_use]
    pub fn action(&self) -> ActionId {
        match self {
            Self::Response { action, .. } | Self::Gene { action, .. } => *action,
        }
    }

    /// The same part of another action.
    fn of(&self, action: ActionId) -> Self {
        match self.clone() {
            Self::Response { pointer, .. } => Self::Response { action, pointer },
            Self::Gene { path, .. } => Self::Gene { action, path },
        }
    }
}

/// Says that a value seen earlier in the test feeds a gene.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Binding {
    /// Where the value comes from.
    pub source: BindingSource,
    /// The action that uses it.
    pub action: ActionId,
    /// The gene that it replaces there.
    pub path: GenePath,
}

/// One test: actions in order, and the bindings between them.
///
/// Actions are shared and copied on write: changing one of ten copies one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Individual<A: Action> {
    actions: Vec<(ActionId, Arc<A>)>,
    bindings: Vec<Binding>,
    next_id: u32,
}

impl<A: Action> Individual<A> {
    /// A test of the given actions, without bindings.
    pub fn new(actions: impl IntoIterator<Item = A>) -> Self {
        let mut individual = Self { actions: Vec::new(), bindings: Vec::new(), next_id: 0 };
        for action in actions {
            individual.push(action);
        }
        individual
    }

    /// The actions in order.
    #[must_use]
    pub fn actions(&self) -> &[(ActionId, Arc<A>)] {
        &self.actions
    }

    /// The bindings.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Number of main actions.
    #[must_use]
    pub fn size(&self) -> usize {
        self.actions.iter().filter(|(_, action)| action.role() == Role::Main).count()
    }

    /// Number of genes over all actions: what "shorter" means between tests of equal size.
    #[must_use]
    pub fn length(&self) -> usize {
        self.actions.iter().map(|(_, action)| action.gene().size()).sum()
    }

    /// Position of an action.
    #[must_use]
    pub fn position(&self, id: ActionId) -> Option<usize> {
        self.actions.iter().position(|(other, _)| *other == id)
    }

    /// Appends an action.
    pub fn push(&mut self, action: A) -> ActionId {
        self.insert(self.actions.len(), action)
    }

    /// Inserts an action before position `place`; at the end when there is no such position.
    pub fn insert(&mut self, place: usize, action: A) -> ActionId {
        let id = ActionId(self.next_id);
        self.next_id += 1;
        self.actions.insert(place.min(self.actions.len()), (id, Arc::new(action)));
        self.repair_bindings();
        id
    }

    /// Removes the action at a position, and the bindings that need it.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn remove(&mut self, place: usize) -> Arc<A> {
        let (_, action) = self.actions.remove(place);
        self.repair_bindings();
        action
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
        let mut ids = std::collections::BTreeMap::new();
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
        joined.repair_bindings();
        joined
    }

    /// Exchanges two actions, and drops the bindings whose source no longer comes first.
    ///
    /// # Panics
    /// When a position does not exist.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.actions.swap(one, other);
        self.repair_bindings();
    }

    /// The action at a position for change; copied first when it is shared.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn action_mut(&mut self, place: usize) -> &mut A {
        Arc::make_mut(&mut self.actions[place].1)
    }

    /// Adds a binding. A binding that leads nowhere, or backwards, is not added.
    pub fn bind(&mut self, binding: Binding) {
        self.bindings.push(binding);
        self.repair_bindings();
    }

    /// Drops bindings whose source or gene is gone, or whose source does not come first.
    pub fn repair_bindings(&mut self) {
        let bindings = std::mem::take(&mut self.bindings);
        let holds = |binding: &Binding| {
            let (Some(from), Some(to)) =
                (self.position(binding.source.action()), self.position(binding.action))
            else {
                return false;
            };
            from < to && binding.path.find(self.actions[to].1.gene()).is_some()
        };
        self.bindings = bindings.into_iter().filter(holds).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    fn bound() -> Individual<Step> {
        let mut individual = Individual::new([Step::integer(1), Step::integer(2)]);
        let [(producer, _), (consumer, _)] = individual.actions() else { unreachable!() };
        let source = BindingSource::Response { action: *producer, pointer: "/data/id".into() };
        let binding = Binding { source, action: *consumer, path: GenePath::default() };
        individual.bind(binding);
        individual
    }

    #[test]
    fn ids_survive_insertion_and_deletion() {
        let mut individual = bound();
        let last = individual.actions()[1].0;
        individual.insert(0, Step::integer(9));
        assert_eq!(individual.position(last), Some(2));
        assert_eq!(individual.bindings().len(), 1);
    }

    #[test]
    fn bindings_go_with_their_producer_and_with_the_order() {
        let mut removed = bound();
        removed.remove(0);
        assert!(removed.bindings().is_empty());
        let mut swapped = bound();
        swapped.swap(0, 1);
        assert!(swapped.bindings().is_empty());
    }

    #[test]
    fn trimming_keeps_producers() {
        let mut individual = bound();
        let [(producer, _), (consumer, _)] = individual.actions() else { unreachable!() };
        let (producer, consumer) = (*producer, *consumer);
        individual.push(Step::integer(3));
        let ids = |test: &Individual<Step>| -> Vec<ActionId> {
            test.actions().iter().map(|(id, _)| *id).collect()
        };
        assert_eq!(ids(&individual.trimmed_to(consumer)), [producer, consumer]);
        assert_eq!(individual.trimmed_to(consumer).bindings().len(), 1);
        assert_eq!(ids(&individual.trimmed_to(producer)), [producer]);
    }

    #[test]
    fn joining_gives_new_ids_and_keeps_bindings() {
        let (one, other) = (bound(), bound());
        let joined = one.joined(1, &other, 0);
        assert_eq!(joined.size(), 3);
        let [(first, _), (producer, _), (consumer, _)] = joined.actions() else { unreachable!() };
        assert!(first < producer && producer < consumer);
        let [binding] = joined.bindings() else { unreachable!("one binding") };
        assert_eq!((binding.source.action(), binding.action), (*producer, *consumer));
        assert!(one.joined(0, &other, 1).bindings().is_empty());
    }

    #[test]
    fn changing_one_action_copies_one() {
        let parent = bound();
        let mut child = parent.clone();
        *child.action_mut(0) = Step::integer(5);
        assert!(!Arc::ptr_eq(&parent.actions()[0].1, &child.actions()[0].1));
        assert!(Arc::ptr_eq(&parent.actions()[1].1, &child.actions()[1].1));
    }
}
