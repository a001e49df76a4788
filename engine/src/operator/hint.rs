//! Hints: values to try, inferred from what earlier values did.
//!
//! Whenever a mutant comes back, each value that it changed and the scores before and after say
//! something about every target that both tests reached, not only about the one that was worked
//! on. What follows from it (`inference`) is kept as a few hints for each target, and a mutation on
//! the way to the target may take one instead of a random change.

pub(crate) mod edit;
pub(crate) mod inference;
pub(crate) mod suggest;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{GenePath, TemplateId};

use self::edit::Edit;
use crate::individual::action::ActionId;
use crate::target::TargetId;

/// A value to try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hint {
    pub(crate) action: ActionId,
    pub(crate) template: TemplateId,
    pub(crate) path: Arc<GenePath>,
    pub(crate) edit: Edit,
    /// Whether only the direction is known.
    pub(crate) is_probe: bool,
}

/// Hints for open targets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hints {
    waiting: BTreeMap<TargetId, Vec<Hint>>,
    /// Targets whose newest hints nobody has taken yet.
    fresh: BTreeSet<TargetId>,
}

impl Hints {
    /// Most hints of one target; the oldest go first.
    const EACH: usize = 6;
    /// Most targets with hints.
    const TARGETS: usize = 20_000;

    /// Adds hints, of which the first is to be taken first, and leaves the list of them empty.
    /// Nothing is probed at a position where something better is known to do.
    pub(crate) fn add(&mut self, target: TargetId, hints: &mut Vec<Hint>) {
        if hints.iter().any(|hint| hint.is_probe) {
            let waiting = self.waiting.get(&target).map_or(&[][..], Vec::as_slice);
            hints.retain(|hint| {
                let is_there =
                    |other: &Hint| other.path == hint.path && other.action == hint.action;
                !(hint.is_probe && waiting.iter().any(is_there))
            });
        }
        if hints.is_empty() {
            return;
        }
        if self.waiting.len() >= Self::TARGETS
            && !self.waiting.contains_key(&target)
            && let Some((oldest, _)) = self.waiting.pop_first()
        {
            self.fresh.remove(&oldest);
        }
        let waiting = self.waiting.entry(target).or_default();
        for hint in hints.drain(..).rev() {
            let is_same = |other: &Hint| other.edit == hint.edit && *other == hint;
            if let Some(place) = waiting.iter().position(is_same) {
                waiting.remove(place);
            }
            waiting.push(hint);
        }
        let surplus = waiting.len().saturating_sub(Self::EACH);
        waiting.drain(..surplus);
        self.fresh.insert(target);
    }

    /// Takes the newest hint for a target.
    pub(crate) fn take(&mut self, target: TargetId) -> Option<Hint> {
        self.fresh.remove(&target);
        let waiting = self.waiting.get_mut(&target)?;
        let hint = waiting.pop();
        if waiting.is_empty() {
            self.waiting.remove(&target);
        }
        hint
    }

    /// Drops what was waiting for a target.
    pub(crate) fn forget(&mut self, target: TargetId) {
        self.waiting.remove(&target);
        self.fresh.remove(&target);
    }

    /// A target with fresh hints, of those known longest. It is offered once.
    pub(crate) fn next_target(&mut self) -> Option<TargetId> {
        self.fresh.pop_first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_hints_come_first_and_memory_is_bounded() {
        let hint = |value| Hint {
            action: ActionId(0),
            template: TemplateId(0),
            path: Arc::default(),
            edit: Edit::Number(value),
            is_probe: false,
        };
        let mut hints = Hints::default();
        hints.add(TargetId(3), &mut vec![hint(1.0), hint(2.0)]);
        hints.add(TargetId(3), &mut vec![hint(3.0)]);
        assert_eq!(hints.next_target(), Some(TargetId(3)));
        assert_eq!(hints.next_target(), None);
        for value in [3.0, 1.0, 2.0] {
            assert_eq!(hints.take(TargetId(3)), Some(hint(value)));
        }
        for target in 0..30_000 {
            let mut twenty = (0..20).map(|value| hint(f64::from(value))).collect();
            hints.add(TargetId(target), &mut twenty);
        }
        assert!(hints.waiting.len() <= Hints::TARGETS);
        assert!(hints.waiting.values().all(|waiting| waiting.len() <= Hints::EACH));
    }
}
