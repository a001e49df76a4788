//! What a proxy has counted.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::target::{DriverTarget, DriverTargetKind};
use crate::wire::results::{TargetInfo, TestResultsAnswer};

/// Calls made and targets covered, as the driver reported them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Actions that were announced to the driver.
    pub calls: u64,
    /// Tests whose results were fetched.
    pub tests: u64,
    /// Targets that some test covered, by name, and the calls made until the end of the first such
    /// test. Without those that the start of the system covers.
    pub covered: BTreeMap<Arc<str>, u64>,
    /// How coverage grew; one point for each test that added to it, in the order of the run.
    pub curve: Vec<CurvePoint>,
    lines: u64,
    branches: u64,
}

/// Coverage after some calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    /// Calls made until then.
    pub calls: u64,
    /// Targets covered, of all kinds.
    pub targets: u64,
    /// Lines covered.
    pub lines: u64,
    /// Branch sides covered.
    pub branches: u64,
}

impl Tally {
    /// Takes the covered targets of one test.
    pub(super) fn add_test(&mut self, targets: Vec<Arc<DriverTarget>>) {
        self.tests += 1;
        let before = self.covered.len();
        for target in targets {
            let DriverTarget { name, kind, .. } = &*target;
            if !self.covered.contains_key(name) {
                self.covered.insert(Arc::clone(name), self.calls);
                self.lines += u64::from(*kind == DriverTargetKind::Line);
                self.branches += u64::from(*kind == DriverTargetKind::Branch);
            }
        }
        if self.covered.len() > before {
            self.curve.push(CurvePoint {
                calls: self.calls,
                targets: self.covered.len() as u64,
                lines: self.lines,
                branches: self.branches,
            });
        }
    }
}

/// Names of the driver's numbers, as long as the system runs.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<i64, Arc<DriverTarget>>);

impl Names {
    /// Forgets all: numbers may mean something else after the system has started anew.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes the names that an answer tells.
    pub(super) fn learn(&mut self, answer: &TestResultsAnswer<'_>) {
        for target in &answer.targets {
            if let (Some(id), Some(name)) = (target.id, &target.descriptive_id) {
                let is_known = self.0.get(&id).is_some_and(|known| *known.name == **name);
                if !is_known {
                    self.0.insert(id, Arc::new(DriverTarget::read(name)));
                }
            }
        }
    }

    /// Covered targets of an answer, and the numbers that have none yet.
    pub(super) fn covered(
        &self,
        answer: &TestResultsAnswer<'_>,
    ) -> (Vec<Arc<DriverTarget>>, Vec<i64>) {
        let is_covered = |target: &&TargetInfo<'_>| target.value.0 >= 1.0;
        let ids = answer.targets.iter().filter(is_covered).filter_map(|target| target.id);
        let (mut names, mut unknown) = (Vec::new(), Vec::new());
        for id in ids {
            match self.0.get(&id) {
                Some(name) => names.push(Arc::clone(name)),
                None => unknown.push(id),
            }
        }
        (names, unknown)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn answer(text: &str) -> TestResultsAnswer<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn only_covered_targets_count_each_once() {
        let mut names = Names::default();
        let first = answer(
            r#"{"targets":[{"id":1,"descriptiveId":"Line_at_a_1","value":1.0},
                {"id":2,"descriptiveId":"Branch_at_a_at_line_1_position_0_true","value":0.5},{"id":3,"value":1}]}"#,
        );
        names.learn(&first);
        let (covered, unknown) = names.covered(&first);
        assert_eq!((covered.len(), unknown.as_slice()), (1, [3].as_slice()));
        let mut tally = Tally { calls: 4, ..Tally::default() };
        tally.add_test(covered.clone());
        tally.calls = 9;
        tally.add_test(covered);
        assert_eq!((tally.tests, tally.covered.len()), (2, 1));
        assert_eq!(tally.curve, [CurvePoint { calls: 4, targets: 1, lines: 1, branches: 0 }]);
    }

    #[test]
    fn numbers_die_with_the_system() {
        let mut names = Names::default();
        let first = answer(r#"{"targets":[{"id":1,"descriptiveId":"Line_at_a_1","value":1.0}]}"#);
        names.learn(&first);
        names.clear();
        assert_eq!(names.covered(&first).1, [1]);
    }
}
