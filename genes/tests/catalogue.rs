//! What each kind of specification promises, beyond validity.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::collections::BTreeMap;
use std::sync::Arc;

use wallace_genes::{decimal::*, site::*, spec::*, *};

fn draw(seed: u64) -> Draw {
    Draw::new(seed, 0, Arc::new(GeneSettings::default()))
}

fn build(add: impl FnOnce(&mut SpecBuilder) -> SpecId) -> SpecRef {
    let mut builder = SpecBuilder::new();
    let id = add(&mut builder);
    SpecRef::new(builder.build(), id)
}

fn samples(spec: &SpecRef, count: u64) -> Vec<Gene> {
    let sampled = |seed| sample(spec, TemplateId(0), &Knowledge::default(), &mut draw(seed));
    (0..count).map(sampled).collect()
}

/// The share of mutations that change the gene, when every site is tried alone.
fn changes(spec: &SpecRef, gene: &Gene, rounds: u64) -> f64 {
    let (mut tried, mut changed) = (0, 0);
    for seed in 0..rounds {
        let mut weights = Vec::new();
        collect_sites(spec, gene, &mut weights);
        for site in 0..weights.len() {
            let mut mutant = gene.clone();
            let knowledge = Knowledge::default();
            tried += 1;
            let draw = &mut draw(seed);
            changed +=
                u64::from(mutate(spec, TemplateId(0), &mut mutant, &[site], &knowledge, draw));
            assert_eq!(check(spec, &mutant), Ok(()));
        }
    }
    if tried == 0 { 0.0 } else { changed as f64 / tried as f64 }
}

fn pair(builder: &mut SpecBuilder) -> SpecId {
    let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
    let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 0, max: 9 }));
    let elements = vec![Field::new("number", number), Field::new("list", list)];
    builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }))
}

#[test]
fn what_is_disruptive_changes_rarely_and_what_is_immutable_never() {
    let gene = Gene::Tuple(vec![Gene::Integer(5), Gene::Array(vec![Gene::Integer(6); 3])]);
    let disruptive = build(|builder| {
        let inner = pair(builder);
        let inner = builder.add(GeneSpec::Disruptive(inner));
        // A rate around does not count twice, and an optional value around has its own.
        builder.optional(inner, false)
    });
    let tenth = changes(&disruptive, &gene, 400);
    assert!((0.07..0.17).contains(&tenth), "{tenth}");
    let immutable = build(|builder| {
        let inner = pair(builder);
        builder.add(GeneSpec::Immutable(inner))
    });
    for gene in samples(&immutable, 50) {
        assert_eq!(changes(&immutable, &gene, 5), 0.0);
    }
}

#[test]
fn an_example_that_does_not_follow_its_specification_is_shown_as_far_as_it_does() {
    let spec = build(|builder| {
        let text = builder.add(GeneSpec::String(StringSpec { min: 0, max: 20 }));
        let number = builder.add(GeneSpec::Integer(IntegerSpec { min: 0, max: 9 }));
        let field = |name: &str, spec| Field { name: name.into(), spec };
        let fields = vec![field("title", text), field("amount", number), field("by", text)];
        let (type_name, purpose) = ("Note".into(), ObjectPurpose::Input);
        let inner = builder.add(GeneSpec::Object(ObjectSpec { type_name, purpose, fields }));
        let shown = builder.reserve();
        let example = serde_json::json!({ "title": "shown", "amount": "many", "else": 1 });
        builder.fill_seeded(shown, inner, vec![example, "no object".into()], 0.5);
        shown
    });
    let GeneSpec::Seeded(seeded) = spec.spec() else { panic!("no examples") };
    assert_eq!(seeded.examples.len(), 1, "{:?}", seeded.examples);
    assert_eq!(check(&spec, &seeded.examples[0]), Ok(()));
    let value = spec.graph().value_of(spec.id(), &seeded.examples[0]).unwrap();
    assert_eq!(value, serde_json::json!({ "title": "shown", "amount": 0, "by": "" }));
    let is_shown = |gene: &Gene| seeded.examples.contains(gene);
    let count = samples(&spec, 400).iter().filter(|gene| is_shown(gene)).count();
    assert!((150..250).contains(&count), "{count}");
}

#[test]
fn examples_are_sampled_and_come_back() {
    let example = "ORD-2026-0042";
    let spec = build(|builder| {
        let inner = builder.add(GeneSpec::String(StringSpec { min: 0, max: 13 }));
        let examples = [Gene::text(example), Gene::text("much too long an example")].into();
        builder.add(GeneSpec::Seeded(SeededSpec { inner, examples, probability: 0.5 }))
    });
    let mut counts = BTreeMap::new();
    for gene in samples(&spec, 400) {
        assert_eq!(check(&spec, &gene), Ok(()));
        let Gene::String(string) = gene else { panic!("no text") };
        *counts.entry(string.text).or_insert(0) += 1;
    }
    assert!((60..140).contains(&counts[example]), "{}", counts[example]);
    assert!((60..140).contains(&counts["much too long"]), "the example is cut to fit");
    let came_back = (0..200).filter(|seed| {
        let mut gene = Gene::text("x");
        let knowledge = Knowledge::default();
        mutate(&spec, TemplateId(0), &mut gene, &[0], &knowledge, &mut draw(*seed));
        gene == Gene::text(example)
    });
    assert!((20..80).contains(&came_back.count()));
}

#[test]
fn an_input_has_three_states_and_a_nullable_two() {
    let states = |gene: &Gene| match gene {
        Gene::Absent => 0,
        Gene::Null => 1,
        _ => 2,
    };
    let count = |spec: &SpecRef| {
        let mut counts = [0; 3];
        samples(spec, 1_000).iter().for_each(|gene| counts[states(gene)] += 1);
        counts
    };
    let three = build(|builder| {
        let flag = builder.add(GeneSpec::Boolean);
        let nullable = builder.nullable(flag);
        builder.optional(nullable, false)
    });
    let [absent, null, value] = count(&three);
    assert!((100..200).contains(&absent) && (20..90).contains(&null) && value > 700);
    let two = build(|builder| {
        let flag = builder.add(GeneSpec::Boolean);
        builder.nullable(flag)
    });
    let [absent, null, value] = count(&two);
    assert!(absent == 0 && (20..90).contains(&null) && value > 900);
    assert_eq!(changes(&two, &Gene::Null, 50), 1.0);
    assert!(check(&two, &Gene::Absent).is_err());
}

#[test]
fn a_nullable_field_must_be_there_and_an_optional_one_need_not() {
    let object = |is_optional: bool| {
        build(|builder| {
            let flag = builder.add(GeneSpec::Boolean);
            let flag =
                if is_optional { builder.optional(flag, true) } else { builder.nullable(flag) };
            // A wrapper changes nothing about that.
            let flag = builder.add(GeneSpec::Disruptive(flag));
            let (type_name, purpose) = ("T".into(), ObjectPurpose::Input);
            let fields = vec![Field::new("flag", flag)];
            builder.add(GeneSpec::Object(ObjectSpec { type_name, purpose, fields }))
        })
    };
    let empty = Gene::Object(ObjectGene::default());
    assert_eq!(check(&object(true), &empty), Ok(()));
    assert!(check(&object(false), &empty).is_err());
    let mut mended = empty.clone();
    repair(&object(false), &mut mended, &GeneSettings::default());
    assert_eq!(mended, Gene::Object(ObjectGene { fields: vec![(0, Gene::Null)] }));
    assert!(changes(&object(true), &empty, 200) > 0.05, "it can be switched on");
}

#[test]
fn elements_of_a_unique_list_differ_even_where_there_are_few() {
    let list = |min| {
        build(|builder| {
            let values = ["A", "B", "C", "D"].map(Into::into).into();
            let element = builder.add(GeneSpec::Enum(EnumSpec { values }));
            builder.add(GeneSpec::UniqueArray(ArraySpec { element, min, max: 9 }))
        })
    };
    let all = list(4);
    for gene in samples(&all, 50) {
        assert_eq!((gene.size(), check(&all, &gene)), (5, Ok(())));
        assert!(changes(&all, &gene, 5) > 0.0, "the order can change");
    }
    assert!(!list(5).graph().cost(list(5).id()).is_finite(), "there are only four");
    let twice = Gene::Array(vec![Gene::Enum(1), Gene::Enum(1)]);
    assert!(check(&list(0), &twice).is_err());
    let mut mended = twice;
    repair(&list(0), &mut mended, &GeneSettings::default());
    assert_eq!(mended, Gene::Array(vec![Gene::Enum(1)]));
}

#[test]
fn keys_of_a_map_differ() {
    let spec = build(|builder| {
        let key = builder.add(GeneSpec::String(StringSpec { min: 1, max: 1 }));
        let value = builder.add(GeneSpec::Boolean);
        builder.add(GeneSpec::Map(MapSpec { key, value, min: 3, max: 5 }))
    });
    for gene in samples(&spec, 100) {
        assert_eq!(check(&spec, &gene), Ok(()));
    }
    let least = simplest(&spec, &GeneSettings::default());
    assert_eq!(check(&spec, &least), Ok(()));
    let entry = |key: &str| (Gene::text(key), Gene::Boolean(true));
    for broken in [
        Gene::Map(vec![entry("c"), entry("d")]),
        Gene::Map(vec![entry("c"), entry("d"), entry("c")]),
        Gene::Map(["c", "d", "e", "f", "g", "h"].map(entry).to_vec()),
    ] {
        assert!(check(&spec, &broken).is_err());
        let mut mended = broken;
        repair(&spec, &mut mended, &GeneSettings::default());
        assert_eq!(check(&spec, &mended), Ok(()));
    }
    let path = GenePath(vec![PathStep::Key(1)]);
    assert_eq!(path.normalised().to_string(), "/#");
    assert_eq!(path.find(&Gene::Map(vec![entry("c"), entry("d")])), Some(&Gene::text("d")));
}

#[test]
fn exact_numbers_keep_to_their_grid_and_reach_beyond_64_bits() {
    let bounds = NumberBounds {
        min: "-1000".parse().ok(),
        max: "1e30".parse().ok(),
        multiple_of: "0.05".parse().ok(),
        ..NumberBounds::default()
    };
    let spec = build(|builder| builder.add(bounds.decimal().unwrap()));
    let (mut large, mut whole) = (0, 0);
    for mut gene in samples(&spec, 300) {
        for seed in 0..5 {
            let Gene::Decimal(number) = &gene else { panic!("no decimal") };
            let text = number.to_string();
            assert!(text.len() <= 34, "{text}");
            let cents = text.split_once('.').map_or("0", |(_, cents)| cents);
            assert!(cents.len() == 1 || (cents.len() == 2 && cents.ends_with('5')), "{text}");
            large += u32::from(**number > Decimal::from(i64::MAX));
            whole += u32::from(number.is_whole());
            mutate(&spec, TemplateId(0), &mut gene, &[0], &Knowledge::default(), &mut draw(seed));
        }
    }
    assert!(large > 100 && whole > 100, "{large} large, {whole} whole of 1,500");
    let above =
        |gene: &Gene| matches!(gene, Gene::Decimal(number) if **number > "0.1".parse().unwrap());
    let mut gene = Gene::Decimal(Box::new("123456789012345678901.15".parse().unwrap()));
    while let Some(next) = { simpler(&spec, &gene, &GeneSettings::default()).find(above) } {
        gene = next;
    }
    assert_eq!(gene, Gene::Decimal(Box::new(Decimal::from(1))), "whole is simpler than 0.15");
}

#[test]
fn texts_and_lists_that_no_memory_holds_have_no_value() {
    let spec =
        build(|builder| builder.add(GeneSpec::String(StringSpec { min: u32::MAX, max: u32::MAX })));
    assert!(!spec.graph().cost(spec.id()).is_finite());
    let spec = build(|builder| {
        let element = builder.add(GeneSpec::Boolean);
        builder.add(GeneSpec::Array(ArraySpec { element, min: u32::MAX, max: u32::MAX }))
    });
    assert!(!spec.graph().cost(spec.id()).is_finite());
    assert!(simplest(&spec, &GeneSettings::default()).is_placeholder());
    assert!(samples(&spec, 1)[0].is_placeholder());
}
