//! Small problems for the engine's own tests.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

use crate::individual::action::Action;

/// A step that holds one gene and observes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Step {
    template: TemplateId,
    gene: Gene,
}

impl Step {
    pub(crate) fn new(gene: Gene) -> Self {
        Self { template: TemplateId(0), gene }
    }

    /// The same step of another template.
    pub(crate) fn of(self, template: u32) -> Self {
        Self { template: TemplateId(template), ..self }
    }

    pub(crate) fn integer(value: i32) -> Self {
        Self::new(Gene::Integer(value))
    }
}

impl Action for Step {
    type Outcome = ();

    fn template(&self) -> TemplateId {
        self.template
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}
