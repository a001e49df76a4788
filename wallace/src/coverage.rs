//! Code coverage as drivers report it.

use std::collections::BTreeSet;

use wallace_engine::{Action, Solution, TargetKind, TargetName};
use wallace_problems::driver_target;
use wallace_sut_driver::SutInfo;

/// Covered parts of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Parts covered by the search or by the start of the service.
    pub covered: usize,
    /// All parts; 0 where the driver tells none.
    pub total: usize,
    /// Those of the covered ones that the start of the service covers, as what runs in `main`.
    pub at_start: usize,
}

impl Coverage {
    /// Coverage of the targets of a kind: what the search covered together with what the start of
    /// the service did (docs/reference/heuristics.md#coverage-figures).
    pub(crate) fn of<A: Action>(
        kind: TargetKind,
        total: usize,
        solution: &Solution<A>,
        info: Option<&SutInfo>,
    ) -> Self {
        let boot = info.into_iter().flat_map(|info| &info.boot_targets);
        let boot = boot.filter(|(_, score)| *score >= 1.0).map(|(target, _)| driver_target(target));
        let boot: Vec<TargetName> = boot.filter(|name| name.kind() == kind).collect();
        let names: BTreeSet<&TargetName> = solution.covered_of(kind).chain(&boot).collect();
        Self { covered: names.len(), total, at_start: boot.len() }
    }
}
