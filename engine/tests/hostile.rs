//! Nothing that a problem, an evaluator, an observer or settings do brings a search down.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::sync::atomic::{AtomicU32, Ordering};

use wallace_engine::{
    ActionId, Budget, Evaluated, Evaluation, EvaluationError, Evaluator, Individual, Learnt,
    PlainAction, Problem, Score, Search, SearchEvent, SearchSettings, Solution, StopReason,
    TargetName, TargetScore, TargetSource, Wanted,
    search::{OutOfOrder, Proposal},
};
use wallace_genes::{
    ChoiceGene, Draw, Field, Gene, GeneSpec, ObjectGene, SpecBuilder, SpecRef, TemplateId,
    spec::{ChoiceSpec, EnumSpec, IntegerSpec, ObjectPurpose, ObjectSpec, TupleSpec},
};

type Step = PlainAction<u8>;

/// What a problem does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    EmptyTests,
    EmptyingMutation,
    IdleMutation,
    EndlessInitial,
    FloodOfFollowUps,
    OtherGenes,
    PanicInSpec,
    PanicInSample,
    PanicInMutation,
    PanicInLearn,
    PanicInFollowUps,
    PanicInStandsAlone,
}

const ALL: &[Wrong] = &[
    Wrong::Nothing,
    Wrong::EmptyTests,
    Wrong::EmptyingMutation,
    Wrong::IdleMutation,
    Wrong::EndlessInitial,
    Wrong::FloodOfFollowUps,
    Wrong::OtherGenes,
    Wrong::PanicInSpec,
    Wrong::PanicInSample,
    Wrong::PanicInMutation,
    Wrong::PanicInLearn,
    Wrong::PanicInFollowUps,
    Wrong::PanicInStandsAlone,
];

struct Hostile {
    wrong: Wrong,
    spec: SpecRef,
    specs_asked: AtomicU32,
}

impl Hostile {
    fn new(wrong: Wrong) -> Self {
        let mut builder = SpecBuilder::new();
        let number = builder.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 99 }));
        let names = builder.add(GeneSpec::Enum(EnumSpec { values: vec!["one".into()].into() }));
        let choice = ChoiceSpec { branches: vec![Field::new("a", number)] };
        let choice = builder.add(GeneSpec::Choice(choice));
        let tuple = TupleSpec {
            elements: vec![Field::new("n", number), Field::new("c", choice)],
            has_selection: false,
        };
        let tuple = builder.add(GeneSpec::Tuple(tuple));
        let object = builder.add(GeneSpec::Object(ObjectSpec {
            type_name: "O".into(),
            purpose: ObjectPurpose::Input,
            fields: vec![Field::new("n", number), Field::new("e", names), Field::new("t", tuple)],
        }));
        let spec = SpecRef::new(builder.build(), object);
        Self { wrong, spec, specs_asked: AtomicU32::new(0) }
    }

    fn panic_if(&self, wrong: Wrong, message: &str) {
        assert!(self.wrong != wrong, "{message}");
    }

    /// A value of the specification; or one of others, with positions that do not exist.
    fn gene(&self, draw: &mut Draw) -> Gene {
        let number = Gene::Integer(draw.rng.below(100) as i32);
        let branch = if self.wrong == Wrong::OtherGenes { 7 } else { 0 };
        let choice = Gene::Choice(ChoiceGene { branch, value: Box::new(number.clone()) });
        let tuple = Gene::Tuple(vec![number.clone(), choice]);
        let mut fields = vec![(0, number), (1, Gene::Enum(0)), (2, tuple)];
        if self.wrong == Wrong::OtherGenes {
            fields.truncate(draw.rng.below(4));
            fields.push((40, Gene::Null));
            fields.push((3, Gene::CycleObject));
        }
        Gene::Object(ObjectGene { fields })
    }
}

impl Problem for Hostile {
    type Action = Step;
    type Memory = ();

    fn spec(&self, _: TemplateId) -> SpecRef {
        if self.specs_asked.fetch_add(1, Ordering::Relaxed) > 60 {
            self.panic_if(Wrong::PanicInSpec, "no such template");
        }
        self.spec.clone()
    }

    fn sample(&self, _: &Learnt<()>, draw: &mut Draw) -> Individual<Step> {
        if self.wrong == Wrong::EmptyTests {
            return Individual::new([]);
        }
        // Late enough that there is something to lose.
        let is_late = self.specs_asked.load(Ordering::Relaxed) > 60;
        assert!(!(is_late && self.wrong == Wrong::PanicInSample), "sampling broke");
        Individual::new([
            Step::new(TemplateId(0), self.gene(draw)),
            Step::new(TemplateId(0), self.gene(draw)),
        ])
    }

    fn initial(&self, _: u64, _: &Learnt<()>, draw: &mut Draw) -> Option<Individual<Step>> {
        let is_endless = self.wrong == Wrong::EndlessInitial;
        is_endless.then(|| Individual::new([Step::new(TemplateId(0), self.gene(draw))]))
    }

    fn mutate_structure(&self, test: &mut Individual<Step>, _: &Learnt<()>, _: &mut Draw) -> bool {
        self.panic_if(Wrong::PanicInMutation, "mutating broke");
        match self.wrong {
            Wrong::EmptyingMutation => {
                while test.remove(0).is_some() {}
                true
            }
            Wrong::IdleMutation => true,
            _ => {
                test.swap(0, 9);
                false
            }
        }
    }

    fn follow_ups(
        &self,
        _: &Evaluated<Step>,
        _: &Learnt<()>,
        draw: &mut Draw,
    ) -> Vec<Individual<Step>> {
        self.panic_if(Wrong::PanicInFollowUps, "following up broke");
        if self.wrong == Wrong::FloodOfFollowUps {
            return (0..1_000)
                .map(|_| Individual::new([Step::new(TemplateId(0), self.gene(draw))]))
                .collect();
        }
        Vec::new()
    }

    fn stands_alone(&self, _: &TargetName) -> bool {
        self.panic_if(Wrong::PanicInStandsAlone, "judging broke");
        true
    }

    fn learn(&self, test: &Evaluated<Step>, _: &mut Learnt<()>) {
        assert!(!(test.evaluation > 40 && self.wrong == Wrong::PanicInLearn), "learning broke");
    }
}

/// Answers with everything that must not be.
struct Liar {
    turn: u64,
}

impl Evaluator<Step> for Liar {
    fn evaluate(
        &mut self,
        test: &Individual<Step>,
        _: &Wanted,
    ) -> Result<Evaluation<Step>, EvaluationError> {
        self.turn += 1;
        let turn = self.turn;
        let score = |name: &str, score: f64, action: u32| TargetScore {
            name: name.into(),
            score: Score::new(score),
            action: Some(ActionId(action)),
        };
        let mut scores = vec![
            score("nan", f64::NAN, 0),
            score("seven", 7.0, 1),
            score("minus", -3.0, 0),
            score("infinite", f64::INFINITY, 0),
            score("twice", 0.3, 0),
            score("twice", 0.6, 1),
            score("twice", f64::NAN, 99),
            score("nobody's", 0.5, 4_000_000),
            score("tiny", f64::MIN_POSITIVE, u32::MAX),
            score("", 0.4, 0),
            score(&"long".repeat(1_000), 0.4, 0),
        ];
        scores.push(TargetScore { action: None, ..score("climbs", turn as f64 / 1e3, 0) });
        let outcomes = match turn % 4 {
            0 => Vec::new(),
            1 => vec![0; test.actions().len() + 5],
            _ => vec![0; test.actions().len()],
        };
        let mut evaluation = Evaluation::new(scores, outcomes);
        evaluation.secondary = match turn % 3 {
            0 => Vec::new(),
            1 => vec![f64::NAN, f64::NEG_INFINITY],
            _ => vec![turn as f64; 9],
        };
        evaluation.is_complete = !turn.is_multiple_of(5);
        match turn {
            90 => evaluation.calls = u64::MAX,
            _ if turn.is_multiple_of(7) => return Err(EvaluationError::Failed("no".repeat(9_999))),
            _ if turn.is_multiple_of(11) => panic!("lies have short legs"),
            _ => {}
        }
        Ok(evaluation)
    }
}

/// Runs without the noise of expected panics.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let guard = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    std::panic::set_hook(hook);
    drop(guard);
    result.unwrap_or_else(|_| panic!("a panic came through"))
}

fn solve(wrong: Wrong, settings: SearchSettings, budget: Budget) -> Solution<Step> {
    let problem = Hostile::new(wrong);
    Search::new(&problem, settings, budget).run(&mut Liar { turn: 0 })
}

#[test]
fn hostile_problems_end_and_keep_what_was_found() {
    for wrong in ALL {
        for lineages in [1, 3] {
            let settings = SearchSettings { lineages, revisit: 0.5, ..SearchSettings::default() };
            let solution = quietly(|| solve(*wrong, settings, Budget::evaluations(300)));
            let name = format!("{wrong:?}");
            match (&solution.reason, name.starts_with("PanicIn")) {
                (StopReason::Broken(message), true) => {
                    assert!(message.contains("broke") || message.contains("no such"), "{message}");
                }
                (StopReason::BudgetUsed, false) => assert_eq!(solution.statistics.evaluations, 300),
                // Whether a target stands alone has an answer in any case.
                (StopReason::BudgetUsed, true) if *wrong == Wrong::PanicInStandsAlone => {}
                (reason, _) => panic!("{wrong:?}: {reason:?}"),
            }
            assert!(solution.covered() > 0, "{wrong:?}: what was found is kept");
            assert!(!solution.tests.is_empty(), "{wrong:?}");
            let scores = solution.targets.iter().map(|target| target.score.get());
            assert!(scores.clone().all(|score| score > 0.0 && score <= 1.0), "{wrong:?}");
        }
    }
}

#[test]
fn senseless_settings_are_survived() {
    let values = [f64::NAN, -1.0, 0.0, 1e300, f64::INFINITY];
    for (index, value) in values.into_iter().enumerate() {
        let settings = SearchSettings {
            lineages: if index == 0 { u32::MAX } else { 0 },
            focus: value,
            sampling_start: value,
            sampling_end: value,
            population_start: value,
            population_end: value,
            mutations_start: value,
            mutations_end: value,
            mutated_share: value,
            focus_on_action: value,
            structure: value,
            follow_up: value,
            trim: value,
            revisit: value,
            minimise_share: value,
            patience: if index == 1 { 0 } else { u32::MAX },
            neutral_patience: if index == 2 { 0 } else { u32::MAX },
            max_size: if index == 3 { 0 } else { usize::MAX },
            ..SearchSettings::default()
        };
        let solution = quietly(|| solve(Wrong::Nothing, settings, Budget::evaluations(60)));
        assert_eq!(solution.reason, StopReason::BudgetUsed, "{value}");
    }
}

#[test]
fn a_budget_of_calls_ends_when_nothing_calls() {
    struct Silent;
    impl Evaluator<Step> for Silent {
        fn evaluate(
            &mut self,
            _: &Individual<Step>,
            _: &Wanted,
        ) -> Result<Evaluation<Step>, EvaluationError> {
            Ok(Evaluation::new(Vec::new(), Vec::new()))
        }
    }
    let problem = Hostile::new(Wrong::Nothing);
    let search = Search::new(&problem, SearchSettings::default(), Budget::calls(10));
    let solution = search.run(&mut Silent);
    assert!(matches!(solution.reason, StopReason::Unreachable(_)), "{:?}", solution.reason);
}

#[test]
fn results_out_of_order_are_refused_and_change_nothing() {
    let problem = Hostile::new(Wrong::Nothing);
    let settings = SearchSettings { lineages: 2, ..SearchSettings::default() };
    let mut search = Search::new(&problem, settings, Budget::evaluations(10));
    let empty = || Ok(Evaluation::new(Vec::new(), vec![0]));
    let (first, second) = (search.propose().unwrap(), search.propose().unwrap());
    assert!(search.propose().is_none(), "two lineages have two open tests");
    let refused = search.commit(second.clone(), empty());
    assert_eq!(refused, Err(OutOfOrder { given: 1, expected: Some(0) }));
    assert_eq!(search.statistics().evaluations, 0);
    assert_eq!(search.commit(first.clone(), empty()), Ok(()));
    assert_eq!(search.commit(first, empty()), Err(OutOfOrder { given: 0, expected: Some(1) }));
    let invented = Proposal { number: 77, ..second.clone() };
    assert!(search.commit(invented, empty()).is_err());
    assert_eq!(search.commit(second, empty()), Ok(()));
}

#[test]
fn numbers_of_another_run_stand_for_nothing() {
    let problem = Hostile::new(Wrong::Nothing);
    let mut seen = Vec::new();
    let mut observer = |event: &SearchEvent<'_, Step>| {
        if let SearchEvent::Evaluated { added, .. } = event {
            seen.extend(added.improved.iter().chain(&added.covered).copied());
        }
    };
    let mut search = Search::new(&problem, SearchSettings::default(), Budget::evaluations(5));
    search.observe(&mut observer);
    quietly(|| search.run(&mut Liar { turn: 0 }));
    let other = Search::new(&problem, SearchSettings::default(), Budget::evaluations(5));
    assert!(seen.len() > 3);
    for target in seen {
        assert!(other.archive().name(target).is_none() && other.archive().best(target).is_none());
        assert!(!other.archive().is_covered(target));
    }
}

struct BrokenSource;

impl TargetSource<Step> for BrokenSource {
    fn targets(&self, _: &Individual<Step>, outcomes: &[u8]) -> Vec<TargetScore> {
        assert!(outcomes.len() < 5, "the source broke");
        Vec::new()
    }
}

#[test]
fn broken_observers_and_sources_end_the_search_and_lose_nothing() {
    let problem = Hostile::new(Wrong::Nothing);
    let mut told = 0;
    let mut observer = |_: &SearchEvent<'_, Step>| {
        told += 1;
        assert!(told < 50, "the observer broke");
    };
    let mut search = Search::new(&problem, SearchSettings::default(), Budget::evaluations(300));
    search.observe(&mut observer);
    let solution = quietly(|| search.run(&mut Liar { turn: 0 }));
    assert_eq!(solution.reason, StopReason::Broken("the observer broke".into()));
    assert!(solution.covered() > 0);
    let mut search = Search::new(&problem, SearchSettings::default(), Budget::evaluations(300));
    search.add_targets(Box::new(BrokenSource));
    let solution = quietly(|| search.run(&mut Liar { turn: 1 }));
    assert_eq!(solution.reason, StopReason::Broken("the source broke".into()));
}
