//! Individuals: tests under evolution.

pub(crate) mod action;
pub(crate) mod difference;
pub(crate) mod fingerprint;
pub(crate) mod initialisation;
pub(crate) mod part;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::binding::Binding;
use crate::individual::action::{Action, ActionId};

pub use action::Role;
pub use initialisation::{Feed, Initialisation};

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
    /// Steps of initialisation that a test may have.
    pub const MOST_INITIALISATIONS: usize = 60;

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

    /// The steps of initialisation, in order.
    #[must_use]
    pub fn initialisation(&self) -> &[Arc<Initialisation>] {
        &self.initialisation
    }

    /// Puts these steps in the place of all others. Feeds of actions that are gone go too, and so
    /// do steps beyond [`MOST_INITIALISATIONS`](Self::MOST_INITIALISATIONS).
    pub fn set_initialisation(&mut self, steps: Vec<Initialisation>) {
        let mut steps = steps;
        steps.truncate(Self::MOST_INITIALISATIONS);
        for step in &mut steps {
            step.feeds.retain(|feed| self.position(feed.action).is_some());
        }
        self.initialisation = steps.into_iter().map(Arc::new).collect();
    }

    /// The gene of the step at a position for change; copied first when it is shared.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn initialisation_mut(&mut self, place: usize) -> &mut Initialisation {
        Arc::make_mut(&mut self.initialisation[place])
    }

    /// The last round in which initialisation was added; 0 without any.
    #[must_use]
    pub fn round(&self) -> u8 {
        self.initialisation.iter().map(|step| step.round).max().unwrap_or(0)
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
