//! Classification of a triangle by its sides.

use wallace_instrument::white_box;

/// 0 when the sides make no triangle, 1 scalene, 2 isosceles, 3 equilateral.
///
/// Sums are taken in 64 bits: sides may be as large as `i32::MAX`.
#[white_box]
pub(super) fn classify(a: i32, b: i32, c: i32) -> i32 {
    if a <= 0 || b <= 0 || c <= 0 {
        return 0;
    }
    let (a, b, c) = (i64::from(a), i64::from(b), i64::from(c));
    if a >= b + c || b >= a + c || c >= a + b {
        return 0;
    }
    if a == b && b == c {
        return 3;
    }
    if a == b || b == c || a == c {
        return 2;
    }
    1
}

#[cfg(test)]
mod tests {
    use super::classify;

    #[test]
    fn classifies_in_any_order_of_sides() {
        for (sides, expected) in [
            ([3, 4, 5], 1),
            ([2, 2, 3], 2),
            ([7, 7, 7], 3),
            ([1, 2, 3], 0),
            ([1, 2, 9], 0),
            ([0, 4, 4], 0),
            ([-3, 4, 5], 0),
        ] {
            let [a, b, c] = sides;
            for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b), (a, c, b)] {
                assert_eq!(classify(a, b, c), expected, "sides {a} {b} {c}");
            }
        }
    }

    #[test]
    fn largest_sides_do_not_overflow() {
        assert_eq!(classify(i32::MAX, i32::MAX, i32::MAX), 3);
        assert_eq!(classify(i32::MAX, i32::MAX, i32::MAX - 1), 2);
        assert_eq!(classify(i32::MIN, i32::MAX, i32::MAX), 0);
    }
}
