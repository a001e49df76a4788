//! Distances between texts, on UTF-16 units as in the rest of the protocol's family.

use crate::truthness::{BASE, CHARACTER, closeness, closeness_above};

/// Comparisons of single characters that one search for a window may cost. Beyond it the rest of
/// the text is not looked at: a request body of megabytes must not stop the system.
const WINDOW_BUDGET: usize = 1 << 18;

/// Longest text whose units are counted, in bytes. A longer one is measured by its bytes, at the cost
/// of the shorter one: a loop over a document of megabytes may compare all of it at each step.
const LONGEST: usize = 4096;

/// Left-alignment distance: differences of the units over the common length, and
/// [`CHARACTER`] for each unit that one text has too many.
pub(crate) fn alignment(left: &str, right: &str) -> f64 {
    let is_long = left.len().max(right.len()) > LONGEST;
    if is_long || left.is_ascii() && right.is_ascii() {
        return alignment_of(left.bytes().map(f64::from), right.bytes().map(f64::from));
    }
    let units = |text: &str| text.encode_utf16().map(f64::from).collect::<Vec<_>>();
    alignment_of(units(left).into_iter(), units(right).into_iter())
}

fn alignment_of(
    left: impl ExactSizeIterator<Item = f64>,
    right: impl ExactSizeIterator<Item = f64>,
) -> f64 {
    let surplus = count(left.len().abs_diff(right.len())) * CHARACTER;
    surplus + left.zip(right).map(|(left, right)| (left - right).abs()).sum::<f64>()
}

/// Number of UTF-16 units; of bytes, where there are many.
pub(crate) fn length(text: &str) -> usize {
    let is_counted = text.len() <= LONGEST && !text.is_ascii();
    if is_counted { text.encode_utf16().count() } else { text.len() }
}

/// A number of things as a float.
#[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

/// Closeness to equality.
pub(crate) fn equality(left: &str, right: &str) -> f64 {
    closeness_above(BASE, alignment(left, right))
}

/// Distance of two texts in lexicographic order: 0 for equal ones, at most 1.
///
/// Own formula: the family has none for ordering texts. Only the first pair of characters that
/// differ decides the order (a missing one counts as 0). The further behind it is, the smaller
/// the distance, whatever the pair: behind `p` equal characters it is between `1 / (p + 2)` and
/// `1 / (p + 1)`, and there it grows with the difference of the pair.
pub(crate) fn order(left: &str, right: &str) -> f64 {
    let mut left = left.chars().map(u32::from);
    let mut right = right.chars().map(u32::from);
    let mut equal = 0;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return 0.0,
            (left, right) if left == right => equal += 1,
            (left, right) => {
                let pair = left.unwrap_or(0).abs_diff(right.unwrap_or(0));
                let (low, high) = (closeness(count(equal + 1)), closeness(count(equal)));
                return high - (high - low) * closeness(f64::from(pair));
            }
        }
    }
}

/// Closeness of `text` to starting with `prefix`, when it does not.
pub(crate) fn prefix(text: &str, prefix: &str) -> f64 {
    let wanted = prefix.encode_utf16().count();
    let units: Vec<u16> = text.encode_utf16().take(wanted).collect();
    if units.len() < wanted {
        return closeness(count(2 * wanted - units.len()) * (CHARACTER - 1.0));
    }
    equality(&String::from_utf16_lossy(&units), prefix)
}

/// Closeness of `text` to ending with `suffix`, when it does not.
pub(crate) fn suffix(text: &str, suffix: &str) -> f64 {
    let wanted = suffix.encode_utf16().count();
    let mut units: Vec<u16> = Vec::with_capacity(wanted);
    for character in text.chars().rev().take(wanted) {
        units.extend(character.encode_utf16(&mut [0; 2]).iter().rev());
    }
    // A cut through a surrogate pair gives a replacement character.
    units.truncate(wanted);
    let length = units.len();
    if length < wanted {
        // The family's prefix formula at the negative offset `length - wanted`.
        let penalty = 2 * wanted - length + (wanted - length);
        return closeness(count(penalty) * (CHARACTER - 1.0));
    }
    units.reverse();
    equality(&String::from_utf16_lossy(&units), suffix)
}

/// Closeness of `text` to containing `part`, when it does not: the best window counts.
pub(crate) fn containment(text: &str, part: &str) -> f64 {
    let text: Vec<u16> = text.encode_utf16().take(WINDOW_BUDGET).collect();
    let part: Vec<u16> = part.encode_utf16().take(WINDOW_BUDGET).collect();
    let units = |units: &[u16]| units.iter().copied().map(f64::from).collect::<Vec<_>>();
    if text.len() <= part.len() {
        let distance = alignment_of(units(&text).into_iter(), units(&part).into_iter());
        return closeness_above(BASE, distance);
    }
    let (text, part) = (units(&text), units(&part));
    let windows = text.windows(part.len().max(1)).take(WINDOW_BUDGET / part.len().max(1));
    let distances =
        windows.map(|window| alignment_of(window.iter().copied(), part.iter().copied()));
    closeness(distances.fold(f64::MAX, f64::min))
}

/// Closeness of `text` to a number, when it is none: each unit must be a digit, the first may be a
/// minus, and one may be a point where `digits`, the most digits that always fit, is not given.
pub(crate) fn number(text: &str, digits: Option<usize>) -> f64 {
    if text.is_empty() {
        return BASE;
    }
    let units: Vec<f64> = text.encode_utf16().take(LONGEST).map(f64::from).collect();
    let to = |unit: f64, wanted: u8| (unit - f64::from(wanted)).abs();
    let to_digit = |unit: f64| (48.0 - unit).max(0.0) + (unit - 57.0).max(0.0);
    let (mut distance, mut has_point) = (0.0, digits.is_some());
    for (index, &unit) in units.iter().enumerate() {
        let point = if has_point { f64::MAX } else { to(unit, b'.') };
        let sign = if index == 0 && units.len() > 1 { to(unit, b'-') } else { f64::MAX };
        has_point |= point < 1.0;
        distance += match digits {
            Some(most) if index >= most => CHARACTER,
            _ => to_digit(unit).min(point).min(sign),
        };
    }
    closeness_above(BASE, distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_first_difference() {
        assert_eq!(order("abc", "abc"), 0.0);
        assert_eq!(order("abd", "aba"), order("aba", "abdz"));
        assert!(order("b", "a") < order("c", "a") && order("c", "a") < order("", "a"));
        assert!(order("a", "a\u{10ffff}") < order("a", "b"));
        assert!(order("", "\u{10ffff}") <= 1.0);
    }

    #[test]
    fn nearer_texts_score_higher() {
        assert!(prefix("usex", "user") > prefix("xxxx", "user"));
        assert!(prefix("xxx", "user") > prefix("", "user"));
        assert!(suffix("a.tx", ".txt") > suffix("tx", ".txt"));
        assert!(suffix("ab.tzt", ".txt") > suffix("tx", ".txt"));
        assert!(containment("hello xz", "xy") > containment("hello", "xy"));
    }

    #[test]
    fn numbers_are_measured_like_those_of_the_family() {
        assert!((number("a1", Some(9)) - 0.121_951).abs() < 1e-6, "distance 40");
        assert!(number("1x", Some(9)) < number("1:", Some(9)));
        assert_eq!(number("", Some(9)), BASE);
        assert!(number("12345678901", Some(9)) < number("a", Some(9)));
        assert!(number("1.5x", None) > number("1.5.x", None));
    }

    #[test]
    fn astral_and_huge_texts_are_measured() {
        assert!(equality("a😀", "a😁") > equality("a", "a😁"));
        assert!(suffix("a😀", "😁") > 0.0 && prefix("😀a", "\u{fffd}") > 0.0);
        let huge = "é".repeat(4 << 20);
        assert!(containment(&huge, &"y".repeat(4096)) > 0.0);
        for _ in 0..10_000 {
            assert!(equality(&huge, "*/*") > 0.0 && number(&huge, None) > 0.0);
            assert!(prefix(&huge, "*/*") > 0.0 && suffix(&huge, "😀/*") > 0.0);
        }
    }

    #[test]
    fn long_texts_are_measured_by_their_bytes() {
        let long = "é".repeat(LONGEST);
        assert!(equality(&long, &format!("{long}x")) > equality(&long, &format!("x{long}x")));
        assert_eq!(alignment(&long[..2], ""), CHARACTER);
        assert_eq!(alignment(&long, ""), count(2 * LONGEST) * CHARACTER);
    }
}
