//! Individuals: tests under evolution.

pub(crate) mod action;
pub(crate) mod difference;
pub(crate) mod initialisation;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::binding::Binding;
use crate::individual::action::{Action, Role};
use crate::individual::initialisation::Initialisation;

/// Number of an action inside one individual; survives insertion and deletion of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ActionId(pub u32);

/// One test: actions in order, and the bindings between them.
///
/// Actions are shared and copied on write: changing one of ten copies one.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Individual<A: Action> {
    pub(crate) actions: Vec<(ActionId, Arc<A>)>,
    pub(crate) bindings: Vec<Binding>,
    next_id: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) initialisation: Vec<Arc<Initialisation>>,
}

impl<A: Action> std::fmt::Debug for Individual<A> {
    /// A test without initialisation shows none.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut output = formatter.debug_struct("Individual");
        output.field("actions", &self.actions).field("bindings", &self.bindings);
        output.field("next_id", &self.next_id);
        if !self.initialisation.is_empty() {
            output.field("initialisation", &self.initialisation);
        }
        output.finish()
    }
}

impl<A: Action> Individual<A> {
    /// A test of the given actions, without bindings.
    pub fn new(actions: impl IntoIterator<Item = A>) -> Self {
        let mut individual = Self {
            actions: Vec::new(),
            bindings: Vec::new(),
            next_id: 0,
            initialisation: Vec::new(),
        };
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

    /// Number of genes over all actions and their initialisation: what "shorter" means between
    /// tests of equal size.
    #[must_use]
    pub fn length(&self) -> usize {
        let steps = self.initialisation.iter().map(|step| step.gene.size()).sum::<usize>();
        steps + self.actions.iter().map(|(_, action)| action.gene().size()).sum::<usize>()
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

    /// Removes the action at a position; `None` when there is no such position. What was bound to it
    /// is bound to the nearest earlier action of the same template instead, or no longer.
    pub fn remove(&mut self, place: usize) -> Option<Arc<A>> {
        if place >= self.actions.len() {
            return None;
        }
        let (id, action) = self.actions.remove(place);
        self.rebind(id, action.template());
        self.repair_bindings();
        Some(action)
    }

    /// The test without the actions at the given positions, and without those that are bound to
    /// them, directly or through others: what is left keeps the producers of the values it uses.
    /// `None` when no main action would be left, or nothing is removed.
    #[must_use]
    pub fn without(&self, places: std::ops::Range<usize>) -> Option<Self> {
        let mut gone: Vec<ActionId> = self.actions.get(places)?.iter().map(|(id, _)| *id).collect();
        let mut next = 0;
        while let Some(producer) = gone.get(next).copied() {
            let bound = self.bindings.iter().filter(|binding| binding.source.action() == producer);
            for consumer in bound.map(|binding| binding.action) {
                if !gone.contains(&consumer) {
                    gone.push(consumer);
                }
            }
            next += 1;
        }
        let mut rest = self.clone();
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

    /// Exchanges two actions. A binding whose source no longer comes first goes to the nearest
    /// earlier action of the same template, or goes. Nothing happens when a position does not
    /// exist.
    pub fn swap(&mut self, one: usize, other: usize) {
        if one.max(other) < self.actions.len() {
            self.actions.swap(one, other);
            for place in [one, other] {
                let (id, action) = &self.actions[place];
                self.rebind(*id, action.template());
            }
            self.repair_bindings();
        }
    }

    /// The action at a position for change; copied first when it is shared.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn action_mut(&mut self, place: usize) -> &mut A {
        Arc::make_mut(&mut self.actions[place].1)
    }

    /// Calls `change` with every action; it may exchange it for an equal one only.
    pub(crate) fn for_actions(&mut self, change: &mut impl FnMut(&mut Arc<A>)) {
        self.actions.iter_mut().for_each(|(_, action)| change(action));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    #[test]
    fn ids_survive_insertion_and_deletion() {
        let mut individual = Individual::new([Step::integer(1), Step::integer(2)]);
        let last = individual.actions()[1].0;
        individual.insert(0, Step::integer(9));
        individual.remove(1);
        assert_eq!(individual.position(last), Some(1));
        assert_ne!(individual.push(Step::integer(3)), last);
    }

    #[test]
    fn places_that_do_not_exist_are_refused() {
        let mut individual = Individual::new([Step::integer(1)]);
        assert_eq!(individual.remove(1), None);
        individual.swap(0, 1);
        assert_eq!(individual.without(3..7), None);
        assert_eq!(individual.without(0..1), None);
        assert_eq!(individual.actions().len(), 1);
    }

    #[test]
    fn changing_one_action_copies_one() {
        let parent = Individual::new([Step::integer(1), Step::integer(2)]);
        let mut child = parent.clone();
        *child.action_mut(0) = Step::integer(5);
        assert!(!Arc::ptr_eq(&parent.actions()[0].1, &child.actions()[0].1));
        assert!(Arc::ptr_eq(&parent.actions()[1].1, &child.actions()[1].1));
    }
}
