//! Checks of who may do what: the same chain by nobody in particular, and by each other user.

use http::Method;

use super::build::{Build, Test};

impl Build<'_, '_> {
    /// The last call made by nobody in particular.
    pub(super) fn nobody(&mut self) -> Option<Test> {
        let mut test = self.base.clone();
        let place = test.position(self.last)?;
        test.action_mut(place).caller = None;
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
