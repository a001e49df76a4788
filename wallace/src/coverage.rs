//! Code coverage as drivers report it.

use std::collections::BTreeSet;

use wallace_engine::{Action, Solution};
use wallace_sut_driver::SutInfo;

/// Covered parts of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Parts covered by the search or by the start of the service.
    pub covered: usize,
    /// All parts; 0 where the driver tells none.
    pub total: usize,
}

impl Coverage {
    /// Coverage of the targets whose names begin with `prefix`: what the search covered together
    /// with what the start of the service did (driver-protocol.md 5.4).
    pub(crate) fn of<A: Action>(
        prefix: &str,
        total: usize,
        solution: &Solution<A>,
        info: Option<&SutInfo>,
    ) -> Self {
        let searched = solution.targets.iter().filter(|target| target.score.is_covered());
        let boot = info.into_iter().flat_map(|info| &info.boot_targets);
        let boot = boot.filter(|(_, score)| *score >= 1.0);
        let names: BTreeSet<&str> = searched
            .map(|target| target.name.as_str())
            .chain(boot.map(|(name, _)| &**name))
            .filter(|name| name.starts_with(prefix))
            .collect();
        Self { covered: names.len(), total }
    }
}
