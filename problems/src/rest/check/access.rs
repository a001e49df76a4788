//! Checks of who may do what: the same chain by nobody in particular, and by each other user.

use http::Method;
use wallace_genes::TemplateId;

use super::build::{Build, Test};

impl Build<'_, '_> {
    /// The last call made by nobody in particular.
    pub(super) fn nobody(&mut self) -> Option<Test> {
        let mut test = self.base.clone();
        let place = test.position(self.last)?;
        test.action_mut(place).caller = None;
        Some(test)
    }

    /// After the last call, a reading that went well for its caller, and asks for the same proof.
    pub(super) fn known(&mut self) -> Option<Test> {
        let (operations, caller) = (self.planner.operations, self.action.caller?);
        let operation = operations.get(self.action.template);
        let successes = &self.planner.learnt.memory.successes;
        let is_witness = |id: &TemplateId| {
            let other = operations.get(*id);
            let has_worked =
                successes.get(id).is_some_and(|users| users.contains(&i32::from(caller)));
            operations.is(*id, &Method::GET)
                && has_worked
                && *id != self.action.template
                && operations.resources.needs(*id).is_empty()
                && other.needs_user()
                && other.shares_scheme(operation)
        };
        let witness = operations.callable.iter().copied().find(is_witness)?;
        let mut test = self.base.clone();
        test.push(self.call(witness, Some(caller)));
        Some(test)
    }

    /// Whatever a user can do with the thing that somebody else's last call was about.
    pub(super) fn other(&mut self, user: u16) -> Option<Test> {
        let operations = self.planner.operations;
        let mut test = self.base.clone();
        for sibling in operations.resources.about(&operations.get(self.action.template).path) {
            let method = &operations.get(sibling).method;
            let is_wanted =
                matches!(*method, Method::GET | Method::PUT | Method::PATCH | Method::DELETE);
            if is_wanted && test.size() < operations.max_size {
                let mut call = self.call(sibling, Some(user));
                if sibling == self.action.template {
                    call.gene = self.action.gene.clone();
                }
                self.push(&mut test, call);
            }
        }
        (test.size() > self.base.size()).then_some(test)
    }
}
