//! Words for effect sizes.

use std::fmt;

/// How large an A12 is called (Vargha and Delaney 2000: 0.56, 0.64 and 0.71, and the same below
/// one half).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nearer to one half than 0.06.
    Negligible,
    /// From 0.56, or to 0.44.
    Small,
    /// From 0.64, or to 0.36.
    Medium,
    /// From 0.71, or to 0.29.
    Large,
}

impl Effect {
    /// The word for an A12 in `[0, 1]`.
    #[must_use]
    pub fn of(a12: f64) -> Self {
        let distance = (a12 - 0.5).abs() + 1e-12;
        match distance {
            _ if distance >= 0.21 => Self::Large,
            _ if distance >= 0.14 => Self::Medium,
            _ if distance >= 0.06 => Self::Small,
            _ => Self::Negligible,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Effect;

    #[test]
    fn labels_at_their_bounds() {
        let labels = [0.5, 0.56, 0.64, 0.71, 0.44, 0.36, 0.29, 0.0].map(Effect::of);
        use Effect::{Large, Medium, Negligible, Small};
        assert_eq!(labels, [Negligible, Small, Medium, Large, Small, Medium, Large, Large]);
    }
}
