//! Choices: one of several alternatives.

use crate::gene::{ChoiceGene, Gene};
use crate::path::PathStep;
use crate::spec::ChoiceSpec;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn sample_choice(&mut self, choice: &ChoiceSpec) -> Gene {
        self.sample_branch_except(choice, None)
    }

    /// Draws a branch other than the present one; the present one stays where there is no other.
    pub(crate) fn mutate_choice(&mut self, choice: &ChoiceSpec, gene: &mut ChoiceGene) -> bool {
        match self.sample_branch_except(choice, Some(gene.branch)) {
            Gene::Choice(other) => {
                let was = std::mem::replace(gene, other);
                self.step(PathStep::Branch(was.branch), |walk| walk.put_to_sleep(*was.value));
                true
            }
            _ => false,
        }
    }

    fn sample_branch_except(&mut self, choice: &ChoiceSpec, except: Option<u32>) -> Gene {
        let is_open = |(position, branch): (usize, &crate::Field)| {
            let cost = self.graph.cost(branch.spec);
            f64::from(u8::from(Some(position as u32) != except && cost.is_finite()))
        };
        let mut weights: Vec<f64> = choice.branches.iter().enumerate().map(is_open).collect();
        let mut refused = Gene::LimitObject;
        while let Some(position) = self.draw.rng.weighted(&weights) {
            let (branch, spec) = (position as u32, choice.branches[position].spec);
            let value = self.step(PathStep::Branch(branch), |walk| {
                walk.awaken().unwrap_or_else(|| walk.sample(spec))
            });
            if !value.is_placeholder() {
                return Gene::Choice(ChoiceGene { branch, value: Box::new(value) });
            }
            refused = value;
            weights[position] = 0.0;
        }
        refused
    }

    pub(crate) fn simplest_choice(&mut self, choice: &ChoiceSpec) -> Gene {
        let mut positions: Vec<usize> = (0..choice.branches.len()).collect();
        positions.sort_by_key(|position| self.graph.cost(choice.branches[*position].spec).nodes);
        for position in positions {
            let value = self.simplest(choice.branches[position].spec);
            if !value.is_placeholder() {
                let branch = position as u32;
                return Gene::Choice(ChoiceGene { branch, value: Box::new(value) });
            }
        }
        Gene::LimitObject
    }
}
