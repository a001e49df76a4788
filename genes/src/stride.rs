//! Strides: steps whose length follows their success.
//!
//! The pattern is that of the alternating variable method (Korel 1990): while steps in one
//! direction help, they double; when one does not, the same length is tried in the other
//! direction, then half of it, until nothing is left. A number at distance `d` from where it
//! should be arrives in about `2 * log2(d)` steps, where blind ones need as many tries for each.

use serde::{Deserialize, Serialize};

/// A length and a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stride {
    /// Length of the next step; at least 1.
    length: u64,
    is_down: bool,
    /// Whether the other direction was tried with this length.
    has_turned: bool,
    /// Whether the last step helped.
    has_helped: bool,
}

impl Stride {
    /// The stride of a step that was just taken; nothing when there was none.
    pub(crate) fn of(step: i128) -> Option<Self> {
        let length = u64::try_from(step.unsigned_abs()).unwrap_or(u64::MAX);
        let (is_down, has_turned, has_helped) = (step < 0, false, false);
        (length > 0).then_some(Self { length, is_down, has_turned, has_helped })
    }

    /// The next step.
    pub(crate) fn step(self) -> i128 {
        let length = i128::from(self.length);
        if self.is_down { -length } else { length }
    }

    /// The last step helped: twice as far.
    pub(crate) fn helped(&mut self) {
        self.length = self.length.saturating_mul(2);
        (self.has_turned, self.has_helped) = (false, true);
    }

    /// The last step did not help: back, or shorter. Returns whether anything is left to try.
    pub(crate) fn failed(&mut self) -> bool {
        if self.has_helped {
            // It went too far. Where it came from is behind, so only ahead at full length.
            self.length /= 2;
            (self.has_turned, self.has_helped) = (true, false);
        } else {
            self.is_down = !self.is_down;
            if self.has_turned {
                self.length /= 2;
            }
            self.has_turned = !self.has_turned;
        }
        self.length > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of steps from `from` until `goal` is reached.
    fn steps(from: i128, goal: i128, first: i128) -> Option<u32> {
        let (mut at, mut count) = (from, 0);
        let mut stride = Stride::of(first)?;
        while at != goal {
            count += 1;
            let next = at + stride.step();
            if (next - goal).abs() < (at - goal).abs() {
                at = next;
                stride.helped();
            } else if !stride.failed() {
                return None;
            }
        }
        Some(count)
    }

    #[test]
    fn a_goal_is_reached_in_a_logarithm_of_its_distance() {
        for goal in [1_i128, -1, 7, 1_000, -123_456_789, 1 << 61] {
            for first in [1, -1, 64, -5_000, 1 << 40] {
                let found = steps(3, goal, first);
                assert!(found.is_some_and(|count| count < 400), "{goal} {first}: {found:?}");
            }
        }
    }

    #[test]
    fn what_never_helps_ends() {
        let mut stride = Stride::of(-1024).unwrap();
        let mut tried = vec![stride.step()];
        while stride.failed() {
            tried.push(stride.step());
        }
        assert_eq!(tried[..4], [-1024, 1024, -512, 512]);
        assert_eq!((tried.len(), tried.last()), (22, Some(&1)));
        assert_eq!(Stride::of(0), None);
    }
}
