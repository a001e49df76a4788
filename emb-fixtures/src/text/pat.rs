//! A pattern and its reverse inside a text.

use wallace_instrument::white_box;

/// What of a pattern occurs in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// Neither the pattern nor its reverse, or the pattern is shorter than three characters.
    Nothing,
    /// The pattern, and after it not its reverse.
    Pattern,
    /// The reverse, and after it not the pattern.
    Reverse,
    /// One after the other; the first one starts at this character, counted from 0.
    Both(usize),
}

/// Looks for `pat` or its reverse in `txt`, whichever comes first, and then for the other one.
#[white_box]
pub(super) fn pat(txt: &str, pat: &str) -> Occurrence {
    let text: Vec<char> = txt.chars().collect();
    let reverse: String = pat.chars().rev().collect();
    let length = pat.chars().count();
    if length < 3 {
        return Occurrence::Nothing;
    }
    let mut start = 0;
    while start + length <= text.len() {
        let window: String = text[start..start + length].iter().collect();
        if window == pat {
            if occurs(&text[start + length..], &reverse, length) {
                return Occurrence::Both(start);
            }
            return Occurrence::Pattern;
        }
        if window == reverse {
            if occurs(&text[start + length..], pat, length) {
                return Occurrence::Both(start);
            }
            return Occurrence::Reverse;
        }
        start += 1;
    }
    Occurrence::Nothing
}

/// Whether `word`, of `length` characters, occurs in `text`.
#[white_box]
fn occurs(text: &[char], word: &str, length: usize) -> bool {
    let mut start = 0;
    while start + length <= text.len() {
        let window: String = text[start..start + length].iter().collect();
        if window == word {
            return true;
        }
        start += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Occurrence, pat};

    #[test]
    fn pattern_and_reverse() {
        for (text, pattern, expected) in [
            ("xxabcyycba", "abc", Occurrence::Both(2)),
            ("cbaabc", "abc", Occurrence::Both(0)),
            ("xabcba", "abc", Occurrence::Pattern),
            ("xcba", "abc", Occurrence::Reverse),
            ("xyz", "abc", Occurrence::Nothing),
            ("ab", "abc", Occurrence::Nothing),
            ("abba", "ab", Occurrence::Nothing),
            ("\u{e9}\u{e8}\u{ea}zz", "\u{e9}\u{e8}\u{ea}", Occurrence::Pattern),
        ] {
            assert_eq!(pat(text, pattern), expected, "{pattern} in {text}");
        }
    }
}
