//! Texts that must equal constants.

use std::sync::Arc;

use wallace_genes::{
    Field, Gene, GeneSpec, SpecBuilder, SpecRef, Specialisation,
    spec::{StringSpec, TupleSpec},
};

use super::distance::{left_alignment, reward};
use super::problem::{Landscape, Program};
use super::step::{Step, Trace};

const CONSTANTS: [&str; 8] =
    ["a", "id", "sum", "sort", "admin", "USD-42", "2026-11-21", "application/json"];

/// Eight targets, one for each text argument of a single call: the text equals a constant of 1, 2,
/// 3, 4, 5, 6, 10 and 16 characters. The score is `H(0.1, left-alignment distance)`. With
/// `is_tainting` the program also tells what a tainted text was compared with. Optimum: all eight.
#[must_use]
pub fn text_match(is_tainting: bool) -> Landscape {
    let mut specs = SpecBuilder::new();
    let text = specs.add(GeneSpec::String(StringSpec { min: 0, max: 40 }));
    let elements = CONSTANTS.iter().map(|constant| Field::new(*constant, text)).collect();
    let call = specs.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    Landscape {
        specs: vec![SpecRef::new(specs.build(), call)],
        names: Landscape::names(CONSTANTS.len()),
        feasible: CONSTANTS.len(),
        most_steps: 1,
        is_tainting,
        calls: if is_tainting { 100 } else { 10_000 },
        program: Arc::new(Constants),
    }
}

#[derive(Debug)]
struct Constants;

impl Program for Constants {
    fn call(&self, step: &Step, _state: &mut Vec<i64>, trace: &mut Trace) {
        for (target, (argument, constant)) in step.arguments().iter().zip(CONSTANTS).enumerate() {
            let Gene::String(string) = argument else { continue };
            trace.compare(&string.text, || Specialisation::Constant(constant.into()));
            trace.reach(target, reward(0.1, left_alignment(&string.text, constant)));
        }
    }

    fn witness(&self, _target: usize) -> Vec<Step> {
        vec![Step::new(0, Gene::Tuple(CONSTANTS.map(Gene::text).into()))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn the_optimum_is_reachable() {
        verify(&text_match(false));
        verify(&text_match(true));
    }

    #[test]
    fn only_tainted_texts_are_noted() {
        let mut texts = CONSTANTS.map(Gene::text);
        texts[3] = Gene::text("_EM_7_XYZ_");
        let mut trace = Trace::default();
        Constants.call(&Step::new(0, Gene::Tuple(texts.into())), &mut Vec::new(), &mut trace);
        assert_eq!(trace.comparisons.len(), 1);
        assert_eq!(trace.comparisons[0].with, Specialisation::Constant("sort".into()));
    }
}
