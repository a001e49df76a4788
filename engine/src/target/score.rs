//! How near a test came to a target.

use serde::{Deserialize, Serialize};

/// How near an evaluation came to a target: in `[0, 1]`; 0 is not reached, 1 is covered.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub struct Score(f64);

impl From<f64> for Score {
    /// As [`Score::new`].
    fn from(score: f64) -> Self {
        Self::new(score)
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}

impl Score {
    /// Not reached.
    pub const ZERO: Self = Self(0.0);
    /// Covered.
    pub const COVERED: Self = Self(1.0);

    /// A score; what is no number in `[0, 1]` becomes the nearest one, not-a-number 0.
    #[must_use]
    pub fn new(score: f64) -> Self {
        if score.is_nan() { Self::ZERO } else { Self(score.clamp(0.0, 1.0)) }
    }

    /// The score as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Whether the target is covered.
    #[must_use]
    pub fn is_covered(self) -> bool {
        self.0 >= 1.0
    }

    /// Whether the target is reached at all.
    #[must_use]
    pub fn is_reached(self) -> bool {
        self.0 > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_in_range() {
        assert_eq!(Score::new(f64::NAN), Score::ZERO);
        assert_eq!(Score::new(7.0), Score::COVERED);
        assert_eq!(Score::new(-1.0), Score::ZERO);
    }
}
