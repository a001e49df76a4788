//! What a test of a landscape is made of, and what running it leaves behind.

use serde::{Deserialize, Serialize};
use wallace_engine::Action;
use wallace_genes::{Gene, Specialisation, TemplateId, is_tainted};

use super::distance::Truth;

/// One call of an operation of a landscape.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    template: TemplateId,
    gene: Gene,
}

impl Step {
    /// A call of operation `operation` with `gene` for its argument.
    #[must_use]
    pub fn new(operation: u32, gene: Gene) -> Self {
        Self { template: TemplateId(operation), gene }
    }

    /// Position of the operation.
    #[must_use]
    pub fn operation(&self) -> usize {
        self.template.0 as usize
    }

    /// The arguments of a call whose gene is a tuple; none for other genes.
    #[must_use]
    pub fn arguments(&self) -> &[Gene] {
        if let Gene::Tuple(arguments) = &self.gene { arguments } else { &[] }
    }
}

impl Action for Step {
    type Outcome = Vec<Comparison>;

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

/// How a program used a tainted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The text.
    pub text: Box<str>,
    /// What it was compared with.
    pub with: Specialisation,
}

/// What one call did.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) reached: Vec<(usize, f64)>,
    pub(super) comparisons: Vec<Comparison>,
}

impl Trace {
    /// Target `target` scored `score`.
    pub fn reach(&mut self, target: usize, score: f64) {
        self.reached.push((target, score));
    }

    /// A branch whose true side is target `target`, and whose false side the one after. Returns
    /// whether it was taken.
    pub fn branch(&mut self, target: usize, truth: Truth) -> bool {
        self.reach(target, truth.when_true);
        self.reach(target + 1, truth.when_false);
        truth.holds()
    }

    /// Text of an argument was compared; noted when it is tainted.
    pub fn compare(&mut self, text: &str, with: impl FnOnce() -> Specialisation) {
        if is_tainted(text) {
            self.comparisons.push(Comparison { text: text.into(), with: with() });
        }
    }
}
