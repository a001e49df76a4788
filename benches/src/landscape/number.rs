//! One number for each target: what several landscapes have in common.
//!
//! A call names a variable and gives it a value; each target wants one value of one variable and
//! grades the distance to it. A test is a sequence of up to ten calls. (The artificial problem of
//! the MIO paper, Arcuri 2017, has the same form.)

use std::sync::Arc;

use wallace_genes::spec::TupleSpec;
use wallace_genes::{
    Field, Gene, GeneSpec, Rng, SpecBuilder, SpecRef,
    spec::{EnumSpec, IntegerSpec},
};

use super::problem::{Landscape, Program};
use super::step::{Step, Trace};

/// What a target wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    /// The variable.
    pub(super) variable: usize,
    /// The value that covers the target, unless it is infeasible.
    pub(super) optimum: i32,
    /// The score by distance to the optimum.
    pub(super) score: fn(f64) -> f64,
}

#[derive(Debug)]
struct Numbers {
    goals: Vec<Goal>,
    /// Goals of each variable, by position.
    of_variable: Vec<Vec<usize>>,
}

impl Program for Numbers {
    fn call(&self, step: &Step, _state: &mut Vec<i64>, trace: &mut Trace) {
        let [Gene::Enum(variable), Gene::Integer(value)] = step.arguments() else { return };
        for target in &self.of_variable[*variable as usize] {
            let goal = &self.goals[*target];
            trace.reach(*target, (goal.score)(f64::from(value.abs_diff(goal.optimum))));
        }
    }

    fn witness(&self, target: usize) -> Vec<Step> {
        let Goal { variable, optimum, .. } = self.goals[target];
        let arguments = vec![Gene::Enum(variable as u32), Gene::Integer(optimum)];
        vec![Step::new(0, Gene::Tuple(arguments))]
    }
}

/// The landscape of the goals, the first `feasible` of which can be covered, over variables with
/// the given range.
pub(super) fn numbers(
    goals: Vec<Goal>,
    feasible: usize,
    range: IntegerSpec,
    calls: u64,
) -> Landscape {
    let variables = goals.iter().map(|goal| goal.variable + 1).max().unwrap_or(1);
    let mut of_variable = vec![Vec::new(); variables];
    for (target, goal) in goals.iter().enumerate() {
        of_variable[goal.variable].push(target);
    }
    let mut specs = SpecBuilder::new();
    let values = (0..variables).map(|variable| format!("v{variable}").into()).collect();
    let variable = specs.add(GeneSpec::Enum(EnumSpec { values }));
    let value = specs.add(GeneSpec::Integer(range));
    let elements = vec![Field::new("variable", variable), Field::new("value", value)];
    let call = specs.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    Landscape {
        specs: vec![SpecRef::new(specs.build(), call)],
        names: Landscape::names(goals.len()),
        feasible,
        most_steps: 10,
        is_tainting: false,
        calls,
        program: Arc::new(Numbers { goals, of_variable }),
    }
}

/// One goal for each of `count` variables, with optima anywhere in the range; the same ones always.
pub(super) fn one_each(count: usize, range: IntegerSpec, score: fn(f64) -> f64) -> Vec<Goal> {
    let mut rng = Rng::new(1, 0);
    let mut optimum = || rng.between(i64::from(range.min), i64::from(range.max)) as i32;
    (0..count).map(|variable| Goal { variable, optimum: optimum(), score }).collect()
}
