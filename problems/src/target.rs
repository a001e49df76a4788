//! Targets as the search knows them: those of the driver, and those that answers earn.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_engine::{TargetKind, TargetName, target::About};
use wallace_sut_driver::{DriverTarget, DriverTargetKind};

use crate::oracle::Fault;

/// The name of a target of the driver, and what it is about.
#[must_use]
pub fn driver_target(target: &DriverTarget) -> TargetName {
    let kind = match target.kind {
        DriverTargetKind::Line => TargetKind::Line,
        DriverTargetKind::Branch => TargetKind::Branch,
        DriverTargetKind::Replacement => TargetKind::Call,
        DriverTargetKind::Other => TargetKind::Code,
    };
    let (subject, detail) = (target.unit.clone(), target.side.clone());
    TargetName::of(&*target.name, About { kind, subject, number: target.line, detail })
}

/// The target of a fault that a call of `operation` shows. In names of targets a colon separates
/// the parts, so that operations of REST have a blank.
#[must_use]
pub fn fault_target(operation: &str, fault: Fault) -> TargetName {
    let Fault { code, context } = fault;
    let name = format!("fault:{code}:{}:{context}", operation.replacen(':', " ", 1));
    let (subject, detail) = (operation.into(), context.into());
    TargetName::of(name, About { kind: TargetKind::Fault, subject, number: code.into(), detail })
}

/// A target that is covered when an operation is answered as it should be.
pub(crate) fn success(name: String) -> TargetName {
    TargetName::of(name, TargetKind::Success)
}

/// Any other target that answers earn.
pub(crate) fn answer(name: String) -> TargetName {
    TargetName::of(name, TargetKind::Answer)
}

/// Targets of the driver, each named once: a driver shares the allocation between reports, so
/// that its address tells which target it is.
#[derive(Debug, Default)]
pub(crate) struct DriverTargets(HashMap<usize, (Arc<DriverTarget>, TargetName)>);

impl DriverTargets {
    pub(crate) fn name(&mut self, target: Arc<DriverTarget>) -> TargetName {
        let address = Arc::as_ptr(&target) as usize;
        let known = self.0.entry(address).or_insert_with(|| {
            let name = driver_target(&target);
            (target, name)
        });
        known.1.clone()
    }

    /// Forgets all: a driver that starts its system anew makes new allocations.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_target_is_named_once() {
        let mut targets = DriverTargets::default();
        let line = Arc::new(DriverTarget::read("Line_at_a_00007"));
        let name = targets.name(Arc::clone(&line));
        assert_eq!((name.kind(), name.about().number), (TargetKind::Line, 7));
        assert_eq!(targets.name(line), name);
        targets.name(Arc::new(DriverTarget::read("Line_at_a_00007")));
        assert_eq!(targets.0.len(), 2);
    }

    #[test]
    fn faults_are_named_with_blanks_and_known_with_colons() {
        let name = fault_target("GET:/a", Fault { code: 100, context: "b:c".to_owned() });
        assert_eq!(name.as_str(), "fault:100:GET /a:b:c");
        assert_eq!((&*name.about().subject, &*name.about().detail), ("GET:/a", "b:c"));
    }
}
