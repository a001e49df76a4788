//! Memory of long searches: what is kept does not grow with the number of evaluations.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub)]

use peak_alloc::PeakAlloc;
use wallace_engine::{
    Action, Budget, Evaluated, Evaluation, EvaluationError, Evaluator, Individual, Learnt,
    PlainAction, Problem, Score, Search, SearchSettings, TargetName, TargetScore, Wanted,
};
use wallace_genes::{
    Draw, Gene, GenePath, GeneSpec, PathStep, SpecBuilder, SpecRef, Specialisation, StringGene,
    TemplateId, sample,
    spec::{ArraySpec, IntegerSpec, StringSpec, TupleSpec},
};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const NUMBERS: u32 = 40;
const GOALS: usize = 25;

type Call = PlainAction<String>;

/// A thousand targets, of which four in ten cannot be covered, and a text that is compared with
/// other constants in every test: everything that could pile up does.
struct Restless(SpecRef);

impl Restless {
    fn new() -> Self {
        let mut builder = SpecBuilder::new();
        let number = IntegerSpec { min: -100_000, max: 100_000 };
        let number = builder.add(GeneSpec::Integer(number));
        let array = ArraySpec { element: number, min: NUMBERS, max: NUMBERS };
        let numbers = builder.add(GeneSpec::Array(array));
        let text = builder.add(GeneSpec::String(StringSpec { min: 0, max: 60 }));
        let elements = [numbers, text].map(|spec| wallace_genes::Field::new("part", spec));
        let tuple = TupleSpec { elements: elements.into(), has_selection: false };
        let call = builder.add(GeneSpec::Tuple(tuple));
        Self(SpecRef::new(builder.build(), call))
    }
}

impl Problem for Restless {
    type Action = Call;
    type Memory = ();

    fn spec(&self, _: TemplateId) -> SpecRef {
        self.0.clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<Call> {
        let mut call =
            || Call::new(TemplateId(0), sample(&self.0, TemplateId(0), &learnt.knowledge, draw));
        Individual::new([call(), call()])
    }

    fn learn(&self, test: &Evaluated<Call>, learnt: &mut Learnt<()>) {
        let constant = Specialisation::Constant(format!("text {}", test.evaluation).into());
        learnt.knowledge.learn(TemplateId(0), &GenePath(vec![PathStep::Field(1)]), constant);
    }

    fn follow_ups(
        &self,
        test: &Evaluated<Call>,
        _: &Learnt<()>,
        draw: &mut Draw,
    ) -> Vec<Individual<Call>> {
        let follow_up = |_| {
            let mut child = test.individual.clone();
            if let Gene::Tuple(parts) = child.action_mut(0).gene_mut() {
                parts[1] = Gene::String(StringGene::plain(format!("{}", draw.rng.bits())));
            }
            child
        };
        (0..20).map(follow_up).collect()
    }
}

struct Distance(Vec<TargetName>);

impl Evaluator<Call> for Distance {
    fn evaluate(
        &mut self,
        test: &Individual<Call>,
        _: &Wanted,
    ) -> Result<Evaluation<Call>, EvaluationError> {
        let mut scores = Vec::new();
        for (id, call) in test.actions() {
            let Gene::Tuple(parts) = call.gene() else { continue };
            for (variable, number) in parts[0].parts().enumerate() {
                let Gene::Integer(number) = number else { continue };
                // Each variable shows one of its goals at a time, the nearest.
                let goal = (number.rem_euclid(GOALS as i32)) as usize;
                let wanted = (variable as i32 * 7_919 + goal as i32 * 4_001) % 90_000;
                let distance = f64::from((number - wanted).abs());
                let most = if (variable + goal) % 5 < 2 { 0.9 } else { 1.0 };
                let score = Score::new(most / (1.0 + distance));
                let name = self.0[variable * GOALS + goal].clone();
                scores.push(TargetScore { name, score, action: Some(*id) });
            }
        }
        let outcomes = test.actions().iter().map(|_| "response ".repeat(30)).collect();
        Ok(Evaluation::new(scores, outcomes))
    }
}

/// Allocated bytes every 25,000 evaluations from 50,000 on, of a search with populations that stay as large as at the start.
fn allocated(evaluations: u64) -> Vec<usize> {
    let problem = Restless::new();
    let names = (0..NUMBERS as usize * GOALS).map(|goal| format!("goal {goal}").into()).collect();
    let settings = SearchSettings { population_end: 10.0, repeats: 0, ..Default::default() };
    let before = ALLOCATED.current_usage();
    let mut allocated = Vec::new();
    let mut search = Search::new(&problem, settings, Budget::evaluations(evaluations));
    search.keep_with(|search| {
        let done = search.statistics().evaluations;
        if done >= 50_000 && done.is_multiple_of(25_000) {
            allocated.push(ALLOCATED.current_usage() - before);
        }
    });
    search.run(&mut Distance(names));
    allocated
}

#[test]
fn memory_is_flat() {
    // By 50,000 evaluations the populations are full.
    let is_slow_stage = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if !is_slow_stage {
        eprintln!("100,000 evaluations only: set RUN_SLOW_TESTS=1 for 500,000");
    }
    let allocated = allocated(if is_slow_stage { 500_000 } else { 100_000 });
    eprintln!("allocated bytes every 25,000 evaluations from 50,000 on: {allocated:?}");
    let (first, rest) = allocated.split_first().unwrap();
    let most = first + first / 20;
    assert!(!rest.is_empty() && rest.iter().all(|bytes| *bytes <= most), "{allocated:?}");
}
