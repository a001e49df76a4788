//! Initialisation: what brings the system into the state that a test wants, before its actions.
//!
//! Rows of a database, say. Such steps have one shape in every problem, a template and a gene, so
//! that they are no matter of the problem's own actions: they stand in a list of their own before
//! them, are not counted in the size of a test and have no outcome.

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, TemplateId};

use crate::individual::action::ActionId;

/// One step of initialisation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Initialisation {
    /// Template that the gene is a value of; see
    /// [`Problem::initialisation_spec`](crate::Problem::initialisation_spec).
    pub template: TemplateId,
    /// The decisions in the step.
    pub gene: Gene,
    /// In which round of initialisation the step was added to its test, from 1.
    pub round: u8,
    /// Genes of actions that hold the same value as one of this step.
    #[serde(default)]
    pub feeds: Vec<Feed>,
}

/// Says that a gene of an action has the value of a gene of an initialisation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Feed {
    /// Where the value is in the initialisation.
    pub from: GenePath,
    /// The action that uses it.
    pub action: ActionId,
    /// The gene there.
    pub path: GenePath,
}
