//! Bindings: values that travel from one action of a test to a later one.
//!
//! An id that a create call returns feeds the read call behind it. Bindings name actions by id, so
//! they survive whatever happens to other actions; where the producer itself goes, or no longer
//! comes first, the engine repairs them.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, TemplateId};

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};

/// Where a bound value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BindingSource {
    /// Part of the body of the response of an earlier action.
    Response {
        /// The action that produces the value.
        action: ActionId,
        /// JSON pointer into the body.
        pointer: String,
    },
    /// What names the thing that an earlier action made: the problem knows where its response says
    /// so, in its location or by an id.
    Created {
        /// The action that makes the thing.
        action: ActionId,
    },
    /// What names one of the things that the response of an earlier action lists.
    Listed {
        /// The action that lists things.
        action: ActionId,
        /// Position in the list, which begins anew behind its end.
        element: u32,
    },
    /// A header of the response of an earlier action.
    Header {
        /// The action that produces the value.
        action: ActionId,
        /// Name of the header in lower case.
        name: String,
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
            Self::Response { action, .. }
            | Self::Created { action }
            | Self::Listed { action, .. }
            | Self::Header { action, .. }
            | Self::Gene { action, .. } => *action,
        }
    }

    /// The same part of another action.
    pub(crate) fn of(&self, other: ActionId) -> Self {
        let mut source = self.clone();
        match &mut source {
            Self::Response { action, .. }
            | Self::Created { action }
            | Self::Listed { action, .. }
            | Self::Header { action, .. }
            | Self::Gene { action, .. } => *action = other,
        }
        source
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

impl<A: Action> Individual<A> {
    /// Adds a binding, in place of an earlier one of the same gene. Returns whether it holds: one
    /// that leads nowhere, or whose source does not come first, is not added.
    pub fn bind(&mut self, binding: Binding) -> bool {
        let holds = self.holds(&binding);
        if holds {
            let is_other =
                |other: &Binding| (other.action, &other.path) != (binding.action, &binding.path);
            self.bindings.retain(is_other);
            self.bindings.push(binding);
        }
        holds
    }

    /// The action at a position as it is to be run: bound genes hold the values they are bound to.
    /// `response` gives the value at a source in the response of an earlier action, as a gene; where
    /// it gives none, the gene keeps its own value. `None` when there is no such position.
    pub fn follow(
        &self,
        place: usize,
        response: &mut dyn FnMut(&BindingSource) -> Option<Gene>,
    ) -> Option<A> {
        let (id, action) = self.actions.get(place)?;
        let mut action = A::clone(action);
        for binding in self.bindings.iter().filter(|binding| binding.action == *id) {
            if let Some(value) = self.value(&binding.source, response)
                && let Some(gene) = binding.path.find_mut(action.gene_mut())
            {
                *gene = value;
            }
        }
        Some(action)
    }

    /// The value at a source; a gene that is itself bound has the value that it is bound to. Ends,
    /// since sources come first.
    fn value(
        &self,
        source: &BindingSource,
        response: &mut dyn FnMut(&BindingSource) -> Option<Gene>,
    ) -> Option<Gene> {
        match source {
            BindingSource::Gene { action, path } => {
                let is_it = |binding: &&Binding| binding.action == *action && binding.path == *path;
                let bound = self.bindings.iter().find(is_it);
                let followed = bound.and_then(|binding| self.value(&binding.source, response));
                followed.or_else(|| {
                    let place = self.position(*action)?;
                    path.find(self.actions[place].1.gene()).cloned()
                })
            }
            _ => response(source),
        }
    }

    /// Drops bindings whose source or gene is gone, or whose source does not come first.
    pub fn repair_bindings(&mut self) {
        if self.bindings.is_empty() {
            return;
        }
        let bindings = std::mem::take(&mut self.bindings);
        self.bindings = bindings.into_iter().filter(|binding| self.holds(binding)).collect();
    }

    fn holds(&self, binding: &Binding) -> bool {
        let places = (self.position(binding.source.action()), self.position(binding.action));
        let (Some(from), Some(to)) = places else { return false };
        let has_source = match &binding.source {
            BindingSource::Gene { path, .. } => path.find(self.actions[from].1.gene()).is_some(),
            _ => true,
        };
        from < to && has_source && binding.path.find(self.actions[to].1.gene()).is_some()
    }

    /// Frees what takes its value from a gene of one of these actions: it is bound to what that gene
    /// is bound to, or else holds the value itself. What it runs with stays the same.
    pub(crate) fn free_from(&mut self, gone: &[ActionId]) {
        let bindings = std::mem::take(&mut self.bindings);
        for mut binding in bindings.clone() {
            let mut is_free = true;
            while let BindingSource::Gene { action, path } = &binding.source
                && gone.contains(action)
            {
                let is_it = |other: &&Binding| other.action == *action && other.path == *path;
                let Some(bound) = bindings.iter().find(is_it) else {
                    is_free = false;
                    break;
                };
                binding.source = bound.source.clone();
            }
            if is_free {
                self.bindings.push(binding);
            } else {
                self.take_value(&binding);
            }
        }
    }

    /// Gives the consumer of a gene that is bound to nothing the value of that gene.
    fn take_value(&mut self, binding: &Binding) {
        let value = self.value(&binding.source, &mut |_| None);
        let place = self.position(binding.action);
        if let (Some(value), Some(place)) = (value, place)
            && let Some(gene) = binding.path.find_mut(self.action_mut(place).gene_mut())
        {
            *gene = value;
        }
    }

    /// Gives the consumers of an action that is gone, or no longer comes first, the nearest earlier
    /// action of the same template instead: it produces the same kind of value.
    pub(crate) fn rebind(&mut self, producer: ActionId, template: TemplateId) {
        let place = self.position(producer);
        let actions = &self.actions;
        let consumers = self.bindings.iter_mut();
        for binding in consumers.filter(|binding| binding.source.action() == producer) {
            let is_consumer = |(id, _): &(ActionId, _)| *id == binding.action;
            let Some(to) = actions.iter().position(is_consumer) else { continue };
            if place.is_some_and(|from| from < to) {
                continue;
            }
            let earlier = actions[..to].iter().rev();
            let other = earlier.into_iter().find(|(_, other)| other.template() == template);
            if let Some((id, _)) = other {
                binding.source = binding.source.of(*id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    fn response(action: ActionId) -> BindingSource {
        BindingSource::Response { action, pointer: "/data/id".into() }
    }

    fn binding(source: BindingSource, action: ActionId) -> Binding {
        Binding { source, action, path: GenePath::default() }
    }

    /// A producer, a consumer of its id, and a consumer of the consumer's gene. The templates are
    /// 1, 2 and 3.
    fn chain() -> (Individual<Step>, [ActionId; 3]) {
        let step = |template, value| Step::integer(value).of(template);
        let mut test = Individual::new([step(1, 1), step(2, 2), step(3, 3)]);
        let ids = [0, 1, 2].map(|place: usize| test.actions()[place].0);
        assert!(test.bind(binding(response(ids[0]), ids[1])));
        let gene = BindingSource::Gene { action: ids[1], path: GenePath::default() };
        assert!(test.bind(binding(gene, ids[2])));
        (test, ids)
    }

    fn ids(test: &Individual<Step>) -> Vec<ActionId> {
        test.actions().iter().map(|(id, _)| *id).collect()
    }

    /// The values that the actions run with when every response holds 70 and the producer's number.
    fn values(test: &Individual<Step>) -> Vec<Gene> {
        let mut given = |source: &BindingSource| {
            assert_eq!(*source, response(source.action()));
            Some(Gene::Integer(70 + source.action().0 as i32))
        };
        let follow = |place| test.follow(place, &mut given).map(|step| step.gene().clone());
        (0..).map_while(follow).collect()
    }

    #[test]
    fn values_follow_bindings_through_others() {
        let (test, _) = chain();
        assert_eq!(values(&test), [1, 70, 70].map(Gene::Integer));
        // Where there is no response, the genes keep their own values.
        let step = test.follow(2, &mut |_| None).unwrap();
        assert_eq!(step.gene(), &Gene::Integer(2));
        assert!(test.follow(3, &mut |_| None).is_none());
    }

    #[test]
    fn bindings_that_lead_nowhere_or_backwards_are_refused() {
        let (mut test, ids) = chain();
        let before = test.bindings().to_vec();
        assert!(!test.bind(binding(response(ids[2]), ids[1])));
        assert!(!test.bind(binding(response(ids[1]), ids[1])));
        assert!(!test.bind(binding(response(ActionId(77)), ids[1])));
        assert!(!test.bind(binding(response(ids[0]), ActionId(77))));
        assert_eq!(test.bindings(), before);
        // A second binding of the same gene replaces the first.
        assert!(test.bind(binding(response(ids[0]), ids[2])));
        assert_eq!(test.bindings().len(), 2);
        assert_eq!(values(&test), [1, 70, 70].map(Gene::Integer));
    }

    #[test]
    fn inserting_keeps_bindings() {
        let (mut test, _) = chain();
        for place in 0..4 {
            test.insert(place, Step::integer(9));
        }
        assert_eq!(test.bindings().len(), 2);
        let bound = values(&test).iter().filter(|value| **value == Gene::Integer(70)).count();
        assert_eq!(bound, 2);
    }

    #[test]
    fn deleting_a_producer_finds_another_of_its_template_or_unbinds() {
        let (mut test, ids) = chain();
        test.remove(0);
        assert_eq!(test.bindings().len(), 1, "the gene binding stays");
        assert_eq!(values(&test), [2, 2].map(Gene::Integer));
        let (mut test, _) = chain();
        let other = test.insert(0, Step::integer(5).of(1));
        test.remove(1);
        assert_eq!(test.bindings().len(), 2);
        assert_eq!(test.bindings()[0].source.action(), other);
        assert_eq!(values(&test), [5, 73, 73].map(Gene::Integer));
        test.remove(1);
        assert!(test.bindings().is_empty());
        assert_eq!(self::ids(&test), [other, ids[2]]);
    }

    #[test]
    fn reordering_finds_another_producer_or_unbinds() {
        let (mut test, _) = chain();
        test.swap(0, 1);
        assert_eq!(test.bindings().len(), 1);
        assert_eq!(values(&test), [2, 1, 2].map(Gene::Integer));
        let (mut test, ids) = chain();
        let other = test.insert(0, Step::integer(5).of(1));
        test.swap(1, 2);
        assert_eq!(self::ids(&test), [other, ids[1], ids[0], ids[2]]);
        assert_eq!(test.bindings().len(), 2);
        assert_eq!(values(&test), [5, 73, 1, 73].map(Gene::Integer));
    }

    #[test]
    fn leaving_out_and_cutting_down_keep_producers_with_consumers() {
        let (mut test, [producer, consumer, last]) = chain();
        let free = test.push(Step::integer(4).of(4));
        let left = |test: Option<Individual<Step>>| test.map(|test| self::ids(&test));
        assert_eq!(left(test.without(0..1)), Some(vec![free]));
        assert_eq!(left(test.without(1..2)), Some(vec![producer, last, free]));
        assert_eq!(left(test.without(2..3)), Some(vec![producer, consumer, free]));
        assert_eq!(left(test.without(0..4)), None);
        assert_eq!(self::ids(&test.trimmed_to(last)), [producer, consumer, last]);
        assert_eq!(test.trimmed_to(last).bindings().len(), 2);
        assert_eq!(self::ids(&test.trimmed_to(producer)), [producer]);
    }

    #[test]
    fn what_shares_the_gene_of_an_action_that_is_left_out_keeps_its_value() {
        let (test, [producer, _, last]) = chain();
        let rest = test.without(1..2).unwrap();
        assert_eq!(values(&rest), [1, 70].map(Gene::Integer), "as in the whole test");
        assert_eq!(rest.bindings(), [binding(response(producer), last)]);
        // A gene that is bound to nothing has a value of its own.
        let rest = test.trimmed_to(last).without(0..1);
        assert_eq!(rest, None, "both hang on the answer");
        let mut free = Individual::new([Step::integer(7).of(2), Step::integer(3).of(3)]);
        let [from, to] = [0, 1].map(|place: usize| free.actions()[place].0);
        let gene = BindingSource::Gene { action: from, path: GenePath::default() };
        assert!(free.bind(binding(gene, to)));
        let rest = free.without(0..1).unwrap();
        assert_eq!(values(&rest), [7].map(Gene::Integer));
        assert!(rest.bindings().is_empty());
    }

    #[test]
    fn joining_gives_new_ids_and_keeps_bindings() {
        let (test, _) = chain();
        let joined = test.joined(1, &test, 0);
        assert_eq!(joined.size(), 4);
        assert_eq!(joined.bindings().len(), 2);
        assert_eq!(values(&joined), [1, 1, 73, 73].map(Gene::Integer));
        // What is bound to a part that is left out is free.
        assert_eq!(test.joined(0, &test, 1).bindings().len(), 1);
    }
}
