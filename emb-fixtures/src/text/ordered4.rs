//! The order of four words.

use wallace_instrument::white_box;

/// "increasing" when `w < x < y < z`, "decreasing" when `w > x > y > z`, else "unordered"; only
/// words of five or six bytes count as ordered.
///
/// The arguments come as `w`, `x`, `z`, `y`, in this order.
#[white_box]
pub(super) fn ordered4(w: &str, x: &str, z: &str, y: &str) -> &'static str {
    if w.len() >= 5
        && w.len() <= 6
        && x.len() >= 5
        && x.len() <= 6
        && y.len() >= 5
        && y.len() <= 6
        && z.len() >= 5
        && z.len() <= 6
    {
        if w < x && x < y && y < z {
            return "increasing";
        }
        if w > x && x > y && y > z {
            return "decreasing";
        }
    }
    "unordered"
}

#[cfg(test)]
mod tests {
    use super::ordered4;

    #[test]
    fn order_and_length() {
        for ([w, x, z, y], expected) in [
            (["aaaaa", "bbbbb", "dddddd", "cccccc"], "increasing"),
            (["ddddd", "ccccc", "aaaaa", "bbbbb"], "decreasing"),
            (["aaaaa", "bbbbb", "ccccc", "ddddd"], "unordered"),
            (["aaaaa", "aaaaa", "ccccc", "bbbbb"], "unordered"),
            (["aaaa", "bbbbb", "ddddd", "ccccc"], "unordered"),
            (["aaaaa", "bbbbb", "ddddddd", "ccccc"], "unordered"),
        ] {
            assert_eq!(ordered4(w, x, z, y), expected, "{w} {x} {z} {y}");
        }
    }
}
