//! Causes: what a test was run for.

use serde::{Deserialize, Serialize};

/// What a test was run for; calls are booked on it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub enum Cause {
    /// A test of an earlier run, or one that the user gave.
    Seed,
    /// One of the problem's own tests to begin with.
    Initial,
    /// A random test.
    #[default]
    Sample,
    /// A test of calls that need each other.
    Plan,
    /// A test made so that an answer can be judged.
    Check,
    /// Made by a baseline.
    Bred,
    /// What was just learnt asked for it.
    FollowUp,
    /// A mutant of a test whose target is covered already.
    Revisit,
    /// A mutant that begins with other rows.
    Rows,
    /// A mutant that follows what earlier scores say about a value.
    Hint,
    /// A mutant with other values.
    Values,
    /// A mutant with other actions.
    Structure,
    /// A mutant cut down to the action that came nearest.
    Trim,
    /// A mutant joined with another test.
    Splice,
    /// A smaller form of a test of the result.
    Minimise,
    /// A test of the result, run once more.
    Repeat,
}

impl Cause {
    /// The cause in a word or two.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Initial => "initial",
            Self::Sample => "sample",
            Self::Plan => "plan",
            Self::Check => "check",
            Self::Bred => "baseline",
            Self::FollowUp => "follow-up",
            Self::Revisit => "revisit",
            Self::Rows => "rows",
            Self::Hint => "hint",
            Self::Values => "values",
            Self::Structure => "structure",
            Self::Trim => "trim",
            Self::Splice => "splice",
            Self::Minimise => "minimise",
            Self::Repeat => "repeat",
        }
    }

    /// Whether tests of this cause are part of the search, and not of what comes after it.
    #[must_use]
    pub fn is_search(self) -> bool {
        !matches!(self, Self::Minimise | Self::Repeat)
    }
}
