//! Operators: how one test becomes another.

pub(crate) mod follow_up;
pub(crate) mod hint;
pub(crate) mod impact;
pub(crate) mod mutation;

use serde::{Deserialize, Serialize};

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
    /// All actions but one and its producers were left out.
    Trim,
    /// The actions of another test, or its own once more, were added.
    Splice,
}
