//! A small problem with structure: a lock that opens after the right turns and the right word.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wallace_engine::{
    Action, Evaluation, EvaluationError, Evaluator, Individual, Learnt, Problem, Score,
    TargetScore, Wanted,
};
use wallace_genes::{
    Draw, Field, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample,
    spec::{IntegerSpec, ObjectPurpose, ObjectSpec, StringSpec},
};

/// Turns the dial, or says a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    template: TemplateId,
    gene: Gene,
}

impl Action for Turn {
    type Outcome = bool;

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

/// The pure side: two templates, tests of up to six steps.
#[derive(Debug)]
pub struct Lock {
    specs: [SpecRef; 2],
}

const MOST: usize = 6;

impl Lock {
    pub fn new() -> Self {
        let mut builder = SpecBuilder::new();
        let number = builder.add(GeneSpec::Integer(IntegerSpec { min: -1000, max: 1000 }));
        let speed = builder.optional(number, false);
        let dial = builder.add(GeneSpec::Object(ObjectSpec {
            type_name: "Dial".into(),
            purpose: ObjectPurpose::Input,
            fields: vec![Field::new("to", number), Field::new("speed", speed)],
        }));
        let word = builder.add(GeneSpec::String(StringSpec { min: 0, max: 30 }));
        let graph = builder.build();
        Self { specs: [dial, word].map(|id| SpecRef::new(graph.clone(), id)) }
    }

    fn step(&self, learnt: &Learnt<u64>, draw: &mut Draw) -> Turn {
        let template = TemplateId(draw.rng.below(2) as u32);
        let spec = &self.specs[template.0 as usize];
        Turn { template, gene: sample(spec, template, &learnt.knowledge, draw) }
    }
}

impl Problem for Lock {
    type Action = Turn;
    type Memory = u64;

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.specs[template.0 as usize].clone()
    }

    fn sample(&self, learnt: &Learnt<u64>, draw: &mut Draw) -> Individual<Turn> {
        let size = 1 + draw.rng.below(MOST);
        Individual::new((0..size).map(|_| self.step(learnt, draw)).collect::<Vec<_>>())
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<Turn>,
        learnt: &Learnt<u64>,
        draw: &mut Draw,
    ) -> bool {
        let size = individual.size();
        if size > 1 && (size == MOST || draw.rng.chance(0.5)) {
            individual.remove(draw.rng.below(size));
        } else {
            let step = self.step(learnt, draw);
            individual.insert(draw.rng.below(size + 1), step);
        }
        true
    }

    fn learn(&self, test: &wallace_engine::Evaluated<Turn>, learnt: &mut Learnt<u64>) {
        learnt.memory = learnt.memory.wrapping_mul(31).wrapping_add(test.fitness.len() as u64);
    }
}

/// How an evaluator misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Not at all.
    Plain,
    /// Takes longer for some tests, so that results come back out of order.
    Slow,
    /// Fails for some tests.
    Failing,
    /// Panics for some tests.
    Panicking,
    /// Does not come back for a few tests.
    Hanging,
}

/// The impure side; asked for scores, it tells no action.
#[derive(Debug)]
pub struct Locksmith(pub Manner);

impl Evaluator<Turn> for Locksmith {
    fn evaluate(
        &mut self,
        individual: &Individual<Turn>,
        wanted: &Wanted,
    ) -> Result<Evaluation<Turn>, EvaluationError> {
        let is_odd = individual.length() % 7 == 3;
        match self.0 {
            Manner::Slow if is_odd => std::thread::sleep(Duration::from_micros(300)),
            Manner::Failing if is_odd => return Err(EvaluationError::Failed("jammed".into())),
            Manner::Panicking if is_odd => panic!("the key broke"),
            Manner::Hanging if individual.length() == 9 => loop {
                std::thread::park();
            },
            _ => {}
        }
        let mut evaluation = unlock(individual);
        if *wanted == Wanted::Scores {
            evaluation.scores.iter_mut().for_each(|score| score.action = None);
            evaluation.is_attributed = false;
        }
        Ok(evaluation)
    }
}

/// Three turns in order, each graded, then the word.
fn unlock(individual: &Individual<Turn>) -> Evaluation<Turn> {
    let wanted = [417, -33, 702];
    let (mut scores, mut outcomes) = (Vec::new(), Vec::new());
    let mut turns = 0;
    for (id, action) in individual.actions() {
        let mut reach = |name: String, score: f64| {
            let score =
                TargetScore { name: name.into(), score: Score::new(score), action: Some(*id) };
            scores.push(score);
        };
        let mut has_moved = false;
        match action.gene() {
            Gene::Object(dial) => {
                if let (Some(Gene::Integer(to)), Some(goal)) = (dial.get(0), wanted.get(turns)) {
                    let distance = f64::from((to - goal).abs());
                    reach(format!("turn {turns}"), 1.0 / (1.0 + distance));
                    has_moved = distance == 0.0;
                }
                if dial.get(1).is_some() {
                    reach("speed".to_owned(), 1.0);
                }
            }
            Gene::String(word) => {
                let distance: u32 = "open"
                    .chars()
                    .zip(word.text.chars().chain(std::iter::repeat('\0')))
                    .map(|(one, other)| u32::from(one).abs_diff(u32::from(other)))
                    .sum();
                let excess = word.text.chars().count().saturating_sub(4) as u32 * 100;
                reach(format!("word after {turns}"), 1.0 / (1.0 + f64::from(distance + excess)));
            }
            _ => {}
        }
        turns += usize::from(has_moved);
        outcomes.push(has_moved);
    }
    Evaluation::new(scores, outcomes)
}
