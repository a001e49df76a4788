//! What simplifying finds, and that it ends.

use super::*;
use crate::expand::tests::{filter, person};
use crate::spec::{
    ArraySpec, ChoiceSpec, Field, FloatSpec, GeneSpec, IntegerSpec, LongSpec, SpecBuilder,
    StringSpec, TupleSpec,
};
use crate::{Draw, Knowledge, TemplateId, sample};
use std::sync::Arc;

/// The gene that no simpler one with the property is offered for.
fn minimal(spec: &SpecRef, start: Gene, has: impl Fn(&Gene) -> bool) -> Gene {
    let settings = GeneSettings::default();
    let mut gene = start;
    assert!(has(&gene));
    let mut tried = 0;
    while let Some(next) = simpler(spec, &gene, &settings).find(|next| {
        tried += 1;
        // Whoever goes in circles comes by here.
        assert!(tried < 20_000, "no end");
        has(next)
    }) {
        gene = next;
    }
    gene
}

fn single(spec: GeneSpec) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let id = builder.add(spec);
    SpecRef::new(builder.build(), id)
}

fn pair(spec: GeneSpec) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let part = builder.add(spec);
    let elements = vec![Field::new("one", part), Field::new("other", part)];
    let pair = builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    SpecRef::new(builder.build(), pair)
}

#[test]
fn numbers_are_found_at_their_threshold() {
    let spec = single(GeneSpec::Long(LongSpec::default()));
    let above = |gene: &Gene| matches!(gene, Gene::Long(1_000_003..));
    assert_eq!(minimal(&spec, Gene::Long(i64::MAX), above), Gene::Long(1_000_003));
    let below = |gene: &Gene| matches!(gene, Gene::Long(..=-77));
    assert_eq!(minimal(&spec, Gene::Long(i64::MIN), below), Gene::Long(-77));
    let spec = single(GeneSpec::Integer(IntegerSpec { min: -9, max: -3 }));
    assert_eq!(minimal(&spec, Gene::Integer(-8), |_| true), Gene::Integer(-3));
}

#[test]
fn floats_become_short() {
    let spec = single(GeneSpec::Float(FloatSpec::default()));
    let above = |gene: &Gene| matches!(gene, Gene::Float(value) if value.get() > 41.5);
    assert_eq!(minimal(&spec, Gene::float(98_765.432_1), above), Gene::float(42.0));
    let between =
        |gene: &Gene| matches!(gene, Gene::Float(value) if (0.41..0.6).contains(&value.get()));
    assert_eq!(minimal(&spec, Gene::float(0.487_654_321), between), Gene::float(0.5));
}

#[test]
fn texts_lose_what_does_not_matter() {
    let spec = single(GeneSpec::String(StringSpec { min: 0, max: 100 }));
    let has = |gene: &Gene| match gene {
        Gene::String(string) => string.text.contains('@') && string.text.chars().count() > 2,
        _ => false,
    };
    assert_eq!(minimal(&spec, Gene::text("Some One@\u{4e2d}x.ORG!"), has), Gene::text("00@"));
    let spec = single(GeneSpec::String(StringSpec { min: 3, max: 100 }));
    assert_eq!(minimal(&spec, Gene::text("XYZXYZ"), |_| true), Gene::text("000"));
}

#[test]
fn equal_values_shrink_together() {
    let equal = |gene: &Gene| matches!(gene, Gene::Tuple(parts) if parts[0] == parts[1]);
    let spec = pair(GeneSpec::Integer(IntegerSpec { min: 5, max: 9_000 }));
    let start = Gene::Tuple(vec![Gene::Integer(8_765); 2]);
    assert_eq!(minimal(&spec, start, equal), Gene::Tuple(vec![Gene::Integer(5); 2]));
    let spec = pair(GeneSpec::String(StringSpec::default()));
    let start = Gene::Tuple(vec![Gene::text("some words"); 2]);
    let long = |gene: &Gene| {
        equal(gene)
            && matches!(gene, Gene::Tuple(parts) if matches!(&parts[0], Gene::String(string) if string.text.len() > 3))
    };
    assert_eq!(minimal(&spec, start, long), Gene::Tuple(vec![Gene::text("0000"); 2]));
}

#[test]
fn lists_keep_the_elements_that_matter() {
    let mut builder = SpecBuilder::new();
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 1, max: 99 }));
    let spec = SpecRef::new(builder.build(), list);
    let place = |gene: &Gene, least: i32| {
        gene.parts().position(|part| matches!(part, Gene::Integer(value) if *value >= least))
    };
    // A number of at least 30, and behind it one of at least 7.
    let has = |gene: &Gene| {
        let large = place(gene, 30);
        large.is_some_and(|large| {
            gene.parts().skip(large + 1).any(|part| matches!(part, Gene::Integer(7..)))
        })
    };
    let start = Gene::Array((1..40).map(Gene::Integer).collect());
    let least = Gene::Array(vec![Gene::Integer(30), Gene::Integer(7)]);
    assert_eq!(minimal(&spec, start, has), least);
}

#[test]
fn choices_fall_back_to_what_is_simple() {
    let mut builder = SpecBuilder::new();
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 2, max: 9 }));
    let branches = vec![Field::new("number", number), Field::new("list", list)];
    let choice = builder.add(GeneSpec::Choice(ChoiceSpec { branches }));
    let spec = SpecRef::new(builder.build(), choice);
    let value = Box::new(Gene::Array(vec![Gene::Integer(4); 5]));
    let start = Gene::Choice(crate::ChoiceGene { branch: 1, value });
    let value = Box::new(Gene::Integer(0));
    let least = Gene::Choice(crate::ChoiceGene { branch: 0, value });
    assert_eq!(minimal(&spec, start, |_| true), least);
}

#[test]
fn a_nested_part_takes_the_place_of_the_whole() {
    // Whatever holds the text is enough, so the filters around it go.
    fn holds(gene: &Gene) -> bool {
        matches!(gene, Gene::String(string) if &*string.text == "needle") || gene.parts().any(holds)
    }
    let spec = filter();
    let object = |fields| Gene::Object(crate::ObjectGene { fields });
    let inner = object(vec![(0, Gene::text("needle")), (1, Gene::Array(Vec::new()))]);
    let middle = object(vec![(0, Gene::text("hay")), (1, Gene::Array(vec![inner.clone()]))]);
    let outer = object(vec![(1, Gene::Array(vec![middle.clone(), middle]))]);
    assert_eq!(minimal(&spec, outer, holds), inner);
}

#[test]
fn a_selection_keeps_one_field() {
    let spec = person();
    let knowledge = Knowledge::default();
    for seed in 0..50 {
        let mut draw = Draw::new(seed, 0, Arc::new(GeneSettings::default()));
        let gene = sample(&spec, TemplateId(0), &knowledge, &mut draw);
        let least = minimal(&spec, gene, |_| true);
        assert_eq!(least, crate::simplest(&spec, &GeneSettings::default()), "seed {seed}");
    }
}
