//! What targets are about.

use serde::{Deserialize, Serialize};

/// What kind of target one is. The search treats all alike; reports count and group by it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A line of the code.
    Line,
    /// One side of a condition of the code, or an arm.
    Branch,
    /// What a call inside of the code gives.
    Call,
    /// Anything else of the code: a class that was loaded, say.
    Code,
    /// A fault.
    Fault,
    /// That an operation was answered as it should be.
    Success,
    /// What else answers show: a status, a member, a part of the schema.
    Answer,
    /// Of the user's own.
    #[default]
    Own,
}

impl TargetKind {
    /// Whether it is one side of a decision of the code.
    #[must_use]
    pub fn is_decision(self) -> bool {
        matches!(self, Self::Branch | Self::Call)
    }

    /// The word for it in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Branch => "branch",
            Self::Call => "call",
            Self::Code => "code",
            Self::Fault => "fault",
            Self::Success | Self::Answer => "answer",
            Self::Own => "own",
        }
    }
}

/// What a target is about: its kind, and as many of the other parts as the kind has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its kind.
    pub kind: TargetKind,
    /// What it belongs to: the class or module of code, the operation of a fault.
    pub subject: Box<str>,
    /// Where or which in that: the line of code, the code of a fault.
    pub number: u32,
    /// What tells it from others there: the side of a branch, the context of a fault.
    pub detail: Box<str>,
}

impl From<TargetKind> for About {
    /// A target of which nothing else is told.
    fn from(kind: TargetKind) -> Self {
        Self { kind, ..Self::default() }
    }
}
