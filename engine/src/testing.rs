//! A small action for the engine's own tests.

use wallace_genes::{Gene, TemplateId};

use crate::individual::action::{Action, PlainAction};

pub(crate) type Step = PlainAction;

impl Step {
    /// A step of template 0 that holds a number.
    pub(crate) fn integer(value: i32) -> Self {
        Self::new(TemplateId(0), Gene::Integer(value))
    }

    /// The same step of another template.
    pub(crate) fn of(mut self, template: u32) -> Self {
        self.set_template(TemplateId(template));
        self
    }
}
