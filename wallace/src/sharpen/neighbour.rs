//! Values next to a value: one step away, or moved to a limit.

use std::collections::BTreeSet;

use wallace_genes::{Gene, StringGene};

/// Longest text whose neighbours are tried, in bytes.
const LONGEST_TEXT: usize = 60;

/// Values that differ from this one by one step at one place.
pub(super) fn steps(gene: &Gene) -> Vec<Gene> {
    changed(gene, &|leaf| match leaf {
        Gene::Integer(value) => {
            let near = [value.checked_sub(1), value.checked_add(1)];
            near.into_iter().flatten().map(Gene::Integer).collect()
        }
        Gene::Long(value) => {
            let near = [value.checked_sub(1), value.checked_add(1)];
            near.into_iter().flatten().map(Gene::Long).collect()
        }
        Gene::Float(value) => [value.get() - 1.0, value.get() + 1.0].map(Gene::float).into(),
        Gene::Boolean(value) => vec![Gene::Boolean(!value)],
        Gene::String(text) => texts(&text.text),
        _ => Vec::new(),
    })
}

/// Values in which one number that equals `from`, or one text that is so long, became `to`.
pub(super) fn moved(gene: &Gene, from: f64, to: f64) -> Vec<Gene> {
    #[expect(clippy::float_cmp, reason = "an operand is the argument itself, or it is another")]
    changed(gene, &|leaf| {
        let moved = match leaf {
            Gene::Integer(value) if f64::from(*value) == from && is_whole(to, 31) => {
                Some(Gene::Integer(to as i32))
            }
            Gene::Long(value) if *value as f64 == from && is_whole(to, 53) => {
                Some(Gene::Long(to as i64))
            }
            Gene::Float(value) if value.get() == from => Some(Gene::float(to)),
            Gene::String(text) if text.text.chars().count() as f64 == from => {
                resized(&text.text, to)
            }
            _ => None,
        };
        moved.into_iter().collect()
    })
}

/// Whether a number is an integer of so many bits and a sign.
fn is_whole(number: f64, bits: i32) -> bool {
    number.fract() == 0.0 && number.abs() < 2f64.powi(bits)
}

/// The text at another length, its last character repeated.
fn resized(text: &str, length: f64) -> Option<Gene> {
    if !(0.0..=LONGEST_TEXT as f64).contains(&length) || length.fract() != 0.0 {
        return None;
    }
    let last = text.chars().last().unwrap_or('a');
    let endless = text.chars().chain(std::iter::repeat(last));
    Some(Gene::text(endless.take(length as usize).collect::<String>()))
}

/// All values that `change` makes of one leaf, in its place.
fn changed(gene: &Gene, change: &dyn Fn(&Gene) -> Vec<Gene>) -> Vec<Gene> {
    match gene {
        Gene::Tuple(parts) => within(parts, change, Gene::Tuple),
        Gene::Array(parts) => within(parts, change, Gene::Array),
        Gene::Object(object) => {
            let parts: Vec<Gene> = object.fields.iter().map(|(_, part)| part.clone()).collect();
            within(&parts, change, |parts| {
                let mut other = object.clone();
                for ((_, field), part) in other.fields.iter_mut().zip(parts) {
                    *field = part;
                }
                Gene::Object(other)
            })
        }
        Gene::Choice(choice) => {
            let values = changed(&choice.value, change).into_iter();
            let chosen = values.map(|value| {
                let mut other = choice.clone();
                *other.value = value;
                Gene::Choice(other)
            });
            chosen.collect()
        }
        leaf => change(leaf),
    }
}

/// What becomes of each part, in the place of the part.
fn within(
    parts: &[Gene],
    change: &dyn Fn(&Gene) -> Vec<Gene>,
    whole: impl Fn(Vec<Gene>) -> Gene,
) -> Vec<Gene> {
    let places = parts.iter().enumerate();
    places
        .flat_map(|(place, part)| {
            changed(part, change).into_iter().map(move |other| (place, other))
        })
        .map(|(place, other)| {
            let mut all = parts.to_vec();
            all[place] = other;
            whole(all)
        })
        .collect()
}

/// Texts that are one character shorter or longer, or written in the other case.
fn texts(text: &str) -> Vec<Gene> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let mut texts: BTreeSet<String> = BTreeSet::new();
    let mut shorter = text.to_owned();
    if let Some(last) = shorter.pop() {
        texts.insert(shorter);
        texts.insert(format!("{text}{last}"));
    } else {
        texts.insert("a".to_owned());
    }
    let is_lower = text.chars().all(|one| !one.is_uppercase());
    texts.insert(if is_lower { text.to_uppercase() } else { text.to_lowercase() });
    texts.remove(text);
    texts.into_iter().map(|text| Gene::String(StringGene::plain(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_at_one_place_each() {
        let gene = Gene::Tuple(vec![Gene::Integer(i32::MAX), Gene::text("ab"), Gene::Absent]);
        let expected: Vec<Gene> = [
            (Gene::Integer(i32::MAX - 1), Gene::text("ab")),
            (Gene::Integer(i32::MAX), Gene::text("AB")),
            (Gene::Integer(i32::MAX), Gene::text("a")),
            (Gene::Integer(i32::MAX), Gene::text("abb")),
        ]
        .map(|(number, text)| Gene::Tuple(vec![number, text, Gene::Absent]))
        .to_vec();
        assert_eq!(steps(&gene), expected);
        assert_eq!(steps(&Gene::text("")), [Gene::text("a")]);
        assert!(steps(&Gene::text("x".repeat(61))).is_empty());
    }

    #[test]
    fn numbers_and_lengths_are_moved_to_a_limit() {
        let gene = Gene::Tuple(vec![Gene::Integer(5), Gene::text("abcde"), Gene::Integer(4)]);
        let expected = [
            Gene::Tuple(vec![Gene::Integer(7), Gene::text("abcde"), Gene::Integer(4)]),
            Gene::Tuple(vec![Gene::Integer(5), Gene::text("abcdeee"), Gene::Integer(4)]),
        ];
        assert_eq!(moved(&gene, 5.0, 7.0), expected);
        assert!(moved(&gene, 5.0, 7.5).is_empty());
        assert_eq!(moved(&Gene::text("abc"), 3.0, 1.0), [Gene::text("a")]);
        assert!(moved(&Gene::Integer(1), 1.0, 1e10).is_empty());
    }
}
