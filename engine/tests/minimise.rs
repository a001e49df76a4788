//! What becomes of the tests of a solution: they are made smaller, keep what they need, and are run
//! again.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use wallace_engine::{
    Action, Binding, BindingSource, Budget, Evaluation, EvaluationError, Evaluator, Individual,
    Learnt, PlainAction, Problem, Score, Search, SearchEvent, SearchSettings, Solution, TargetName,
    TargetScore, Wanted, Workers, solution::SolutionTest,
};
use wallace_genes::{
    Draw, Gene, GenePath, GeneSpec, SpecBuilder, SpecRef, TemplateId, check,
    spec::{ArraySpec, IntegerSpec, StringSpec},
};

const CREATE: u32 = 0;
const READ: u32 = 1;
const SUM: u32 = 2;

type Call = PlainAction<String>;

/// A shop: things are created, and read by the id that creating them returns. Its tests are given.
struct Shop {
    specs: [SpecRef; 3],
    given: Vec<Individual<Call>>,
    /// A target that stands alone, and whether its test is kept apart.
    fault: Option<&'static str>,
    is_apart: bool,
}

impl Shop {
    fn new() -> Self {
        let mut builder = SpecBuilder::new();
        let number = builder.add(GeneSpec::Integer(IntegerSpec { min: -9_999, max: 9_999 }));
        let text = builder.add(GeneSpec::String(StringSpec { min: 0, max: 40 }));
        let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 0, max: 9 }));
        let graph = builder.build();
        let specs = [number, text, list].map(|id| SpecRef::new(graph.clone(), id));
        Self { specs, given: vec![long_test()], fault: None, is_apart: false }
    }
}

fn long_test() -> Individual<Call> {
    let call = |template, gene| Call::new(TemplateId(template), gene);
    let sum = |numbers: &[i32]| {
        call(SUM, Gene::Array(numbers.iter().copied().map(Gene::Integer).collect()))
    };
    let mut test = Individual::new([
        sum(&[5]),
        call(CREATE, Gene::Integer(-77)),
        sum(&[]),
        call(CREATE, Gene::Integer(4_821)),
        sum(&[1, 2]),
        call(READ, Gene::text("nothing")),
        sum(&[40, -3, 700, 12]),
    ]);
    let ids: Vec<_> = test.actions().iter().map(|(id, _)| *id).collect();
    let source = BindingSource::Response { action: ids[3], pointer: "/id".into() };
    assert!(test.bind(Binding { source, action: ids[5], path: GenePath::default() }));
    test
}

impl Problem for Shop {
    type Action = Call;
    type Memory = ();

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.specs[template.0 as usize].clone()
    }

    fn sample(&self, _: &Learnt<()>, _: &mut Draw) -> Individual<Call> {
        self.given[0].clone()
    }

    fn initial(&self, number: u64, _: &Learnt<()>, _: &mut Draw) -> Option<Individual<Call>> {
        self.given.get(number as usize).cloned()
    }

    fn stands_alone(&self, target: &TargetName) -> bool {
        self.fault == Some(target.as_str())
    }

    fn keeps_apart(&self) -> bool {
        self.is_apart
    }
}

/// Runs calls; ids cannot be guessed. `flicker` counts runs: its target comes in odd ones only.
#[derive(Default, Clone)]
struct Keeper {
    flicker: Option<Arc<AtomicU32>>,
    /// Whether it is told which call covered what.
    is_attributing: bool,
}

impl Evaluator<Call> for Keeper {
    fn evaluate(
        &mut self,
        test: &Individual<Call>,
        wanted: &Wanted,
    ) -> Result<Evaluation<Call>, EvaluationError> {
        let mut covered = BTreeMap::new();
        let mut outcomes: Vec<String> = Vec::new();
        for (place, _) in test.actions().iter().enumerate() {
            let known = outcomes.clone();
            let call = test.follow(place, &mut |source| {
                Some(Gene::text(known[test.position(source.action()).unwrap()].as_str()))
            });
            let call = call.unwrap();
            outcomes.push(match call.gene() {
                Gene::Integer(value) => {
                    if *value < 0 {
                        covered.insert("negative", place);
                    }
                    format!("id-{}", i64::from(*value) * 7_919 + 3)
                }
                Gene::String(id)
                    if id.text.starts_with("id-") && outcomes.contains(&id.text.to_string()) =>
                {
                    covered.insert("read", place);
                    "found".to_owned()
                }
                Gene::Array(numbers) => {
                    if numbers.iter().any(|number| matches!(number, Gene::Integer(101..))) {
                        covered.insert("large", place);
                    }
                    format!("{} numbers", numbers.len())
                }
                _ => "not found".to_owned(),
            });
        }
        if let Some(runs) = &self.flicker
            && runs.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
        {
            covered.insert("flicker", 0);
        }
        let score = |(name, place): (&&str, &usize)| TargetScore {
            name: (*name).into(),
            score: Score::COVERED,
            action: self.is_attributing.then(|| test.actions()[*place].0),
        };
        let is_wanted = |(name, _): &(&&str, &usize)| match wanted {
            Wanted::Everything | Wanted::Scores => true,
            Wanted::These(names) => names.iter().any(|other| other.as_str() == **name),
        };
        let scores = covered.iter().filter(is_wanted).map(score).collect();
        let mut evaluation = Evaluation::new(scores, outcomes);
        evaluation.is_complete = *wanted == Wanted::Everything;
        Ok(evaluation)
    }
}

fn search<'a>(shop: &'a Shop, share: f64) -> Search<'a, Shop> {
    // One evaluation of seven calls, so that nothing but minimising is at work.
    let settings = SearchSettings { minimise_share: share, ..SearchSettings::default() };
    Search::new(shop, settings, Budget::evaluations(1))
}

/// Calls, number of bindings, names of targets.
type Seen = (Vec<(u32, Gene)>, usize, Vec<String>);

fn tests_of(solution: &Solution<Call>) -> Vec<Seen> {
    let test = |test: &wallace_engine::solution::SolutionTest<Call>| {
        let individual = &test.evaluated.individual;
        let calls = individual.actions().iter();
        let calls = calls.map(|(_, call)| (call.template().0, call.gene().clone())).collect();
        let covers = test.covers.iter().map(ToString::to_string).collect();
        (calls, individual.bindings().len(), covers)
    };
    solution.tests.iter().map(test).collect()
}

#[test]
fn a_test_becomes_small_and_keeps_the_producers_of_what_it_uses() {
    let shop = Shop::new();
    let solution = search(&shop, 100.0).run(&mut Keeper::default());
    let names = ["negative", "large", "read"].map(str::to_owned);
    let tests = tests_of(&solution);
    let [(calls, bindings, covers)] = tests.as_slice() else { panic!("{tests:?}") };
    assert_eq!(covers.iter().collect::<BTreeSet<_>>(), names.iter().collect());
    // One negative thing, the read thing and its producer, one large number: nothing more.
    let text = Gene::text("");
    let expected = [
        (CREATE, Gene::Integer(-1)),
        (CREATE, Gene::Integer(0)),
        (READ, text),
        (SUM, Gene::Array(vec![Gene::Integer(101)])),
    ];
    assert_eq!(calls.as_slice(), expected);
    assert_eq!(*bindings, 1);
    // What was kept does what it is kept for, and is valid.
    let individual = &solution.tests[0].evaluated.individual;
    let again = Keeper::default().evaluate(individual, &Wanted::Everything).unwrap();
    assert_eq!(again.scores.len(), 3);
    for (_, call) in individual.actions() {
        assert_eq!(check(&shop.spec(call.template()), call.gene()), Ok(()));
    }
}

#[test]
fn a_test_that_is_kept_apart_loses_what_others_do_as_well() {
    let (negative, large) = (Gene::Integer(-77), Gene::Array(vec![Gene::Integer(700)]));
    let call = |template, gene: &Gene| Call::new(TemplateId(template), gene.clone());
    let both = Individual::new([call(CREATE, &negative), call(SUM, &large)]);
    let given = vec![both, Individual::new([call(CREATE, &negative)])];
    let kept = |is_apart| {
        let (given, fault) = (given.clone(), Some("large"));
        let shop = Shop { given, fault, is_apart, ..Shop::new() };
        let settings = SearchSettings { minimise_share: 100.0, ..SearchSettings::default() };
        let search = Search::new(&shop, settings, Budget::evaluations(2));
        tests_of(&search.run(&mut Keeper::default()))
    };
    let apart = kept(true);
    let (calls, _, covers) = &apart[0];
    assert_eq!(calls.as_slice(), [(SUM, Gene::Array(vec![Gene::Integer(101)]))]);
    assert_eq!(covers.as_slice(), ["large"]);
    assert_eq!((apart.len(), kept(false).len()), (2, 1));
}

#[test]
fn what_other_calls_cover_is_shown_by_a_test_of_its_own() {
    let shop = Shop { fault: Some("large"), ..Shop::new() };
    let kept = |is_attributing| {
        let mut keeper = Keeper { is_attributing, ..Keeper::default() };
        tests_of(&search(&shop, 100.0).run(&mut keeper))
    };
    let tests = kept(true);
    let (calls, _, covers) = &tests[0];
    assert_eq!(calls.as_slice(), [(SUM, Gene::Array(vec![Gene::Integer(101)]))]);
    assert_eq!(covers.as_slice(), ["large"]);
    assert_eq!(tests.len(), 2);
    assert_eq!(tests[1].2.len(), 2, "{tests:?}");
    assert_eq!(kept(false).len(), 1, "where nobody tells which call did what");
}

#[test]
fn minimising_is_bounded_and_tells_its_progress() {
    let shop = Shop::new();
    let mut told = Vec::new();
    let mut observer = |event: &SearchEvent<'_, Call>| match event {
        SearchEvent::Minimised { done, of, calls } => told.push(("minimised", *done, *of, *calls)),
        SearchEvent::Repeated { tests, run } => told.push(("repeated", *tests, *run as usize, 0)),
        _ => {}
    };
    let mut search = search(&shop, 3.0);
    search.observe(&mut observer);
    let solution = search.run(&mut Keeper::default());
    // Three times the seven calls of the search; the last test may go over.
    assert!((15..=27).contains(&solution.minimising_calls), "{}", solution.minimising_calls);
    assert!(told.iter().filter(|(what, ..)| *what == "minimised").count() >= 3, "{told:?}");
    let repeated = [("repeated", 1, 2, 0), ("repeated", 1, 3, 0)];
    assert!(told.ends_with(&repeated), "{told:?}");
    let calls = solution.tests[0].evaluated.calls;
    assert_eq!(solution.repeat_calls, 2 * calls);
    let none = self::search(&shop, 0.0).run(&mut Keeper::default());
    assert_eq!((none.minimising_calls, none.tests[0].evaluated.calls), (0, 7));
}

#[test]
fn workers_do_not_show_in_what_is_kept() {
    let shop = Shop::new();
    let kept = |count: usize| {
        let evaluators = (0..count).map(|_| Box::new(Keeper::default()) as Box<dyn Evaluator<_>>);
        let mut workers = Workers::new(evaluators.collect());
        let solution = search(&shop, 4.0).run_parallel(&mut workers);
        (tests_of(&solution), solution.minimising_calls, solution.repeat_calls)
    };
    let alone = kept(1);
    assert_eq!(kept(3), alone);
    let solution = search(&shop, 4.0).run(&mut Keeper::default());
    let serial = (tests_of(&solution), solution.minimising_calls, solution.repeat_calls);
    assert_eq!(serial, alone);
}

#[test]
fn targets_that_do_not_come_every_time_are_told() {
    let shop = Shop::new();
    let runs = Arc::new(AtomicU32::new(0));
    let mut keeper = Keeper { flicker: Some(Arc::clone(&runs)), ..Keeper::default() };
    // No minimising, so that the runs are the search's and the repeats.
    let solution = search(&shop, 0.0).run(&mut keeper);
    let [test] = solution.tests.as_slice() else { panic!("one test covers all") };
    assert_eq!((test.runs, test.repeats.len()), (3, 2));
    assert!(test.covers.iter().any(|name| name.as_str() == "flicker"));
    let flaky: Vec<(&str, u32)> =
        test.flaky.iter().map(|flaky| (flaky.name.as_str(), flaky.seen)).collect();
    assert_eq!(flaky, [("flicker", 2)]);
    assert_eq!(test.repeats[0], test.evaluated.outcomes);
    let steady = search(&shop, 0.0).run(&mut Keeper::default());
    assert!(steady.tests[0].flaky.is_empty());

    // Further runs count: what one of them does not show is flaky from then on.
    let mut test = steady.tests[0].clone();
    let count = |test: &SolutionTest<_>| (test.runs, test.flaky.first().map(|flaky| flaky.seen));
    test.count_run(|_| true);
    assert_eq!(count(&test), (4, None));
    test.count_run(|_| false);
    assert_eq!(count(&test), (5, Some(4)));
    test.count_run(|_| true);
    assert_eq!(count(&test), (6, Some(5)));
    assert_eq!(test.flaky.len(), test.covers.len());
}
