//! A state machine: find the sequences of actions that reach each of its states.
//!
//! A vending machine takes coins, offers two drinks, and has a service door behind a code. Tests
//! are sequences, so the problem also says how their structure changes; how far a sequence came is
//! graded by the machine's own numbers.
//!
//! Run: `cargo run -p wallace-engine --example state_machine`

#![allow(clippy::print_stdout)]

use wallace_engine::{
    Action, Budget, Evaluation, EvaluationError, Evaluator, Individual, Learnt, PlainAction,
    Problem, Score, Search, SearchSettings, TargetScore, Wanted,
};
use wallace_genes::{
    Draw, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample,
    spec::{EnumSpec, IntegerSpec},
};

/// What a customer may do: insert a coin, choose a drink, enter a code.
const OPERATIONS: [&str; 3] = ["insert", "choose", "enter"];
const COINS: [i64; 3] = [10, 50, 100];
const DRINKS: [(&str, i64); 2] = [("water", 130), ("juice", 260)];

/// One thing that a customer does; what is observed is the state after it.
type Press = PlainAction<String>;

/// The pure side: one template for each operation.
struct Customer {
    specs: [SpecRef; 3],
    most: usize,
}

impl Customer {
    fn new(most: usize) -> Self {
        let mut specs = SpecBuilder::new();
        let coin = specs
            .add(GeneSpec::Enum(EnumSpec { values: ["10", "50", "100"].map(Into::into).into() }));
        let drink = specs
            .add(GeneSpec::Enum(EnumSpec { values: ["water", "juice"].map(Into::into).into() }));
        let code = specs.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 999_999 }));
        let graph = specs.build();
        Self { specs: [coin, drink, code].map(|id| SpecRef::new(graph.clone(), id)), most }
    }

    fn press(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Press {
        let template = TemplateId(draw.rng.below(OPERATIONS.len()) as u32);
        let gene = sample(&self.spec(template), template, &learnt.knowledge, draw);
        Press::new(template, gene)
    }
}

impl Problem for Customer {
    type Action = Press;
    type Memory = ();

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.specs[template.0 as usize].clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Press> {
        let length = 1 + draw.rng.below(self.most);
        Individual::new((0..length).map(|_| self.press(learnt, draw)).collect::<Vec<_>>())
    }

    fn mutate_structure(
        &self,
        test: &mut Individual<Press>,
        learnt: &Learnt<()>,
        draw: &mut Draw,
    ) -> bool {
        let length = test.actions().len();
        if length > 1 && (length == self.most || draw.rng.chance(0.5)) {
            test.remove(draw.rng.below(length));
        } else {
            let press = self.press(learnt, draw);
            test.insert(draw.rng.below(length + 1), press);
        }
        true
    }
}

/// The impure side: the machine.
struct Machine;

impl Evaluator<Press> for Machine {
    fn evaluate(
        &mut self,
        test: &Individual<Press>,
        _wanted: &Wanted,
    ) -> Result<Evaluation<Press>, EvaluationError> {
        let (mut credit, mut sold) = (0, 0);
        let (mut scores, mut outcomes) = (Vec::new(), Vec::new());
        for (id, press) in test.actions() {
            let mut reach = |name: &str, score: f64| {
                let (name, score) = (name.into(), Score::new(score));
                scores.push(TargetScore { name, score, action: Some(*id) });
            };
            match press.gene() {
                Gene::Enum(coin) if press.template().0 == 0 => credit += COINS[*coin as usize],
                Gene::Enum(drink) => {
                    let (name, price) = DRINKS[*drink as usize];
                    let missing = (price - credit).max(0);
                    reach(&format!("{name} sold"), 1.0 / (1.0 + missing as f64));
                    if missing == 0 {
                        credit -= price;
                        sold += 1;
                        reach("exact change", 1.0 / (1.0 + credit as f64));
                        reach("three sold", f64::from(sold.min(3)) / 3.0);
                    }
                }
                // The service door listens only once something was sold.
                Gene::Integer(code) if sold > 0 => {
                    let distance = f64::from((code - 271_828).abs());
                    reach("door open", 1.0 / (1.0 + distance));
                }
                _ => {}
            }
            outcomes.push(format!("credit {credit}, sold {sold}"));
        }
        Ok(Evaluation::new(scores, outcomes))
    }
}

pub(crate) fn main() {
    let customer = Customer::new(12);
    let settings = SearchSettings { max_size: 12, ..SearchSettings::default() };
    let search = Search::new(&customer, settings, Budget::evaluations(20_000));
    let solution = search.run(&mut Machine);
    for test in &solution.tests {
        println!("covers {:?}", test.covers);
        for ((_, press), state) in
            test.evaluated.individual.actions().iter().zip(&test.evaluated.outcomes)
        {
            println!("  {} {:?}: {state}", OPERATIONS[press.template().0 as usize], press.gene());
        }
    }
    assert_eq!(solution.covered(), 5, "every state is reached");
}
