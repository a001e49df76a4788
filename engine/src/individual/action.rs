//! Actions: the steps of a test.

use std::fmt::Debug;
use std::hash::Hash;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

/// What an action is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// Prepares the system: rows, logins. Not counted in the size of a test.
    Initialisation,
    /// A call of the test proper.
    Main,
}

/// One step of a test, for example one HTTP call.
pub trait Action:
    Clone + Debug + Eq + Hash + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// What was observed when the action ran.
    type Outcome: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// Template that the action's gene is a value of.
    fn template(&self) -> TemplateId;
    /// Gives the action another template, one that has another number by now. Returns whether the
    /// action is of that template then; the default changes nothing.
    fn set_template(&mut self, template: TemplateId) -> bool {
        self.template() == template
    }
    /// What the action is for.
    fn role(&self) -> Role {
        Role::Main
    }
    /// The decisions in the action.
    fn gene(&self) -> &Gene;
    /// The decisions in the action, for change.
    fn gene_mut(&mut self) -> &mut Gene;
}
