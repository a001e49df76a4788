//! What drivers of this project tell besides the protocol: places of targets, and the values of
//! decisions.

use serde::Deserialize;

use crate::controller::RecordedOperands;
use crate::target::DriverTarget;

/// A target and its place, whether it was reached or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTarget {
    /// The target.
    pub target: DriverTarget,
    /// Path of the source file, as the compiler was given it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// The values that decided against a target in a test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionValues {
    /// Descriptive name of the target.
    pub target: String,
    /// The value on the left, or the one that was looked at.
    pub left: String,
    /// How they were compared.
    pub relation: String,
    /// The value on the right, or what was asked for.
    pub right: String,
    /// Whether a distance is defined on them: whether a test can come nearer.
    pub has_distance: bool,
}

impl DecisionValues {
    /// The relation of two values that were compared by order.
    pub const ORDER: &str = RecordedOperands::ORDER;

    /// Whether the values were compared by order, so that equal ones are the limit.
    #[must_use]
    pub fn is_order(&self) -> bool {
        self.relation == Self::ORDER
    }
}

/// The answer of `wallace/targets`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Places {
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    targets: Vec<PlaceOf>,
}

#[derive(Debug, Deserialize)]
struct PlaceOf {
    name: String,
    file: usize,
    line: u32,
}

/// The answer of `wallace/operands`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Operands {
    #[serde(default)]
    pub(super) operands: Vec<DecisionValues>,
}

impl Places {
    pub(super) fn into_targets(self) -> Vec<KnownTarget> {
        let file = |index: usize| self.files.get(index).cloned().unwrap_or_default();
        let targets = self.targets.into_iter();
        targets
            .map(|place| KnownTarget {
                target: DriverTarget::read(&place.name),
                file: file(place.file),
                line: place.line,
            })
            .collect()
    }
}
