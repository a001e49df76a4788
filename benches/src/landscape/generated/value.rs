//! Arguments of generated operations.

use wallace_genes::{
    Field, Gene, GeneSpec, Rng, SpecBuilder, SpecRef,
    spec::{ArraySpec, EnumSpec, FloatSpec, IntegerSpec, StringSpec, TupleSpec},
};

/// Names of every enumeration.
const NAMES: [&str; 5] = ["red", "green", "blue", "amber", "none"];
/// Most elements of a list.
const MOST_ELEMENTS: u32 = 6;
/// What texts are made of.
const WORDS: [&str; 8] = ["ab", "id", "user", "x1", "sort", "-", "2026", "q"];

/// Kind of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any 32-bit integer.
    Integer,
    /// A double.
    Float,
    /// Up to 40 characters.
    Text,
    /// One of five names.
    Name,
    /// Up to six integers.
    List,
    /// True or false.
    Flag,
}

/// A random signature: two integers and a text at least, for predicates between them.
pub(super) fn signature(rng: &mut Rng) -> Vec<Kind> {
    use Kind::{Flag, Float, Integer, List, Name, Text};
    let mut kinds = vec![Integer, Integer, Text];
    for _ in 0..1 + rng.below(4) {
        kinds.push([Integer, Float, Text, Name, List, Flag][rng.below(6)]);
    }
    kinds
}

/// The specification of a call with such arguments.
pub(super) fn spec_of(kinds: &[Kind]) -> SpecRef {
    let mut specs = SpecBuilder::new();
    let integer = specs.add(GeneSpec::Integer(IntegerSpec::default()));
    let elements = kinds.iter().enumerate().map(|(position, kind)| {
        let spec = match kind {
            Kind::Integer => integer,
            Kind::Float => specs.add(GeneSpec::Float(FloatSpec::default())),
            Kind::Text => specs.add(GeneSpec::String(StringSpec { min: 0, max: 40 })),
            Kind::Name => {
                let values = NAMES.map(Into::into).into();
                specs.add(GeneSpec::Enum(EnumSpec { values }))
            }
            Kind::List => {
                let list = ArraySpec { element: integer, min: 0, max: MOST_ELEMENTS };
                specs.add(GeneSpec::Array(list))
            }
            Kind::Flag => specs.add(GeneSpec::Boolean),
        };
        Field::new(format!("argument{position}"), spec)
    });
    let elements = elements.collect();
    let call = specs.add(GeneSpec::Tuple(TupleSpec { elements, has_selection: false }));
    SpecRef::new(specs.build(), call)
}

/// A value as people write them in code; drawn here and not by the sampler of the genes, so that
/// the programs do not depend on it.
pub(super) fn value(kind: Kind, rng: &mut Rng) -> Gene {
    match kind {
        Kind::Integer => Gene::Integer(integer(rng)),
        Kind::Float => Gene::float(rng.between(-1_000, 10_000) as f64 / 10.0),
        Kind::Text => Gene::text(text(rng)),
        Kind::Name => Gene::Enum(rng.below(NAMES.len()) as u32),
        Kind::List => {
            let length = rng.below(MOST_ELEMENTS as usize);
            Gene::Array((0..length).map(|_| Gene::Integer(rng.between(-9, 99) as i32)).collect())
        }
        Kind::Flag => Gene::Boolean(rng.chance(0.5)),
    }
}

/// Mostly small, at times any.
fn integer(rng: &mut Rng) -> i32 {
    let bound = [10, 100, 10_000, i64::from(i32::MAX)][rng.below(4)];
    rng.between(-bound / 4, bound) as i32
}

fn text(rng: &mut Rng) -> String {
    (0..rng.below(4)).map(|_| WORDS[rng.below(WORDS.len())]).collect()
}
