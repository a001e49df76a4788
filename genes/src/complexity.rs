//! How simple a gene is: the order in which smaller tests are looked for.
//!
//! The order is *shortlex*, as in Hypothesis: fewer genes first; among trees of one size the
//! simpler one at the first place where they differ. It is a well-order, so that whoever moves
//! only to simpler genes comes to an end.

use crate::gene::Gene;

/// A measure of a gene; smaller is simpler.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complexity {
    genes: usize,
    /// The tree in walk order, each gene as its kind and its value, coded so that no gene's words
    /// begin another's.
    words: Vec<u64>,
}

/// Measures a gene.
///
/// Of two values of one kind the simpler is: the number nearer to 0, positive before negative and
/// whole before fractional; the shorter text, then the one with simpler characters (digits,
/// lower case, upper case, punctuation, others); `false`; the earlier name, the earlier alternative.
/// What a text was made from does not count.
#[must_use]
pub fn complexity(gene: &Gene) -> Complexity {
    let mut words = Vec::with_capacity(16);
    let genes = append(gene, &mut words);
    Complexity { genes, words }
}

/// Appends the words of the tree; returns its number of genes.
fn append(gene: &Gene, words: &mut Vec<u64>) -> usize {
    match gene {
        Gene::Absent => words.push(0),
        Gene::Null => words.push(1),
        Gene::Constant => words.push(2),
        Gene::Boolean(value) => words.extend([3, u64::from(*value)]),
        Gene::Enum(index) => words.extend([4, u64::from(*index)]),
        Gene::Integer(value) => append_whole(i64::from(*value), words),
        Gene::Long(value) => append_whole(*value, words),
        Gene::Float(value) => append_float(value.get(), words),
        Gene::Decimal(value) => {
            let (scale, digits) = value.magnitude();
            words.extend([7, scale, digits.len() as u64]);
            words.extend(digits.iter().rev());
            words.push(u64::from(value.is_negative()));
        }
        Gene::String(string) => append_text(&string.text, words),
        Gene::Choice(choice) => words.extend([20, u64::from(choice.branch)]),
        Gene::Array(elements) => words.extend([21, elements.len() as u64]),
        Gene::Tuple(elements) => words.extend([22, elements.len() as u64]),
        Gene::Object(object) => {
            words.extend([23, object.fields.len() as u64]);
            words.extend(object.fields.iter().map(|(position, _)| u64::from(*position)));
        }
        Gene::Map(entries) => words.extend([24, entries.len() as u64]),
        Gene::CycleObject => words.push(30),
        Gene::LimitObject => words.push(31),
    }
    1 + gene.parts().map(|part| append(part, words)).sum::<usize>()
}

fn append_whole(value: i64, words: &mut Vec<u64>) {
    words.extend([5, value.unsigned_abs(), u64::from(value < 0)]);
}

fn append_float(value: f64, words: &mut Vec<u64>) {
    // The bits of positive doubles are in the order of the numbers.
    let (magnitude, sign) = (value.abs().to_bits(), u64::from(value.is_sign_negative()));
    let is_whole = value == libm::trunc(value);
    let digits = if is_whole { 0 } else { format!("{value:?}").len() as u64 };
    words.extend([6, digits, magnitude, sign]);
}

fn append_text(text: &str, words: &mut Vec<u64>) {
    words.push(8);
    let length = words.len();
    words.push(0);
    words.extend(text.chars().map(|character| u64::from(rank(character))));
    words[length] = (words.len() - length - 1) as u64;
}

/// Place of a character in the order from simple to strange.
pub(crate) fn rank(character: char) -> u32 {
    let code = character as u32;
    match character {
        '0'..='9' => code - u32::from(b'0'),
        'a'..='z' => 10 + code - u32::from(b'a'),
        'A'..='Z' => 36 + code - u32::from(b'A'),
        ' '..='~' => 62 + code - u32::from(b' '),
        _ => 200 + code,
    }
}

/// The character at a place of that order; nothing at the few places that are empty.
pub(crate) fn ranked(rank: u32) -> Option<char> {
    let code = match rank {
        0..=9 => rank + u32::from(b'0'),
        10..=35 => rank - 10 + u32::from(b'a'),
        36..=61 => rank - 36 + u32::from(b'A'),
        62..200 => rank - 62 + u32::from(b' '),
        _ => rank - 200,
    };
    char::from_u32(code).filter(|character| self::rank(*character) == rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_from_simple_to_strange() {
        let ordered = [
            Gene::Absent,
            Gene::Null,
            Gene::Boolean(false),
            Gene::Boolean(true),
            Gene::Integer(0),
            Gene::Integer(1),
            Gene::Integer(-1),
            Gene::Integer(i32::MIN),
            Gene::float(0.0),
            Gene::float(-0.0),
            Gene::float(2.0),
            Gene::float(1e300),
            Gene::float(0.5),
            Gene::float(0.51),
            Gene::text(""),
            Gene::text("9"),
            Gene::text("a"),
            Gene::text("B"),
            Gene::text("\u{e9}"),
            Gene::text("aa"),
            Gene::Array(Vec::new()),
            Gene::Array(vec![Gene::Absent]),
            Gene::Array(vec![Gene::Null; 2]),
        ];
        for pair in ordered.windows(2) {
            assert!(complexity(&pair[0]) < complexity(&pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn every_character_is_found_at_its_rank() {
        for character in ('\u{0}'..='\u{2fff}').chain(['\u{1F600}']) {
            assert_eq!(ranked(rank(character)), Some(character));
        }
    }
}
