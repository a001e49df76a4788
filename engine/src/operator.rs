//! Operators: how one test becomes another.

pub(crate) mod cause;
pub(crate) mod follow_up;
pub(crate) mod helper;
pub(crate) mod hint;
pub(crate) mod impact;
pub(crate) mod mutation;

use serde::{Deserialize, Serialize};

use cause::Cause;

/// What made a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Operator {
    /// Genes were changed.
    #[default]
    Values,
    /// A hint was followed.
    Hint,
    /// A hint was followed in the test cut down.
    TrimmedHint,
    /// Actions were added, removed or moved.
    Structure,
    /// Rows were added before the actions.
    Rows,
    /// All actions but one and its producers were left out.
    Trim,
    /// The actions of another test, or its own once more, were added.
    Splice,
}

impl Operator {
    /// What the calls of such a mutant are booked on.
    pub(crate) fn cause(self) -> Cause {
        match self {
            Self::Values => Cause::Values,
            Self::Hint | Self::TrimmedHint => Cause::Hint,
            Self::Structure => Cause::Structure,
            Self::Rows => Cause::Rows,
            Self::Trim => Cause::Trim,
            Self::Splice => Cause::Splice,
        }
    }
}
