//! The generated family: random programs with a known witness for every target.
//!
//! A program has a few operations over integers, doubles, texts, names, lists and flags, and three
//! registers that calls leave to later calls of the same test. Each operation is a tree of nested
//! branches; both sides of every branch are targets, graded with the distances of the driver
//! protocol. The generator grows a branch only where it holds a test for each of its sides, so the
//! optimum is to cover all targets, and [`Program::witness`] gives a test for each.

mod generator;
mod operation;
mod predicate;
mod value;

use std::sync::Arc;

use self::generator::Generator;
use self::operation::Operations;
use super::problem::{Landscape, Program};
use super::step::{Step, Trace};

/// Registers of every program.
const REGISTERS: usize = 3;
/// Most calls of a test.
const MOST_STEPS: usize = 6;

/// The program of a seed: six operations of up to 16 branches, about 150 targets, all feasible.
#[must_use]
pub fn generated(seed: u64) -> Landscape {
    let (operations, witnesses) = Generator::new(seed).program();
    Landscape {
        specs: operations.specs(),
        names: Landscape::names(witnesses.len()),
        feasible: witnesses.len(),
        most_steps: MOST_STEPS,
        is_tainting: true,
        calls: 10_000,
        program: Arc::new(Generated { operations, witnesses }),
    }
}

#[derive(Debug)]
struct Generated {
    operations: Operations,
    witnesses: Vec<Vec<Step>>,
}

impl Program for Generated {
    fn call(&self, step: &Step, state: &mut Vec<i64>, trace: &mut Trace) {
        self.operations.call(step, state, trace);
    }

    fn witness(&self, target: usize) -> Vec<Step> {
        self.witnesses[target].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::problem::tests::verify;

    #[test]
    fn witnesses_cover_their_targets() {
        for seed in 0..20 {
            let landscape = generated(seed);
            assert!((60..=192).contains(&landscape.feasible), "{}", landscape.feasible);
            verify(&landscape);
        }
    }

    #[test]
    fn a_seed_gives_one_program() {
        let text = |seed| format!("{:?}", generated(seed).program);
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }

    #[test]
    fn some_targets_need_earlier_calls() {
        let needs_more = |seed: u64| {
            let landscape = generated(seed);
            (0..landscape.feasible).filter(|target| needs_state(&landscape, *target)).count()
        };
        assert!((0..5).map(needs_more).sum::<usize>() > 5);
    }

    /// Whether the last call of the witness alone does not cover the target.
    fn needs_state(landscape: &Landscape, target: usize) -> bool {
        let test = landscape.program.witness(target);
        let (mut state, mut trace) = (Vec::new(), Trace::default());
        landscape.program.call(test.last().unwrap(), &mut state, &mut trace);
        !trace.reached.contains(&(target, 1.0))
    }
}
