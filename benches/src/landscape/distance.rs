//! How near a predicate is to its other outcome.
//!
//! The formulas are those of the driver protocol (docs/reference/heuristics.md#distances): what a
//! search sees here is what instrumented code would tell it.

/// Scores of both outcomes of a predicate, in `[0, 1]`; the actual outcome has 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truth {
    /// How near the predicate is to holding.
    pub when_true: f64,
    /// How near the predicate is to failing.
    pub when_false: f64,
}

impl Truth {
    /// An outcome without a gradient: the other one counts as not reached.
    #[must_use]
    pub fn flat(holds: bool) -> Self {
        if holds { Self::held(0.0) } else { Self::failed(0.0) }
    }

    /// The predicate held; `other` is the score of its failing.
    #[must_use]
    pub fn held(other: f64) -> Self {
        Self { when_true: 1.0, when_false: other }
    }

    /// The predicate failed; `other` is the score of its holding.
    #[must_use]
    pub fn failed(other: f64) -> Self {
        Self { when_true: other, when_false: 1.0 }
    }

    /// Whether the predicate held.
    #[must_use]
    pub fn holds(self) -> bool {
        self.when_true >= 1.0
    }

    /// `one == other` of integers (9.2).
    #[must_use]
    pub fn equal(one: i64, other: i64) -> Self {
        let distance = one.abs_diff(other) as f64;
        if one == other { Self::held(0.0) } else { Self::failed(1.0 - normalised(distance)) }
    }

    /// `one < other` of integers (9.2).
    #[must_use]
    pub fn less(one: i64, other: i64) -> Self {
        let near = 1.0 / (1.1 + one.abs_diff(other) as f64);
        if one < other { Self::held(near) } else { Self::failed(near) }
    }

    /// `one < other` of doubles, graded by the targets of a numeric comparison (9.3).
    #[must_use]
    pub fn float_less(one: f64, other: f64) -> Self {
        let distance = (one - other).abs();
        if one < other {
            Self::held(reward(0.2, distance))
        } else {
            Self::failed(reward(0.2, distance + 1.0))
        }
    }

    /// `one == other` of doubles, graded by the targets of a numeric comparison (9.3).
    #[must_use]
    pub fn float_equal(one: f64, other: f64) -> Self {
        let distance = (one - other).abs();
        if distance == 0.0 { Self::held(0.2) } else { Self::failed(reward(0.2, distance)) }
    }

    /// `one == other` of texts (9.5).
    #[must_use]
    pub fn same_text(one: &str, other: &str) -> Self {
        if one == other {
            Self::held(0.1)
        } else {
            Self::failed(reward(0.1, left_alignment(one, other)))
        }
    }

    /// Whether `text` starts with `prefix` (9.5).
    #[must_use]
    pub fn starts_with(text: &str, prefix: &str) -> Self {
        let (length, wanted) = (utf16_length(text), utf16_length(prefix));
        if length < wanted {
            let penalty = wanted + wanted - length;
            return Self::failed(1.0 / (1.0 + (penalty * 65_535) as f64));
        }
        let units: Vec<u16> = text.encode_utf16().take(wanted).collect();
        Self::same_text(&String::from_utf16_lossy(&units), prefix)
    }

    /// Whether `list` contains `value` (9.5).
    #[must_use]
    pub fn contains(list: &[i64], value: i64) -> Self {
        let nearest = list.iter().map(|element| element.abs_diff(value)).min();
        match nearest {
            None => Self::failed(0.05),
            Some(0) => Self::held(0.1),
            Some(distance) => Self::failed(reward(0.1, distance as f64)),
        }
    }
}

/// A distance of at least 0 as a number in `[0, 1)` (9.1).
#[must_use]
pub fn normalised(distance: f64) -> f64 {
    if distance.is_finite() { distance / (distance + 1.0) } else { 1.0 }
}

/// `H(base, distance)` of 9.1: from 1 at distance 0 down to `base` far away.
#[must_use]
pub fn reward(base: f64, distance: f64) -> f64 {
    base + (1.0 - base) / (distance + 1.0)
}

/// Left-alignment distance of texts in UTF-16 units (9.1): 65,536 for each unit that only one of
/// them has, and the differences of the units both have.
#[must_use]
pub fn left_alignment(one: &str, other: &str) -> f64 {
    let units = one.encode_utf16().zip(other.encode_utf16());
    let differences: u64 = units.map(|(x, y)| u64::from(x.abs_diff(y))).sum();
    let lengths = utf16_length(one).abs_diff(utf16_length(other)) as u64;
    (65_536 * lengths + differences) as f64
}

fn utf16_length(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_vectors_of_the_protocol() {
        let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-5, "{value}");
        near(Truth::equal(5, 10).when_true, 0.166_67);
        near(Truth::less(5, 10).when_false, 0.163_934);
        near(Truth::same_text("foo", "bar").when_true, 0.140_909);
        near(Truth::same_text("", "a").when_true, 0.100_014);
        near(Truth::float_equal(3.0, 7.0).when_true, 0.36);
        near(Truth::float_less(7.0, 3.0).when_true, 0.333_333);
        assert_eq!(left_alignment("foo", "bar"), 21.0);
        assert_eq!(normalised(f64::INFINITY), 1.0);
    }

    #[test]
    fn exactly_one_outcome_is_the_actual_one() {
        let truths = [
            Truth::equal(1, 1),
            Truth::equal(1, 2),
            Truth::less(1, 2),
            Truth::less(2, 2),
            Truth::float_less(0.0, 0.5),
            Truth::float_equal(0.5, 0.5),
            Truth::same_text("ab", "ab"),
            Truth::starts_with("a", "ab"),
            Truth::starts_with("abc", "ab"),
            Truth::starts_with("xbc", "ab"),
            Truth::contains(&[], 3),
            Truth::contains(&[4, 3], 3),
            Truth::contains(&[4], 3),
            Truth::flat(true),
        ];
        for truth in truths {
            let actual = (truth.when_true >= 1.0, truth.when_false >= 1.0);
            assert!(actual.0 != actual.1, "{truth:?}");
            assert!(truth.when_true >= 0.0 && truth.when_false >= 0.0, "{truth:?}");
        }
    }
}
