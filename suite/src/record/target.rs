//! Targets as reports and `explain` tell of them.

use serde::{Deserialize, Serialize};
use wallace_engine::{TargetKind, TargetName, target::About};

/// A target and how far the run came with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetRecord {
    /// Name.
    pub name: String,
    /// What kind of target it is.
    pub kind: TargetKind,
    /// The side of a branch, with which its name ends; empty for all others.
    pub side: String,
    /// Best score in `[0, 1]`; 1 is covered, 0 was never reached.
    pub score: f64,
    /// Where it is in the source, as far as that is known.
    pub place: Option<Place>,
    /// Position of the test of the suite that covers it; none for what only the start of the
    /// service covers.
    pub test: Option<usize>,
    /// When it was covered first.
    pub first: Option<Moment>,
    /// Why it is not covered.
    pub open: Option<OpenTarget>,
}

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Path of the file; the class or module where the driver tells no files.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// A moment of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Calls made.
    pub calls: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

/// A target that is not covered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenTarget {
    /// Why not.
    pub reason: OpenReason,
    /// Tests spent on it since the last that came nearer.
    pub tried: u32,
    /// Position of the test that came nearest, among the near tests of the record.
    pub nearest: Option<usize>,
    /// The two values that decided against it when that test ran.
    pub operands: Option<Operands>,
    /// The decision that keeps tests from it, where it was never reached: test and values are of
    /// that one.
    #[serde(default)]
    pub behind: Option<String>,
}

/// The values of a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operands {
    /// The value on the left, or the one that was looked at.
    pub left: String,
    /// How they are related: `==`, `starts_with`, `matches`.
    pub relation: String,
    /// The value on the right, or the pattern.
    pub right: String,
}

/// Why a target is not covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenReason {
    /// A list says that nothing can cover it, and why.
    Infeasible(String),
    /// Nothing came to it: what stands before it is not covered either.
    NeverReached,
    /// Nothing says which test is nearer than another.
    NoGradient,
    /// Others were worked on; few tests were spent on it.
    Starved,
    /// Tests came nearer and then no more.
    Stuck,
}

impl OpenReason {
    /// The reason in few words.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Infeasible(_) => "infeasible",
            Self::NeverReached => "never reached",
            Self::NoGradient => "no gradient",
            Self::Starved => "starved",
            Self::Stuck => "stuck",
        }
    }

    /// What it means, and what to try.
    #[must_use]
    pub fn advice(&self) -> String {
        match self {
            Self::Infeasible(why) => format!("A list says that nothing can cover it: {why}"),
            Self::NeverReached => {
                "No test executed the code before it. See what guards that code: \
                an operation that was never answered well, a user, or a state of the data."
                    .to_owned()
            }
            Self::NoGradient => "The decision gives no distance, so that every test is as near as \
                any other. Give the value as an example or in a seed, or compare in a form that \
                has a distance."
                .to_owned(),
            Self::Starved => "The budget ended while others were worked on: allow more calls, or \
                include only the operations that lead here."
                .to_owned(),
            Self::Stuck => "Tests came nearer, and then no more. Compare the two values: what is \
                missing may need another state, or a value that no argument reaches."
                .to_owned(),
        }
    }
}

impl TargetRecord {
    /// A target of which nothing is known but what it is about.
    #[must_use]
    pub fn of(name: &TargetName, score: f64) -> Self {
        let About { kind, subject, number, detail } = name.about();
        let is_code = matches!(kind, TargetKind::Line | TargetKind::Branch | TargetKind::Call);
        let place = Place { file: subject.to_string(), line: *number };
        Self {
            name: name.to_string(),
            kind: *kind,
            side: if *kind == TargetKind::Branch { detail.to_string() } else { String::new() },
            score,
            place: Some(place).filter(|place| is_code && place.line > 0),
            ..Self::default()
        }
    }

    /// Whether a test, or the start of the service, covers it.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.score >= 1.0
    }
}
