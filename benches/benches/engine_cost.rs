//! What the engine costs where there are many targets: its time for each step, and its memory with
//! 70,000 covered targets, beside the reference engine's.
//!
//! Run: `cargo bench -p benches --bench engine_cost`

#![allow(clippy::print_stdout, missing_docs)]

use std::time::Duration;

use benches::landscape::open_targets;
use benches::usage::thread_time;
use wallace_engine::{
    Action, Budget, Evaluation, EvaluationError, Evaluator, Individual, Learnt, PlainAction,
    Problem, Score, Search, SearchSettings, TargetName, TargetScore, Wanted,
};
use wallace_genes::{
    Draw, Field, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample,
    spec::{IntegerSpec, ObjectPurpose, ObjectSpec, StringSpec},
};

/// Covered targets of the run that the reference engine did not finish.
const COVERED: u64 = 70_000;
/// Actions of each of its tests.
const ACTIONS: usize = 5;

fn main() {
    println!("CPU time of a whole step (propose, evaluate, commit) that touches 100 open targets");
    println!("targets  median of 7 us  least us  reference");
    let few = print_time(1, "1.4 ms");
    let many = print_time(100, "unusable");
    println!("ratio {:.2} (must be at most 2; 100 targets at most 20 us)\n", many / few);
    print_memory();
}

/// Prints and returns the median time of a step in microseconds.
fn print_time(variables: usize, reference: &str) -> f64 {
    let mut times: Vec<f64> = (0..7).map(|seed| time(variables, seed)).collect();
    times.sort_by(f64::total_cmp);
    println!("{:7}  {:14.1}  {:8.1}  {reference}", 100 * variables, times[3], times[0]);
    times[3]
}

/// Microseconds for each of 40,000 steps, after as many in which targets were first reached.
fn time(variables: usize, seed: u64) -> f64 {
    const STEPS: u64 = 40_000;
    let landscape = open_targets(variables);
    let mut evaluator = landscape.evaluator();
    let settings = SearchSettings { seed, is_tainting: false, ..SearchSettings::default() };
    let mut search = Search::new(&landscape, settings, Budget::evaluations(2 * STEPS));
    let mut start = Duration::ZERO;
    for step in 0..2 * STEPS {
        if step == STEPS {
            start = thread_time();
        }
        let proposal = search.propose().expect("nothing is open");
        let result = evaluator.evaluate(&proposal.individual, &Wanted::Everything);
        search.commit(proposal, result).expect("it is the oldest");
    }
    assert_eq!(search.archive().reached(), 100 * variables, "all were reached");
    (thread_time() - start).as_secs_f64() * 1e6 / STEPS as f64
}

fn print_memory() {
    let catalogue = Catalogue::new();
    let budget = Budget::evaluations(COVERED + 10_000);
    let mut search = Search::new(&catalogue, SearchSettings::default(), budget);
    let before = resident();
    while search.end().is_none() {
        let proposal = search.propose().expect("nothing is open");
        let result = Shelf.evaluate(&proposal.individual, &Wanted::Everything);
        search.commit(proposal, result).expect("it is the oldest");
    }
    let covered = search.archive().covered();
    assert!(covered as u64 >= COVERED, "{covered}");
    println!("resident memory with {covered} covered targets, each by a test of its own of");
    print!("{ACTIONS} actions with 8 fields: ");
    match (before, resident()) {
        (Some(before), Some(after)) => println!("{} MB", (after - before) / 1_024),
        _ => println!("not known on this system"),
    }
    println!("reference: over 12 GB (must be under 1 GB)");
}

/// Resident memory of this process in KiB.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

type Order = PlainAction<String>;

/// Orders of one of many articles; the last order of a test covers the target of its article.
struct Catalogue(SpecRef);

impl Catalogue {
    fn new() -> Self {
        let mut specs = SpecBuilder::new();
        let article = IntegerSpec { min: 0, max: 2 * COVERED as i32 };
        let article = specs.add(GeneSpec::Integer(article));
        let text = specs.add(GeneSpec::String(StringSpec::default()));
        let field = |index| {
            let spec = if index % 2 == 0 { article } else { text };
            Field::new(format!("field{index}"), spec)
        };
        let fields = (0..8).map(field).collect();
        let (type_name, purpose) = ("Order".into(), ObjectPurpose::Input);
        let order = specs.add(GeneSpec::Object(ObjectSpec { type_name, purpose, fields }));
        Self(SpecRef::new(specs.build(), order))
    }
}

impl Problem for Catalogue {
    type Action = Order;
    type Memory = ();

    fn spec(&self, _: TemplateId) -> SpecRef {
        self.0.clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Order> {
        let order =
            |_| Order::new(TemplateId(0), sample(&self.0, TemplateId(0), &learnt.knowledge, draw));
        Individual::new((0..ACTIONS).map(order))
    }

    /// A test for each of the targets, one after the other.
    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<()>,
        draw: &mut Draw,
    ) -> Option<Individual<Order>> {
        let mut test = (number < COVERED).then(|| self.sample(learnt, draw))?;
        if let Gene::Object(order) = test.action_mut(ACTIONS - 1).gene_mut() {
            order.fields[0].1 = Gene::Integer(number as i32);
        }
        Some(test)
    }
}

struct Shelf;

impl Evaluator<Order> for Shelf {
    fn evaluate(
        &mut self,
        test: &Individual<Order>,
        _: &Wanted,
    ) -> Result<Evaluation<Order>, EvaluationError> {
        let mut scores = Vec::new();
        if let Some((id, order)) = test.actions().last()
            && let Gene::Object(order) = order.gene()
            && let Some((_, Gene::Integer(article))) = order.fields.first()
        {
            let name = TargetName::new(format!("Line_at_shop.orders.Catalogue_{article:06}"));
            scores.push(TargetScore { name, score: Score::new(1.0), action: Some(*id) });
        }
        let outcomes = test.actions().iter().map(|_| "response ".repeat(30)).collect();
        Ok(Evaluation::new(scores, outcomes))
    }
}
