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

    /// Whatever a user can do with the thing that somebody else's last call was about.
    pub(super) fn other(&mut self, user: u16) -> Option<Test> {
        let path = self.problem.templates.operation(self.action.template).path.clone();
        let mut test = self.base.clone();
        let siblings: Vec<TemplateId> = self.problem.resources.about(&path).collect();
        for sibling in siblings {
            let method = &self.problem.templates.operation(sibling).method;
            let is_wanted =
                matches!(*method, Method::GET | Method::PUT | Method::PATCH | Method::DELETE);
            if is_wanted && test.size() < self.problem.max_size {
                let mut call = self.call(sibling, Some(user));
                if sibling == self.action.template {
                    call.gene = self.action.gene.clone();
                }
                self.problem.push_about(&mut test, call, self.last);
            }
        }
        (test.size() > self.base.size()).then_some(test)
    }
}
