//! Simpler leaves: numbers towards 0, shorter and plainer texts.

use crate::complexity::{rank, ranked};
use crate::gene::Gene;
use crate::spec::GeneSpec;

/// Characters of a text that are looked at one by one.
const CHARACTERS: usize = 24;

/// Simpler values of a leaf, the boldest first. They may break the bounds of the position.
pub(super) fn simpler_leaves(spec: &GeneSpec, gene: &Gene, simplest: &Gene) -> Vec<Gene> {
    let mut values = vec![simplest.clone()];
    match (gene, simplest) {
        (Gene::Integer(value), Gene::Integer(goal)) => {
            let towards = towards(i64::from(*goal), i64::from(*value)).into_iter();
            values.extend(towards.filter_map(|value| i32::try_from(value).ok().map(Gene::Integer)));
        }
        (Gene::Long(value), Gene::Long(goal)) => {
            values.extend(towards(*goal, *value).into_iter().map(Gene::Long));
        }
        (Gene::Float(value), Gene::Float(goal)) => {
            values.extend(simpler_floats(goal.get(), value.get()).map(Gene::float));
        }
        (Gene::Decimal(value), _) => {
            if let GeneSpec::Decimal(range) = spec {
                let simpler = range.simpler(value).into_iter();
                values.extend(simpler.map(|value| Gene::Decimal(Box::new(value))));
            }
        }
        (Gene::Enum(index), Gene::Enum(_)) => {
            values.extend([index / 2, index.saturating_sub(1)].map(Gene::Enum));
        }
        (Gene::String(string), Gene::String(_)) => {
            if let GeneSpec::Format(format) = spec {
                let simpler = format.simpler(&string.text).into_iter();
                values.extend(simpler.filter(|text| format.is_valid(text)).map(Gene::text));
                return values;
            }
            let least = if let GeneSpec::String(range) = spec { range.min as usize } else { 0 };
            let texts = simpler_texts(&string.text, least);
            values.extend(texts.into_iter().map(Gene::text));
        }
        _ => {}
    }
    values
}

/// Numbers between goal and value, the nearest to the goal first: the distance to the value
/// halves each time, which finds a threshold in as many steps as it has bits.
fn towards(goal: i64, value: i64) -> Vec<i64> {
    let mut numbers = Vec::new();
    if value < 0 && goal <= 0 {
        numbers.extend(value.checked_neg());
    }
    let mut distance = (i128::from(value) - i128::from(goal)) / 2;
    while distance != 0 {
        // Between two numbers of 64 bits there are only such numbers.
        numbers.extend(i64::try_from(i128::from(value) - distance));
        distance /= 2;
    }
    numbers
}

fn simpler_floats(goal: f64, value: f64) -> impl Iterator<Item = f64> {
    let rounded = [0_i32, 1, 2, 3].into_iter().flat_map(move |digits| {
        let scale = libm::pow(10.0, f64::from(digits));
        [libm::trunc(value * scale) / scale, libm::round(value * scale) / scale]
    });
    let mut whole = Vec::new();
    let is_whole = value == libm::trunc(value);
    if is_whole && value.abs() < 9e15 && goal == libm::trunc(goal) {
        whole = towards(goal as i64, value as i64);
    }
    let halves = (1..8).map(move |exponent| value - (value - goal) / f64::from(1 << exponent));
    std::iter::once(-value)
        .chain(rounded)
        .chain(whole.into_iter().map(|number| number as f64))
        .chain(halves)
        .filter(|number| number.is_finite())
}

/// Shorter texts of at least `least` characters, then plainer ones.
fn simpler_texts(text: &str, least: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut texts = Vec::new();
    let mut chunk = characters.len();
    while chunk > 0 {
        if characters.len() - chunk >= least {
            // From the end, where a text is most often longer than it need be.
            let mut end = characters.len();
            while end > 0 && texts.len() < 4 * CHARACTERS {
                let start = end.saturating_sub(chunk);
                texts.push(characters[..start].iter().chain(&characters[end..]).collect());
                end = start;
            }
        }
        chunk /= 2;
    }
    texts.push("0".repeat(characters.len()));
    texts.push(text.to_ascii_lowercase());
    // What is plain comes first, so that one text stands for all orders that do as well.
    for place in 1..characters.len().min(CHARACTERS) {
        if rank(characters[place]) < rank(characters[place - 1]) {
            let mut swapped = characters.clone();
            swapped.swap(place - 1, place);
            texts.push(swapped.into_iter().collect());
        }
    }
    for (place, character) in characters.iter().enumerate().take(CHARACTERS) {
        let simpler = simpler_characters(*character).into_iter();
        texts.extend(simpler.map(|simpler| {
            let tail = characters[place + 1..].iter();
            characters[..place].iter().chain([&simpler]).chain(tail).collect()
        }));
    }
    texts
}

/// Characters simpler than this one, the simplest first, at halving distances of rank.
fn simpler_characters(character: char) -> Vec<char> {
    let mut simpler: Vec<char> = ['0', 'a', ' '].into_iter().collect();
    simpler.retain(|other| rank(*other) < rank(character));
    let mut distance = rank(character) / 2;
    while distance > 0 {
        simpler.extend(ranked(rank(character) - distance));
        distance /= 2;
    }
    simpler
}
