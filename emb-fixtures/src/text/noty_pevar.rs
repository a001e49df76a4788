//! Sums of numbers and of texts that look alike.

use wallace_instrument::white_box;

/// `i` when twice `i` is 56, then overwritten: 1 when "hello" followed by `i` is "hello7", 2 when
/// `s` comes after "hello", 3 when `i` is above 5.
///
/// Twice `i` is taken in 64 bits, since `i` may be as large as `i32::MAX`.
#[white_box]
pub(super) fn noty_pevar(i: i32, s: &str) -> i32 {
    let mut result = 0;
    if i64::from(i) + i64::from(i) == 56 {
        result = i;
    }
    let word = "hello";
    if format!("{word}{i}") == "hello7" {
        result = 1;
    }
    if word < s {
        result = 2;
    }
    if i > 5 {
        result = 3;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::noty_pevar;

    #[test]
    fn the_last_test_wins() {
        for (i, s, expected) in [
            (28, "a", 3),
            (7, "a", 3),
            (6, "z", 3),
            (5, "hello!", 2),
            (5, "hello", 0),
            (i32::MIN, "", 0),
            (i32::MAX, "", 3),
        ] {
            assert_eq!(noty_pevar(i, s), expected, "{i} {s}");
        }
    }
}
