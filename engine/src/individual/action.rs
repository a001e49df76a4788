//! Actions: the steps of a test.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, TemplateId};

/// Number of an action inside one individual; survives insertion and deletion of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ActionId(pub u32);

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

/// An action that is a gene of a template and nothing else: all that most problems without a
/// protocol of their own need. `O` is what is observed when it runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct PlainAction<O = ()> {
    template: TemplateId,
    gene: Gene,
    #[serde(skip)]
    outcome: PhantomData<fn() -> O>,
}

impl<O> PlainAction<O> {
    /// An action with a value of the template.
    #[must_use]
    pub fn new(template: TemplateId, gene: Gene) -> Self {
        Self { template, gene, outcome: PhantomData }
    }
}

// Written out, since what is derived would ask the same of the outcome.
impl<O> PartialEq for PlainAction<O> {
    fn eq(&self, other: &Self) -> bool {
        (self.template, &self.gene) == (other.template, &other.gene)
    }
}

impl<O> Eq for PlainAction<O> {}

impl<O> Hash for PlainAction<O> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.template, &self.gene).hash(state);
    }
}

impl<O> Action for PlainAction<O>
where
    O: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static,
{
    type Outcome = O;

    fn template(&self) -> TemplateId {
        self.template
    }

    fn set_template(&mut self, template: TemplateId) -> bool {
        self.template = template;
        true
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}
