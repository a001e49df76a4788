//! Fitting: what a problem hands over becomes a value of its specification.

use std::sync::Arc;

use wallace_genes::{GeneSettings, check, repair};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;

/// How a test fits the specification of its templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fit {
    /// It did as it was.
    Whole,
    /// It does after genes were repaired.
    Repaired,
    /// It cannot be made to fit; or it has no actions.
    Lost,
}

/// Repairs the genes that are no values of their specifications, so that mutation can rely on
/// them. Bindings of genes that are gone go too.
pub(crate) fn fit<P: Problem>(
    problem: &P,
    individual: &mut Individual<P::Action>,
    settings: &GeneSettings,
) -> Fit {
    let mut fit = if individual.actions().is_empty() { Fit::Lost } else { Fit::Whole };
    for (_, action) in &mut individual.actions {
        let spec = problem.spec(action.template());
        if check(&spec, action.gene()).is_ok() {
            continue;
        }
        let gene = Arc::make_mut(action).gene_mut();
        repair(&spec, gene, settings);
        let is_valid = check(&spec, gene).is_ok();
        fit = if is_valid && fit != Fit::Lost { Fit::Repaired } else { Fit::Lost };
    }
    for step in &mut individual.initialisation {
        let spec = problem.initialisation_spec(step.template);
        if check(&spec, &step.gene).is_err() {
            repair(&spec, &mut Arc::make_mut(step).gene, settings);
            fit = if fit == Fit::Lost { Fit::Lost } else { Fit::Repaired };
        }
    }
    if fit != Fit::Whole {
        individual.repair_bindings();
    }
    fit
}
