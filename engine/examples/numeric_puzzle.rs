//! A puzzle of numbers: find three whole numbers that meet five conditions.
//!
//! Shows all that an embedder writes: a problem that samples actions, an evaluator that says
//! how near each condition is, and targets of one's own beside those of the evaluator.
//!
//! Run: `cargo run -p wallace-engine --example numeric_puzzle`

#![allow(clippy::print_stdout)]

use wallace_engine::{
    Action, Budget, Evaluation, EvaluationError, Evaluator, Individual, Learnt, PlainAction,
    Problem, Score, Search, SearchSettings, TargetScore, TargetSource, Wanted,
};
use wallace_genes::{
    Draw, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample,
    spec::{ArraySpec, IntegerSpec},
};

/// One guess: three numbers. The numbers again are all that there is to observe.
type Guess = PlainAction<[i64; 3]>;

fn numbers(guess: &Guess) -> [i64; 3] {
    let mut parts = guess.gene().parts();
    std::array::from_fn(|_| match parts.next() {
        Some(Gene::Integer(value)) => i64::from(*value),
        _ => 0,
    })
}

/// The pure side: where guesses come from.
struct Puzzle(SpecRef);

impl Puzzle {
    fn new() -> Self {
        let mut specs = SpecBuilder::new();
        let number = specs.add(GeneSpec::Integer(IntegerSpec { min: -100_000, max: 100_000 }));
        let numbers = specs.add(GeneSpec::Array(ArraySpec { element: number, min: 3, max: 3 }));
        Self(SpecRef::new(specs.build(), numbers))
    }
}

impl Problem for Puzzle {
    type Action = Guess;
    type Memory = ();

    fn spec(&self, _template: TemplateId) -> SpecRef {
        self.0.clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Guess> {
        Individual::new([Guess::new(
            TemplateId(0),
            sample(&self.0, TemplateId(0), &learnt.knowledge, draw),
        )])
    }
}

/// How near a condition is whose two sides differ by `distance`.
fn near(distance: i64) -> Score {
    Score::new(1.0 / (1.0 + distance.abs() as f64))
}

/// The impure side: three conditions, each behind the one before.
struct Judge;

impl Evaluator<Guess> for Judge {
    fn evaluate(
        &mut self,
        test: &Individual<Guess>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<Guess>, EvaluationError> {
        let (mut scores, mut outcomes) = (Vec::new(), Vec::new());
        for (id, guess) in test.actions() {
            let [a, b, c] = numbers(guess);
            let conditions = [
                ("a = 27182", a - 27_182),
                ("a + b = 31418", a + b - 31_418),
                ("b = 3 c", b - 3 * c),
            ];
            for (name, distance) in conditions {
                let name = name.into();
                scores.push(TargetScore { name, score: near(distance), action: Some(*id) });
                if distance != 0 {
                    break;
                }
            }
            outcomes.push([a, b, c]);
        }
        Ok(Evaluation::new(scores, outcomes))
    }
}

/// Targets of one's own, from what was observed: they count like those of the evaluator.
struct Signs;

impl TargetSource<Guess> for Signs {
    fn targets(&self, test: &Individual<Guess>, outcomes: &[[i64; 3]]) -> Vec<TargetScore> {
        let observed = test.actions().iter().zip(outcomes);
        let targets = observed.flat_map(|((id, _), [a, b, c])| {
            let target =
                |name: &str, score| TargetScore { name: name.into(), score, action: Some(*id) };
            let all_negative = near([a, b, c].into_iter().map(|value| (*value + 1).max(0)).sum());
            [target("all negative", all_negative), target("c = -4242", near(c + 4_242))]
        });
        targets.collect()
    }
}

pub(crate) fn main() {
    let puzzle = Puzzle::new();
    let mut search = Search::new(&puzzle, SearchSettings::default(), Budget::evaluations(20_000));
    search.add_targets(Box::new(Signs));
    let solution = search.run(&mut Judge);
    for target in &solution.targets {
        println!("{:16} {:.3}", target.name, target.score.get());
    }
    for test in &solution.tests {
        let [(_, guess)] = test.evaluated.individual.actions() else { continue };
        println!("{:?} covers {:?}", numbers(guess), test.covers);
    }
    assert_eq!(solution.covered(), 5, "every condition is met");
}
