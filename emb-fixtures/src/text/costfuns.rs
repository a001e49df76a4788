//! One test of each kind of comparison, the later ones overwriting the earlier ones.

use wallace_instrument::white_box;

/// The number of the last test that holds, counted from 1; 0 when none does.
///
/// The constants are put together at run time, so that no literal in the code gives them away.
#[white_box]
pub(super) fn costfuns(i: i32, s: &str) -> i32 {
    let (first, second) = ("ba", "ab");
    let mut result = 0;
    if i == 5 {
        result = 1;
    }
    if i < -444 {
        result = 2;
    }
    if i <= -333 {
        result = 3;
    }
    if i > 666 {
        result = 4;
    }
    if i >= 555 {
        result = 5;
    }
    if i != -4 {
        result = 6;
    }
    if s == [first, second].concat().as_str() {
        result = 7;
    }
    if s > [second, second, first].concat().as_str() {
        result = 8;
    }
    if s >= [second, second, first].concat().as_str() {
        result = 9;
    }
    if s != [second, second].concat().as_str() {
        result = 10;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::costfuns;

    #[test]
    fn the_last_test_wins() {
        for (i, s, expected) in [
            (-4, "abab", 0),
            (5, "abab", 6),
            (-445, "abab", 6),
            (667, "abab", 6),
            (-4, "baab", 10),
            (-4, "ababba", 10),
            (-4, "", 10),
        ] {
            assert_eq!(costfuns(i, s), expected, "{i} {s}");
        }
    }
}
