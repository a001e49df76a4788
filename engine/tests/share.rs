//! An operation that shows constants without end, beside others: how many calls it gets.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;

use wallace_engine::{
    Action, Budget, Evaluated, Evaluation, Individual, Learnt, PlainAction, Problem, Score, Search,
    SearchSettings, TargetScore, search::Cause,
};
use wallace_genes::{
    Draw, Gene, GeneSpec, SpecBuilder, SpecRef, TemplateId, sample, spec::IntegerSpec,
};

const OPERATIONS: u32 = 8;

/// Each operation takes a number; the first one asks for more after each test.
struct Endless(SpecRef);

impl Endless {
    fn new() -> Self {
        let mut builder = SpecBuilder::new();
        let number = builder.add(GeneSpec::Integer(IntegerSpec { min: i32::MIN, max: i32::MAX }));
        Self(SpecRef::new(builder.build(), number))
    }
}

impl Problem for Endless {
    type Action = PlainAction;
    type Memory = ();

    fn spec(&self, _: TemplateId) -> SpecRef {
        self.0.clone()
    }

    fn sample(&self, learnt: &Learnt<()>, draw: &mut Draw) -> Individual<PlainAction> {
        let template = TemplateId(draw.rng.below(OPERATIONS as usize) as u32);
        let gene = sample(&self.0, template, &learnt.knowledge, draw);
        Individual::new([PlainAction::new(template, gene)])
    }

    fn wants_follow_ups(&self, test: &Evaluated<PlainAction>, _: &Learnt<()>) -> bool {
        test.individual.actions()[0].1.template() == TemplateId(0)
    }

    fn follow_ups(
        &self,
        test: &Evaluated<PlainAction>,
        learnt: &Learnt<()>,
        draw: &mut Draw,
    ) -> Vec<Individual<PlainAction>> {
        if !self.wants_follow_ups(test, learnt) {
            return Vec::new();
        }
        let number = |_| Gene::Integer(draw.rng.below(i32::MAX as usize) as i32);
        let action = |gene| PlainAction::new(TemplateId(0), gene);
        (0..2).map(number).map(action).map(|action| Individual::new([action])).collect()
    }
}

/// Share of 2,000 calls that the first operation gets. Where it `earns`, every fiftieth of its calls
/// covers something.
fn share(settings: SearchSettings, earns: bool) -> f64 {
    let problem = Endless::new();
    let mut search = Search::new(&problem, settings, Budget::evaluations(2_000));
    let (mut calls, mut causes): (u64, BTreeMap<Cause, u64>) = (0, BTreeMap::new());
    while search.end().is_none() {
        let proposal = search.propose().unwrap();
        *causes.entry(proposal.cause).or_default() += 1;
        let template = proposal.individual.actions()[0].1.template();
        calls += u64::from(template == TemplateId(0));
        let target = match earns && template == TemplateId(0) {
            true => format!("found {}", calls / 50),
            false => format!("operation {}", template.0),
        };
        let score =
            TargetScore { name: target.as_str().into(), score: Score::new(1.0), action: None };
        search.commit(proposal, Ok(Evaluation::new(vec![score], vec![()]))).unwrap();
    }
    assert!(causes[&Cause::FollowUp] > 100 && causes[&Cause::Sample] > 10, "{causes:?}");
    calls as f64 / 2_000.0
}

#[test]
fn an_operation_that_earns_nothing_has_a_few_shares_at_most() {
    let by_yield = SearchSettings { idle_follow_ups: 0.0, ..Default::default() };
    let least = share(by_yield, false);
    assert!(least < 0.6, "what competes by its yield takes less by itself: {least}");
    let settings = SearchSettings { by_yield: false, ..Default::default() };
    let free = SearchSettings { idle_follow_ups: 0.0, ..settings.clone() };
    let without = share(free, false);
    assert!(without > 0.7, "the constants have no end: {without}");
    let with = share(settings.clone(), false);
    assert!(with < 0.45, "three of eight shares: {with}");
    let earning = share(settings, true);
    assert!(earning > 0.7, "who earns something goes on: {earning}");
}
