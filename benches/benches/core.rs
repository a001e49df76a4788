//! Criterion benches of genes and engine.
//!
//! Run: `cargo bench -p benches --bench core`

#![allow(missing_docs)]

use std::hint::black_box;
use std::sync::Arc;

use benches::one_max::OneMax;
use criterion::{Criterion, criterion_group, criterion_main};
use wallace_engine::{Budget, Problem, Search, SearchSettings};
use wallace_genes::{
    Draw, Field, GeneSettings, GeneSpec, Knowledge, SpecBuilder, SpecRef, TemplateId, mutate,
    sample,
    site::collect_sites,
    spec::{IntegerSpec, ObjectPurpose, ObjectSpec, StringSpec},
};

/// An input object of eight fields, half of them optional.
fn input_object() -> SpecRef {
    let mut builder = SpecBuilder::new();
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let text = builder.add(GeneSpec::String(StringSpec::default()));
    let fields = (0..8).map(|index| {
        let spec = if index % 2 == 0 { number } else { text };
        let spec = if index < 4 { spec } else { builder.optional(spec, true) };
        Field::new(format!("field{index}"), spec)
    });
    let fields: Vec<Field> = fields.collect();
    let (type_name, purpose) = ("Input".into(), ObjectPurpose::Input);
    let object = builder.add(GeneSpec::Object(ObjectSpec { type_name, purpose, fields }));
    SpecRef::new(builder.build(), object)
}

fn genes(criterion: &mut Criterion) {
    let spec = input_object();
    let (template, knowledge) = (TemplateId(0), Knowledge::default());
    let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
    criterion.bench_function("sample an input of 8 fields", |bencher| {
        bencher.iter(|| sample(&spec, template, &knowledge, &mut draw));
    });
    let gene = sample(&spec, template, &knowledge, &mut draw);
    criterion.bench_function("copy and mutate one of 8 fields", |bencher| {
        bencher.iter(|| {
            let mut child = gene.clone();
            let mut weights = Vec::new();
            collect_sites(&spec, &child, &mut weights);
            let site = draw.rng.below(weights.len());
            mutate(&spec, template, &mut child, &[site], &knowledge, &mut draw);
            black_box(child)
        });
    });
}

/// One proposal, evaluation and commit, with everything that MIO does between them.
fn engine(criterion: &mut Criterion) {
    for targets in [10, 100, 1_000] {
        let problem = OneMax::new(targets);
        let mut evaluator = problem.evaluator();
        let budget = Budget::evaluations(u64::MAX);
        let mut search = Search::new(&problem, SearchSettings::default(), budget);
        criterion.bench_function(&format!("one evaluation, {targets} targets"), |bencher| {
            bencher.iter(|| step(&mut search, &mut *evaluator));
        });
    }
}

fn step<P: Problem>(
    search: &mut Search<'_, P>,
    evaluator: &mut dyn wallace_engine::Evaluator<P::Action>,
) {
    let proposal = search.propose().expect("nothing is open");
    let wanted = wallace_engine::Wanted::Everything;
    let result = evaluator.evaluate(&proposal.individual, &wanted);
    search.commit(proposal, result).expect("it is the oldest");
}

criterion_group! {
    name = benches;
    config = Criterion::default().without_plots();
    targets = genes, engine
}
criterion_main!(benches);
