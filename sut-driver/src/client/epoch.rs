//! The driver's numbers of targets, which mean nothing outside one epoch.
//!
//! An epoch begins with each start of the system and each new search. Within it a number stands
//! for one name; the name comes along when a target is seen for the first time.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::channel::Call;
use super::{DriverError, TargetReach};
use crate::target::DriverTarget;
use crate::wire::results::TargetInfo;

/// Numbers above this one are refused: they would be an error of the driver, and memory grows
/// with the largest.
const LARGEST_ID: i64 = 1 << 21;

/// Most numbers of near targets that are asked for at a time.
const MOST_NEAR: usize = 100;

/// What is known of the numbers of the current epoch.
#[derive(Debug, Default)]
pub(super) struct Epoch {
    names: Vec<Option<Arc<DriverTarget>>>,
    ids: HashMap<Arc<str>, u32>,
    /// Numbers that earlier tests of this epoch came near, and did not cover.
    near: BTreeSet<u32>,
    /// Those of the test that runs, which may be told as seen for the first time once more.
    near_now: BTreeSet<u32>,
    /// Numbers that got their names in the test that runs.
    new: BTreeSet<u32>,
    /// What the start of the system came near, which may be told of every test.
    boot: BTreeSet<Arc<str>>,
}

/// A target reached in a test, by its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reached {
    pub(super) id: u32,
    score: f64,
    action: Option<usize>,
}

impl Epoch {
    /// Forgets all numbers.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.ids.clear();
        self.near.clear();
        self.near_now.clear();
        self.new.clear();
    }

    /// Notes that a test begins.
    pub(super) fn begin_test(&mut self) {
        self.near.append(&mut self.near_now);
        self.new.clear();
    }

    /// Whether an answer tells of a target that an earlier test saw first.
    pub(super) fn tells_again(&self, reached: &[Reached]) -> bool {
        reached.iter().any(|it| self.name(it.id).is_some() && !self.new.contains(&it.id))
    }

    /// Notes what the start of the system reached.
    pub(super) fn set_boot(&mut self, targets: &[(DriverTarget, f64)]) {
        self.boot = targets.iter().map(|(target, _)| Arc::clone(&target.name)).collect();
    }

    /// Numbers that earlier tests came near, as many as one request takes.
    pub(super) fn near(&self) -> Vec<u32> {
        self.near.iter().copied().take(MOST_NEAR).collect()
    }

    /// Notes what the test that runs came near.
    pub(super) fn note_near(&mut self, reached: &[Reached]) {
        let near = reached.iter().filter(|target| target.score < 1.0).map(|target| target.id);
        let near = near.filter(|id| self.name(*id).is_some_and(|it| !self.boot.contains(&it.name)));
        let near: Vec<u32> = near.collect();
        self.near_now.extend(near);
    }

    /// All numbers that have a name, ascending.
    pub(super) fn ids(&self) -> Vec<u32> {
        let known = self.names.iter().zip(0..).filter(|(name, _)| name.is_some());
        known.map(|(_, id)| id).collect()
    }

    /// The number of a target seen in this epoch.
    pub(super) fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    /// Learns the names in an answer and gives what was reached, each number once and ascending.
    pub(super) fn learn(
        &mut self,
        targets: &[TargetInfo<'_>],
    ) -> Result<Vec<Reached>, DriverError> {
        if targets.iter().any(|target| self.contradicts(target)) {
            // The system was restarted behind our back.
            tracing::debug!("numbers of targets have changed their meaning: forgetting them");
            self.clear();
        }
        let mut reached = Vec::with_capacity(targets.len());
        for target in targets {
            let id = checked_id(target)?;
            if let Some(name) = target.descriptive_id.as_deref() {
                self.insert(id, name);
            }
            let score = target.value.0;
            if score > 0.0 {
                reached.push(Reached {
                    id,
                    score: score.min(1.0),
                    action: target.action_index.and_then(|i| usize::try_from(i).ok()),
                });
            }
        }
        Ok(merge(reached))
    }

    /// Numbers that have no name yet.
    pub(super) fn nameless(&self, reached: &[Reached]) -> Vec<u32> {
        let ids = reached.iter().map(|target| target.id);
        ids.filter(|id| self.name(*id).is_none()).collect()
    }

    /// Puts the names in the place of the numbers.
    pub(super) fn resolve(&self, reached: &[Reached]) -> Vec<TargetReach> {
        let named = reached.iter().filter_map(|target| {
            let name = self.name(target.id);
            if name.is_none() {
                tracing::warn!(id = target.id, "the driver does not name a target it reports");
            }
            Some(TargetReach {
                target: Arc::clone(name?),
                score: target.score,
                action: target.action,
            })
        });
        named.collect()
    }

    fn name(&self, id: u32) -> Option<&Arc<DriverTarget>> {
        self.names.get(id as usize)?.as_ref()
    }

    /// Whether a number and name do not fit what is known.
    fn contradicts(&self, target: &TargetInfo<'_>) -> bool {
        let (Some(id), Some(name)) = (target.id, target.descriptive_id.as_deref()) else {
            return false;
        };
        let known = u32::try_from(id).ok().and_then(|id| self.name(id));
        match known {
            Some(known) => *known.name != *name,
            None => self.ids.contains_key(name),
        }
    }

    fn insert(&mut self, id: u32, name: &str) {
        if self.name(id).is_some() {
            return;
        }
        let index = id as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, None);
        }
        let target = DriverTarget::read(name);
        self.ids.insert(Arc::clone(&target.name), id);
        self.new.insert(id);
        self.names[index] = Some(Arc::new(target));
    }
}

fn checked_id(target: &TargetInfo<'_>) -> Result<u32, DriverError> {
    let id = target.id.filter(|id| (0..=LARGEST_ID).contains(id));
    let id = id.and_then(|id| u32::try_from(id).ok());
    id.ok_or_else(|| DriverError::Malformed {
        call: Call::TestResults.name(),
        reason: format!("a target has the number {:?}", target.id),
    })
}

/// One entry a number, the best one. A number comes twice when it is both asked for and new.
pub(super) fn merge(mut reached: Vec<Reached>) -> Vec<Reached> {
    reached.sort_by_key(|target| target.id);
    reached.dedup_by(|later, kept| {
        let is_same = later.id == kept.id;
        if is_same && later.score > kept.score {
            *kept = *later;
        }
        is_same
    });
    reached
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn learn(epoch: &mut Epoch, text: &str) -> Result<Vec<Reached>, DriverError> {
        let targets: Vec<TargetInfo<'_>> = serde_json::from_str(text).unwrap();
        epoch.learn(&targets)
    }

    #[test]
    fn doubled_numbers_become_one_and_zero_scores_none() {
        let mut epoch = Epoch::default();
        let reached = learn(
            &mut epoch,
            r#"[{"id":3,"descriptiveId":null,"value":0.5,"actionIndex":1},
                {"id":1,"descriptiveId":"b","value":0.0,"actionIndex":0},
                {"id":2,"descriptiveId":null,"value":0.0,"actionIndex":-1},
                {"id":3,"descriptiveId":"a","value":0.5,"actionIndex":1}]"#,
        )
        .unwrap();
        let targets = epoch.resolve(&reached);
        assert_eq!(targets.len(), 1, "{targets:?}");
        assert_eq!(
            (&*targets[0].target.name, targets[0].score, targets[0].action),
            ("a", 0.5, Some(1))
        );
        assert_eq!((epoch.id("a"), epoch.id("b"), epoch.id("c")), (Some(3), Some(1), None));
    }

    #[test]
    fn names_are_shared() {
        let mut epoch = Epoch::default();
        let text = r#"[{"id":0,"descriptiveId":"a","value":1,"actionIndex":0}]"#;
        let first = learn(&mut epoch, text).unwrap();
        let first = epoch.resolve(&first);
        let second = learn(&mut epoch, text).unwrap();
        assert!(Arc::ptr_eq(&first[0].target, &epoch.resolve(&second)[0].target));
    }

    #[test]
    fn a_changed_meaning_ends_the_epoch() {
        let mut epoch = Epoch::default();
        let first =
            r#"[{"id":0,"descriptiveId":"a","value":1},{"id":1,"descriptiveId":"b","value":1}]"#;
        learn(&mut epoch, first).unwrap();
        let second = r#"[{"id":2,"descriptiveId":"a","value":1},{"id":1,"value":1}]"#;
        let reached = learn(&mut epoch, second).unwrap();
        assert_eq!(epoch.nameless(&reached), [1]);
        assert_eq!((epoch.id("a"), epoch.id("b")), (Some(2), None));
    }

    #[test]
    fn impossible_numbers_are_refused() {
        let mut epoch = Epoch::default();
        for id in ["-1", "null", "99999999999"] {
            let text = format!(r#"[{{"id":{id},"descriptiveId":"a","value":1}}]"#);
            assert!(matches!(learn(&mut epoch, &text), Err(DriverError::Malformed { .. })), "{id}");
        }
    }
}
