//! Small problems for the engine's own tests.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

use crate::action::Action;

/// A step that holds one gene and observes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Step {
    gene: Gene,
}

impl Step {
    pub(crate) fn new(gene: Gene) -> Self {
        Self { gene }
    }

    pub(crate) fn integer(value: i32) -> Self {
        Self::new(Gene::Integer(value))
    }
}

impl Action for Step {
    type Outcome = ();

    fn template(&self) -> TemplateId {
        TemplateId(0)
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}
