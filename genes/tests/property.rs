//! What must hold for every specification: checked on random ones.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::sync::Arc;

use wallace_genes::{decimal::*, expansion::*, site::*, spec::*, *};

/// A random specification with cycles, from a seed.
fn random_spec(seed: u64) -> SpecRef {
    let mut rng = Rng::new(seed, u64::MAX);
    let mut builder = SpecBuilder::new();
    let purposes = [ObjectPurpose::Input, ObjectPurpose::Selection];
    let types: Vec<(SpecId, ObjectPurpose)> =
        (0..4).map(|index| (builder.reserve(), purposes[index % 2])).collect();
    for (index, (id, purpose)) in types.iter().enumerate() {
        let mut fields = Vec::new();
        for field in 0..1 + rng.below(5) {
            let spec = match purpose {
                ObjectPurpose::Input => input(&mut builder, &mut rng, &types),
                ObjectPurpose::Selection => selected(&mut builder, &mut rng, &types),
            };
            fields.push(Field::new(format!("field{field}"), spec));
        }
        let (type_name, purpose) = (format!("Type{index}").into(), *purpose);
        builder.fill(*id, GeneSpec::Object(ObjectSpec { type_name, purpose, fields }));
    }
    let argument = input(&mut builder, &mut rng, &types);
    let elements = vec![Field::new("argument", argument), Field::new("result", types[1].0)];
    let root = builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: true }));
    SpecRef::new(builder.build(), root)
}

fn input(builder: &mut SpecBuilder, rng: &mut Rng, types: &[(SpecId, ObjectPurpose)]) -> SpecId {
    let low = rng.between(-2000, 10);
    let spec = match rng.below(24) {
        0 => GeneSpec::Boolean,
        1 => GeneSpec::Integer(IntegerSpec { min: low as i32, max: (low + 3000) as i32 }),
        2 => GeneSpec::Integer(IntegerSpec::default()),
        3 => GeneSpec::Long(LongSpec::default()),
        4 => GeneSpec::Float(FloatSpec { min: low as f64, max: low as f64 + 0.5 }),
        5 => GeneSpec::Float(FloatSpec::default()),
        6 => GeneSpec::String(StringSpec { min: 2, max: 6 }),
        7 => GeneSpec::String(StringSpec::default()),
        8 => GeneSpec::Enum(EnumSpec { values: ["A", "B", "C"].map(Into::into).into() }),
        9 => {
            let element = input(builder, rng, types);
            GeneSpec::Array(ArraySpec { element, min: 0, max: 1 + rng.below(6) as u32 })
        }
        10 => {
            let branch = |builder: &mut SpecBuilder, rng: &mut Rng, name: &str| {
                Field::new(name, input(builder, rng, types))
            };
            let branches = vec![branch(builder, rng, "one"), branch(builder, rng, "other")];
            GeneSpec::Choice(ChoiceSpec { branches })
        }
        12 | 13 => GeneSpec::Format(format(rng)),
        14 => GeneSpec::Format(format(rng)),
        15 => number(rng),
        16 => {
            let element = leaf(builder, rng);
            GeneSpec::UniqueArray(ArraySpec { element, min: rng.below(3) as u32, max: 6 })
        }
        17 => {
            let (key, value) = (leaf(builder, rng), input(builder, rng, types));
            GeneSpec::Map(MapSpec { key, value, min: rng.below(3) as u32, max: 4 })
        }
        18 | 19 => {
            let inner = input(builder, rng, types);
            return builder.nullable(inner);
        }
        20 | 21 => GeneSpec::Disruptive(input(builder, rng, types)),
        22 => {
            let inner = input(builder, rng, types);
            let examples = [Gene::Integer(7), Gene::text("seed"), Gene::Null].into();
            GeneSpec::Seeded(SeededSpec { inner, examples, probability: 0.4 })
        }
        23 => GeneSpec::Immutable(builder.add(GeneSpec::Integer(IntegerSpec::default()))),
        // Input types refer to each other only where they may be left out.
        _ => return builder.optional(types[2 * rng.below(2)].0, true),
    };
    let id = builder.add(spec);
    if rng.chance(0.5) { builder.optional(id, rng.chance(0.5)) } else { id }
}

/// A plain value of any kind.
fn leaf(builder: &mut SpecBuilder, rng: &mut Rng) -> SpecId {
    let spec = match rng.below(7) {
        0 => GeneSpec::Boolean,
        1 => GeneSpec::Enum(EnumSpec { values: ["A", "B", "C", "D"].map(Into::into).into() }),
        2 => GeneSpec::Integer(IntegerSpec { min: -1, max: 1 + rng.below(9) as i32 }),
        3 => GeneSpec::Format(format(rng)),
        4 => number(rng),
        5 => GeneSpec::String(StringSpec { min: 0, max: 1 }),
        _ => GeneSpec::String(StringSpec::default()),
    };
    builder.add(spec)
}

fn format(rng: &mut Rng) -> FormatSpec {
    const PATTERNS: [&str; 6] = [
        "[a-c]{2,4}(x|yz)*",
        r"^\d{3}-\w+$",
        r"(foo|bar)\b.*",
        "a?",
        r"\p{Lu}\p{Ll}+",
        "^$|^[^@]+@x$",
    ];
    let pattern = PATTERNS[rng.below(PATTERNS.len())];
    let regex = |pattern| FormatSpec::Regex(RegexSpec::partial(pattern).unwrap());
    let date = DateSpec { first_year: 1990, last_year: 2030 };
    let time = TimeSpec { has_offset: rng.chance(0.5) };
    match rng.below(11) {
        0 => FormatSpec::of_all(vec![regex("^[a-f]"), regex("[0-9]$")], 2, 20).unwrap(),
        1 => FormatSpec::Regex(RegexSpec::whole(pattern).unwrap()),
        2 => FormatSpec::Regex(RegexSpec::partial(pattern).unwrap().with_length(0, 30).unwrap()),
        3 => FormatSpec::Date(date),
        4 => FormatSpec::Time(time),
        5 => {
            let shown = ["2018-07-17T17:00:00.000+0200", "2018-07-17 17:00", "no moment"];
            let notation = Notation::of(shown[rng.below(shown.len())]);
            FormatSpec::DateTime(DateTimeSpec { date, notation })
        }
        6 => FormatSpec::Base64,
        7 => FormatSpec::Uuid,
        8 => FormatSpec::Email,
        9 => FormatSpec::Uri,
        _ => FormatSpec::Ip([IpVersion::V4, IpVersion::V6][rng.below(2)]),
    }
}

fn number(rng: &mut Rng) -> GeneSpec {
    let bounds = NumberBounds {
        min: Some(Decimal::from(rng.between(-100, 5))),
        is_min_exclusive: rng.chance(0.5),
        max: rng.chance(0.5).then(|| Decimal::from(1_000)),
        multiple_of: [None, "0.05".parse().ok(), "3".parse().ok()][rng.below(3)].clone(),
        ..NumberBounds::default()
    };
    match rng.below(4) {
        0 => bounds.integer(),
        1 => bounds.float(),
        2 => NumberBounds { max: "1e38".parse().ok(), ..bounds }.integer(),
        _ => bounds.decimal(),
    }
    .unwrap()
}

fn selected(builder: &mut SpecBuilder, rng: &mut Rng, types: &[(SpecId, ObjectPurpose)]) -> SpecId {
    let object = types[1 + 2 * rng.below(2)].0;
    let inner = match rng.below(4) {
        0 => object,
        1 => {
            let argument = input(builder, rng, types);
            let elements = vec![Field::new("argument", argument), Field::new("object", object)];
            builder.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: true }))
        }
        _ => builder.add(GeneSpec::Constant),
    };
    builder.optional(inner, false)
}

fn draw(seed: u64) -> Draw {
    let mut draw = Draw::new(seed, 1, Arc::new(GeneSettings::default()));
    draw.is_tainting = true;
    draw
}

/// Runs `check` on a valid gene of each of many specifications that have one.
fn for_many(mut check: impl FnMut(u64, &SpecRef, Gene)) {
    let mut checked = 0;
    for seed in 0..2_000 {
        let spec = random_spec(seed);
        if !spec.graph().cost(spec.id()).is_finite() {
            continue;
        }
        let gene = sample(&spec, TemplateId(0), &Knowledge::default(), &mut draw(seed));
        if !gene.is_placeholder() {
            checked += 1;
            check(seed, &spec, gene);
        }
    }
    assert!(checked > 500, "only {checked} specifications have values");
}

#[test]
fn samples_are_valid_repeatable_and_bounded() {
    for_many(|seed, spec, gene| {
        assert_eq!(check(spec, &gene), Ok(()), "seed {seed}");
        let again = sample(spec, TemplateId(0), &Knowledge::default(), &mut draw(seed));
        assert_eq!(gene, again, "seed {seed}");
        // The limit on nodes stops growth; what is required at its edge is completed.
        assert!(gene.size() < 1_000, "seed {seed}: {}", gene.size());
        let text = serde_json::to_string(&gene).unwrap();
        assert!(text.len() < 100_000, "seed {seed}: {} characters", text.len());
    });
}

#[test]
fn mutants_are_valid_and_different() {
    for_many(|seed, spec, mut gene| {
        let mut draw = draw(seed);
        draw.copy_from(&gene);
        for round in 0..20 {
            let mut weights = Vec::new();
            collect_sites(spec, &gene, &mut weights);
            if weights.is_empty() {
                return;
            }
            let site = draw.rng.below(weights.len());
            let mut mutant = gene.clone();
            let knowledge = Knowledge::default();
            let has_changed =
                mutate(spec, TemplateId(0), &mut mutant, &[site], &knowledge, &mut draw);
            assert_eq!(check(spec, &mutant), Ok(()), "seed {seed}, round {round}");
            assert_eq!(has_changed, mutant != gene, "seed {seed}, round {round}, site {site}");
            gene = mutant;
        }
    });
}

#[test]
fn repair_keeps_what_is_valid_and_mends_the_rest() {
    let settings = GeneSettings::default();
    for_many(|seed, spec, gene| {
        let mut same = gene.clone();
        repair(spec, &mut same, &settings);
        assert_eq!(same, gene, "seed {seed}");
        // A gene of another specification is about as broken as a gene can be.
        let other = random_spec(seed + 1);
        let mut foreign = sample(&other, TemplateId(0), &Knowledge::default(), &mut draw(seed));
        repair(spec, &mut foreign, &settings);
        assert_eq!(check(spec, &foreign), Ok(()), "seed {seed}");
    });
}

#[test]
fn serialising_gives_the_gene_back() {
    for_many(|seed, _, gene| {
        let text = serde_json::to_string(&gene).unwrap();
        assert_eq!(serde_json::from_str::<Gene>(&text).unwrap(), gene, "seed {seed}");
    });
}

/// The value with all numbers as doubles: of several kinds of number the first that fits is read.
fn as_doubles(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(parts) => parts.into_iter().map(as_doubles).collect(),
        Value::Object(parts) => {
            parts.into_iter().map(|(name, part)| (name, as_doubles(part))).collect()
        }
        other => other,
    }
}

#[test]
fn what_is_written_as_json_is_read_again() {
    let mut read = 0;
    for_many(|seed, spec, gene| {
        let (graph, GeneSpec::Tuple(tuple), Gene::Tuple(elements)) =
            (spec.graph(), spec.spec(), &gene)
        else {
            panic!("no tuple")
        };
        let (id, argument) = (tuple.elements[0].spec, &elements[0]);
        let written: serde_json::Value =
            serde_json::from_slice(&graph.write(id, argument)).unwrap();
        let value = graph.value_of(id, argument);
        assert_eq!(value.clone().unwrap_or_default(), written, "seed {seed}");
        // A null or a tainted text may stand for more than one gene.
        if let Some(value) = value
            && let Some(again) = graph.read(id, &value)
        {
            read += 1;
            let again_value = graph.value_of(id, &again).map(as_doubles);
            assert_eq!(again_value, Some(as_doubles(value)), "seed {seed}");
            assert_eq!(check(&spec.at(id), &again), Ok(()), "seed {seed}");
        }
    });
    assert!(read > 300, "{read}");
}

#[test]
fn values_of_elsewhere_reach_genes_of_every_kind() {
    use serde_json::json;
    let take = |spec: GeneSpec, value: serde_json::Value| {
        let mut builder = SpecBuilder::new();
        let inner = builder.add(spec);
        let id = builder.optional(inner, true);
        let graph = builder.build();
        graph.value_of(id, &graph.take(id, &value)?)
    };
    let format = |name: &str| GeneSpec::Format(FormatSpec::named(name).unwrap());
    let texts = [
        ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
        ("date", "1821-02-03"),
        ("date-time", "2024-05-05T10:00:00.123456Z"),
        ("time", "10:00:00Z"),
        ("ipv4", "10.0.0.7"),
        ("ipv6", "::7"),
        ("email", "a@localhost"),
        ("uri", "urn:thing:7"),
        ("byte", "Zm9v"),
        ("hostname", "h7"),
    ];
    for (name, text) in texts {
        assert_eq!(take(format(name), json!(text)), Some(json!(text)), "{name}");
    }
    let values = [json!("red"), json!(7), json!(true)];
    let listed = || GeneSpec::Enum(EnumSpec { values: values.clone().into() });
    assert_eq!(take(listed(), json!("7.0")), Some(json!(7)));
    assert_eq!(take(listed(), json!(true)), Some(json!(true)));
    assert_eq!(take(listed(), json!("blue")), None);
    let cents = NumberBounds { multiple_of: "0.01".parse().ok(), ..NumberBounds::default() };
    assert_eq!(take(cents.decimal().unwrap(), json!("19.99")), Some(json!(19.99)));
    assert_eq!(take(cents.decimal().unwrap(), json!("many")), None);
    assert_eq!(take(GeneSpec::Long(LongSpec::default()), json!("42")), Some(json!(42)));
    assert_eq!(take(GeneSpec::Boolean, json!("true")), Some(json!(true)));
    assert_eq!(take(GeneSpec::Boolean, json!([])), None);
}

#[test]
fn learnt_constants_are_used() {
    let mut builder = SpecBuilder::new();
    let text = builder.add(GeneSpec::String(StringSpec::default()));
    let spec = SpecRef::new(builder.build(), text);
    let mut knowledge = Knowledge::default();
    let constant = Specialisation::Constant("session".into());
    knowledge.learn(TemplateId(0), &GenePath::default(), constant);
    let count = (0..1_000)
        .filter(|seed| {
            let gene = sample(&spec, TemplateId(0), &knowledge, &mut draw(*seed));
            matches!(gene, Gene::String(string) if &*string.text == "session")
        })
        .count();
    assert!((400..600).contains(&count), "{count} of 1,000 samples");
}

#[test]
fn simpler_genes_are_valid_simpler_and_bounded() {
    let settings = GeneSettings::default();
    for_many(|seed, spec, gene| {
        if seed % 4 != 0 {
            return;
        }
        let measure = complexity(&gene);
        let mut count = 0;
        for other in simpler(spec, &gene, &settings) {
            assert_eq!(check(spec, &other), Ok(()), "seed {seed}");
            assert!(complexity(&other) < measure, "seed {seed}: {other:?}");
            count += 1;
        }
        assert!(count <= 2_000, "seed {seed}: {count}");
        let least = simplest(spec, &settings);
        assert!(count > 0 || complexity(&gene) <= complexity(&least), "seed {seed}: {gene:?}");
        let again = simpler(spec, &gene, &settings).next();
        assert_eq!(again, simpler(spec, &gene, &settings).next(), "seed {seed}");
    });
}

#[test]
fn always_taking_the_first_simpler_gene_ends() {
    let settings = GeneSettings::default();
    for_many(|seed, spec, gene| {
        if seed % 8 != 0 {
            return;
        }
        for first in [true, false] {
            let mut gene = gene.clone();
            let mut steps = 0;
            loop {
                let mut others = simpler(spec, &gene, &settings);
                let next = if first { others.next() } else { others.last() };
                let Some(next) = next else { break };
                gene = next;
                steps += 1;
                if steps == 30 {
                    break;
                }
            }
            assert!(!first || steps < 30, "seed {seed}: {steps} steps");
        }
    });
}
