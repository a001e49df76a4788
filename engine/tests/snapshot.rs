//! A search restored from a snapshot goes on as if it had never stopped.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[allow(dead_code, reason = "each test file uses a part of it")]
mod common;

use common::{Lock, Locksmith, Manner, Turn};
use wallace_engine::{
    Action, Algorithm, Attribution, Budget, Evaluation, EvaluationError, Evaluator, Fit,
    Individual, Observer, Search, SearchEvent, SearchSettings, StopSignal, Wanted,
    search::{RestoreError, Snapshot},
};
use wallace_genes::{Gene, Rng};

const EVALUATIONS: u64 = 1_000;

type State = Snapshot<Turn, u64>;

/// Everything that can be seen of a run from some evaluation on.
struct Log {
    from: u64,
    text: String,
}

impl Observer<Turn> for Log {
    fn notify(&mut self, event: &SearchEvent<'_, Turn>) {
        match event {
            SearchEvent::Evaluated { test, added, statistics, .. } => {
                if test.evaluation >= self.from {
                    self.text += &format!("{:?} {added:?} {statistics:?}\n", test.individual);
                }
            }
            SearchEvent::Ran { test, cause }
                if cause.is_search() && test.evaluation < self.from => {}
            SearchEvent::Failed { evaluation, .. } if *evaluation < self.from => {}
            event => self.text += &format!("{event:?}\n"),
        }
    }
}

/// Of several lineages the tests are attributed on demand, so that states hold some that wait.
fn settings(lineages: u32) -> SearchSettings {
    let attribution = if lineages > 1 { Attribution::OnDemand } else { Attribution::Always };
    SearchSettings { seed: 11, lineages, attribution, ..SearchSettings::default() }
}

/// The rest of a run as text, its solution included.
fn finish<'a>(mut search: Search<'a, Lock>, log: &'a mut Log) -> String {
    search.observe(log);
    let solution = search.run(&mut Locksmith(Manner::Failing));
    let tests: Vec<_> = solution
        .tests
        .iter()
        .map(|test| (test.evaluated.evaluation, &test.evaluated.individual, &test.covers))
        .collect();
    format!("{tests:?} {:?} {:?}", solution.targets, solution.statistics)
}

fn whole(lineages: u32, from: u64) -> (String, String) {
    let lock = Lock::new();
    let mut log = Log { from, text: String::new() };
    let search = Search::new(&lock, settings(lineages), Budget::evaluations(EVALUATIONS));
    let solution = finish(search, &mut log);
    (log.text, solution)
}

/// The states after some commits of one run, written as text.
fn states(lineages: u32, points: &[u64]) -> Vec<String> {
    let lock = Lock::new();
    let mut states = Vec::new();
    let mut search = Search::new(&lock, settings(lineages), Budget::evaluations(EVALUATIONS));
    search.keep_with(|search| {
        if points.contains(&search.statistics().evaluations) {
            states.push(serde_json::to_string(&search.snapshot()).unwrap());
        }
    });
    search.run(&mut Locksmith(Manner::Failing));
    states
}

/// Its last test is cut short by the end of the run.
struct CutShort {
    left: u64,
    stop: StopSignal,
}

impl Evaluator<Turn> for CutShort {
    fn evaluate(
        &mut self,
        test: &Individual<Turn>,
        wanted: &Wanted,
    ) -> Result<Evaluation<Turn>, EvaluationError> {
        if self.left == 0 {
            self.stop.stop();
            return Err(EvaluationError::Failed("cut short".into()));
        }
        self.left -= 1;
        Locksmith(Manner::Failing).evaluate(test, wanted)
    }
}

#[test]
fn a_test_that_is_cut_short_runs_again() {
    for lineages in [1, 4] {
        let (_, solution_of_whole) = whole(lineages, 0);
        for left in [1, 40, 300, 700] {
            let lock = Lock::new();
            let stop = StopSignal::default();
            let budget = Budget { stop: stop.clone(), ..Budget::evaluations(EVALUATIONS) };
            let mut state = None;
            let mut search = Search::new(&lock, settings(lineages), budget);
            search.keep_with(|search| state = Some(search.snapshot()));
            search.run(&mut CutShort { left, stop });
            let (settings, budget) = (settings(lineages), Budget::evaluations(EVALUATIONS));
            let search = Search::restore(&lock, settings, budget, state.unwrap()).unwrap();
            let solution = finish(search, &mut Log { from: 0, text: String::new() });
            assert!(solution == solution_of_whole, "{lineages} lineages, cut short after {left}");
        }
    }
}

#[test]
fn going_on_equals_never_having_stopped_at_fifty_points() {
    let mut rng = Rng::new(5, 0);
    for lineages in [1, 4] {
        let mut points: Vec<u64> =
            (0..25).map(|_| 1 + rng.below(EVALUATIONS as usize - 1) as u64).collect();
        points.sort_unstable();
        points.dedup();
        assert!(points.len() > 20);
        let states = states(lineages, &points);
        for (point, state) in points.iter().zip(&states) {
            let lock = Lock::new();
            let state: State = serde_json::from_str(state).unwrap();
            assert_eq!(state.statistics().evaluations, *point);
            let budget = Budget::evaluations(EVALUATIONS);
            let search = Search::restore(&lock, settings(lineages), budget, state).unwrap();
            let mut log = Log { from: *point, text: String::new() };
            let solution = finish(search, &mut log);
            let (log_of_whole, solution_of_whole) = whole(lineages, *point);
            assert!(log.text == log_of_whole, "{lineages} lineages, stopped at {point}");
            assert!(solution == solution_of_whole, "{lineages} lineages, stopped at {point}");
        }
    }
}

#[test]
fn every_algorithm_goes_on() {
    use Algorithm::{ManyObjective, OnePlusOne, Random, WholeSuite};
    for algorithm in [Random, OnePlusOne, WholeSuite, ManyObjective] {
        let settings = SearchSettings { algorithm, ..settings(2) };
        let lock = Lock::new();
        let budget = || Budget::evaluations(400);
        let mut kept = Vec::new();
        let mut log = Log { from: 0, text: String::new() };
        let mut search = Search::new(&lock, settings.clone(), budget());
        search.keep_with(|search| {
            if search.statistics().evaluations % 90 == 1 {
                kept.push(serde_json::to_string(&search.snapshot()).unwrap());
            }
        });
        let whole = finish(search, &mut log);
        for state in &kept {
            let state: State = serde_json::from_str(state).unwrap();
            let point = state.statistics().evaluations;
            let search = Search::restore(&lock, settings.clone(), budget(), state).unwrap();
            let mut rest = Log { from: point, text: String::new() };
            assert!(finish(search, &mut rest) == whole, "{algorithm:?}, stopped at {point}");
            assert!(log.text.ends_with(&rest.text), "{algorithm:?}, stopped at {point}");
        }
    }
}

#[test]
fn a_snapshot_of_a_restored_search_is_the_snapshot_it_was_restored_from() {
    let lock = Lock::new();
    for text in states(4, &[3, 200, 999]) {
        let state: State = serde_json::from_str(&text).unwrap();
        let budget = Budget::evaluations(EVALUATIONS);
        let search = Search::restore(&lock, settings(4), budget, state).unwrap();
        assert_eq!(serde_json::to_string(&search.snapshot()).unwrap(), text);
    }
}

#[test]
fn states_of_other_searches_are_refused() {
    let lock = Lock::new();
    let text = states(4, &[500]).remove(0);
    let restore = |settings: SearchSettings, text: &str| {
        let state: State = serde_json::from_str(text).unwrap();
        Search::restore(&lock, settings, Budget::evaluations(EVALUATIONS), state).map(|_| ())
    };
    assert_eq!(restore(settings(4), &text), Ok(()));
    let other = SearchSettings { seed: 12, ..settings(4) };
    assert_eq!(restore(other, &text), Err(RestoreError::OtherSeed { found: 11, given: 12 }));
    let other = SearchSettings { focus: 0.5, ..settings(4) };
    assert_eq!(restore(other, &text), Err(RestoreError::OtherSettings));
    let other = text.replacen(r#""problem":0"#, r#""problem":7"#, 1);
    assert_eq!(restore(settings(4), &other), Err(RestoreError::OtherProblem));
    let other = text.replacen(&format!(r#""version":{}"#, State::VERSION), r#""version":99"#, 1);
    let refused = RestoreError::OtherVersion { found: 99, expected: State::VERSION };
    assert_eq!(restore(settings(4), &other), Err(refused));
}
#[test]
fn tests_of_an_earlier_run_come_first_as_far_as_they_fit() {
    let lock = Lock::new();
    let budget = Budget::evaluations(3);
    let solution = Search::new(&lock, settings(1), Budget::evaluations(EVALUATIONS))
        .run(&mut Locksmith(Manner::Plain));
    let kept = &solution.tests[0].evaluated.individual;
    let step = |template: u32, gene: Gene| {
        let text = serde_json::json!({ "template": template, "gene": gene }).to_string();
        Individual::new([serde_json::from_str::<Turn>(&text).unwrap()])
    };
    let mut evaluated = Vec::new();
    let mut observer = |event: &SearchEvent<'_, Turn>| {
        if let SearchEvent::Evaluated { test, .. } = event {
            evaluated.push(test.individual.clone());
        }
    };
    let mut search = Search::new(&lock, settings(1), budget);
    search.observe(&mut observer);
    assert_eq!(search.seed(kept.clone()), Fit::Whole);
    // The word is longer than allowed by now, and the third template is gone.
    assert_eq!(search.seed(step(1, Gene::text("o".repeat(99)))), Fit::Repaired);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    assert_eq!(search.seed(step(2, Gene::Integer(1))), Fit::Lost);
    std::panic::set_hook(hook);
    assert_eq!(search.seed(Individual::new([])), Fit::Lost);
    search.run(&mut Locksmith(Manner::Plain));
    assert_eq!(&evaluated[0], kept);
    let repaired = evaluated[1].actions()[0].1.gene().clone();
    assert_eq!(repaired, Gene::text("o".repeat(30)));
}

/// Changes numbers of a state at random: it is refused or goes on, and nothing panics.
#[test]
fn a_state_with_wrong_numbers_is_refused_or_harmless() {
    let lock = Lock::new();
    let text = states(4, &[500]).remove(0);
    let digits: Vec<usize> =
        text.char_indices().filter(|(_, letter)| letter.is_ascii_digit()).map(|it| it.0).collect();
    let mut rng = Rng::new(9, 9);
    let (mut refused, mut gone_on) = (0, 0);
    for _ in 0..300 {
        let place = digits[rng.below(digits.len())];
        let mut changed = text.clone();
        changed.replace_range(place..=place, &rng.below(10).to_string());
        let Ok(state) = serde_json::from_str::<State>(&changed) else {
            refused += 1;
            continue;
        };
        let budget = Budget::evaluations(600);
        match Search::restore(&lock, settings(4), budget, state) {
            Ok(search) => {
                search.run(&mut Locksmith(Manner::Plain));
                gone_on += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && gone_on > 0, "{refused} {gone_on}");
}
