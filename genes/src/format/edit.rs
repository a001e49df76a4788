//! Edits shared by formats.

use crate::rng::Rng;

/// Characters of names.
pub(super) const NAME: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// A short name of lower-case letters and digits that begins with a letter.
pub(super) fn name(rng: &mut Rng) -> String {
    let length = 1 + rng.below(8);
    let mut name = String::with_capacity(length);
    name.push(char::from(NAME[rng.below(26)]));
    name.extend((1..length).map(|_| char::from(NAME[rng.below(NAME.len())])));
    name
}

/// The characters with one replaced, inserted or removed; new ones come from `member`.
pub(super) fn edited(text: &str, rng: &mut Rng, member: impl Fn(&mut Rng) -> char) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let place = rng.below(characters.len() + 1);
    match rng.below(3) {
        0 if place < characters.len() => characters[place] = member(rng),
        1 if place < characters.len() => {
            characters.remove(place);
        }
        _ => characters.insert(place, member(rng)),
    }
    characters.into_iter().collect()
}

/// A member of [`NAME`].
pub(super) fn name_character(rng: &mut Rng) -> char {
    char::from(NAME[rng.below(NAME.len())])
}

/// The number with another value in `low..=high`: near by a power of two, at an end, or anywhere.
pub(super) fn moved(value: i64, low: i64, high: i64, rng: &mut Rng) -> i64 {
    let span = high.saturating_sub(low).max(1);
    match rng.below(10) {
        0 => low,
        1 => high,
        2 => rng.between(low, high),
        _ => {
            let exponents = 1 + (63 - span.leading_zeros()) as usize;
            let delta = 1_i64 << rng.below(exponents);
            let delta = if rng.chance(0.5) { delta } else { -delta };
            value.saturating_add(delta).clamp(low, high)
        }
    }
}

/// The number that the text writes with exactly `digits` decimal digits.
pub(super) fn digits(text: &str, digits: usize) -> Option<i64> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
