//! The life of a recorder between an engine's requests: searches, tests, actions, results.

use wallace_sut_driver::{Recorded, RecordedTarget};

use crate::memo::START;
use crate::recorder::{Epoch, Reached, Recorder};
use crate::registry::registry;
use crate::state::lock;

impl Recorder {
    /// Ends the start of the system: what was reached so far is boot-time coverage.
    pub fn finish_boot(&self) {
        let mut boot = lock(&self.boot);
        for reached in self.reached() {
            let best = boot.entry(reached.slot).or_insert(0.0);
            *best = best.max(reached.score);
        }
        drop(boot);
        self.clear();
    }

    /// As [`Recorder::finish_boot`], with the lines that `main` ran before there was any recorder.
    pub(crate) fn finish_start(&self) {
        for slot in 0..self.size() {
            let number = self.number(slot);
            let function = registry().target(number).function;
            let memo = function.first().and_then(|first| function.memo(number - first));
            if memo.is_some_and(|memo| memo.is_settled(START)) {
                self.reach(slot, 1.0);
            }
        }
        self.finish_boot();
    }

    /// Forgets ids, first reports and the current test; keeps what was reached at boot.
    pub fn new_search(&self) {
        *lock(&self.epoch) = Epoch::default();
        self.clear();
    }

    /// Forgets the current test; its first reports are no longer first.
    pub fn new_test(&self) {
        lock(&self.epoch).first_seen.clear();
        self.clear();
    }

    /// Announces action `index`. `inputs` are texts to treat as tainted until the next test.
    pub fn begin_action(&self, index: u32, inputs: &[String]) {
        self.note_last_statement();
        let mut actions = lock(&self.actions);
        // What ran before the first action, a login for example, belongs to the first.
        if actions.is_announced {
            actions.entries.push(wallace_sut_driver::RecordedAction::default());
        }
        actions.is_announced = true;
        drop(actions);
        self.enter_action(index, inputs);
    }

    /// What was recorded since the last new test.
    ///
    /// A target gets its id here, in the order of the code, so that equal runs give equal ids.
    #[must_use]
    pub fn recorded(&self) -> Recorded {
        self.note_last_statement();
        let mut epoch = lock(&self.epoch);
        let reached = self.reached();
        let mut targets: Vec<_> =
            reached.iter().map(|reached| self.recorded_target(reached, &mut epoch)).collect();
        drop(epoch);
        targets.sort_unstable_by_key(|target| target.id);
        Recorded { targets, actions: lock(&self.actions).entries.clone() }
    }

    fn recorded_target(&self, reached: &Reached, epoch: &mut Epoch) -> RecordedTarget {
        let slot = reached.slot;
        let next = u32::try_from(epoch.slots.len()).expect("an id per slot, fewer than 2^32");
        let id = *epoch.ids.entry(slot).or_insert(next);
        if id == next {
            epoch.slots.push(slot);
            // What booting covers in every run is no news to a search.
            let is_boot = lock(&self.boot).get(&slot).is_some_and(|&score| score >= 1.0);
            if !is_boot {
                epoch.first_seen.insert(slot);
            }
        }
        RecordedTarget {
            name: self.name(slot),
            id,
            score: reached.score,
            action: reached.action,
            is_first_seen: epoch.first_seen.contains(&slot),
        }
    }

    /// Name of the target with this id in the current search.
    #[must_use]
    pub fn target_name(&self, id: u32) -> Option<&'static str> {
        let slot = *lock(&self.epoch).slots.get(id as usize)?;
        Some(self.name(slot))
    }

    /// Targets reached before [`Recorder::finish_boot`], with their best score.
    #[must_use]
    pub fn boot_targets(&self) -> Vec<(&'static str, f64)> {
        let boot = lock(&self.boot);
        boot.iter().map(|(&slot, &score)| (self.name(slot), score)).collect()
    }

    /// Names of all targets of this instance, in the order of the code.
    #[must_use]
    pub fn target_names(&self) -> Vec<&'static str> {
        (0..self.size()).map(|slot| self.name(slot)).collect()
    }

    fn name(&self, slot: u32) -> &'static str {
        registry().target(self.number(slot)).name
    }

    /// Writes the last executed line to the current action.
    fn note_last_statement(&self) {
        let Some(slot) = self.take_last_line() else {
            return;
        };
        let target = registry().target(self.number(slot));
        let (unit, name) = (target.function.unit, target.function.name);
        if let Some(action) = lock(&self.actions).entries.last_mut() {
            action.last_statement = Some(format!("{unit}_{}_{name}", target.line));
        }
    }
}
