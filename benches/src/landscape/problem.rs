//! Landscapes as search problems.

use std::fmt::Debug;
use std::sync::Arc;

use wallace_engine::{
    Action, Evaluated, Evaluation, EvaluationError, Evaluator, Individual, Learnt, Problem, Score,
    TargetName, TargetScore, Wanted,
};
use wallace_genes::{Draw, SpecRef, TemplateId, sample};

use super::step::{Step, Trace};

/// The program behind a landscape.
pub trait Program: Debug + Send + Sync {
    /// Runs one call. `state` is what earlier calls of the same test left; empty before the first.
    fn call(&self, step: &Step, state: &mut Vec<i64>, trace: &mut Trace);

    /// A test that covers a feasible target, by position.
    fn witness(&self, target: usize) -> Vec<Step>;
}

/// A program with all that a search needs to know about it.
#[derive(Debug, Clone)]
pub struct Landscape {
    /// Arguments of each operation.
    pub specs: Vec<SpecRef>,
    /// Names of the targets, the feasible ones first.
    pub names: Arc<[TargetName]>,
    /// How many targets can be covered.
    pub feasible: usize,
    /// Most calls of one test; at least 1.
    pub most_steps: usize,
    /// Whether the program tells how it used tainted texts.
    pub is_tainting: bool,
    /// Calls that make a fair budget: enough to cover much, too few to cover all with ease.
    pub calls: u64,
    /// The program.
    pub program: Arc<dyn Program>,
}

impl Landscape {
    /// Names of `count` targets.
    #[must_use]
    pub fn names(count: usize) -> Arc<[TargetName]> {
        (0..count).map(|target| TargetName::new(format!("target {target}"))).collect()
    }

    /// The evaluator of this problem.
    #[must_use]
    pub fn evaluator(&self) -> Box<dyn Evaluator<Step>> {
        let (program, names) = (Arc::clone(&self.program), Arc::clone(&self.names));
        Box::new(Runner { program, names })
    }

    fn random_step(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Step {
        let operation = draw.rng.below(self.specs.len());
        let template = TemplateId(operation as u32);
        let gene = sample(&self.specs[operation], template, &learnt.knowledge, draw);
        Step::new(template.0, gene)
    }
}

impl Problem for Landscape {
    type Action = Step;
    type Memory = ();

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.specs[template.0 as usize].clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Step> {
        let length = 1 + draw.rng.below(self.most_steps);
        Individual::new((0..length).map(|_| self.random_step(learnt, draw)))
    }

    /// Adds a call, removes one, or exchanges two.
    fn mutate_structure(
        &self,
        test: &mut Individual<Step>,
        learnt: &Learnt<()>,
        draw: &mut Draw,
    ) -> bool {
        let length = test.actions().len();
        let can_grow = length < self.most_steps;
        match draw.rng.below(3) {
            0 if can_grow => {
                let place = draw.rng.below(length + 1);
                test.insert(place, self.random_step(learnt, draw));
            }
            1 if length > 1 => {
                test.remove(draw.rng.below(length));
            }
            2 if length > 1 => test.swap(draw.rng.below(length), draw.rng.below(length)),
            _ => return false,
        }
        true
    }

    fn learn(&self, test: &Evaluated<Step>, learnt: &mut Learnt<()>) {
        for comparison in test.outcomes.iter().flatten() {
            for (_, step) in test.individual.actions() {
                step.gene().visit_texts(&mut |path, string| {
                    if string.text == comparison.text {
                        learnt.knowledge.learn(step.template(), path, comparison.with.clone());
                    }
                });
            }
        }
    }
}

struct Runner {
    program: Arc<dyn Program>,
    names: Arc<[TargetName]>,
}

impl Evaluator<Step> for Runner {
    fn evaluate(
        &mut self,
        test: &Individual<Step>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<Step>, EvaluationError> {
        let (mut state, mut trace) = (Vec::new(), Trace::default());
        let (mut scores, mut outcomes) = (Vec::new(), Vec::new());
        for (id, step) in test.actions() {
            self.program.call(step, &mut state, &mut trace);
            outcomes.push(std::mem::take(&mut trace.comparisons));
            scores.extend(trace.reached.drain(..).map(|(target, score)| TargetScore {
                name: self.names[target].clone(),
                score: Score::new(score),
                action: Some(*id),
            }));
        }
        Ok(Evaluation::new(scores, outcomes))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use wallace_genes::{GeneSettings, check};

    use super::*;

    /// Every feasible target is covered by its witness; random tests are valid, score between 0
    /// and 1, and never cover an infeasible target.
    pub(crate) fn verify(landscape: &Landscape) {
        let mut evaluator = landscape.evaluator();
        let mut scores_of =
            |test: &Individual<Step>| evaluator.evaluate(test, &Wanted::Everything).unwrap().scores;
        for target in 0..landscape.feasible {
            let test = Individual::new(landscape.program.witness(target));
            assert!((1..=landscape.most_steps).contains(&test.size()), "witness of {target}");
            for (_, step) in test.actions() {
                let spec = &landscape.specs[step.operation()];
                assert!(check(spec, step.gene()).is_ok(), "witness of {target}: {step:?}");
            }
            let name = &landscape.names[target];
            let covers = |score: &TargetScore| score.name == *name && score.score.is_covered();
            assert!(scores_of(&test).iter().any(covers), "witness of {target}: {test:?}");
        }
        let infeasible: BTreeSet<&TargetName> =
            landscape.names[landscape.feasible..].iter().collect();
        for number in 0..300 {
            let mut draw = Draw::new(5, number, Arc::new(GeneSettings::default()));
            let test = landscape.sample(&Learnt::default(), &mut draw);
            assert!((1..=landscape.most_steps).contains(&test.size()));
            for score in scores_of(&test) {
                assert!((0.0..=1.0).contains(&score.score.get()));
                assert!(!score.score.is_covered() || !infeasible.contains(&score.name));
            }
        }
    }
}
