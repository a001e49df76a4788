//! What the memory of earlier steps buys, and that it stays small.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::sync::Arc;

use wallace_genes::{history::*, site::*, spec::*, *};

/// Evaluations of a (1+1) search until the distance is 0, at most `limit`.
fn search(
    spec: &SpecRef,
    start: Gene,
    distance: &dyn Fn(&Gene) -> f64,
    guided: f64,
    seed: u64,
    limit: u64,
) -> u64 {
    let settings = Arc::new(GeneSettings { guided, ..GeneSettings::default() });
    let (mut gene, mut history) = (start, History::default());
    for evaluation in 0..limit {
        if distance(&gene) == 0.0 {
            return evaluation;
        }
        let mut draw = Draw::new(seed, evaluation, Arc::clone(&settings));
        draw.history = std::mem::take(&mut history);
        let mut weights = Vec::new();
        collect_sites(spec, &gene, &mut weights);
        let site = draw.rng.below(weights.len());
        let mut mutant = gene.clone();
        mutate(spec, TemplateId(0), &mut mutant, &[site], &Knowledge::default(), &mut draw);
        assert_eq!(check(spec, &mutant), Ok(()));
        history = draw.history;
        let outcome = Outcome::of(distance(&gene).total_cmp(&distance(&mutant)));
        history.report(outcome);
        assert!(history.len() <= History::LIMIT);
        if outcome != Outcome::Worse {
            gene = mutant;
        }
    }
    limit
}

/// The middle of the evaluations over some seeds.
fn median(run: impl Fn(u64) -> u64) -> u64 {
    let mut runs: Vec<u64> = (0..21).map(run).collect();
    runs.sort_unstable();
    runs[10]
}

fn single(spec: GeneSpec) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let id = builder.add(spec);
    SpecRef::new(builder.build(), id)
}

/// Asserts that guidance finds the goal in less than half of the blind evaluations.
fn halves(spec: &SpecRef, start: &Gene, distance: &dyn Fn(&Gene) -> f64, limit: u64) {
    let run = |guided| median(|seed| search(spec, start.clone(), distance, guided, seed, limit));
    let (blind, guided) = (run(0.0), run(0.7));
    assert!(2 * guided < blind, "guided {guided}, blind {blind}");
}

#[test]
fn whole_numbers_are_reached_sooner() {
    let spec = single(GeneSpec::Long(LongSpec::default()));
    let distance = |gene: &Gene| match gene {
        Gene::Long(value) => (*value as f64 - 987_654_321_012.0).abs(),
        _ => f64::MAX,
    };
    halves(&spec, &Gene::Long(0), &distance, 20_000);
}

#[test]
fn floats_are_reached_to_the_last_digit() {
    let spec = single(GeneSpec::Float(FloatSpec { min: -1e6, max: 1e6 }));
    let distance = |gene: &Gene| match gene {
        Gene::Float(value) => (value.get() - 1_234.567_8).abs(),
        _ => f64::MAX,
    };
    halves(&spec, &Gene::float(0.0), &distance, 5_000);
}

#[test]
fn texts_are_reached_sooner() {
    let spec = single(GeneSpec::String(StringSpec { min: 0, max: 40 }));
    let goal = "Constant-42/x";
    let distance = |gene: &Gene| {
        let Gene::String(string) = gene else { return f64::MAX };
        let (mut sum, mut goal) = (0.0, goal.chars());
        for character in string.text.chars() {
            let other = goal.next().map_or(u32::MAX >> 11, u32::from);
            sum += f64::from(u32::from(character).abs_diff(other)).min(65_536.0);
        }
        sum + 65_536.0 * goal.count() as f64
    };
    halves(&spec, &Gene::text("foo"), &distance, 20_000);
}

#[test]
fn several_numbers_are_followed_at_once() {
    let mut builder = SpecBuilder::new();
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 4, max: 4 }));
    let spec = SpecRef::new(builder.build(), list);
    let distance = |gene: &Gene| {
        let far = |(index, part): (usize, &Gene)| match part {
            Gene::Integer(value) => (f64::from(*value) - 7_777.0 * index as f64).abs(),
            _ => f64::MAX,
        };
        gene.parts().enumerate().map(far).sum()
    };
    halves(&spec, &Gene::Array(vec![Gene::Integer(0); 4]), &distance, 20_000);
}

#[test]
fn switched_off_it_remembers_nothing_and_changes_nothing() {
    let spec = single(GeneSpec::Integer(IntegerSpec::default()));
    let settings = GeneSettings { guided: 0.0, ..GeneSettings::default() };
    let mut draw = Draw::new(1, 1, Arc::new(settings));
    let mut gene = Gene::Integer(5);
    mutate(&spec, TemplateId(0), &mut gene, &[0], &Knowledge::default(), &mut draw);
    assert!(draw.history.is_empty());
}

#[test]
fn a_history_comes_back_from_its_text() {
    let spec = single(GeneSpec::Float(FloatSpec::default()));
    let settings = GeneSettings { guided: 1.0, ..GeneSettings::default() };
    let mut draw = Draw::new(1, 1, Arc::new(settings));
    let mut gene = Gene::float(5.0);
    mutate(&spec, TemplateId(0), &mut gene, &[0], &Knowledge::default(), &mut draw);
    assert_eq!(draw.history.len(), 1);
    let text = serde_json::to_string(&draw.history).unwrap();
    assert_eq!(serde_json::from_str::<History>(&text).unwrap(), draw.history);
    assert!(!draw.history.is_promising(&[]));
    draw.history.report(Outcome::Improved);
    assert!(draw.history.is_promising(&[]));
    draw.history.enter_action(1);
    assert!(!draw.history.is_promising(&[]), "another action's place is another place");
}

#[test]
fn what_never_mattered_is_forgotten() {
    let spec = single(GeneSpec::Integer(IntegerSpec::default()));
    let settings = GeneSettings { guided: 1.0, ..GeneSettings::default() };
    let mut draw = Draw::new(1, 1, Arc::new(settings));
    let mut gene = Gene::Integer(5);
    for (outcome, left) in
        [(Outcome::Same, 0), (Outcome::Unknown, 1), (Outcome::Worse, 1), (Outcome::Same, 1)]
    {
        mutate(&spec, TemplateId(0), &mut gene, &[0], &Knowledge::default(), &mut draw);
        draw.history.report(outcome);
        assert_eq!(draw.history.len(), left, "{outcome:?}");
    }
}

#[test]
fn weights_follow_what_there_is_to_decide() {
    let mut builder = SpecBuilder::new();
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let text = builder.add(GeneSpec::String(StringSpec::default()));
    let optional = builder.optional(number, false);
    let elements = [number, text, optional, optional];
    let field = |(index, spec): (usize, &SpecId)| Field::new(format!("{index}"), *spec);
    let elements = elements.iter().enumerate().map(field).collect();
    let tuple = builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    let spec = SpecRef::new(builder.build(), tuple);
    let parts = vec![Gene::Integer(1), Gene::text("x"), Gene::Integer(2), Gene::Absent];
    let gene = Gene::Tuple(parts);
    let mut knowledge = Knowledge::default();
    let path = GenePath(vec![PathStep::Field(1)]);
    knowledge.learn(TemplateId(3), &path, Specialisation::Long);
    let mut weights = Vec::new();
    weigh_sites(&spec, TemplateId(3), &gene, &knowledge, &mut weights);
    assert_eq!(weights, [1.0, 1.1, 2.0, 1.0]);
    let (mut equal, mut places) = (Vec::new(), 0);
    collect_sites(&spec, &gene, &mut equal);
    visit_sites(&spec, &gene, &mut |_| places += 1);
    assert_eq!((equal.len(), places), (4, 4));
}
